import fc from 'fast-check'
import {describe, expect, inject, test} from 'vitest'
import {settleNextTransfers} from '../../src/sandbox/a2a/settlement.ts'
import {isWhole, runs} from '../helpers/whole.ts'
import {type TestSandbox, temporaryFile, testSandbox} from './helpers/sandbox.ts'
import {openStore} from './helpers/store.ts'
import {withoutDemo} from './helpers/without-demo.ts'

const create = (sandbox: TestSandbox, transfers: object[], description?: string) =>
  sandbox.op('a2a.create.v1', {body: {transfers, ...(description && {description})}})
const transfer = (fromAccountId: string, toAccountId: string, amount: number, currency = 'EUR') => ({
  fromAccountId,
  toAccountId,
  amount,
  currency,
})
const get = async (sandbox: TestSandbox, id: string) => (await sandbox.op('a2a.get.v1', {path: {id}})).body

async function balances(sandbox: TestSandbox): Promise<Record<string, number>> {
  const {body} = await sandbox.op('sandbox.state.list', {path: {kind: 'account'}})
  const pairs = body.flatMap(account =>
    (account.balances as {currency: string; booked: number}[]).map(
      ({currency, booked}) => [`${account.id}/${currency}`, booked] as const,
    ),
  )
  return Object.fromEntries(pairs)
}

/** A batch that nobody has settled, with transfers of EUR 0.01. */
function openBatch(id: string, itemCount: number) {
  const rest = {description: null, completionTime: null, successful: 0, failed: 0, settledThrough: null}
  const batch = {id, status: 'IN_PROGRESS' as const, startTime: 0, itemCount, totals: {EUR: '1'}, ...rest}
  const nothing = {text: null, debit: null, credit: null, reversal: null}
  const item = {batchId: id, status: 'IN_PROGRESS' as const, amount: 0.01, currency: 'EUR', ...nothing}
  const items = Array.from({length: itemCount}, (_, at) => ({
    ...item,
    id: `${id}-${at}`,
    fromId: '2006',
    toId: '2007',
  }))
  return {batch, items}
}

describe('a batch', () => {
  test('is taken in progress, and settled at the next look when embedded', async () => {
    const sandbox = await testSandbox()
    const {body} = await create(
      sandbox,
      [transfer('2006', '2007', 10.5), transfer('2007', '2002', 0.1)],
      'Rent',
    )
    expect(body).toEqual({
      id: '88001',
      status: 'IN_PROGRESS',
      startTime: '2026-06-15T12:00:00',
      transferItemCount: 2,
      description: 'Rent',
      totalAmount: {EUR: 10.6},
    })
    const status = await sandbox.op('a2a.status.v1', {path: {id: body.id}})
    expect(status.body).toMatchObject({
      status: 'COMPLETED',
      successfulTransferItems: 2,
      failedTransferItems: 0,
      completionTime: '2026-06-15T12:00:00',
    })
    expect(await balances(sandbox)).toMatchObject({
      '2006/EUR': 9989.5,
      '2007/EUR': 10010.4,
      '2002/EUR': 2500.1,
    })
  })

  test('0.1 and 0.2 are 0.3, and yen have no cents', async () => {
    const sandbox = await testSandbox()
    const sums = await create(sandbox, [transfer('2006', '2007', 0.1), transfer('2006', '2007', 0.2)])
    expect(sums.body.totalAmount).toEqual({EUR: 0.3})
    expect((await create(sandbox, [transfer('2005', '2005', 1.5, 'JPY')])).status).toBe(400)
    expect((await create(sandbox, [transfer('2006', '2007', 1.005)])).status).toBe(400)
    expect((await create(sandbox, [transfer('2006', '2007', 1, 'XXX')])).status).toBe(400)
  })

  test('items fail each for its own reason; a credit that fails is reversed', async () => {
    const sandbox = await testSandbox()
    const before = await balances(sandbox)
    const {body} = await create(sandbox, [
      transfer('2006', '2008', 1),
      transfer('9999', '2007', 1),
      transfer('2008', '2007', 1),
      transfer('2006', '2006', 1),
      transfer('2006', '2007', 1, 'SEK'),
      transfer('2006', '2007', 99999),
    ])
    const {status, transfers} = await get(sandbox, body.id)
    expect(status).toBe('FAILED')
    expect(transfers.items.map(item => item.debitTransaction?.errorMessage ?? null)).toEqual([
      null,
      'Account not found',
      'Account is closed',
      'Both accounts are the same',
      'Account has another currency',
      'Insufficient funds',
    ])
    expect(transfers.items[0]).toMatchObject({
      status: 'FAILED',
      debitTransaction: {id: '88001-1-debit'},
      creditTransaction: {id: null, errorMessage: 'Account is closed'},
      reversalTransaction: {id: '88001-1-reversal'},
    })
    expect(await balances(sandbox)).toEqual(before)
  })

  test('with some failed items it is COMPLETED_WITH_ERRORS', async () => {
    const sandbox = await testSandbox()
    const {body} = await create(sandbox, [transfer('2006', '2007', 1), transfer('2006', '9', 1)])
    expect(await get(sandbox, body.id)).toMatchObject({
      status: 'COMPLETED_WITH_ERRORS',
      successfulTransferItems: 1,
      failedTransferItems: 1,
    })
  })

  test('a credit limit is there to be used, and no more', async () => {
    const sandbox = await testSandbox()
    const {body} = await create(sandbox, [transfer('2001', '2007', 5000), transfer('2001', '2007', 0.01)])
    expect((await get(sandbox, body.id)).transfers.items.map(({status}) => status)).toEqual([
      'COMPLETED',
      'FAILED',
    ])
  })

  test('more than 10,000 items, or a total beyond 15 digits, are refused whole', async () => {
    const sandbox = await testSandbox()
    const one = transfer('2006', '2007', 0.01)
    const tooMany = await create(
      sandbox,
      Array.from({length: 10_001}, () => one),
    )
    expect(tooMany.status).toBe(400)
    const huge = transfer('2006', '2007', 9_999_999_999_999.99)
    expect((await create(sandbox, [huge, huge])).status).toBe(400)
    expect(withoutDemo((await sandbox.op('a2a.list.v1')).body.items)).toEqual([])
  })

  test.runIf(isWhole || inject('postgres') === undefined)(
    '10,000 items are settled to the last',
    async () => {
      const sandbox = await testSandbox()
      const {body} = await create(
        sandbox,
        Array.from({length: 10_000}, () => transfer('2006', '2007', 0.01)),
      )
      expect((await sandbox.op('a2a.status.v1', {path: {id: body.id}})).body.successfulTransferItems).toBe(
        10_000,
      )
      expect(await balances(sandbox)).toMatchObject({'2006/EUR': 9900, '2007/EUR': 10100})
    },
  )

  test('a batch that was left open is settled by the next process', async () => {
    const file = await temporaryFile()
    const first = await testSandbox({file})
    const {body} = await create(first, [transfer('2006', '2007', 5)])
    await first.close()
    const second = await testSandbox({file})
    // Any request settles: also one that only looks at an account.
    expect(await balances(second)).toMatchObject({'2007/EUR': 10005})
    expect((await get(second, body.id)).status).toBe('COMPLETED')
  })

  test('many open batches are settled together, in order, and no transfer is left behind', async () => {
    const file = await temporaryFile()
    const sandbox = await testSandbox({file})
    await sandbox.op('sandbox.state.list', {path: {kind: 'account'}})
    const store = await openStore(file)
    const sizes = [1, 1, 1, 500, 1, 1, 250, ...Array.from({length: 60}, () => 1)]
    const batches = sizes.map((itemCount, at) => openBatch(`open-${at}`, itemCount))
    await store.transaction(async tx => {
      for (const {batch, items} of batches) {
        await tx.batches.put(batch)
        for (const item of items) await tx.transferItems.put(item)
      }
    })
    let transactions = 0
    while (await settleNextTransfers(store, Date.now)) transactions++
    const ends = await store.read(tx => Promise.all(batches.map(({batch}) => tx.batches.get(batch.id))))
    expect(ends.map(end => [end?.status, end?.successful])).toEqual(sizes.map(size => ['COMPLETED', size]))
    const times = ends.map(end => end?.completionTime ?? 0)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(transactions).toBe(Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 200))
    const moved = sizes.reduce((sum, size) => sum + size, 0) / 100
    expect(await balances(sandbox)).toMatchObject({
      '2006/EUR': 10_000 - moved,
      '2007/EUR': 10_000 + moved,
    })
    await store.close()
  })

  test('in the background it is settled without being looked at', async () => {
    const file = await temporaryFile()
    const server = await testSandbox({file, settlement: 'background'})
    await create(server, [transfer('2006', '2007', 5)])
    const store = await openStore(file)
    const settled = async () => (await store.read(tx => tx.batches.get('88001')))?.status
    await expect.poll(settled).toBe('COMPLETED')
    await store.close()
  })
})

describe('pages', () => {
  test('batches come newest first, each once, and the last page has no key', async () => {
    const sandbox = await testSandbox()
    const made = ['88000']
    for (let index = 0; index < 7; index += 1) {
      made.unshift((await create(sandbox, [transfer('2006', '2007', 1)])).body.id)
    }
    const seen: string[] = []
    let exclusiveStartKey: object | undefined
    do {
      const query = {size: 3, ...(exclusiveStartKey && {exclusiveStartKey})}
      const {body} = await sandbox.op('a2a.list.v1', {query})
      expect(body.size).toBe(body.items.length)
      seen.push(...body.items.map(({id}) => id))
      exclusiveStartKey = body.lastEvaluatedKey
    } while (exclusiveStartKey)
    expect(seen).toEqual(made)
  })

  test('items come in their order; 25 by default', async () => {
    const sandbox = await testSandbox()
    const {body} = await create(
      sandbox,
      Array.from({length: 30}, (_, index) => transfer('2006', '2007', index + 1)),
    )
    const first = await get(sandbox, body.id)
    expect(first.transfers.size).toBe(25)
    const exclusiveStartKey = first.transfers.lastEvaluatedKey ?? {}
    const second = await sandbox.op('a2a.get.v1', {path: {id: body.id}, query: {exclusiveStartKey}})
    const amounts = [...first.transfers.items, ...second.body.transfers.items].map(({amount}) => amount)
    expect(amounts).toEqual(Array.from({length: 30}, (_, index) => index + 1))
    expect(second.body.transfers).not.toHaveProperty('lastEvaluatedKey')
  })

  test('a key that no page gave is refused', async () => {
    const sandbox = await testSandbox()
    const query = {exclusiveStartKey: {id: 'made up'}}
    expect((await sandbox.op('a2a.list.v1', {query})).status).toBe(400)
    expect((await sandbox.send('GET', '/v1/a2a/batches?auditUser=test&idd=1')).status).toBe(400)
    expect((await sandbox.op('a2a.list.v1', {query: {size: 51}})).status).toBe(400)
  })
})

test('whatever is transferred, the sum per currency stays, and the balances are the model’s', async () => {
  const account = fc.constantFrom('2002', '2005', '2006', '2007', '2008', '9')
  const item = fc.record({
    fromAccountId: account,
    toAccountId: account,
    amount: fc.integer({min: 1, max: 400_000}).map(cents => cents / 100),
    currency: fc.constantFrom('EUR', 'EUR', 'SEK'),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(item, {minLength: 1, maxLength: 6}), {maxLength: 4}),
      async batches => {
        const sandbox = await testSandbox()
        const model = new Map(
          Object.entries(await balances(sandbox)).map(([key, amount]) => [key, Math.round(amount * 100)]),
        )
        const opening = sums(Object.fromEntries(model))
        for (const items of batches) {
          const {body} = await create(sandbox, items)
          const expected = items.map(one => move(model, one))
          const page = await sandbox.op('a2a.get.v1', {path: {id: body.id}})
          expect(page.body.transfers.items.map(({status}) => status === 'COMPLETED')).toEqual(expected)
        }
        const after = Object.entries(await balances(sandbox)).map(
          ([key, amount]) => [key, Math.round(amount * 100)] as const,
        )
        expect(Object.fromEntries(after)).toEqual(Object.fromEntries(model))
        expect(sums(Object.fromEntries(after))).toEqual(opening)
        await sandbox.close()
      },
    ),
    {numRuns: runs(20)},
  )
})

/** Moves cents in the model. Account 2008 is closed, and no account here has credit. */
function move(model: Map<string, number>, item: ReturnType<typeof transfer>): boolean {
  const [from, to] = [`${item.fromAccountId}/${item.currency}`, `${item.toAccountId}/${item.currency}`]
  const cents = Math.round(item.amount * 100)
  const open = (key: string) => model.has(key) && !key.startsWith('2008/')
  if (from === to || !open(from) || !open(to) || (model.get(from) ?? 0) < cents) return false
  model.set(from, (model.get(from) ?? 0) - cents)
  model.set(to, (model.get(to) ?? 0) + cents)
  return true
}

function sums(cents: Record<string, number>): Record<string, number> {
  const totals: Record<string, number> = {}
  for (const [key, amount] of Object.entries(cents)) {
    const currency = key.split('/')[1] ?? ''
    totals[currency] = (totals[currency] ?? 0) + amount
  }
  return totals
}

test('the demo batch is open for an hour by the clock, while others are settled', async () => {
  const sandbox = await testSandbox()
  const statusOf = async (id: string) => (await sandbox.op('a2a.status.v1', {path: {id}})).body.status
  const {id} = (await create(sandbox, [transfer('2006', '2007', 1)])).body
  expect([id, await statusOf(id)]).toEqual(['88001', 'COMPLETED'])
  sandbox.pass(60 * 60 * 1000 - 1)
  expect(await statusOf('88000')).toBe('IN_PROGRESS')
  sandbox.pass(1)
  expect(await statusOf('88000')).toBe('COMPLETED')
})
