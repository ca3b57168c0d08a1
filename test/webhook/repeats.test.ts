import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {AuthCall} from '../../src/contract/auth-call.ts'
import {callFingerprint} from '../../src/webhook/call-fingerprint.ts'
import {approval} from '../../src/webhook/decide.ts'
import {type AuthEvent, type Decider, declineAll} from '../../src/webhook/index.ts'
import {partOf} from '../../src/webhook/received-call.ts'
import {runs} from '../helpers/whole.ts'
import {callOf} from './calls.ts'
import {listener} from './listener.ts'
import {recordingRoom} from './recordings.ts'

const answerOf = ({body}: {body: unknown}) =>
  (body as {transactionData: {authResponseCode: {code: string}}}).transactionData.authResponseCode.code

/** What a call becomes when it is sent again, or when another call takes its id. */
const again = callOf('chip', 'a')
test.each<[string, boolean, (call: AuthCall) => unknown]>([
  ['members in another order', true, call => Object.fromEntries(Object.entries(call).reverse())],
  [
    'written in another way',
    true,
    call => JSON.stringify(call, null, 2).replace('"amount": 100,', '"amount": 1e2,'),
  ],
  ['another trace', true, call => ({...call, metadata: {...call.metadata, traceId: 't-2'}})],
  ['null for what is absent', true, call => ({...call, token: null})],
  ['another amount', false, () => callOf('chip', 'a', {transactionAmount: {amount: 200, currency: 'EUR'}})],
  ['another merchant', false, call => ({...call, merchantData: {...call.merchantData, name: 'Casino'}})],
  ['another card', false, call => ({...call, card: {...call.card, cardId: '3002'}})],
  ['a member that nobody knows', false, call => ({...call, later: 1})],
])('the same id with %s', async (_, isSame, change) => {
  let asked = 0
  const decider: Decider = {decide: request => declineAll(['51', '57'][asked++] ?? '').decide(request)}
  const {post, events} = await listener({decider})
  expect(answerOf(await post('/auth', again))).toBe('51')
  const body = change(structuredClone(again))
  await post('/auth', body)
  expect(events[1]).toMatchObject(isSame ? {code: '51', repeated: true} : {code: '57', repeated: false})
  expect((events[1] as AuthEvent).reusedId).toBe(isSame ? undefined : 'e_1')
  expect(answerOf(await post('/auth', again)), 'the first keeps its answer').toBe('51')
})

test('another call without a payment never gets the answer of its id, nor one of its own', async () => {
  const {post, events} = await listener()
  const {transactionData: _, ...rest} = again
  const alone = {...rest, metadata: {...rest.metadata, id: 'b'}}
  await post('/auth', again)
  expect((await post('/auth', rest)).status).toBe(409)
  expect((await post('/auth', {...rest, transactionData: null})).status).toBe(409)
  expect((await post('/auth', alone)).status, 'nobody else had its id').toBe(200)
  expect(answerOf(await post('/auth', again))).toBe('00')
  expect(events.slice(1)).toMatchObject([
    {type: 'rejected', status: 409, reusedId: 'e_1'},
    {type: 'rejected', status: 409, reusedId: 'e_1'},
    {type: 'auth', code: '00'},
    {type: 'auth', repeated: true},
  ])
})

test('another call under an id that is being decided is decided by itself', async () => {
  const waiting: (() => void)[] = []
  const decider: Decider = {
    decide: ({call}) =>
      new Promise(resolve =>
        waiting.push(() => resolve({answer: approval(call), by: String(partOf(call, 'card').cardId)})),
      ),
  }
  const {post, events} = await listener({decider})
  const calls = [again, {...again, card: {...again.card, cardId: '3002'}}, again]
  const answers = calls.map(call => post('/auth', call))
  await expect.poll(() => waiting.length).toBe(2)
  for (const decide of waiting) decide()
  await Promise.all(answers)
  expect(events).toHaveLength(3)
  expect(events.filter(event => (event as AuthEvent).repeated)).toMatchObject([{by: '3001', cardId: '3001'}])
  const casino = events.filter(event => (event as AuthEvent).by === '3002')
  expect(casino).toMatchObject([{cardId: '3002', repeated: false}])
})

test('one id for all calls costs no memory of them all', async () => {
  const {post, events} = await listener()
  const callFor = (amount: number) => callOf('chip', 'a', {transactionAmount: {amount, currency: 'EUR'}})
  for (let amount = 1; amount <= 30; amount++) await post('/auth', callFor(amount))
  await post('/auth', callFor(30))
  await post('/auth', callFor(1))
  expect(events.slice(-2)).toMatchObject([{repeated: true}, {repeated: false, reusedId: 'e_30'}])
})

test('without a memory of repeats each call is decided again', async () => {
  const room = recordingRoom()
  let asked = 0
  const decider: Decider = {decide: request => declineAll(['51', '57'][asked++] ?? '').decide(request)}
  const {post, events} = await listener({decider, recorder: room.recorder(), remembers: false})
  expect(answerOf(await post('/auth', again))).toBe('51')
  expect(answerOf(await post('/auth', again))).toBe('57')
  expect(events).toMatchObject([{repeated: false}, {repeated: false}])
})

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, shuffled(member)] as const)
      .reverse(),
  )
}
/** As JSON has it, with nothing where null is. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(
          Object.entries(member)
            .filter(([, each]) => each !== null)
            .sort(([one], [other]) => (one < other ? -1 : 1)),
        )
      : member,
  )
const object = fc.dictionary(fc.string({minLength: 1, maxLength: 3}), fc.jsonValue({maxDepth: 3}), {
  noNullPrototype: true,
})

test('two calls have the same print exactly when they are the same JSON', () => {
  fc.assert(
    fc.property(object, object, (one, other) => {
      const [first, second] = [one, other].map(value => JSON.parse(JSON.stringify(value)) as AuthCall)
      if (!first || !second) return
      expect(callFingerprint(shuffled(first) as AuthCall)).toBe(callFingerprint(first))
      expect(callFingerprint(first) === callFingerprint(second)).toBe(canonical(first) === canonical(second))
    }),
    {
      numRuns: runs(500),
      examples: [
        [{a: 0}, {a: -0}],
        [{a: '1'}, {a: 1}],
        [{a: [1, 2]}, {a: [2, 1]}],
        [{a: {b: 1, c: 2}}, {a: {b: 2, c: 1}}],
        [{a: null}, {}],
        [{a: ''}, {a: {}}],
      ],
    },
  )
})
