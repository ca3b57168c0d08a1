// How often the sandbox asks its database.
import {createHash} from 'node:crypto'
import pg from 'pg'
import {expect, inject, onTestFinished, test} from 'vitest'
import {openStore} from '../helpers/store.ts'

/** The statements that are sent to one table from now on. */
function statementsTo(table: string): readonly string[] {
  const prototype: {query: (...parameters: unknown[]) => unknown} = pg.Client.prototype as never
  const {query} = prototype
  const sent: string[] = []
  prototype.query = function (this: unknown, ...parameters: unknown[]) {
    const [statement] = parameters as [string | {text: string}]
    const text = typeof statement === 'string' ? statement : statement.text
    if (text.includes(table)) sent.push(text)
    return query.call(this, ...parameters)
  }
  onTestFinished(() => {
    prototype.query = query
  })
  return sent
}

/**
 * How PostgreSQL runs a prepared statement whose plan it made when the table was small. Once it has counted the few rows of
 * the other tests, it would read them all at once.
 */
async function planOf(statement: string): Promise<string> {
  const client = new pg.Client(inject('postgres'))
  await client.connect()
  try {
    const count = Math.max(...[...statement.matchAll(/\$(\d+)/g)].map(([, at]) => Number(at)))
    const nulls = Array.from({length: count}, () => 'NULL').join(', ')
    const found = await client.query(`
BEGIN; SET LOCAL ROLE cardctl_sandbox; SET LOCAL cardctl.tenant = 1; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
SET LOCAL plan_cache_mode = force_generic_plan; PREPARE statement AS ${statement}; EXPLAIN EXECUTE statement (${nulls})`)
    return JSON.stringify((found as unknown as pg.QueryResult[]).at(-1)?.rows)
  } finally {
    await client.end()
  }
}

test('a row that was changed is not read again, until another process writes', async () => {
  const [store, other] = [await openStore('statements'), await openStore('statements')]
  const add = (to: typeof store, fails = false) =>
    to.transaction(async tx => {
      const next = ((await tx.sequences.get('one'))?.next ?? 0) + 1
      await tx.sequences.put({id: 'one', next})
      if (fails) throw new Error('no')
      return next
    })
  expect([await add(store), await add(store)]).toEqual([1, 2])
  const statements = statementsTo('cardctl.sequences')
  expect([await add(store), await add(store), await add(store)]).toEqual([3, 4, 5])
  expect(statements, 'one write each').toHaveLength(3)
  expect(await Promise.allSettled([add(store), add(store, true), add(store)])).toMatchObject([
    {value: 6},
    {status: 'rejected'},
    {value: 7},
  ])
  expect([await add(other), await add(store), await add(other), await add(store)]).toEqual([8, 9, 10, 11])
  await Promise.all([store.close(), other.close()])
})

test('another process makes a store forget the tables that it changed, and no others', async () => {
  const [store, other] = [await openStore('changes'), await openStore('changes')]
  await store.transaction(async tx => {
    await tx.sequences.put({id: 'one', next: 1})
    await tx.settings.put({id: 'one', value: 1})
  })
  const readBoth = () =>
    store.read(async tx => [(await tx.sequences.get('one'))?.next, (await tx.settings.get('one'))?.value])
  await readBoth()
  const statements = statementsTo('cardctl.se')
  await other.transaction(tx => tx.settings.put({id: 'one', value: 2}))
  expect(await readBoth()).toEqual([1, 2])
  const reads = statements.filter(each => each.startsWith('SELECT'))
  expect(reads).toEqual([expect.stringContaining('cardctl.settings')])
  await Promise.all([store.close(), other.close()])
})

test('a connection plans the statements that begin and end a transaction once', async () => {
  const store = await openStore()
  const statements = statementsTo('cardctl.stores')
  const put = (id: string) => store.transaction(tx => tx.settings.put({id, value: id}))
  const read = (id: string) => store.read(async tx => (await tx.settings.get(id))?.value)
  for (const id of ['a', 'b', 'c']) {
    await put(id)
    expect(await read(id)).toBe(id)
  }
  expect(statements).toHaveLength(1)
  await store.close()
})

test('rows are found by their ids, however small the table was when the statement was prepared', async () => {
  const store = await openStore()
  const statements = statementsTo('cardctl.faults')
  const fault = (id: string) => ({id}) as never
  await Promise.all(
    ['one', 'two'].map(id =>
      store.transaction(
        async tx => {
          await tx.faults.get(`not ${id}`)
          await tx.faults.put(fault(id))
        },
        () => [{table: 'faults', id}],
      ),
    ),
  )
  await store.transaction(tx => tx.faults.delete('one'))
  await store.close()
  const byId = statements.filter(each => !each.startsWith('INSERT'))
  expect(byId.map(each => each.slice(0, 6)).sort()).toEqual([
    'DELETE',
    'SELECT',
    'SELECT',
    'SELECT',
    'SELECT',
  ])
  for (const statement of new Set(byId)) expect(await planOf(statement), statement).toContain('faults_pkey')
})

test('the name of a prepared statement follows from its text, so it means the same in every process', async () => {
  const prototype: {query: (...parameters: unknown[]) => unknown} = pg.Client.prototype as never
  const {query} = prototype
  const named: [name: string, text: string][] = []
  prototype.query = function (this: unknown, ...parameters: unknown[]) {
    const [sent] = parameters as [string | {name?: string; text: string}]
    if (typeof sent !== 'string') named.push([sent.name ?? '', sent.text])
    else
      for (const [, name = '', text = ''] of sent.matchAll(/PREPARE (\w+) ([^;]+);/g))
        named.push([name, text])
    return query.call(this, ...parameters)
  }
  onTestFinished(() => {
    prototype.query = query
  })
  const store = await openStore()
  await store.transaction(async tx => {
    await tx.settings.put({id: 'one', value: 1})
    await tx.faults.list()
  })
  await store.close()
  const prepared = named.filter(([name]) => name !== '')
  expect(prepared.length).toBeGreaterThan(5)
  for (const [name, text] of prepared) {
    expect(name).toBe(`cardctl_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`)
  }
})
