import {describe, expect, test} from 'vitest'
import {testSandbox} from '../helpers/sandbox.ts'
import {authorise, code, reverse, set} from './calls.ts'

const DAY = 24 * 60 * 60 * 1000

describe('usage limits', () => {
  const limit = (value: object) => [{code: 'DAILY', values: [{code: 'ALL', ...value}]}]

  test.each([
    [{singleAmount: 10}, [10, 10.01], ['00', '61']],
    [{sumAmount: 15}, [10, 5, 0.01], ['00', '00', '61']],
    [{count: 2}, [1, 1, 1], ['00', '00', '65']],
    [{count: 0}, [1], ['65']],
    [{singleAmount: 0, sumAmount: 0, count: 9_999_999}, [1000], ['00']],
  ])('%j', async (value, amounts, codes) => {
    const sandbox = await testSandbox()
    await set(sandbox, 'card', '3004', {usageLimits: limit(value)})
    const seen = []
    for (const amount of amounts) seen.push(await code(sandbox, {amount}))
    expect(seen).toEqual(codes)
  })

  test('cash and purchases are counted apart; reads say what is left', async () => {
    const sandbox = await testSandbox()
    await authorise(sandbox, {amount: 100, scenario: 'atm'})
    await authorise(sandbox, {amount: 30})
    const {body} = await sandbox.op('cards.get.v4', {path: {id: '3004'}})
    expect(body.usageLimits?.[0]?.values).toMatchObject([
      {code: 'ATM', availableAmount: 400, availableCount: null},
      {code: 'RETAIL', availableAmount: 1970, availableCount: null},
    ])
    expect(await code(sandbox, {amount: 400.01, scenario: 'atm'})).toBe('61')
    expect(await code(sandbox, {amount: 400, scenario: 'atm'})).toBe('00')
  })

  test.each([
    ['24H', DAY],
    ['DAILY', DAY / 2],
    ['WEEKLY', 6.5 * DAY],
    ['MONTHLY', 15.5 * DAY],
  ])('%s begins anew after its time', async (period, ms) => {
    const sandbox = await testSandbox()
    const usageLimits = [{code: period, values: [{code: 'ALL', count: 1}]}]
    await set(sandbox, 'card', '3004', {usageLimits})
    expect(await code(sandbox)).toBe('00')
    sandbox.pass(ms - 1)
    expect(await code(sandbox)).toBe('65')
    sandbox.pass(1)
    expect(await code(sandbox)).toBe('00')
  })

  test('of the account count for all its cards, until a reset zeroes them', async () => {
    const sandbox = await testSandbox()
    await set(sandbox, 'card', '3002', {status: 'CARD_OK'})
    const patch = (value: object) =>
      sandbox.op('accounts.patchDebit.v4', {path: {id: '2002'}, body: {usageLimits: limit(value)}})
    await patch({sumAmount: 20})
    expect(await code(sandbox)).toBe('00')
    expect(await code(sandbox, {cardId: '3002'})).toBe('61')
    sandbox.pass(1)
    await patch({sumAmount: 20, reset: true})
    expect(await code(sandbox, {cardId: '3002'})).toBe('00')
  })

  test('what was reversed whole counts no more, whatever conversions made of its parts', async () => {
    const sandbox = await testSandbox()
    const values = [{code: 'ALL', count: 1, sumAmount: 0, singleAmount: 0}]
    await set(sandbox, 'card', '3006', {
      status: 'CARD_OK',
      expiration: {year: 2030, month: 1},
      usageLimits: [{code: 'DAILY', values}],
    })
    const of = (more: object) => authorise(sandbox, {cardId: '3006', amount: 60, currency: 'SEK', ...more})
    const {id, transactionId} = await of({})
    expect(await of({transactionId})).toMatchObject({hold: {amount: 120}})
    expect((await of({})).responseCode).toBe('65')
    await reverse(sandbox, id)
    expect((await of({})).responseCode).toBe('00')
  })

  test('a reversal gives back what was counted; declines never count', async () => {
    const sandbox = await testSandbox()
    await set(sandbox, 'card', '3004', {usageLimits: limit({sumAmount: 20})})
    const {id} = await authorise(sandbox)
    expect(await code(sandbox)).toBe('61')
    await reverse(sandbox, id, {replacementAmount: 7.5})
    expect(await code(sandbox)).toBe('00')
  })
})
