import {Ajv2020, type AnySchema} from 'ajv/dist/2020.js'
import formatsModule from 'ajv-formats'
import {describe, expect, test} from 'vitest'
import {contractDocument} from '../helpers/contract.ts'

const {components} = contractDocument as {
  components: {schemas: Record<string, AnySchema & {'x-source'?: string}>}
}
const {schemas} = components

// Not Ajv's strict mode: `x-` marks are no keywords, and `then` requires members that stand beside it.
const ajv = new Ajv2020({strict: false, allErrors: true})
formatsModule.default(ajv)
ajv.addSchema({$id: 'contract', components: {schemas}})

const accepts = (schema: string, value: unknown): boolean => {
  const validate = ajv.getSchema(`contract#/components/schemas/${schema}`)
  if (validate === undefined) throw new Error(`no schema ${schema}`)
  return validate(value) === true
}

test('every schema compiles and says where it comes from', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    expect(() => accepts(name, {}), name).not.toThrow()
    expect(schema['x-source'], name).toMatch(/^(outline|known|decided)$/)
  }
})

const card = {cardId: ['3001'], customerBID: 'bid'}
const transfer = {fromAccountId: '2006', toAccountId: '2007', amount: 0.1, currency: 'EUR'}
const walletB = {clientAppID: 'app', clientDeviceID: 'device', clientWalletAccountID: 'account'}
const uuid = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const limit = (value: object) => ({usageLimits: [{code: 'DAILY', values: [{code: 'ATM', ...value}]}]})
const decision = (code: string, more = {}) => ({transactionData: {authResponseCode: {code}, ...more}})
const fiveEuro = {amount: 5, currency: 'EUR'}

describe('a request is', () => {
  test.each<[string, unknown]>([
    ['AccountPatchCredit', {creditLimit: 5000}],
    ['AccountPatchCredit', {status: 'ACCOUNT_COLLECTION', paymentTerms: 30}],
    ['AccountPatchCredit', {address: null, number: 'A-1'}],
    ['AccountPatchCredit', {number: '12345', paymentReference: {type: 'MOD10'}}],
    ['AccountPatchCredit', {number: 'A-1', paymentReference: null}],
    ['AccountPatchFleet', {paymentTerms: 45}],
    ['AccountPatchDebit', limit({singleAmount: 0, count: 9_999_999})],
    ['AccountPatchDebit', {additionalValues: [{key: 'BALC', value: true}]}],
    ['AccountPatchMulticurrency', {externalBalanceCheck: true}],
    ['CreditReminderPatch', {reminder7TriggerDate: '2026-02-28', collectionTriggerDate: null}],
    ['PricePeriodPatch', {validTo: null}],
    ['PricePeriodPatch', {validFrom: '2026-01-01T00:00:00Z', value: 1.13}],
    ['BatchCreate', {transfers: [transfer]}],
    ['WalletBRequest', walletB],
    ['WalletBRequest', {...walletB, opaquePaymentCardRequested: false}],
    ['WalletBRequest', {...walletB, opaquePaymentCardRequested: true, serverSessionId: uuid}],
    ['EnrolCustomer', card],
    ['EnrolCard', {customerBID: 'bid', cardOverrides: {addressLine1: 'Street #1'}}],
    ['PinControlRequest', {scope: 'VIEW_PIN'}],
    [
      'PaymentInfoRequest',
      {encryptionKey: 'TUlJ', encryptionMethod: 'RSA_ECB_OAEP_SHA256_MGF1_2048', fields: ['cvv2']},
    ],
    ['CardNumberQuery', {cardNumber: '4111111111111111'}],
    ['CardNumberQuery', {encryptedData: 'eyJhbGciOiJ4In0.a.b.c.d'}],
    ['SandboxFaultAdd', {drop: 'after', match: {'path:id': '2001', '/status': 'ACCOUNT_OK'}}],
    ['SandboxAuthorise', {cardId: '3001', amount: 0, currency: 'EUR', merchant: {name: 'Coffee'}}],
  ])('taken: %s %j', (schema, body) => {
    expect(accepts(schema, body)).toBe(true)
  })

  test.each<[string, unknown, string]>([
    ['AccountPatchCredit', {}, 'nothing to change'],
    ['AccountPatchCredit', {creditlimit: 1}, 'unknown member'],
    ['AccountPatchCredit', {number: 'A-1', paymentReference: {type: 'MOD10'}}, 'number must be numeric'],
    ['AccountPatchCredit', {paymentTerms: 45}, 'fleet only'],
    ['AccountPatchFleet', {paymentTerms: 32}, '1 to 31, or 45'],
    ['AccountPatchDebit', {status: 'ACCOUNT_COLLECTION'}, 'credit only'],
    ['AccountPatchDebit', {creditLimit: 1}, 'not of a debit account'],
    ['AccountPatchDebit', limit({singleAmount: -1}), 'negative amount'],
    ['AccountPatchDebit', limit({count: 10_000_000}), 'count too big'],
    ['AccountPatchPrepaid', {reason: 'x'.repeat(33)}, 'reason too long'],
    ['AccountPatchPrepaid', {address: {country: 'FI'}}, 'country is alpha-3'],
    ['AccountPatchV3', {address: null}, 'v3 clears by its own operation'],
    ['AccountPatchV3', {name: 'x'}, 'not in v3'],
    ['AccountPatchCredit', {invoiceDayOfMonth: 32}, 'no such day'],
    ['CreditReminderPatch', {reminder8TriggerDate: '2026-01-01'}, 'seven reminders'],
    ['CreditReminderPatch', {reminder1TriggerDate: '2026-02-30'}, 'no such date'],
    ['PricePeriodPatch', {validFrom: null}, 'validFrom is never null'],
    ['PricePeriodPatch', {validFrom: '2026-01-01T00:00:00+02:00'}, 'Z only'],
    ['BatchCreate', {transfers: []}, 'no transfers'],
    ['BatchCreate', {transfers: [{...transfer, amount: 0}]}, 'nothing to transfer'],
    ['BatchCreate', {transfers: [transfer], description: 'x'.repeat(256)}, 'description too long'],
    ['WalletBRequest', {...walletB, opaquePaymentCardRequested: true}, 'needs serverSessionId'],
    ['WalletBRequest', {...walletB, clientAppID: 'x'.repeat(37)}, 'app id too long'],
    ['EnrolCustomer', {...card, cardId: ['3001', '3002']}, 'exactly one card'],
    ['EnrolCustomer', {...card, cardId: []}, 'exactly one card'],
    ['EnrolCustomer', {...card, overrides: {phones: ['+358401234567']}}, 'no plus'],
    ['UpdateEnrolledCustomerStatus', {customerBID: 'bid'}, 'active is missing'],
    ['PinSetRequest', {controlId: 'c', pinBlock: 'AAAA'}, 'not 8 bytes'],
    [
      'PaymentInfoRequest',
      {encryptionKey: 'TUlJ', encryptionMethod: 'RSA_ECB_OAEP_SHA256_MGF1_2048', fields: []},
      'no fields',
    ],
    ['CardNumberQuery', {cardNumber: '4111111111111111', encryptedData: 'a.b.c.d.e'}, 'clear and enciphered'],
    ['SandboxFaultAdd', {operation: 'cards.get.v4'}, 'a fault that does nothing'],
  ])('refused: %s %j, %s', (schema, body) => {
    expect(accepts(schema, body)).toBe(false)
  })
})

describe('a webhook message', () => {
  const call = {
    metadata: {id: 'm1', messageCategory: 'SOMETHING_NEW'},
    customer: {},
    account: {accountId: '2001'},
    card: {cardId: '3001'},
    transactionData: {transactionType: 'NEWER', transactionAmount: fiveEuro, unheardOf: 1},
    merchantData: {merchantZipCode: null},
  }

  test('of the service may carry values and members that nobody knows yet', () => {
    expect(accepts('AuthCall', call)).toBe(true)
    expect(accepts('AuthCall', {...call, card: {}})).toBe(false)
    expect(accepts('AuthCall', {...call, merchantData: undefined})).toBe(false)
  })

  test('of the client that approves a part says which', () => {
    expect(accepts('AuthReply', decision('00'))).toBe(true)
    expect(accepts('AuthReply', decision('NOT_SUFFICIENT_FUNDS'))).toBe(true)
    for (const code of ['10', 'PARTIALLY_APPROVED']) {
      expect(accepts('AuthReply', decision(code))).toBe(false)
      expect(accepts('AuthReply', decision(code, {partialApprovalAmount: fiveEuro}))).toBe(true)
    }
    expect(accepts('AuthReply', {})).toBe(false)
  })
})

test('a trace that ended tells how', () => {
  expect(accepts('TraceStatus', {status: 'IN_PROGRESS'})).toBe(true)
  expect(accepts('TraceStatus', {status: 'COMPLETED'})).toBe(false)
  expect(accepts('TraceStatus', {status: 'COMPLETED', details: {status: 'FAILED'}})).toBe(true)
})
