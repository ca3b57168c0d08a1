import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {AnyInput, Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import type {OperationId} from '../../src/contract/types.ts'
import {checkInput, type Violation} from '../../src/contract/validate.ts'

/** An input of an operation with plain ids in its path. */
function inputOf(id: OperationId, body?: unknown, query: Readonly<Record<string, unknown>> = {}): AnyInput {
  const {pathParams, query: known}: Operation = operations[id]
  const samples: Readonly<Record<string, string>> = {
    multiCurr: 'MULTICURR_EUR_FI',
    propertyToUpdate: 'DELETE_ADDRESS',
    kind: 'cards',
  }
  const auditUser = known.some(({name}) => name === 'auditUser') ? {auditUser: 'ann'} : {}
  return {
    path: Object.fromEntries(pathParams.map(name => [name, samples[name] ?? '3001'])),
    query: {...auditUser, ...query},
    ...(body === undefined ? {} : {body}),
  }
}

const check = (id: OperationId, body?: unknown, query?: Readonly<Record<string, unknown>>) =>
  checkInput(id, inputOf(id, body, query))

const key = 'TUlJQklqQU5CZ2txaGtpRzl3MEJBUUVGQUFPQ0FROEE='
const wallet = {clientAppID: 'app', clientDeviceID: 'device', clientWalletAccountID: 'account'}
const transfer = {fromAccountId: '2006', toAccountId: '2007', amount: 10.5, currency: 'EUR', text: 'Rent'}

describe('an input of every topic that fits', () => {
  test.each<[OperationId, unknown?, Record<string, unknown>?]>([
    ['cards.get.v4'],
    ['cards.listByCustomer.v4', undefined, {page: 0, size: 100}],
    ['cards.listByAccount.v3', undefined, {page: undefined}],
    ['cards.getByNumber.v4', {cardNumber: '4111111111111111'}],
    ['pin.view.v3', {controlId: 'c1', publicKey: key}],
    ['pin.set.v2', {controlId: 'c1', pinBlock: 'AAAAAAAAAAA='}],
    ['pincontrol.create.v2', {scope: 'SET_PIN'}],
    ['accounts.patchCredit.v4', {creditLimit: 5000, address: null}],
    ['accounts.patchMulticurrency.v4', {externalBalanceCheck: false}],
    ['accounts.updateProperty.v3', {anything: [1, null]}],
    ['accounts.updateProperty.v3', 'text'],
    ['pricelists.patchPeriod.v1', {validTo: null}],
    ['pricelists.delete.v1'],
    ['a2a.create.v1', {transfers: [transfer]}],
    ['a2a.list.v1', undefined, {size: 50}],
    ['wallets.provisionC.v1', wallet],
    ['wallets.provisionIssuer.v1'],
    ['remotecheckout.updateCustomerStatus.v1', {customerBID: 'bid', active: false}],
    ['remotecheckout.status.v1'],
    ['sandbox.faults.add', {status: 503, count: 1}],
    ['sandbox.clock.advance', {advanceMs: 1}],
  ])('%s %j %j', async (id, body, query) => {
    expect(await check(id, body, query)).toEqual([])
  })
})

describe('an input that does not fit is named by its place', () => {
  test.each<[OperationId, unknown, Violation]>([
    [
      'accounts.patchCredit.v4',
      {creditlimit: 1},
      {
        pointer: '/creditlimit',
        message: 'creditlimit is not a field of a credit account',
        suggestion: 'creditLimit',
      },
    ],
    [
      'accounts.patchDebit.v4',
      {creditLimit: 1},
      {pointer: '/creditLimit', message: 'creditLimit is not a field of a debit account'},
    ],
    [
      'accounts.patchDebit.v4',
      {address: {citty: 'Oslo'}},
      {pointer: '/address/citty', message: 'citty is not a field of address', suggestion: 'city'},
    ],
    [
      'accounts.patchDebit.v4',
      {status: 'account_blocked'},
      {
        pointer: '/status',
        message: 'status must be one of ACCOUNT_OK, ACCOUNT_BLOCKED, ACCOUNT_TO_CLOSE',
        suggestion: 'ACCOUNT_BLOCKED',
      },
    ],
    ['accounts.patchDebit.v4', {}, {pointer: '', message: 'the body has no fields'}],
    ['accounts.patchDebit.v4', [], {pointer: '', message: 'the body must be an object'}],
    ['accounts.patchDebit.v4', null, {pointer: '', message: 'the body must be an object'}],
    ['accounts.patchDebit.v4', undefined, {pointer: '', message: 'the request has no fields'}],
    [
      'accounts.patchDebit.v4',
      {'a/b~c': 1},
      {pointer: '/a~1b~0c', message: 'a/b~c is not a field of a debit account'},
    ],
    [
      'accounts.patchFleet.v4',
      {paymentTerms: 32},
      {pointer: '/paymentTerms', message: 'paymentTerms must be one of 1 to 31, 45'},
    ],
    [
      'accounts.patchCredit.v4',
      {usageLimits: [{code: 'DAILY', values: [{code: 'ATM', singleAmount: -1}]}]},
      {
        pointer: '/usageLimits/0/values/0/singleAmount',
        message: 'usageLimits[0].values[0].singleAmount must be 0 or more',
      },
    ],
    ['cards.get.v4', {}, {pointer: '', message: 'the request takes no fields'}],
    [
      'pin.set.v3',
      {controlId: 'c1', pinBlock: 'AAAA'},
      {pointer: '/pinBlock', message: 'pinBlock must be 8 bytes in base64'},
    ],
    ['pin.tzpk.v3', {controlId: 'c1'}, {pointer: '/publicKey', message: 'publicKey is missing'}],
    [
      'pincontrol.create.v2',
      {scope: 'SET'},
      {pointer: '/scope', message: 'scope must be one of VIEW_PIN, SET_PIN'},
    ],
    ['pricelists.patchPeriod.v1', {value: '1.13'}, {pointer: '/value', message: 'value must be a number'}],
    ['a2a.create.v1', {transfers: []}, {pointer: '/transfers', message: 'transfers is empty'}],
    [
      'a2a.create.v1',
      {transfers: [transfer, {...transfer, amount: '10.50'}]},
      {pointer: '/transfers/1/amount', message: 'transfers[1].amount must be a number'},
    ],
    [
      'wallets.provisionB.v1',
      {...wallet, clientAppID: 'x'.repeat(37)},
      {pointer: '/clientAppID', message: 'clientAppID is longer than 36 characters'},
    ],
    [
      'remotecheckout.enrollCustomer.v1',
      {cardId: ['3001', '3002'], customerBID: 'bid'},
      {pointer: '/cardId', message: 'cardId takes at most 1 item'},
    ],
    [
      'pricelists.patch.v1',
      {code: '<text, at most 64 characters>'},
      {pointer: '/code', message: 'code still has its placeholder; replace or remove it'},
    ],
  ])('%s %j', async (id, body, violation) => {
    expect(await check(id, body)).toEqual([violation])
  })

  test.each<[Record<string, unknown>, Violation]>([
    [{sise: 30}, {pointer: 'query:sise', message: 'the query parameter sise is unknown', suggestion: 'size'}],
    [{size: 101}, {pointer: 'query:size', message: 'the query parameter size must be 100 or less'}],
    [{size: '30'}, {pointer: 'query:size', message: 'the query parameter size must be a whole number'}],
    [{page: -1}, {pointer: 'query:page', message: 'the query parameter page must be 0 or more'}],
    [
      {auditUser: undefined},
      {pointer: 'query:auditUser', message: 'the query parameter auditUser is missing'},
    ],
  ])('query %j', async (query, violation) => {
    expect(await check('cards.listByCustomer.v4', undefined, query)).toEqual([violation])
  })

  test('a path parameter that is missing, unknown or not of the known', async () => {
    expect(
      await checkInput('accounts.updateProperty.v3', {
        path: {propertyToUpdate: 'write_off', ID: '1'},
        query: {auditUser: 'ann'},
      }),
    ).toEqual(
      expect.arrayContaining([
        {pointer: 'path:id', message: 'the path parameter id is missing'},
        {pointer: 'path:ID', message: 'the path parameter ID is unknown', suggestion: 'id'},
        {pointer: 'path:propertyToUpdate', message: expect.stringContaining('must be one of')},
      ]),
    )
  })
})

describe('what was given', () => {
  const pan = '4111111111111111'

  test.each<[OperationId, unknown]>([
    ['cards.getByNumber.v4', {cardNumber: `${pan}x`}],
    ['cards.getByNumber.v4', {encryptedData: pan}],
    ['cards.getByNumber.v4', {[pan]: 1}],
    ['cards.getByNumber.v4', {'4111 1111 1111 1111': 1}],
    ['accounts.patchDebit.v4', {status: pan, address: {country: pan, [pan]: pan}, usageLimits: pan}],
    ['accounts.patchDebit.v4', {usageLimits: [{code: pan, [`pan-${pan}`]: {}}]}],
    ['pin.set.v3', {controlId: 'c1', pinBlock: pan}],
  ])('%s %j is never repeated', async (id, body) => {
    const violations = await check(id, body)
    expect(violations).not.toEqual([])
    expect(JSON.stringify(violations).replace(/\D/g, '')).not.toContain(pan)
  })

  test('is not changed by the check', async () => {
    const input = inputOf('accounts.patchCredit.v4', {creditLimit: '5000', unheardOf: 1, usageLimits: [{}]})
    const before = structuredClone(input)
    await checkInput('accounts.patchCredit.v4', input)
    expect(input).toEqual(before)
  })

  test('may be anything: the check always returns', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async body => {
        const violations = await check('accounts.patchFleet.v4', body)
        expect(violations.length).toBeLessThanOrEqual(50)
        for (const {pointer, message} of violations) {
          expect(pointer === '' || pointer.startsWith('/')).toBe(true)
          expect(message).not.toMatch(/undefined|NaN|\bmust NOT\b/)
        }
      }),
      {numRuns: 100},
    )
  })

  test('may nest deeper than any schema', async () => {
    let deep: unknown = '<text>'
    for (let depth = 0; depth < 20_000; depth++) deep = {address: deep}
    expect(await check('accounts.patchDebit.v4', deep)).toEqual([
      expect.objectContaining({pointer: '/address/address', message: 'address is not a field of address'}),
    ])
  })

  test('has at most 50 violations', async () => {
    const body = Object.fromEntries(Array.from({length: 500}, (_, at) => [`unheardOf${at}`, 1]))
    expect(await check('accounts.patchDebit.v4', body)).toHaveLength(50)
  })
})
