import fc from 'fast-check'
import {expect, test} from 'vitest'
import {scenarios} from '../../src/contract/scenarios.ts'
import type {Shape} from '../../src/contract/shape.ts'
import {webhookShapes} from '../../src/contract/webhook-shapes.gen.ts'
import {maskByShape, maskExceptSensitive} from '../../src/sensitive/mask-by-shape.ts'
import {callOf} from '../webhook/calls.ts'
import {listener} from '../webhook/listener.ts'
import {luhnValidDigits} from './luhn-valid-digits.ts'

const shape = webhookShapes['webhook.auth'].request
const PAN = '4111111111111111'

const shapeOf = (members: Readonly<Record<string, Shape>>): Shape => ({
  members: new Map(Object.entries(members)),
})
const MASKED = '411111••••••1111'

test.each(Object.keys(scenarios))('%s passes as it is', name => {
  const call = callOf(name, 'a')
  expect(maskByShape(shape, call)).toEqual({masked: call, unknown: []})
})

test('references, ids and codes pass, though their digits look like a card number', () => {
  fc.assert(
    fc.property(luhnValidDigits(13, 19), digits => {
      const call = callOf('contactless', digits, {
        retrievalReferenceNumber: digits,
        originalTransactionId: digits,
        schemeTransactionLinkId: digits,
        authCode: digits,
      })
      call.metadata.traceId = digits
      call.merchantData.terminalId = digits
      call.customer.customerId = digits
      expect(maskByShape(shape, call)).toEqual({masked: call, unknown: []})
    }),
    {numRuns: 50},
  )
})

test('free text, unknown fields and unknown values are scanned, and the unknown ones reported', () => {
  const call = callOf('contactless', 'a', {transactionType: `TO ${PAN}`, cardEntryMode: 'MIND'})
  Object.assign(call.merchantData, {name: `Shop ${PAN}`, city: PAN, terminalId: `of ${PAN}`, [PAN]: PAN})
  Object.assign(call, {pinBlock: 'abc', deeper: {list: [Number(PAN), null, true]}, 'a/b~': 1})
  const {masked, unknown} = maskByShape(shape, call)
  expect(JSON.stringify(masked)).not.toContain(PAN)
  expect(masked).toMatchObject({
    merchantData: {name: `Shop ${MASKED}`, city: MASKED, terminalId: `of ${MASKED}`, [MASKED]: MASKED},
    transactionData: {transactionType: `TO ${MASKED}`, cardEntryMode: 'MIND'},
    pinBlock: '[masked]',
    deeper: {list: [MASKED, null, true]},
  })
  expect(unknown.toSorted()).toEqual([
    '/a~1b~0',
    '/deeper',
    `/merchantData/${MASKED}`,
    '/pinBlock',
    '/transactionData/cardEntryMode',
    '/transactionData/transactionType',
  ])
})

test('a text where the contract has an object is judged by its name', () => {
  const object = shapeOf({token: shapeOf({id: 'string'}), place: {items: 'string'}})
  expect(maskByShape(object, {token: 'hunter2hunter2', place: 'here'})).toEqual({
    masked: {token: '[masked]', place: 'here'},
    unknown: ['/token', '/place'],
  })
  expect(maskByShape(object, {token: {id: '4111111111111111'}, place: null})).toMatchObject({unknown: []})
})

test('what the contract marks as sensitive is masked, but for those who hand it out', () => {
  const shape = shapeOf({
    id: 'string',
    pinBlock: 'sensitive',
    parts: {items: shapeOf({tzpk: 'sensitive'})},
  })
  const reply = {id: '5555555555554444', pinBlock: 'q8Jt', parts: [{tzpk: 'c2Vj'}]}
  expect(maskByShape(shape, reply).masked).toEqual({
    ...reply,
    pinBlock: '[masked]',
    parts: [{tzpk: '[masked]'}],
  })
  expect(maskExceptSensitive(shape, reply)).toEqual(reply)
})

test('every value is checked, and checking twice changes nothing', () => {
  fc.assert(
    fc.property(fc.json({maxDepth: 5}), text => {
      const {masked, unknown} = maskByShape(shape, JSON.parse(text))
      expect(maskByShape(shape, masked).masked).toEqual(masked)
      expect(unknown.length).toBeLessThanOrEqual(20)
    }),
    {numRuns: 200},
  )
  const proto = JSON.parse(`{"__proto__": {"polluted": "${PAN}"}, "metadata": [1]}`)
  const {masked} = maskByShape(shape, proto)
  expect(JSON.stringify(masked)).toBe(`{"__proto__":{"polluted":"${MASKED}"},"metadata":[1]}`)
  expect({}).not.toHaveProperty('polluted')
})

test('events and exchanges tell of the unknown, also of a call that is refused', async () => {
  const {post, events, exchanges} = await listener()
  const call = callOf('contactless', PAN, {transactionType: 'TELEPATHY'})
  await post('/auth', {...call, more: PAN})
  expect(events).toMatchObject([
    {id: PAN, transactionType: 'TELEPATHY', unknown: ['/transactionData/transactionType', '/more']},
  ])
  expect(exchanges[0]?.request.body).toMatchObject({metadata: {id: PAN}, more: MASKED})
  await post('/auth', {note: PAN})
  await post('/auth', `{"note": "${PAN}"`)
  await post(`/${PAN}`, {})
  expect(JSON.stringify(exchanges.slice(1))).not.toContain(PAN)
})

/** Every place of a shape that holds a value: the way there, and what the contract says of it. */
function placesOf(
  within: Shape,
  path: readonly string[] = [],
): readonly (readonly [readonly string[], Shape])[] {
  if (typeof within === 'object' && 'members' in within) {
    return [...within.members].flatMap(([name, inner]) => placesOf(inner, [...path, name]))
  }
  if (typeof within === 'object' && 'items' in within) return placesOf(within.items, [...path, '0'])
  return [[path, within]]
}

function holding(path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  return name === '0' ? [holding(rest, value)] : {[name]: holding(rest, value)}
}

test.each(placesOf(shape))(
  'at %j a card number stays only where the contract types such text',
  (path, place) => {
    const isReference =
      place === 'string' ||
      place === 'string or number' ||
      (typeof place === 'object' && 'fits' in place && place.fits.test(PAN))
    expect(JSON.stringify(maskByShape(shape, holding(path, PAN)).masked).includes(PAN)).toBe(isReference)
    const isNumber = place === 'number' || place === 'string or number'
    expect(JSON.stringify(maskByShape(shape, holding(path, Number(PAN))).masked).includes(PAN)).toBe(isNumber)
  },
)

test('a boolean, amount or code that looks like a card number is masked', () => {
  const call = callOf('contactless', 'a', {
    cardPresent: PAN,
    authValidityInDays: PAN,
    cvvValue: '123',
    newPin: 4711,
  })
  Object.assign(call.card, {
    cvc2Value: '321',
    track2Data: ';4000056655665556=2912',
    expiration: {year: PAN, month: Number(PAN)},
  })
  const text = JSON.stringify(maskByShape(shape, call).masked)
  expect(text).not.toMatch(/4111111111111111|4000056655665556|"123"|"321"|4711/)
})

test('an amount of many digits is shown as it is', () => {
  const amounts = {transactionAmount: {amount: '1234567890123.4567', currency: 'EUR'}}
  expect(maskByShape(shape, {transactionData: amounts}).masked).toEqual({transactionData: amounts})
})

test('a card number in a path is masked however it is encoded', async () => {
  const {post, exchanges} = await listener()
  for (const path of ['/4111%201111%201111%201111', '/%34111111111111111', '/x/4111111111111111'])
    await post(path, {})
  expect(exchanges.map(({request}) => request.path).join()).not.toMatch(/4111.{0,3}1111.{0,3}1111.{0,3}1111/)
  expect(exchanges).toHaveLength(3)
})
