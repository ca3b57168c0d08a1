import {describe, expect, test} from 'vitest'
import {testSandbox} from '../helpers/sandbox.ts'
import {code, euros, set} from './calls.ts'

const DAY = 24 * 60 * 60 * 1000

describe('what the service refuses itself', () => {
  test.each([
    ['CARD_OK', '00'],
    ['CARD_NO_RENEWAL', '00'],
    ['CARD_BLOCKED', '62'],
    ['SUSPECTED_FRAUD', '59'],
    ['CARD_LOST', '41'],
    ['CARD_STOLEN', '43'],
    ['CARD_CLOSED', '14'],
    ['CARD_CLOSED_DUE_TO_FRAUD', '59'],
    ['CARD_EXPIRED', '54'],
  ])('a card that is %s: %s, and clearing posts unless it has expired', async (status, expected) => {
    const sandbox = await testSandbox()
    await set(sandbox, 'card', '3004', {status})
    expect(await code(sandbox)).toBe(expected)
    const body = {cardId: '3004', amount: 5, currency: 'EUR'}
    const cleared = (await sandbox.op('sandbox.clearings.create', {body})).body
    expect(cleared.status).toBe(status === 'CARD_EXPIRED' ? 'REFUSED' : 'POSTED')
    const held = expected === '00' ? 12.5 : 0
    const booked = status === 'CARD_EXPIRED' ? 2500 : 2495
    expect(await euros(sandbox)).toEqual({currency: 'EUR', booked, held, available: booked - held})
  })

  test.each([
    ['ACCOUNT_BLOCKED', '62'],
    ['ACCOUNT_TO_CLOSE', '46'],
    ['ACCOUNT_CLOSED', '46'],
  ])('an account that is %s: %s, and clearing posts', async (status, expected) => {
    const sandbox = await testSandbox()
    await set(sandbox, 'account', '2002', {status})
    expect(await code(sandbox)).toBe(expected)
    const body = {cardId: '3004', amount: 5, currency: 'EUR'}
    expect((await sandbox.op('sandbox.clearings.create', {body})).body.status).toBe('POSTED')
    expect((await euros(sandbox))?.booked).toBe(2495)
  })

  test.each([{softblock: true}, {hardblock: true}])('a fleet block %j', async accountCardBlocks => {
    const sandbox = await testSandbox()
    await set(sandbox, 'card', '3005', {status: 'CARD_OK'})
    expect(await code(sandbox, {cardId: '3005'})).toBe('00')
    await sandbox.op('accounts.patchFleet.v4', {path: {id: '2004'}, body: {accountCardBlocks}})
    expect(await code(sandbox, {cardId: '3005'})).toBe('62')
  })

  test('a card past its month', async () => {
    const sandbox = await testSandbox()
    await set(sandbox, 'card', '3004', {expiration: {year: 2026, month: 6}})
    sandbox.pass(15 * DAY)
    expect(await code(sandbox)).toBe('00')
    sandbox.pass(DAY)
    expect(await code(sandbox)).toBe('54')
  })

  test.each([
    [{merchant: {country: 'KEN'}}, '62'],
    [{merchant: {country: 'JPN'}}, '62'],
    [{merchant: {country: 'DEU'}}, '00'],
    [{merchant: {country: 'FIN'}}, '00'],
    [{merchant: {country: 'XXX'}}, '00'],
    [{scenario: 'ecommerce'}, '00'],
  ])('regions as they are set: %j %s', async (more, expected) => {
    const sandbox = await testSandbox()
    expect(await code(sandbox, more)).toBe(expected)
  })

  test('the home country is blocked by home alone, and online purchases by ecomm', async () => {
    const sandbox = await testSandbox()
    await set(sandbox, 'card', '3004', {regionAndEcommBlocking: {europe: true, ecomm: true}})
    expect(await code(sandbox)).toBe('00')
    expect(await code(sandbox, {merchant: {country: 'SWE'}})).toBe('62')
    expect(await code(sandbox, {scenario: 'ecommerce'})).toBe('62')
    await set(sandbox, 'card', '3004', {regionAndEcommBlocking: {home: true, europe: false}})
    expect(await code(sandbox)).toBe('62')
    expect(await code(sandbox, {merchant: {country: 'SWE'}})).toBe('00')
  })

  test('too little money, unless somebody else looks at it', async () => {
    const sandbox = await testSandbox()
    await set(sandbox, 'card', '3004', {usageLimits: []})
    expect(await code(sandbox, {amount: 2500.01})).toBe('51')
    expect(await code(sandbox, {amount: 2500})).toBe('00')
    expect(await code(sandbox, {amount: 0.01})).toBe('51')
    const additionalValues = [{key: 'BALC', value: true}]
    await sandbox.op('accounts.patchDebit.v4', {path: {id: '2002'}, body: {additionalValues}})
    expect(await code(sandbox, {amount: 100})).toBe('00')
    const path = {multiCurr: 'MULTICURR_EUR_FI', id: '2005'}
    await set(sandbox, 'card', '3006', {
      status: 'CARD_OK',
      expiration: {year: 2030, month: 1},
      usageLimits: [],
    })
    expect(await code(sandbox, {cardId: '3006', amount: 1001})).toBe('51')
    await sandbox.op('accounts.patchMulticurrency.v4', {path, body: {externalBalanceCheck: true}})
    expect(await code(sandbox, {cardId: '3006', amount: 1001})).toBe('00')
  })
})

describe('PIN tries', () => {
  test('wrong ones are counted, a right one forgets them, and used up they refuse', async () => {
    const sandbox = await testSandbox()
    const wrong = () => code(sandbox, {scenario: 'atm', wrongPin: true})
    const right = () => code(sandbox, {scenario: 'atm'})
    expect([await wrong(), await wrong(), await right()]).toEqual(['55', '55', '00'])
    expect([await wrong(), await wrong(), await wrong(), await right()]).toEqual(['55', '55', '55', '75'])
    const {body} = await sandbox.op('cards.get.v4', {path: {id: '3004'}})
    expect(body.pinAttempts).toEqual({counter: 3, max: 3})
    expect(await code(sandbox)).toBe('00')
    expect(await code(sandbox, {scenario: 'pin-unblock', amount: 0})).toBe('00')
    expect(await right()).toBe('00')
  })
})
