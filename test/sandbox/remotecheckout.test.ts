import {expect, test} from 'vitest'
import type {OperationId} from '../../src/contract/types.ts'
import {type TestSandbox, temporaryFile, testSandbox} from './helpers/sandbox.ts'

const BID = 'issuer-1'
type Ask = Extract<OperationId, `remotecheckout.${string}`>

async function ask(sandbox: TestSandbox, id: Ask, path: Record<string, string>, body: object) {
  const reply = await sandbox.op(id, {path: path as never, body: {customerBID: BID, ...body}})
  return {status: reply.status, trace: (reply.body as {requestTraceId: string}).requestTraceId}
}

const status = async (sandbox: TestSandbox, traceId: string) =>
  (await sandbox.op('remotecheckout.status.v1', {path: {traceId}})).body

/** Asks, waits for the network, and gives the outcome. */
async function outcome(...[sandbox, ...rest]: Parameters<typeof ask>) {
  const {trace} = await ask(sandbox, ...rest)
  sandbox.pass(2000)
  const {details} = await status(sandbox, trace)
  return [details?.status, ...(details?.errorDetails ?? []).map(({field, reason}) => `${field} ${reason}`)]
}

const enrolCustomer = (sandbox: TestSandbox, more: object = {}) =>
  outcome(sandbox, 'remotecheckout.enrollCustomer.v1', {customerId: '1001'}, {cardId: ['3001'], ...more})
const customer = (sandbox: TestSandbox, customerBID = BID) =>
  sandbox.op('remotecheckout.getCustomer.v1', {path: {customerId: '1001'}, body: {customerBID}})

test('a request is taken, in progress, and ends when the clock says so', async () => {
  const sandbox = await testSandbox()
  const path = {customerId: '1001'}
  const taken = await ask(sandbox, 'remotecheckout.enrollCustomer.v1', path, {cardId: ['3001']})
  expect(taken.status).toBe(202)
  sandbox.pass(1999)
  expect(await status(sandbox, taken.trace)).toEqual({status: 'IN_PROGRESS'})
  expect((await customer(sandbox)).status).toBe(404)
  sandbox.pass(1)
  expect(await status(sandbox, taken.trace)).toEqual({
    status: 'COMPLETED',
    details: {status: 'SUCCESS', errorDetails: []},
  })
  expect((await customer(sandbox)).body).toMatchObject({
    customerInformation: {firstName: 'Aino', lastName: 'Virtanen', status: 'ACTIVE', countryCode: 'FIN'},
    paymentInstruments: [{cardId: '3001', nameOnCard: 'Aino Virtanen', status: 'ACTIVE'}],
  })
  expect((await customer(sandbox, 'another issuer')).status).toBe(404)
})

test('characters that the network does not take fail later, in the status, each member by name', async () => {
  const sandbox = await testSandbox()
  const cardOverrides = {addressLine1: 'A;B', city: 'Helsinki', addressLine2: 'x`y', postalCode: '00100'}
  expect(await enrolCustomer(sandbox, {cardOverrides})).toEqual([
    'FAILED',
    'cardOverrides.addressLine1 INVALID_CHARACTERS',
    'cardOverrides.addressLine2 INVALID_CHARACTERS',
  ])
  expect((await customer(sandbox)).status).toBe(404)
})

test.each([...'[]{}:&$^!=;*#<>"@`'])('the network refuses %s', async character => {
  const sandbox = await testSandbox()
  const [result] = await enrolCustomer(sandbox, {cardOverrides: {city: `a${character}`}})
  expect(result).toBe('FAILED')
})

test('letters of other languages and plain punctuation pass', async () => {
  const sandbox = await testSandbox()
  expect(
    await enrolCustomer(sandbox, {cardOverrides: {city: 'Äänekoski', addressLine1: "O'Hara-katu 1/2, (B)"}}),
  ).toEqual(['SUCCESS'])
})

test('the whole life of an enrolment', async () => {
  const sandbox = await testSandbox()
  const card = {cardId: '3004'}
  expect(await outcome(sandbox, 'remotecheckout.enrollCard.v1', card, {})).toEqual([
    'FAILED',
    'customerId NOT_ENROLLED',
  ])
  await enrolCustomer(sandbox, {overrides: {emails: ['a@example.com'], phones: ['35840']}})
  expect(await enrolCustomer(sandbox)).toEqual(['FAILED', 'customerId ALREADY_ENROLLED'])
  expect(await outcome(sandbox, 'remotecheckout.enrollCard.v1', card, {})).toEqual(['SUCCESS'])
  expect(await outcome(sandbox, 'remotecheckout.enrollCard.v1', card, {})).toEqual([
    'FAILED',
    'cardId ALREADY_ENROLLED',
  ])
  const cardOverrides = {country: 'SWE'}
  expect(await outcome(sandbox, 'remotecheckout.updateCard.v1', card, {cardOverrides})).toEqual(['SUCCESS'])
  const path = {customerId: '1001'}
  await outcome(sandbox, 'remotecheckout.updateCustomer.v1', path, {overrides: {phones: ['46700']}})
  await outcome(sandbox, 'remotecheckout.updateCustomerStatus.v1', path, {active: false})
  expect((await customer(sandbox)).body).toMatchObject({
    customerInformation: {email: ['a@example.com'], phone: ['46700'], status: 'INACTIVE'},
    paymentInstruments: [{cardId: '3001'}, {cardId: '3004', billingAddress: {country: 'SWE'}}],
  })
  expect(await outcome(sandbox, 'remotecheckout.deleteCard.v1', card, {})).toEqual(['SUCCESS'])
  expect(await outcome(sandbox, 'remotecheckout.deleteCard.v1', card, {})).toEqual([
    'FAILED',
    'cardId NOT_ENROLLED',
  ])
  expect((await customer(sandbox)).body.paymentInstruments).toHaveLength(1)
  expect(await outcome(sandbox, 'remotecheckout.deleteCustomer.v1', path, {})).toEqual(['SUCCESS'])
  expect((await customer(sandbox)).status).toBe(404)
  // Deleting the customer took the card along, so both can be enrolled anew.
  expect(await enrolCustomer(sandbox)).toEqual(['SUCCESS'])
})

test('another customerBID finds nothing', async () => {
  const sandbox = await testSandbox()
  await enrolCustomer(sandbox)
  const body = {customerBID: 'another', active: false}
  expect(
    await outcome(sandbox, 'remotecheckout.updateCustomerStatus.v1', {customerId: '1001'}, body),
  ).toEqual(['FAILED', 'customerId NOT_ENROLLED'])
})

test('what the service knows itself is refused at once', async () => {
  const sandbox = await testSandbox()
  const ends = async (...rest: Parameters<typeof ask>) => (await ask(...rest)).status
  expect(await ends(sandbox, 'remotecheckout.enrollCustomer.v1', {customerId: '9'}, {cardId: ['3001']})).toBe(
    404,
  )
  expect(
    await ends(sandbox, 'remotecheckout.enrollCustomer.v1', {customerId: '1002'}, {cardId: ['3001']}),
  ).toBe(409)
  const two = {cardId: ['3001', '3002']}
  expect(await ends(sandbox, 'remotecheckout.enrollCustomer.v1', {customerId: '1001'}, two)).toBe(400)
  expect(await ends(sandbox, 'remotecheckout.enrollCard.v1', {cardId: '9'}, {})).toBe(404)
  const missing = await sandbox.op('remotecheckout.status.v1', {path: {traceId: 'none'}})
  expect(missing.status).toBe(404)
})

test('a request that was under way ends after a restart', async () => {
  const file = await temporaryFile()
  const before = await testSandbox({file})
  const {trace} = await ask(
    before,
    'remotecheckout.enrollCustomer.v1',
    {customerId: '1001'},
    {cardId: ['3001']},
  )
  await before.close()
  const after = await testSandbox({file})
  after.pass(2000)
  expect((await status(after, trace)).details?.status).toBe('SUCCESS')
})
