import {describe, expect, test} from 'vitest'
import {testSandbox} from '../helpers/sandbox.ts'
import {authorise, clear, code, euros, reverse, set, show} from './calls.ts'

const DAY = 24 * 60 * 60 * 1000

describe('holds', () => {
  test.each([
    ['refund', 10],
    ['original-credit', 10],
    ['balance-inquiry', 0],
    ['pin-change', 0],
    ['verification', 0],
  ])('%s makes none', async (scenario, amount) => {
    const sandbox = await testSandbox()
    expect(await authorise(sandbox, {scenario, amount})).toMatchObject({responseCode: '00', hold: null})
    expect((await euros(sandbox))?.held).toBe(0)
  })

  test('increments share the transaction and raise its hold', async () => {
    const sandbox = await testSandbox()
    const first = await authorise(sandbox, {amount: 100, scenario: 'hotel'})
    const {transactionId} = first
    const second = await authorise(sandbox, {amount: 50, scenario: 'hotel-increment', transactionId})
    expect(second).toMatchObject({
      transactionId,
      messageCategory: 'INCREMENTAL_AUTHORIZATION',
      hold: {amount: 150},
    })
    expect(await show(sandbox, first.id)).toMatchObject({hold: {amount: 150}})
    expect((await euros(sandbox))?.held).toBe(150)
    // One that is declined leaves the hold as it was.
    expect(await authorise(sandbox, {amount: 9999, transactionId})).toMatchObject({
      status: 'DECLINED',
      hold: null,
    })
    const {body} = await sandbox.op('sandbox.authorisations.list', {query: {}})
    expect((await reverse(sandbox, body[0]?.id ?? '')).status).toBe(409)
    expect((await euros(sandbox))?.held).toBe(150)
  })

  test('a transaction that is unknown, of another card or over is no base for an increment', async () => {
    const sandbox = await testSandbox()
    const {transactionId, id} = await authorise(sandbox)
    const raise = async (more: object) =>
      (
        await sandbox.op('sandbox.authorisations.create', {
          body: {cardId: '3004', amount: 1, currency: 'EUR', transactionId, ...more},
        })
      ).status
    expect(await raise({transactionId: 't_999'})).toBe(404)
    expect(await raise({cardId: '3001'})).toBe(409)
    await reverse(sandbox, id)
    expect(await raise({})).toBe(409)
  })

  test('an increment is held in the currency of its transaction', async () => {
    const sandbox = await testSandbox()
    const expiration = {year: 2030, month: 1}
    await set(sandbox, 'card', '3006', {status: 'CARD_OK', expiration, usageLimits: []})
    const of = (more: object) => authorise(sandbox, {cardId: '3006', ...more})
    const {id, transactionId} = await of({amount: 100, currency: 'NOK'})
    const raised = await of({amount: 10, currency: 'EUR', transactionId})
    expect(raised).toMatchObject({hold: {amount: 215, currency: 'NOK'}})
    const held = async () => {
      const {body} = await sandbox.op('sandbox.state.get', {path: {kind: 'account', id: '2005'}})
      return Object.fromEntries(
        (body.balances as {currency: string; held: number}[]).map(({currency, held}) => [currency, held]),
      )
    }
    expect(await held()).toMatchObject({EUR: 0, NOK: 215})
    expect((await clear(sandbox, id)).body).toMatchObject({amount: 215, currency: 'NOK'})
    expect(await held()).toMatchObject({EUR: 0, NOK: 0})
    // Also once the hold is gone.
    expect((await clear(sandbox, raised.id, {amount: 6})).body).toMatchObject({
      amount: 6,
      currency: 'EUR',
      availableAmount: {currency: 'NOK'},
    })
  })

  test('a refund belongs to a purchase and leaves its hold alone, also after it was cleared', async () => {
    const sandbox = await testSandbox()
    const {id, transactionId} = await authorise(sandbox, {amount: 100})
    const refund = {scenario: 'refund', transactionId, amount: 10}
    const first = await authorise(sandbox, refund)
    expect(first).toMatchObject({transactionId, hold: null, messageCategory: 'INITIAL_AUTHORIZATION'})
    expect((await reverse(sandbox, first.id)).status).toBe(409)
    expect((await clear(sandbox, first.id)).body).toMatchObject({amount: 10})
    expect(await euros(sandbox)).toMatchObject({booked: 2510, held: 100})
    await clear(sandbox, id)
    const second = await authorise(sandbox, refund)
    await clear(sandbox, second.id)
    expect(await euros(sandbox)).toMatchObject({booked: 2420, held: 0})
  })

  test.each(['reversal', 'partial-reversal'])(
    '%s is no authorisation: it points to reverse',
    async scenario => {
      const sandbox = await testSandbox()
      const body = {cardId: '3004', amount: 12.5, currency: 'EUR', scenario}
      const {status, body: problem} = await sandbox.op('sandbox.authorisations.create', {body})
      expect([status, problem]).toMatchObject([400, {detail: expect.stringContaining('reverse ID')}])
    },
  )

  test('a partial reversal names what the hold becomes, a full one ends it', async () => {
    const sandbox = await testSandbox()
    const {id} = await authorise(sandbox)
    expect((await reverse(sandbox, id, {replacementAmount: 12.5})).status).toBe(409)
    const partial = await reverse(sandbox, id, {replacementAmount: 4})
    expect(partial.body).toMatchObject({
      hold: {amount: 4},
      holdStatus: 'HELD',
      reversals: [{amount: 8.5, currency: 'EUR'}],
    })
    expect((await reverse(sandbox, id)).body).toMatchObject({
      hold: {amount: 0},
      holdStatus: 'REVERSED',
      holdUntil: null,
    })
    expect((await euros(sandbox))?.available).toBe(2500)
    expect((await reverse(sandbox, id)).status).toBe(409)
    expect((await reverse(sandbox, 'a_999')).status).toBe(404)
  })

  test('one that nothing matches is released after 7 days by the clock', async () => {
    const sandbox = await testSandbox()
    const {id} = await authorise(sandbox)
    await sandbox.op('sandbox.clock.advance', {body: {advanceMs: 7 * DAY - 1}})
    expect(await show(sandbox, id)).toMatchObject({holdStatus: 'HELD'})
    sandbox.pass(1)
    expect(await show(sandbox, id)).toMatchObject({
      holdStatus: 'RELEASED',
      hold: {amount: 0},
      holdUntil: null,
    })
    expect((await euros(sandbox))?.held).toBe(0)
  })

  test('many at once never spend the same money twice', async () => {
    const sandbox = await testSandbox()
    await set(sandbox, 'card', '3004', {usageLimits: []})
    const codes = await Promise.all(Array.from({length: 20}, () => code(sandbox, {amount: 400})))
    expect(codes.filter(one => one === '00')).toHaveLength(6)
    expect(await euros(sandbox)).toMatchObject({held: 2400, available: 100})
  })

  test('in another currency it is held in the account’s, at a fixed rate', async () => {
    const sandbox = await testSandbox()
    const done = await authorise(sandbox, {amount: 115, currency: 'NOK', scenario: 'foreign'})
    expect(done).toMatchObject({amount: 115, currency: 'NOK', hold: {amount: 10, currency: 'EUR'}})
    const other = await authorise(sandbox, {amount: 38, currency: 'THB'})
    expect(other).toMatchObject({amount: 38, currency: 'THB', hold: {amount: 1, currency: 'EUR'}})
    expect(await authorise(sandbox, {amount: 1601, currency: 'JPY'})).toMatchObject({hold: {amount: 10.01}})
  })
})
