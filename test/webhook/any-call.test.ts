// Calls with strange values at random places, or any JSON object at all.

import {readFileSync} from 'node:fs'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {parseAnswer} from '../../src/contract/auth-answer.ts'
import {checkWebhookAnswer} from '../../src/contract/validate.ts'
import {isObject} from '../../src/errors/is-object.ts'
import {approveAll, declineAll} from '../../src/webhook/index.ts'
import {decideBy} from '../../src/webhook/rules/follow-rules.ts'
import {bent, type Json, rules, set, surroundings} from './bent-calls.ts'
import {requestFor} from './calls.ts'
import {listener} from './listener.ts'
import {recordingRoom} from './recordings.ts'
import {rulesOf} from './rules/calls.ts'

/** A call of the contract in which something is put at random, or any object at all. */
const anyValue = fc.jsonValue({maxDepth: 3})
const paths = [
  'metadata',
  'metadata.id',
  'metadata.messageCategory',
  'customer',
  'account',
  'account.availableAmount',
  'card',
  'card.cardId',
  'transactionData',
  'transactionData.transactionType',
  'transactionData.transactionAmount',
  'transactionData.transactionAmount.amount',
  'transactionData.transactionAmount.currency',
  'transactionData.partialApprovalCapable',
  'transactionData.transactionFees',
  'merchantData',
  'merchantData.name',
  'merchantData.category',
  'merchantData.category.code',
  'merchantData.country',
  'token',
]
const strangeValue = fc.oneof(
  anyValue,
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e308,
    '1e999',
    [],
    {},
    [[]],
    {toString: 1, valueOf: 2},
    {amount: {}},
    'REVERSAL',
    'BALANCE_INQUIRY',
    'EUR',
    '500.00',
  ),
)
const anyCall: fc.Arbitrary<Json> = fc
  .oneof(
    fc.dictionary(fc.string(), anyValue, {noNullPrototype: true}) as fc.Arbitrary<Json>,
    fc.array(fc.tuple(fc.constantFrom(...paths), strangeValue), {maxLength: 4}).map(changes =>
      bent(call => {
        for (const [path, value] of changes) {
          const steps = path.split('.')
          const owner = steps
            .slice(0, -1)
            .reduce<unknown>((place, step) => (place as Json | null)?.[step], call)
          if (typeof owner === 'object' && owner !== null && !Array.isArray(owner))
            (owner as Json)[steps.at(-1) ?? ''] = value
        }
      }),
    ),
  )
  .map(call => JSON.parse(JSON.stringify(call).replaceAll('"1e999"', '1e999')) as Json)

const everyDecline = Object.values(rules)
  .map(([text]) => text)
  .filter(text => !text.includes('approve') && !text.includes('partial'))

test('any object leads to a valid answer, and by rules that decline alone to no approval', async () => {
  const read = await rulesOf(`rules: [${everyDecline.join(', ')}, {then: {decline: "05"}}]`)
  const one = await Promise.all(everyDecline.map(text => rulesOf(`rules: [${text}]`)))
  await fc.assert(
    fc.asyncProperty(anyCall, async call => {
      for (const decider of [approveAll, declineAll('51'), declineAll('05')]) {
        const decision = await decider.decide(requestFor(call as never))
        const reply = decision?.answer.kind === 'reply' ? JSON.stringify(decision.answer.reply) : ''
        expect(await checkWebhookAnswer('webhook.auth', parseAnswer(reply))).toEqual([])
      }
      const decision = await decideBy(read, surroundings).decide(requestFor(call as never))
      expect(decision?.answer).toMatchObject({
        reply: {transactionData: {authResponseCode: {code: expect.stringMatching(/^(?!00|10)\d\d$/)}}},
      })
      // Alone each of them declines, or leaves it to the next because the call says that it isn't meant.
      for (const rule of one) {
        const alone = await decideBy(rule, surroundings).decide(requestFor(call as never))
        if (alone)
          expect(alone.answer).toMatchObject({
            reply: {transactionData: {authResponseCode: {code: expect.stringMatching(/^(?!00|10)/)}}},
          })
      }
    }),
    {numRuns: 400},
  )
})

const hasPayment = (call: unknown): boolean => isObject(Object(call).transactionData)

test('any object is accepted by the listener, recorded, listed and shown', async () => {
  const room = recordingRoom()
  const decider = decideBy(
    await rulesOf(`rules: [${everyDecline.join(', ')}, {then: {decline: "05"}}]`),
    surroundings,
  )
  const {post, events, exchanges, close} = await listener({decider, recorder: room.recorder()})
  const {webhookEventListView, webhookEventView} = await import(
    '../../src/commands/webhook/shared/event-views.ts'
  )
  const {webhookServeView} = await import('../../src/commands/webhook/shared/serve-view.ts')
  const {toCall} = await import('../../src/webhook/page/client/call.ts')
  const context = {
    now: Date.UTC(2026, 5, 15),
    timeZone: 'UTC',
    width: 120,
    colour: 0,
    ascii: false,
  } as never
  await fc.assert(
    fc.asyncProperty(anyCall, async call => {
      const {status, body} = await post('/auth', JSON.stringify(call))
      const [event, exchange] = [events.at(-1), exchanges.at(-1)]
      if (!event || !exchange) throw new Error('Nothing was told.')
      const isConflict = 'reusedId' in event && event.reusedId !== undefined && !hasPayment(call)
      expect(status).toBe(isConflict ? 409 : 200)
      if (status === 200) expect(await checkWebhookAnswer('webhook.auth', body)).toEqual([])
      await webhookServeView(event, context)
      await webhookEventView(exchange, context)
      toCall(exchange)
    }),
    {numRuns: 150},
  )
  await webhookEventListView(events, context)
  await close()
  expect(room.recorded()).toHaveLength(exchanges.length)
})

const PAN = '4111111111111111'
const SECRET = 'hunter2-hunter2'

/** Objects and lists that hold a card number in text, and a secret under its name, somewhere. */
const hiding: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    {depthSize: 'small', withCrossShrink: true},
    fc.constantFrom<unknown>(
      `to ${PAN}`,
      `4111 1111 1111 1111`,
      {pan: PAN},
      {cvv: SECRET},
      {track2Data: SECRET},
      {note: [PAN]},
    ),
    fc.array(tie('value'), {minLength: 1, maxLength: 2}),
    fc.dictionary(fc.constantFrom('later', 'value', 'items', 'pinBlock', 'password'), tie('value'), {
      minKeys: 1,
      maxKeys: 2,
      noNullPrototype: true,
    }),
  ),
})).value

test('wherever a secret is in an altered call, nothing that is shown or kept has it', async () => {
  const room = recordingRoom()
  const {post, events, exchanges, close} = await listener({recorder: room.recorder()})
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('later', ...paths), hiding, async (path, value) => {
      await post('/auth', bent(set(path, value)))
      for (const told of [events.at(-1), exchanges.at(-1)]) {
        expect(JSON.stringify(told)).not.toMatch(/hunter2|4111 ?1111 ?1111 ?1111/)
      }
    }),
    {numRuns: 300},
  )
  await close()
  expect(readFileSync(room.file, 'latin1')).not.toMatch(/hunter2|4111 ?1111 ?1111 ?1111/)
})

test.each([[[SECRET]], [SECRET], [{later: [PAN]}], [[{pan: PAN}]]])(
  'a token that is %j keeps its secret',
  async value => {
    const {post, events, exchanges} = await listener()
    await post('/auth', bent(set('token', value)))
    expect(JSON.stringify([events, exchanges])).not.toMatch(/hunter2|4111111111111111/)
  },
)
