import {describe, expect, test} from 'vitest'
import {testSandbox} from '../helpers/sandbox.ts'
import {authorise, clear, euros, set, show} from './calls.ts'

describe('clearing', () => {
  test('shows the amount in the account’s currency', async () => {
    const sandbox = await testSandbox()
    const {id} = await authorise(sandbox, {amount: 115, currency: 'NOK', scenario: 'foreign'})
    expect((await clear(sandbox, id, {amount: 230})).body).toMatchObject({
      amount: 230,
      currency: 'NOK',
      postedAmount: {amount: 20, currency: 'EUR'},
    })
  })

  test.each([
    ['what is held', {}, 2487.5, 0, 'CLEARED'],
    ['under it', {amount: 10}, 2490, 0, 'CLEARED'],
    ['over it', {amount: 20}, 2480, 0, 'CLEARED'],
    ['a part, with more to come', {amount: 10, final: false}, 2490, 2.5, 'HELD'],
  ])('%s', async (_, body, booked, held, holdStatus) => {
    const sandbox = await testSandbox()
    const {id} = await authorise(sandbox)
    expect((await clear(sandbox, id, body)).body).toMatchObject({status: 'POSTED', authorisationId: id})
    expect(await euros(sandbox)).toEqual({currency: 'EUR', booked, held, available: booked - held})
    expect(await show(sandbox, id)).toMatchObject({holdStatus, clearings: [{status: 'POSTED'}]})
  })

  test('what is held is cleared as it was asked for, whatever conversions do to it', async () => {
    const sandbox = await testSandbox()
    const {id} = await authorise(sandbox, {amount: 120.5, currency: 'SEK'})
    expect((await clear(sandbox, id)).body).toMatchObject({amount: 120.5, currency: 'SEK'})
    const {transactionId, ...first} = await authorise(sandbox, {amount: 10, currency: 'SEK'})
    await authorise(sandbox, {amount: 10, currency: 'SEK', transactionId})
    expect((await clear(sandbox, first.id, {amount: 5, final: false})).status).toBe(201)
    expect((await clear(sandbox, first.id)).body).toMatchObject({amount: 15, currency: 'SEK'})
  })

  test('several times, and once more after the hold is gone', async () => {
    const sandbox = await testSandbox()
    const {id} = await authorise(sandbox)
    await clear(sandbox, id, {amount: 5, final: false})
    await clear(sandbox, id, {amount: 7.5, final: false})
    expect((await clear(sandbox, id)).status).toBe(409)
    expect((await clear(sandbox, id, {amount: 1})).status).toBe(201)
    expect(await show(sandbox, id)).toMatchObject({clearedAmount: {amount: 13.5}, holdStatus: 'CLEARED'})
    expect((await euros(sandbox))?.booked).toBe(2486.5)
  })

  test('of a credit gives money', async () => {
    const sandbox = await testSandbox()
    const {id} = await authorise(sandbox, {scenario: 'refund'})
    await clear(sandbox, id)
    expect((await euros(sandbox))?.booked).toBe(2512.5)
    expect((await clear(sandbox, id)).status).toBe(409)
  })

  test('is refused on an expired card, and the hold stays', async () => {
    const sandbox = await testSandbox()
    const {id} = await authorise(sandbox)
    await set(sandbox, 'card', '3004', {status: 'CARD_EXPIRED'})
    expect((await clear(sandbox, id)).body).toMatchObject({status: 'REFUSED', reason: 'the card has expired'})
    expect(await euros(sandbox)).toMatchObject({booked: 2500, held: 12.5})
  })

  test.each(['balance-inquiry', 'pin-change'])('of a %s posts nothing', async scenario => {
    const sandbox = await testSandbox()
    const {id} = await authorise(sandbox, {scenario, amount: 10})
    for (const body of [{}, {amount: 10}]) expect((await clear(sandbox, id, body)).status).toBe(409)
    expect((await euros(sandbox))?.booked).toBe(2500)
  })

  test('needs something that was approved', async () => {
    const sandbox = await testSandbox()
    const {id} = await authorise(sandbox, {amount: 99999})
    expect((await clear(sandbox, id, {amount: 1})).status).toBe(409)
    expect((await clear(sandbox, 'a_999')).status).toBe(404)
  })

  test('an account with a hold is not closed at once', async () => {
    const sandbox = await testSandbox()
    await authorise(sandbox, {cardId: '3001'})
    const path = {id: '2001', propertyToUpdate: 'IMMEDIATE_ACCOUNT_CLOSE'} as const
    expect((await sandbox.op('accounts.updateProperty.v3', {path})).status).toBe(409)
  })
})
