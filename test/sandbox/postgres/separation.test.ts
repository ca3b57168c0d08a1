// Row-level security separates the tenants even where the code forgets to ask for one.
import pg from 'pg'
import {expect, inject, onTestFinished, test} from 'vitest'
import {checkStore, migrateStore, storeSize} from '../../../src/sandbox/store/postgres/admin.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {openStore, storeOptions} from '../../helpers/store.ts'

const url = () => inject('postgres') ?? ''

async function client(): Promise<pg.Client> {
  const socket = new URL(url()).searchParams.get('host') ?? ''
  const opened = new pg.Client({host: socket, user: 'app', database: 'app'})
  await opened.connect()
  onTestFinished(() => opened.end())
  return opened
}

async function tenantOf(db: pg.Client, file: string): Promise<number> {
  const {postgres} = await storeOptions(file)
  const {rows} = await db.query('SELECT id FROM cardctl.tenants WHERE name = $1', [postgres?.tenant])
  return rows[0].id
}

test('a statement that names no tenant sees the rows of the own one alone, and can write no others', async () => {
  const files = ['separate-one', 'separate-two']
  const stores = await Promise.all(files.map(file => openStore(file)))
  for (const [at, store] of stores.entries()) {
    await store.transaction(tx => tx.priceLists.put({id: `list-${at}`, code: 'A'}))
    await store.close()
  }
  const db = await client()
  const [one, two] = await Promise.all(files.map(file => tenantOf(db, file)))
  const as = async (tenant: number | undefined, sql: string): Promise<unknown[]> => {
    await db.query('BEGIN')
    await db.query('SET LOCAL ROLE cardctl_sandbox')
    if (tenant !== undefined) await db.query(`SET LOCAL cardctl.tenant = ${tenant}`)
    try {
      return (await db.query(sql)).rows
    } finally {
      await db.query('ROLLBACK')
    }
  }
  const everything = 'SELECT id FROM cardctl.price_lists'
  expect(await as(one, everything)).toEqual([{id: 'list-0'}])
  expect(await as(two, everything)).toEqual([{id: 'list-1'}])
  expect(await as(undefined, everything)).toEqual([])
  expect(await as(one, 'UPDATE cardctl.price_lists SET code = code RETURNING id')).toEqual([{id: 'list-0'}])
  expect(await as(one, 'DELETE FROM cardctl.price_lists RETURNING id')).toEqual([{id: 'list-0'}])
  const write = `INSERT INTO cardctl.price_lists (tenant, id, row) VALUES (${two}, 'x', '{}')`
  await expect(as(one, write)).rejects.toThrow('row-level security')
  await expect(as(one, 'DROP TABLE cardctl.price_lists')).rejects.toThrow('must be owner')
  await expect(as(one, 'UPDATE cardctl.versions SET version = 9')).rejects.toThrow('permission denied')
  await expect(as(one, 'SELECT token_hash FROM cardctl.tenants')).rejects.toThrow('permission denied')
  // The owner of the tables has to name a tenant too.
  expect((await db.query(everything)).rows).toEqual([])
})

test('the check says what the database is, and what weakens it', async () => {
  const options = {url: new Secret(url())}
  expect(await migrateStore(options)).toMatchObject({before: 5, now: 5})
  expect(await checkStore(options)).toMatchObject({user: 'app', encrypted: false, warnings: []})
  const db = await client()
  await db.query('ALTER TABLE cardctl.faults NO FORCE ROW LEVEL SECURITY')
  onTestFinished(async () => {
    const later = await client()
    await later.query('ALTER TABLE cardctl.faults FORCE ROW LEVEL SECURITY')
  })
  expect((await checkStore(options)).warnings).toEqual(['Row-level security is off for faults.'])
  expect((await storeSize(options)).map(({table}) => table)).toContain('kept_replies')
})
