import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type TestSandbox, testSandbox} from '../helpers/sandbox.ts'

const DAY = 24 * 60 * 60 * 1000

/** Authorises on card 3004, a debit card with EUR 2,500.00, unless told otherwise. */
const authorise = async (sandbox: TestSandbox, more: object = {}) =>
  (
    await sandbox.op('sandbox.authorisations.create', {
      body: {cardId: '3004', amount: 12.5, currency: 'EUR', ...more},
    })
  ).body
const code = async (...args: Parameters<typeof authorise>) => (await authorise(...args)).responseCode
const clear = (sandbox: TestSandbox, id: string, body: object = {}) =>
  sandbox.op('sandbox.authorisations.clear', {path: {id}, body})
const reverse = (sandbox: TestSandbox, id: string, body: object = {}) =>
  sandbox.op('sandbox.authorisations.reverse', {path: {id}, body})
const show = async (sandbox: TestSandbox, id: string) =>
  (await sandbox.op('sandbox.authorisations.get', {path: {id}})).body
const set = (sandbox: TestSandbox, kind: 'card' | 'account', id: string, body: object) =>
  sandbox.op('sandbox.state.set', {path: {kind, id}, body})
const euros = async (sandbox: TestSandbox, id = '2002') => {
  const {body} = await sandbox.op('sandbox.state.get', {path: {kind: 'account', id}})
  return (body.balances as {booked: number; held: number; available: number}[])[0]
}

test('the first one of the guide: a hold of 12.50 leaves 4,987.50 of the credit limit', async () => {
  const sandbox = await testSandbox()
  const done = await authorise(sandbox, {cardId: '3001', scenario: 'contactless'})
  expect(done).toMatchObject({
    status: 'APPROVED',
    responseCode: '00',
    decidedBy: 'service',
    merchantName: 'Kahvila Aino',
    hold: {amount: 12.5, currency: 'EUR'},
    holdStatus: 'HELD',
    holdUntil: '2026-06-22T12:00:00.000Z',
    availableAmount: {amount: 4987.5, currency: 'EUR'},
  })
  expect(await show(sandbox, done.id)).toEqual(done)
})

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
    expect(await authorise(sandbox, {amount: 5, currency: 'THB'})).toMatchObject({responseCode: '57'})
    expect(await authorise(sandbox, {amount: 1601, currency: 'JPY'})).toMatchObject({hold: {amount: 10.01}})
  })
})

describe('clearing', () => {
  test('what it came to in the account’s currency is said', async () => {
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

test('unknown cards and scenarios are refused; lists are newest first and by card', async () => {
  const sandbox = await testSandbox()
  const create = async (body: object) =>
    (await sandbox.op('sandbox.authorisations.create', {body: {amount: 1, currency: 'EUR', ...body}})).status
  expect(await create({cardId: '9'})).toBe(404)
  expect(await create({cardId: '3004', scenario: 'heist'})).toBe(400)
  const [first, second] = [await authorise(sandbox), await authorise(sandbox, {cardId: '3001'})]
  const list = async (query: object) => {
    const {body} = await sandbox.op('sandbox.authorisations.list', {query})
    return body.map(({id}) => id)
  }
  expect(await list({})).toEqual([second.id, first.id])
  expect(await list({cardId: '3004'})).toEqual([first.id])
})

const action = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({do: fc.constant('authorise' as const), cents: fc.integer({min: 0, max: 90_000})}),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('raise' as const),
      which: fc.nat(5),
      cents: fc.integer({min: 1, max: 50_000}),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reverse' as const),
      which: fc.nat(5),
      cents: fc.integer({min: 0, max: 50_000}),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('clear' as const),
      which: fc.nat(5),
      cents: fc.integer({min: 1, max: 90_000}),
      final: fc.boolean(),
    }),
  },
  {weight: 1, arbitrary: fc.record({do: fc.constant('pass' as const), days: fc.integer({min: 1, max: 5})})},
)

/** A transaction in the model: what it holds, in cents, and until when. */
interface ModelHold {
  id: string
  transactionId: string
  cents: number
  until: number
}

test('whatever happens, holds and bookings are the model’s', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, {maxLength: 15}), async actions => {
      const sandbox = await testSandbox()
      await set(sandbox, 'card', '3004', {usageLimits: []})
      const holds: ModelHold[] = []
      let booked = 250_000
      const held = () => holds.reduce((sum, {cents}) => sum + cents, 0)
      for (const one of actions) {
        for (const hold of holds) if (hold.until <= sandbox.now()) hold.cents = 0
        if (one.do === 'pass') {
          sandbox.pass(one.days * DAY)
          continue
        }
        const amount = one.cents / 100
        if (one.do === 'authorise') {
          const fits = one.cents <= booked - held()
          const {status, id, transactionId} = await authorise(sandbox, {amount})
          expect(status).toBe(fits ? 'APPROVED' : 'DECLINED')
          if (fits && one.cents > 0) {
            holds.push({id, transactionId, cents: one.cents, until: sandbox.now() + 7 * DAY})
          }
        } else await change(sandbox, holds[one.which], one, amount)
        for (const hold of holds) if (hold.until <= sandbox.now()) hold.cents = 0
        expect(await euros(sandbox)).toEqual({
          currency: 'EUR',
          booked: booked / 100,
          held: held() / 100,
          available: (booked - held()) / 100,
        })
      }
      await sandbox.close()

      async function change(
        on: TestSandbox,
        hold: ModelHold | undefined,
        one: {do: string; cents: number; final?: boolean},
        amount: number,
      ) {
        if (hold === undefined) return
        if (one.do === 'raise') {
          if (hold.cents === 0) return
          const fits = one.cents <= booked - held()
          const {status} = await authorise(on, {amount, transactionId: hold.transactionId})
          expect(status).toBe(fits ? 'APPROVED' : 'DECLINED')
          if (fits) hold.cents += one.cents
          hold.until = fits ? on.now() + 7 * DAY : hold.until
        } else if (one.do === 'reverse') {
          const allowed = one.cents < hold.cents
          const {status} = await reverse(on, hold.id, {replacementAmount: amount})
          expect(status).toBe(allowed ? 200 : 409)
          if (allowed) hold.cents = one.cents
        } else {
          const {body} = await clear(on, hold.id, {amount, final: one.final})
          expect(body.status).toBe('POSTED')
          booked -= one.cents
          hold.cents = one.final ? 0 : Math.max(0, hold.cents - one.cents)
        }
      }
    }),
    {numRuns: 25},
  )
})
