import {describe, expect, test} from 'vitest'
import {hasCheckDigit, hasRightLength} from '../../src/sandbox/accounts/payment-reference.ts'
import {type TestSandbox, testSandbox} from './helpers/sandbox.ts'

const state = async (sandbox: TestSandbox, id: string) =>
  (await sandbox.op('sandbox.state.get', {path: {kind: 'account', id}})).body
const credit = (sandbox: TestSandbox, body: object, id = '2001') =>
  sandbox.op('accounts.patchCredit.v4', {path: {id}, body})
const property = (
  sandbox: TestSandbox,
  id: string,
  propertyToUpdate:
    | 'DELETE_ADDRESS'
    | 'DELETE_EINVOICE_ADDRESS_AND_OPERATOR'
    | 'WRITE_OFF'
    | 'IMMEDIATE_ACCOUNT_CLOSE',
) => sandbox.op('accounts.updateProperty.v3', {path: {id, propertyToUpdate}})

describe('a partial update', () => {
  test('absent stays, arrays and addresses are replaced whole, null clears', async () => {
    const sandbox = await testSandbox()
    await credit(sandbox, {name: 'Household', additionalValues: [{key: 'A', value: 1}], reason: 'first'})
    await credit(sandbox, {address: {city: 'Espoo'}, additionalValues: [{key: 'B', value: 2}], reason: null})
    const after = await state(sandbox, '2001')
    expect(after).toMatchObject({
      name: 'Household',
      address: {city: 'Espoo'},
      additionalValues: [{key: 'B', value: 2}],
      creditLimit: 5000,
      effects: 2,
    })
    expect(after.address).not.toHaveProperty('address1')
    expect(after).not.toHaveProperty('reason')
  })

  test.each([
    ['accounts.patchDebit.v4', '2002'],
    ['accounts.patchPrepaid.v4', '2003'],
    ['accounts.patchFleet.v4', '2004'],
  ] as const)('%s is for its own type', async (id, account) => {
    const sandbox = await testSandbox()
    expect((await sandbox.op(id, {path: {id: account}, body: {name: 'x'}})).status).toBe(200)
    expect((await sandbox.op(id, {path: {id: '2001'}, body: {name: 'x'}})).status).toBe(409)
    expect((await sandbox.op(id, {path: {id: '9'}, body: {name: 'x'}})).status).toBe(404)
  })

  test('the multicurrency segment must be the account’s own', async () => {
    const sandbox = await testSandbox()
    const patch = (multiCurr: string) =>
      sandbox.op('accounts.patchMulticurrency.v4', {
        path: {multiCurr, id: '2005'},
        body: {externalBalanceCheck: true},
      })
    expect((await patch('MULTICURR_EUR_FI')).status).toBe(200)
    expect((await patch('MULTICURR_SEK_SE')).status).toBe(409)
  })

  test('reminder dates are kept apart, and cleared by null', async () => {
    const sandbox = await testSandbox()
    const patch = (body: object) => sandbox.op('accounts.patchCreditReminder.v4', {path: {id: '2001'}, body})
    await patch({reminder1TriggerDate: '2026-12-01', disableReminderProcess: true})
    await patch({reminder1TriggerDate: null})
    expect((await state(sandbox, '2001')).reminder).toEqual({disableReminderProcess: true})
  })

  test('reset is something to do, not to keep', async () => {
    const sandbox = await testSandbox()
    await credit(sandbox, {
      usageLimits: [{code: 'DAILY', values: [{code: 'ATM', sumAmount: 100, reset: true}]}],
    })
    expect((await state(sandbox, '2001')).usageLimits).toEqual([
      {
        code: 'DAILY',
        values: [{code: 'ATM', sumAmount: 100, availableAmount: 100, availableCount: null}],
      },
    ])
  })
})

describe('refused requests, which leave no trace', () => {
  test.each([
    [{customerId: '9'}, 409],
    [{parentId: '9'}, 409],
    [{parentId: '2001'}, 409],
    [{number: '5000002002'}, 409],
    [{number: '99990001'}, 409],
    [{paymentReference: {type: 'MOD10', number: '12345'}}, 400],
    [{paymentReference: {type: 'FINNISH_7_3_1', number: '13'}}, 400],
    [{paymentReference: {type: 'FINNISH_7_3_1'}}, 400],
    [{paymentReference: {number: '1232'}}, 400],
    [{creditLimit: 1.234}, 400],
    [{creditLimit: 12345678901234.56}, 400],
    [{usageLimits: [{code: 'DAILY', values: [{code: 'ATM', sumAmount: 0.001}]}]}, 400],
  ])('%j: %i', async (body, status) => {
    const sandbox = await testSandbox()
    const before = await state(sandbox, '2001')
    expect((await credit(sandbox, {name: 'kept?', ...body})).status).toBe(status)
    expect(await state(sandbox, '2001')).toEqual(before)
  })

  test('parents never form a ring', async () => {
    const sandbox = await testSandbox()
    await sandbox.op('accounts.patchFleet.v4', {path: {id: '2004'}, body: {parentId: '2001'}})
    expect((await credit(sandbox, {parentId: '2004'})).status).toBe(409)
  })

  test('with a payment reference the number must be numeric, whichever came first', async () => {
    const sandbox = await testSandbox()
    const reference = {paymentReference: {type: 'FINNISH_7_3_1', number: '1232'}}
    await credit(sandbox, {number: 'A-1'})
    expect((await credit(sandbox, reference)).status).toBe(409)
    expect((await credit(sandbox, {...reference, number: '1'})).status).toBe(200)
    expect((await credit(sandbox, {number: 'A-2'})).status).toBe(409)
    expect((await credit(sandbox, {paymentReference: null, number: 'A-2'})).status).toBe(200)
  })

  test.each(['ACCOUNT_COLLECTION', 'ACCOUNT_TO_CLOSE'])('%s is never changed back', async status => {
    const sandbox = await testSandbox()
    expect((await credit(sandbox, {status})).status).toBe(200)
    expect((await credit(sandbox, {status: 'ACCOUNT_OK'})).status).toBe(409)
    expect((await credit(sandbox, {status, name: 'still open to other changes'})).status).toBe(200)
  })

  test('a closed account accepts nothing', async () => {
    const sandbox = await testSandbox()
    const {status} = await sandbox.op('accounts.patchDebit.v4', {path: {id: '2008'}, body: {name: 'x'}})
    expect(status).toBe(409)
    expect((await property(sandbox, '2008', 'DELETE_ADDRESS')).status).toBe(409)
  })

  test('v3 takes any type, but only fields of that type', async () => {
    const sandbox = await testSandbox()
    const patch = (id: string, body: object) => sandbox.op('accounts.patch.v3', {path: {id}, body})
    expect((await patch('2001', {creditLimit: 7000})).headers.deprecation).toMatch(/^@/)
    expect((await state(sandbox, '2001')).creditLimit).toBe(7000)
    expect((await patch('2002', {segment: 'SEGMENT_B'})).status).toBe(200)
    expect((await patch('2002', {creditLimit: 1})).status).toBe(409)
    expect((await patch('2002', {status: 'ACCOUNT_COLLECTION'})).status).toBe(409)
  })
})

describe('the older kind of update', () => {
  test('deletes an address, and of an e-invoice its address and operator', async () => {
    const sandbox = await testSandbox()
    await credit(sandbox, {eInvoice: {address: 'a', operator: 'o', paymentInstruction: 'p'}})
    await property(sandbox, '2001', 'DELETE_EINVOICE_ADDRESS_AND_OPERATOR')
    await property(sandbox, '2001', 'DELETE_ADDRESS')
    const after = await state(sandbox, '2001')
    expect(after.eInvoice).toEqual({paymentInstruction: 'p'})
    expect(after).not.toHaveProperty('address')
  })

  test('writes off the debt of a credit account only', async () => {
    const sandbox = await testSandbox()
    await sandbox.op('sandbox.state.set', {
      path: {kind: 'account', id: '2001'},
      body: {balances: {EUR: -120.5}},
    })
    expect((await property(sandbox, '2002', 'WRITE_OFF')).status).toBe(409)
    expect((await property(sandbox, '2001', 'WRITE_OFF')).status).toBe(200)
    expect((await state(sandbox, '2001')).balances).toMatchObject([{booked: 0, available: 5000}])
  })

  test('closes at once when the balance is zero', async () => {
    const sandbox = await testSandbox()
    expect((await property(sandbox, '2002', 'IMMEDIATE_ACCOUNT_CLOSE')).status).toBe(409)
    expect((await property(sandbox, '2001', 'IMMEDIATE_ACCOUNT_CLOSE')).status).toBe(200)
    expect((await state(sandbox, '2001')).status).toBe('ACCOUNT_CLOSED')
    expect((await credit(sandbox, {name: 'x'})).status).toBe(409)
  })
})

test.each([
  // By hand: 3·7 + 2·3 + 1·1 = 28, so 2 is the digit; 79927398713 is the usual Luhn example.
  ['FINNISH_7_3_1', '1232', true],
  ['FINNISH_7_3_1', '1233', false],
  ['MOD10', '79927398713', true],
  ['MOD10', '79927398710', false],
  ['MOD10', '0', false],
] as const)('%s %s: %s', (type, reference, right) => {
  expect(hasCheckDigit(type, reference)).toBe(right)
})

test.each([
  ['FINNISH_7_3_1', 3, false],
  ['FINNISH_7_3_1', 4, true],
  ['FINNISH_7_3_1', 20, true],
  ['FINNISH_7_3_1', 21, false],
  ['MOD10', 1, false],
  ['MOD10', 25, true],
  ['MOD10', 26, false],
] as const)('%s of %d digits: %s', (type, digits, right) => {
  expect(hasRightLength(type, '1'.repeat(digits))).toBe(right)
})
