import {expect, test} from 'vitest'
import {webhookEventListView} from '../../src/commands/webhook/shared/event-views.ts'
import {webhookReplayView} from '../../src/commands/webhook/shared/replay-view.ts'
import {ruleScenariosView, webhookScenariosView} from '../../src/commands/webhook/shared/rules-view.ts'
import {responseCodes} from '../../src/contract/response-codes.ts'
import {scenarios} from '../../src/contract/scenarios.ts'
import type {ViewContext} from '../../src/output/index.ts'
import {PARTIAL_APPROVAL} from '../../src/output/state.ts'
import {textWidth} from '../../src/output/text-layout.ts'
import type {Replayed} from '../../src/webhook/index.ts'
import {NOON} from './streams.ts'

const at = (width: number): ViewContext => ({width, colour: 0, ascii: false, now: NOON, timeZone: 'UTC'})

const idOf = (number: number) => `e_${'01JD8Z4QX7M2N5P8R1T4V6W9YB'.slice(0, -1)}${number}`
const merchant = 'The Very Long Name of a Department Store in Helsinki'
const about = {id: 'x', kind: 'payment', transactionType: 'RETAIL', cardId: '3001', deadlineMs: 2000}
const money = {amount: 12_400.5, currency: 'NOK'}
const LAST_WEEK = NOON - 7 * 86_400_000
const events = [
  {type: 'auth', outcome: 'partial', code: '10', by: 'rule fuel pumps', merchant, ...about, ...money},
  {type: 'auth', outcome: 'broken', code: '503', by: 'rule 3', merchant, ...about, kind: 'pin-management'},
  {type: 'late', merchant, ...about, ...money},
  {type: 'rejected', status: 502, reason: 'no usable decision'},
  {type: 'warm-up'},
].map((event, number) => ({event: idOf(number), at: LAST_WEEK, durationMs: 1999, ...event}))

const replayed = [
  {got: {outcome: 'approved', code: '00', durationMs: 3}, changed: true, change: 'approved-more'},
  {got: {outcome: 'partial', code: '10', durationMs: 3}, changed: false},
  {
    got: {outcome: 'late', reason: 'no answer within 2000 ms', durationMs: 2000},
    changed: true,
    change: 'no-decision',
  },
  {
    got: {outcome: 'unreachable', reason: 'connection refused', durationMs: 1},
    changed: true,
    change: 'no-decision',
  },
].map((each, number) => ({
  event: idOf(number),
  merchant,
  ...money,
  expected: {outcome: 'partial', code: '10', part: {amount: 80, currency: 'NOK'}},
  recorded: 'partial',
  masked: [],
  ...each,
})) as readonly Replayed[]
const summary = {
  calls: 4,
  same: 1,
  changed: 3,
  changes: {'approved-more': 1, 'no-decision': 2},
  notCompared: 0,
  unanswered: 2,
}
const replayTable = (calls: readonly unknown[], context: ViewContext) =>
  webhookReplayView({summary, calls: calls as readonly Replayed[]}, context)

test.each([
  ['events', webhookEventListView, events],
  ['replayed calls', replayTable, replayed],
])('%s stay a table of whole ids at 80 columns', async (_, view, items) => {
  const [head = '', , ...rows] = (await view(items, at(80))).split('\n')
  expect(head).toMatch(/^ Event +/)
  expect(rows.filter(row => row.startsWith(' e_')).map(row => row.trim().split(' ')[0])).toEqual(
    items.map(({event}) => event),
  )
  for (const row of [head, ...rows]) expect(textWidth(row)).toBeLessThanOrEqual(80)
})

test.each([
  ['events', webhookEventListView, events],
  ['replayed calls', replayTable, replayed],
])('%s call a partial approval by its one name', async (_, view, items) => {
  expect(await view(items, at(200))).toMatch(/ partial approval 10 /)
})

test('what is less important leaves first, and comes back with room', async () => {
  const headAt = async (width: number) =>
    (await webhookEventListView(events, at(width))).split('\n')[0]?.trim().split(/ +/).join(' ')
  expect(await headAt(160)).toBe('Event When (UTC) Merchant Amount Kind Answer By Took')
  expect(await headAt(116)).toBe('Event When (UTC) Merchant Amount Kind Answer Took')
  expect(await headAt(100)).toBe('Event When (UTC) Merchant Amount Kind Answer')
  expect(await headAt(90)).toBe('Event When (UTC) Merchant Amount Answer')
})

test('each scenario is one row', async () => {
  const items = Object.entries(scenarios).map(([name, facts]) => ({name, ...facts}))
  const rows = async (width: number) => (await webhookScenariosView(items, at(width))).split('\n').length - 2
  expect(await rows(100)).toBe(items.length)
  expect(await rows(80)).toBeLessThanOrEqual(items.length + 1)
})

test('a replay is summarised, the dangerous direction first', async () => {
  expect((await replayTable(replayed, at(100))).split('\n').slice(-3)).toEqual([
    ' 4 calls: 1 same, 3 changed, 2 without a valid answer',
    ' 1 approved for more than before',
    ' 2 decided before, without a valid answer now',
  ])
})

test('rules that chance decides say how often, and what happens otherwise', async () => {
  const row = {scenario: 'chip', rule: 'hiccup', decision: 'no answer', probability: 0.01, otherwise: {}}
  expect(await ruleScenariosView([row], at(80))).toContain('no answer in 1%, else left to the next')
})

test('a partial approval has the name that the contract gives it', () => {
  expect(PARTIAL_APPROVAL).toBe(responseCodes['10'])
})
