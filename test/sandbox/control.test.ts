import {describe, expect, test} from 'vitest'
import {Secret} from '../../src/sensitive/secret.ts'
import {type TestSandbox, temporaryFile, testSandbox} from './helpers/sandbox.ts'
import {withoutDemo} from './helpers/without-demo.ts'

const card = (sandbox: TestSandbox, id = '3001') => sandbox.op('cards.get.v4', {path: {id}})
const fault = async (sandbox: TestSandbox, body: object) =>
  (await sandbox.op('sandbox.faults.add', {body})).body

describe('state', () => {
  test('a card can be blocked, and one region without the others', async () => {
    const sandbox = await testSandbox()
    sandbox.pass(60_000)
    const body = {status: 'CARD_BLOCKED', regionAndEcommBlocking: {ecomm: true}}
    const set = await sandbox.op('sandbox.state.set', {path: {kind: 'card', id: '3001'}, body})
    expect(set.status).toBe(200)
    expect((await card(sandbox)).body).toMatchObject({
      status: 'CARD_BLOCKED',
      statusDate: '2026-06-15T12:01:00',
      regionAndEcommBlocking: {ecomm: true, africa: true, home: false},
    })
  })

  test.each([
    ['card', '3001', {status: 'CARD_ON_HOLIDAY'}],
    ['card', '3001', {number: '4111111111111111'}],
    ['card', '3001', {id: '3999'}],
    ['account', '2001', {status: 'OPEN'}],
    ['account', '2001', {creditLimit: 'much'}],
    ['account', '2002', {creditLimit: 5}],
    ['account', '2001', {balances: {SEK: 5}}],
    ['account', '2001', {balances: [5]}],
    ['plastic', '7001', {sequenceNumber: 'two'}],
    ['pricelist', '5001', {code: ''}],
    ['period', '6001', {validFrom: null}],
    ['customer', '1001', {firstName: 7}],
  ] as const)('%s %s takes no %j', async (kind, id, body) => {
    const sandbox = await testSandbox()
    const before = await sandbox.op('sandbox.state.get', {path: {kind, id}})
    expect((await sandbox.op('sandbox.state.set', {path: {kind, id}, body})).status).toBe(400)
    expect((await sandbox.op('sandbox.state.get', {path: {kind, id}})).text).toBe(before.text)
  })

  test.each([
    [
      'account',
      '2008',
      {status: 'ACCOUNT_OK', name: 'Open again', balances: {EUR: 12.34}},
      {name: 'Open again'},
    ],
    ['plastic', '7001', {status: 'INACTIVE'}, {status: 'INACTIVE'}],
    ['pricelist', '5001', {code: 'NEW'}, {code: 'NEW'}],
    ['period', '6002', {validTo: '2090-01-01T00:00:00Z'}, {state: 'active'}],
    ['customer', '1002', {middleName: null, locale: 'en-GB'}, {middleName: null, locale: 'en-GB'}],
  ] as const)('%s %s takes %j', async (kind, id, body, after) => {
    const sandbox = await testSandbox()
    const set = await sandbox.op('sandbox.state.set', {path: {kind, id}, body})
    expect(set.body).toMatchObject(after)
    expect((await sandbox.op('sandbox.state.get', {path: {kind, id}})).text).toBe(set.text)
  })

  test('of a batch nothing can be set', async () => {
    const sandbox = await testSandbox()
    const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 1, currency: 'EUR'}]
    const {id} = (await sandbox.op('a2a.create.v1', {body: {transfers}})).body
    const set = await sandbox.op('sandbox.state.set', {path: {kind: 'batch', id}, body: {status: 'FAILED'}})
    expect(set.status).toBe(400)
    expect((await sandbox.op('sandbox.state.get', {path: {kind: 'batch', id}})).body.status).toBe('COMPLETED')
  })

  test('nothing secret is shown of any kind', async () => {
    const sandbox = await testSandbox()
    for (const kind of ['account', 'card', 'plastic', 'batch', 'enrolment', 'customer'] as const) {
      const {text} = await sandbox.op('sandbox.state.list', {path: {kind}})
      expect(text).not.toMatch(/4111111111111111|"pin"|"number":"[A-Za-z]|numberDigest/)
    }
  })

  test('a missing one is 404, and an unknown kind 400', async () => {
    const sandbox = await testSandbox()
    expect((await sandbox.op('sandbox.state.get', {path: {kind: 'card', id: '9'}})).status).toBe(404)
    expect((await sandbox.send('GET', '/_sandbox/state/secret')).status).toBe(400)
  })
})

test('the clock moves forward for all processes on the file, and back only by a reset', async () => {
  const file = await temporaryFile()
  const [one, other] = [await testSandbox({file}), await testSandbox({file})]
  await one.op('sandbox.clock.advance', {body: {advanceMs: 86_400_000}})
  expect((await other.op('sandbox.clock.get')).body).toEqual({
    now: '2026-06-16T12:00:00.000Z',
    offsetMs: 86_400_000,
  })
  expect((await one.op('sandbox.clock.advance', {body: {advanceMs: -1}})).status).toBe(400)
  await other.op('sandbox.reset')
  expect((await one.op('sandbox.clock.get')).body.offsetMs).toBe(0)
})

test('a reset puts everything back as it was', async () => {
  const sandbox = await testSandbox()
  const kinds = ['account', 'card', 'pricelist', 'period', 'batch', 'enrolment'] as const
  const everything = () =>
    Promise.all(kinds.map(async kind => (await sandbox.op('sandbox.state.list', {path: {kind}})).text))
  const before = await everything()
  await sandbox.op('accounts.patchDebit.v4', {path: {id: '2002'}, body: {name: 'x'}}, {key: 'k'})
  await sandbox.op('pricelists.delete.v1', {path: {id: '5002'}})
  const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 1, currency: 'EUR'}]
  await sandbox.op('a2a.create.v1', {body: {transfers}})
  await fault(sandbox, {status: 500})
  expect(await everything()).not.toEqual(before)
  await sandbox.op('sandbox.reset')
  expect(await everything()).toEqual(before)
  const again = await sandbox.op(
    'accounts.patchDebit.v4',
    {path: {id: '2002'}, body: {name: 'x'}},
    {key: 'k'},
  )
  expect(again.headers).not.toHaveProperty('x-idempotent-replayed')
  expect((await sandbox.op('a2a.create.v1', {body: {transfers}})).body.id).toBe('88001')
})

describe('faults', () => {
  test('strike the operation and the values they name, as often as they may', async () => {
    const sandbox = await testSandbox()
    const planted = await fault(sandbox, {
      operation: 'cards.get.v4',
      match: {'path:id': 3001},
      status: 503,
      count: 2,
    })
    expect(planted).toMatchObject({id: '1', remaining: 2, probability: 1, struck: 0})
    expect((await card(sandbox, '3002')).status).toBe(200)
    sandbox.pass(30_000)
    const statuses = [await card(sandbox), await card(sandbox), await card(sandbox)].map(({status}) => status)
    expect(statuses).toEqual([503, 503, 200])
    expect(planted).not.toHaveProperty('lastStruckAt')
    const lastStruckAt = '2026-06-15T12:00:30.000Z'
    expect((await sandbox.op('sandbox.faults.list')).body).toMatchObject([
      {remaining: 0, struck: 2, lastStruckAt},
    ])
  })

  test('match members of a body by JSON pointer, and of the query', async () => {
    const sandbox = await testSandbox()
    await fault(sandbox, {match: {'/transfers/0/amount': 13, 'query:auditUser': 'test'}, status: 422})
    const create = async (amount: number) => {
      const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount, currency: 'EUR'}]
      return (await sandbox.op('a2a.create.v1', {body: {transfers}})).status
    }
    expect([await create(12), await create(13)]).toEqual([200, 422])
    expect(withoutDemo((await sandbox.op('a2a.list.v1')).body.items)).toHaveLength(1)
  })

  test('strike with their probability', async () => {
    const chances = [0.49, 0.5, 0, 0.99]
    const sandbox = await testSandbox({chance: () => chances.shift() ?? 1})
    await fault(sandbox, {status: 500, probability: 0.5})
    const statuses = []
    for (let index = 0; index < 4; index += 1) statuses.push((await card(sandbox)).status)
    expect(statuses).toEqual([500, 200, 500, 200])
  })

  test('take the problem they are given', async () => {
    const sandbox = await testSandbox()
    await fault(sandbox, {status: 418, problem: {title: 'Short', detail: 'and stout'}})
    expect((await card(sandbox)).problem).toMatchObject({status: 418, title: 'Short', detail: 'and stout'})
  })

  test('wait before the effect', async () => {
    const waits: number[] = []
    const sandbox = await testSandbox({
      sleep: async ms => {
        waits.push(ms)
      },
    })
    await fault(sandbox, {operation: 'cards.*', delayMs: 700, count: 1})
    await fault(sandbox, {operation: 'cards.*', delayMs: 5, status: 500})
    expect([(await card(sandbox)).status, (await card(sandbox)).status]).toEqual([200, 500])
    expect(waits).toEqual([700, 5])
  })

  test('never strike the control operations, so that they can be taken away', async () => {
    const sandbox = await testSandbox()
    await fault(sandbox, {drop: 'before'})
    expect((await card(sandbox)).dropped).toBe(true)
    expect((await sandbox.op('sandbox.faults.clear')).body.cleared).toBe(1)
    expect((await card(sandbox)).status).toBe(200)
  })

  test('that could meet nothing are refused', async () => {
    const sandbox = await testSandbox()
    const add = async (body: object) => (await sandbox.op('sandbox.faults.add', {body})).status
    expect(await add({operation: 'cards.gte.v4', status: 500})).toBe(400)
    expect(await add({operation: 'sandbox.reset', status: 500})).toBe(400)
    expect(await add({operation: 'cards.*'})).toBe(400)
    expect(await add({status: 199})).toBe(400)
  })
})

describe('who may control', () => {
  const ask = async (
    sandbox: TestSandbox,
    origin: 'embedded' | 'loopback' | 'network',
    headers: object = {},
  ) => (await sandbox.send('POST', '/_sandbox/reset', undefined, {origin, headers: {...headers}})).status

  test('the same process, and the same machine by its own name', async () => {
    const sandbox = await testSandbox()
    expect(await ask(sandbox, 'embedded')).toBe(200)
    for (const host of ['localhost:1', '127.0.0.1:4010', '[::1]:4010']) {
      expect(await ask(sandbox, 'loopback', {host})).toBe(200)
    }
  })

  test('no page in a browser, not even by another name for this machine', async () => {
    const sandbox = await testSandbox()
    const host = 'localhost'
    expect(await ask(sandbox, 'loopback', {host: 'rebound.example'})).toBe(403)
    expect(await ask(sandbox, 'loopback', {host, origin: 'https://elsewhere.example'})).toBe(403)
    expect(await ask(sandbox, 'loopback', {host, 'sec-fetch-site': 'cross-site'})).toBe(403)
  })

  test('another machine with the credentials only', async () => {
    const open = await testSandbox()
    expect(await ask(open, 'network', {host: '192.0.2.1'})).toBe(403)
    const closed = await testSandbox({auth: {type: 'bearer', token: new Secret('t')}})
    expect(await ask(closed, 'network', {host: '192.0.2.1'})).toBe(401)
    expect(await ask(closed, 'network', {host: '192.0.2.1', authorization: 'Bearer t'})).toBe(200)
  })
})

test('info says what is simulated and what is not', async () => {
  const sandbox = await testSandbox()
  const {body} = await sandbox.op('sandbox.info')
  expect(body.simulated.length).toBeGreaterThan(3)
  expect(body.notSimulated.length).toBeGreaterThan(3)
})
