// The limits of a tenant hold over all processes: here several sandboxes, each with connections of its own.
import {randomUUID} from 'node:crypto'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, inject, onTestFinished, test} from 'vitest'
import type {Connections} from '../../../src/postgres/connect.ts'
import {withStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {connections} from '../../../src/sandbox/store/postgres/connect.ts'
import {openPostgresTenant} from '../../../src/sandbox/store/postgres/open-postgres-store.ts'
import {SharedRateLimit} from '../../../src/sandbox/store/postgres/shared-rate-limit.ts'
import {addTenant, findTenant, type Tenant} from '../../../src/sandbox/store/postgres/tenants.ts'
import {Secret} from '../../../src/sensitive/secret.ts'

const options = () => ({url: new Secret(inject('postgres') ?? ''), connections: 2})

async function newTenant(maxRows?: number): Promise<Tenant> {
  return withStore(options(), async opened => {
    const name = `t${randomUUID().slice(0, 20)}`
    await addTenant(opened, name, {maxRows})
    const tenant = await findTenant(opened, name)
    if (tenant === undefined) throw new Error('the tenant is missing')
    return tenant
  })
}

async function process(): Promise<Connections> {
  const opened = await connections(options())
  onTestFinished(() => opened.pool.end())
  return opened
}

const row = (id: string) => ({id, code: 'A'})

test('the rows of all processes together never exceed the limit, not by one', async () => {
  const most = 137
  const tenant = await newTenant(most)
  const stores = await Promise.all([1, 2, 3].map(async () => openPostgresTenant(await process(), tenant, {})))
  const results = await Promise.allSettled(
    Array.from({length: 300}, (_, at) =>
      stores[at % 3]?.transaction(async tx => {
        await tx.priceLists.put(row(`row-${at}`))
        // A failed request has no rows.
        if (at % 7 === 0) throw new Error('refused')
      }),
    ),
  )
  const written = results.filter(({status}) => status === 'fulfilled').length
  const [one, two] = stores
  expect(await one?.read(tx => tx.priceLists.count())).toBe(written)
  expect(written).toBe(most)
  await expect(two?.transaction(tx => tx.priceLists.put(row('beyond')))).rejects.toMatchObject({status: 507})
  const [first] = (await one?.read(tx => tx.priceLists.list({limit: 1}))) ?? []
  await one?.transaction(tx => tx.priceLists.delete(first?.id ?? ''))
  await two?.transaction(tx => tx.priceLists.put(row('beyond')))
  await expect(one?.transaction(tx => tx.priceLists.put(row('last')))).rejects.toMatchObject({status: 507})
  // A row that is there may change.
  await one?.transaction(tx => tx.priceLists.put({...row('beyond'), code: 'B'}))
  await two?.transaction(tx => tx.priceLists.clear())
  await one?.transaction(tx => tx.priceLists.put(row('last')))
})

test('rows from before a tenant had a limit are counted', async () => {
  const tenant = await newTenant(10)
  const before = openPostgresTenant(await process(), {...tenant, maxRows: null}, {})
  for (let at = 0; at < 9; at++) await before.transaction(tx => tx.priceLists.put(row(`row-${at}`)))
  const store = openPostgresTenant(await process(), tenant, {})
  await store.transaction(tx => tx.priceLists.put(row('tenth')))
  await expect(store.transaction(tx => tx.priceLists.put(row('eleventh')))).rejects.toMatchObject({
    status: 507,
  })
})

test('processes together accept no more calls in any span than the limit, and nearly as many', async () => {
  const {id} = await newTenant()
  const windows = [{count: 40, windowMs: 400}]
  const limits = await Promise.all(
    [1, 2, 3].map(async () => new SharedRateLimit(await process(), id, windows)),
  )
  const began = performance.now()
  /** Before and after each call that was accepted: it was counted in between. */
  const accepted: {from: number; to: number}[] = []
  const caller = async (limit: SharedRateLimit, everyMs: number): Promise<void> => {
    while (performance.now() < began + 3000) {
      const from = performance.now()
      const waitMs = await limit.take()
      if (waitMs === 0) accepted.push({from, to: performance.now()})
      await pause(waitMs === 0 ? everyMs : Math.min(waitMs, 20))
    }
  }
  await Promise.all(limits.flatMap((limit, at) => [1, 2, 3, 4].map(() => caller(limit, at * 7))))
  for (const {to: start} of accepted) {
    const inside = accepted.filter(({from, to}) => from >= start && to <= start + 399).length
    expect(inside).toBeLessThanOrEqual(40)
  }
  expect(accepted.length).toBeGreaterThan((40 * 3000) / 400 / 2)
})

test('a process that is gone counts as if it had used all it took, and then no longer', async () => {
  const {id} = await newTenant()
  const windows = [{count: 5, windowMs: 500}]
  const [gone, other] = [await connections(options()), await process()]
  const first = new SharedRateLimit(gone, id, windows)
  for (let at = 0; at < 4; at++) expect(await first.take()).toBe(0)
  await gone.pool.end()
  const second = new SharedRateLimit(other, id, windows)
  const outcomes = []
  for (let at = 0; at < 3; at++) outcomes.push(await second.take())
  expect(outcomes.at(-1)).toBeGreaterThan(0)
  const free = async (): Promise<number> => {
    let count = 0
    while ((await second.take()) === 0) count++
    return count
  }
  await expect.poll(free, {timeout: 10_000, interval: 600}).toBe(5)
})

test('a steady caller costs the database about a statement a second, and one that is refused none', async () => {
  const {id} = await newTenant()
  const opened = await process()
  let statements = 0
  const query = opened.pool.query.bind(opened.pool)
  Object.assign(opened.pool, {
    query: (...parameters: Parameters<typeof query>) => {
      statements++
      return query(...parameters)
    },
  })
  const limit = new SharedRateLimit(opened, id, [{count: 1000, windowMs: 60_000}])
  for (let at = 0; at < 900; at++) expect(await limit.take()).toBe(0)
  // It takes twice as many each time.
  expect(statements).toBeLessThanOrEqual(16)
  while ((await limit.take()) === 0);
  const before = statements
  for (let at = 0; at < 1000; at++) expect(await limit.take()).toBeGreaterThan(1000)
  expect(statements - before).toBeLessThanOrEqual(1)
})
