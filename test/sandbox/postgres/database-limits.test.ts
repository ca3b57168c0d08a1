// How much of the database a process takes: connections, and the time of a statement and of a wait for a lock. It has a
// server of its own, because a lock on a table blocks everyone in the same database.
import pg from 'pg'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {createSandbox} from '../../../src/sandbox/index.ts'
import type {PostgresOptions} from '../../../src/sandbox/store/postgres/connect.ts'
import {type Cluster, hasPostgres} from '../../helpers/postgres.ts'
import {startMigrated} from '../helpers/migrated-postgres.ts'
import {storeOptions} from '../helpers/store.ts'

let cluster: Cluster | undefined
beforeAll(async () => {
  if (hasPostgres()) cluster = await startMigrated()
})
afterAll(() => cluster?.remove())

async function scene(options: Partial<PostgresOptions>, other?: string) {
  const {postgres} = await storeOptions(undefined, cluster?.url)
  if (postgres === undefined) throw new Error('no database')
  const sandbox = await createSandbox({postgres: {...postgres, ...options, ...(other && {tenant: other})}})
  const db = new pg.Client({connectionString: cluster?.url})
  await db.connect()
  onTestFinished(async () => {
    await db.end()
    await sandbox.close()
  })
  const problem = ({status, body}: {status: number; body: Uint8Array}) => ({
    status,
    detail: status === 200 ? '' : (JSON.parse(Buffer.from(body).toString()) as {detail: string}).detail,
  })
  const read = async (id = '3001') =>
    problem(await sandbox.handle({method: 'GET', url: `/v4/${id}?auditUser=test`}))
  const write = async () => {
    const body = JSON.stringify({name: 'x'})
    const headers = {'content-type': 'application/json'}
    const url = '/v4/DEBIT/2002?auditUser=test'
    return problem(await sandbox.handle({method: 'PATCH', url, headers, body}))
  }
  return {db, read, write, tenant: postgres.tenant}
}

test('a statement that takes too long is cancelled, and the request gets 503', async () => {
  const {db, read} = await scene({statementMs: 300})
  await db.query('BEGIN; LOCK TABLE cardctl.cards IN ACCESS EXCLUSIVE MODE')
  const late = await read()
  expect(late.status).toBe(503)
  const {rows} = await db.query('SELECT pg_backend_pid() AS pid')
  expect(late.detail).toMatch(
    new RegExp(`process ${rows[0].pid} \\(app, .* for \\d+ s\\) holds the table cards\\.`),
  )
  await db.query('ROLLBACK')
  expect((await read()).status).toBe(200)
})

test('while another process holds the lock, writes get 503 and reads continue', async () => {
  const {db, read, write, tenant} = await scene({lockMs: 300})
  const {rows} = await db.query('SELECT id FROM cardctl.tenants WHERE name = $1', [tenant])
  await db.query('BEGIN')
  await db.query(`SET LOCAL cardctl.tenant = ${rows[0].id}`)
  const {rowCount} = await db.query('SELECT FROM cardctl.stores FOR UPDATE')
  expect(rowCount).toBe(1)
  const [refused, answered] = await Promise.all([write(), read()])
  expect(refused.status).toBe(503)
  const {rows: own} = await db.query('SELECT pg_backend_pid() AS pid')
  expect(refused.detail).toMatch(
    new RegExp(
      `process ${own[0].pid} \\(app, idle in transaction, for \\d+ s\\) holds a row of the table stores`,
    ),
  )
  expect(answered.status).toBe(200)
  await db.query('ROLLBACK')
  expect((await write()).status).toBe(200)
})

test('a table that another process holds is named, and who holds it', async () => {
  const {db, read, write} = await scene({lockMs: 300})
  await db.query('BEGIN; LOCK TABLE cardctl.cards, cardctl.accounts IN ACCESS EXCLUSIVE MODE')
  const {rows} = await db.query('SELECT pg_backend_pid() AS pid')
  const held = new RegExp(`process ${rows[0].pid} \\(app, .*\\) holds the tables accounts, cards\\.`)
  for (const {status, detail} of [await read(), await write()])
    expect([status, detail]).toEqual([503, expect.stringMatching(held)])
  await db.query('ROLLBACK')
  expect((await write()).status).toBe(200)
})

test('who holds rows of another table than the first one is named, too', async () => {
  const {db, read, write, tenant} = await scene({lockMs: 600})
  const {rows: tenants} = await db.query('SELECT id FROM cardctl.tenants WHERE name = $1', [tenant])
  expect((await write()).status).toBe(200)
  await db.query(`BEGIN; SET LOCAL cardctl.tenant = ${tenants[0].id}`)
  const {rowCount} = await db.query('SELECT FROM cardctl.accounts FOR UPDATE')
  expect(rowCount).toBeGreaterThan(0)
  const {rows} = await db.query('SELECT pg_backend_pid() AS pid')
  const holder = new RegExp(
    `process ${rows[0].pid} \\(app, idle in transaction, for \\d+ s\\) holds rows of the table accounts\\.`,
  )
  // A statement of the sandbox itself may hold another table at the moment at which the first one looks.
  await expect
    .poll(async () => {
      const refused = await write()
      return `${refused.status} ${refused.detail}`
    })
    .toMatch(new RegExp(`^503 .*${holder.source}`))
  expect((await read()).status).toBe(200)
  await db.query('ROLLBACK')
  expect((await write()).status).toBe(200)
})

test('reads pass a write that waits for the lock of another process', async () => {
  const {db, read, write, tenant} = await scene({lockMs: 20_000})
  const {rows} = await db.query('SELECT id FROM cardctl.tenants WHERE name = $1', [tenant])
  expect((await read()).status).toBe(200)
  await db.query(`BEGIN; SET LOCAL cardctl.tenant = ${rows[0].id}; SELECT FROM cardctl.stores FOR UPDATE`)
  let isWritten = false
  const written = write().finally(() => {
    isWritten = true
  })
  // Together with the write, and behind it.
  const together = read()
  for (let at = 0; at < 3; at++) expect((await read('3002')).status).toBe(200)
  expect((await together).status).toBe(200)
  expect(isWritten).toBe(false)
  await db.query('COMMIT')
  expect((await written).status).toBe(200)
  expect((await read()).status).toBe(200)
})

test('rows of processes that have ended leave the table of commits', async () => {
  const {db, write, tenant} = await scene({})
  const {rows} = await db.query('SELECT id FROM cardctl.tenants WHERE name = $1', [tenant])
  const {id} = rows[0]
  await db.query(`SET cardctl.tenant = ${id}; INSERT INTO cardctl.commits (tenant, process, number, at) VALUES
    (${id}, gen_random_uuid(), 7, now() - interval '25 hours'),
    (${id}, gen_random_uuid(), 8, now() - interval '23 hours')`)
  const {write: writeToo} = await scene({}, tenant)
  for (const each of [write, writeToo, write]) expect((await each()).status).toBe(200)
  const left = await db.query('SELECT number FROM cardctl.commits WHERE number > 6')
  expect(left.rows.map(({number}) => number)).toEqual(['8'])
})
