import {stripVTControlCharacters} from 'node:util'
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {
  batchItemsView,
  batchListView,
  batchView,
  failedViewWith,
  itemsViewWith,
} from '../../src/commands/a2a/shared/batch-views.ts'
import {auditListView} from '../../src/commands/audit/shared/entry-view.ts'
import {
  cardListView,
  cardView,
  controlTokenView,
  paymentInfoView,
  plasticsView,
} from '../../src/commands/cards/shared/views.ts'
import {foundListView} from '../../src/commands/find/shared/view.ts'
import {historyView} from '../../src/commands/history/shared/view.ts'
import {pinAnswerView, pinSetView, pinUnblockedView, pinView} from '../../src/commands/pin/shared/views.ts'
import {profileListView, whoamiView} from '../../src/commands/profiles/shared/views.ts'
import {
  enrolledCustomerView,
  traceListView,
  traceStartedView,
  traceView,
} from '../../src/commands/remotecheckout/shared/views.ts'
import {undoneView, undoPlanView} from '../../src/commands/requests/shared/undo-views.ts'
import {
  sandboxFaultsView,
  sandboxResetView,
  sandboxStateListView,
} from '../../src/commands/sandbox/shared/views.ts'
import {deleteView, updateView} from '../../src/output/changes.ts'
import {genericView} from '../../src/output/generic.ts'
import type {ColourLevel, View, ViewContext} from '../../src/output/index.ts'
import {requestListView, requestView} from '../../src/output/requests.ts'
import {textWidth} from '../../src/output/text-layout.ts'
import {renderView} from '../../src/output/view.ts'
import {runs} from '../helpers/whole.ts'
import * as replies from './replies.ts'
import {NOON} from './streams.ts'

const {batch, card, cards} = replies
const texts = new Map([[batch.transfers.items[1]?.id ?? '', 'Rent for March']])
const shows: readonly (readonly [name: string, view: View<never>, reply: unknown])[] = [
  ['card', cardView, card],
  ['card, sparse', cardView, {id: '3009', status: 'SOMETHING_NEW', pinStatus: 'X'}],
  [
    'card, its PIN blocked, with a reason',
    cardView,
    {
      id: '3001',
      status: 'CARD_BLOCKED',
      statusDate: card.statusDate,
      reason: 'LOST',
      pinStatus: 'S',
      pinAttempts: {counter: 3, max: 3},
    },
  ],
  ['card without PIN', cardView, {id: '3004', status: 'CARD_OK', pinAttempts: {counter: 0, max: 3}}],
  ['cards', cardListView, cards],
  ['no cards', cardListView, []],
  ['plastics', plasticsView, replies.plastics],
  ['payment info', paymentInfoView, {cardId: '3001', fullCardNumber: '411111••••••1111', cvv2: '•••'}],
  ['control token', controlTokenView, {token: 'tok-1', cardDataUrl: 'https://service.example.test/data'}],
  ['batch', batchView, batch],
  ['batch with items', batchItemsView, batch],
  ['batches', batchListView, [batch, {...batch, id: '88122', status: 'IN_PROGRESS', failedTransferItems: 0}]],
  ['batch with items and a text', itemsViewWith(texts), batch],
  ['failed items', failedViewWith(texts), batch.transfers.items.slice(1)],
  ['enrolled customer', enrolledCustomerView, replies.enrolledCustomer],
  ['trace started', traceStartedView, {requestTraceId: 'trace-1'}],
  ['trace', traceView, replies.failedTrace],
  [
    'started traces',
    traceListView,
    [
      {
        traceId: '4cfaa084-95c8-4551-abcf-b4f59b18081f',
        operation: 'remotecheckout.enrollCustomer.v1',
        resources: ['customer:1001', 'card:3001'],
        startedAt: '2027-01-15T10:00:00.000Z',
        status: 'IN_PROGRESS',
        outcome: '',
        ticket: 'SUP-9',
      },
    ],
  ],
  ['whoami', whoamiView, replies.whoami],
  ['profiles', profileListView, replies.profiles],
  ['requests', requestListView, replies.requests],
  ['request', requestView, replies.requests[0]],
  ['request with values before', requestView, replies.changedRequest],
  ['undo, planned', undoPlanView, replies.undo],
  ['undo', undoneView, {...replies.undo, request: 'r_01M81W4TSQRTTRZ8PXSRQAYABY'}],
  ['history entries', historyView, replies.historyEntries],
  ['found things', foundListView, replies.found],
  ['no entries', historyView, []],
  ['pin', pinView, {cardId: '3001', plasticId: '7001', pin: '••••'}],
  ['pin set', pinSetView, {cardId: '3001', plasticId: '7001'}],
  [
    'pin unblocked',
    pinUnblockedView,
    {
      cardId: '3001',
      plasticId: '7001',
      wrongTries: {before: {counter: 3, max: 3}, after: {counter: 0, max: 3}},
    },
  ],
  ['pin answer', pinAnswerView, {tzpk: 'QUJD'.repeat(20)}],
  ['account updated', updateView('Account'), {id: '2001', description: 'Account updated'}],
  ['account updated, with words', updateView('Account'), {id: '2001', description: 'Takes effect tonight'}],
  ['price list deleted', deleteView('Price list'), {id: '5001', description: ''}],
  ['no faults', sandboxFaultsView, []],
  ['faults', sandboxFaultsView, replies.faults],
  ['sandbox accounts', sandboxStateListView('account'), replies.accountStates],
  ['audit lines', auditListView, replies.auditLines],
  ['reset', sandboxResetView, {}],
  ['anything', genericView, {...batch, note: 'a\nb', empty: [], words: ['x', 'y']}],
]

const context = (width: number, colour: ColourLevel = 0, ascii = false): ViewContext => ({
  width,
  colour,
  ascii,
  now: NOON,
  timeZone: 'Europe/Helsinki',
})

async function render(to: ViewContext): Promise<string> {
  const parts: string[] = []
  const rendered = to.accessible ? renderView<never> : (view: View<never>, reply: never) => view(reply, to)
  for (const [name, view, reply] of shows)
    parts.push(`## ${name}\n${await rendered(view, reply as never, to)}\n`)
  return parts.join('\n')
}

/** Values that are handed out whole may be longer than the terminal is wide. */
const tooWide = (text: string, width: number) =>
  text.split('\n').filter(line => textWidth(line) > width && !/^(QUJD)+$/.test(line))

describe('views', () => {
  it.each([40, 80, 120])('at %i columns', async width => {
    const text = await render(context(width))
    await expect(text).toMatchFileSnapshot(`golden/views-${width}.txt`)
    expect(tooWide(text, width)).toEqual([])
  })

  it('in colour, the words and the layout the same', async () => {
    const coloured = await render(context(80, 1))
    await expect(coloured.replaceAll('\u001b', '␛')).toMatchFileSnapshot('golden/views-80-colour.txt')
    for (const width of [40, 80, 120]) {
      expect(stripVTControlCharacters(await render(context(width, 3)))).toBe(await render(context(width)))
    }
  })

  it('in ASCII, but for the words that came', async () => {
    const text = await render(context(80, 0, true))
    // Names that came, and the bullets with which the commands mask.
    const known = /[äöÄ山田商事株式会社•]/g
    expect(text.replace(known, '')).toMatch(/^[\x20-\x7e\n]*$/)
  })

  it('to a screen reader, entry by entry, each value after its label', async () => {
    const text = await render({...context(80), accessible: true})
    await expect(text).toMatchFileSnapshot('golden/views-accessible.txt')
  })

  it.each([40, 80, 120])(
    'to a screen reader, nothing side by side and no sign, at %i columns',
    async width => {
      const text = await render({...context(width), accessible: true})
      expect(text.match(/[\u2022\u2026\u00b7\u2190-\u21ff\u2500-\u27bf\u2800-\u28ff]/g)).toBeNull()
      expect(text).not.toMatch(/-{4,}|[*=]{3,}/)
      // The words are in place before the lines are broken, and no line has two columns.
      expect(tooWide(text, width)).toEqual([])
      expect(text.split('\n').filter(line => / {2,}\S/.test(line.trim()))).toEqual([])
    },
  )

  it('takes any reply without failing, and stays within the width', async () => {
    const anything = fc.jsonValue({maxDepth: 3})
    const members = fc.record(
      Object.fromEntries(
        [...Object.keys(card), ...Object.keys(batch), 'details', 'paymentInstruments'].map(name => [
          name,
          anything,
        ]),
      ),
      {requiredKeys: []},
    )
    await fc.assert(
      fc.asyncProperty(members, fc.integer({min: 20, max: 100}), async (reply, width) => {
        for (const [name, view] of shows) {
          const isList = /s$|items$/.test(name) && Array.isArray(shows.find(show => show[0] === name)?.[2])
          const text = await view((isList ? [reply, reply] : reply) as never, context(width))
          if (!/token|answer/.test(name)) expect(tooWide(text, width), name).toEqual([])
        }
      }),
      {numRuns: runs(60)},
    )
  })
})
