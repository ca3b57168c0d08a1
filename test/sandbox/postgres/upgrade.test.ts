// A rolling upgrade: two versions of cardctl share a database. The newer one is this one with more steps of its schema.
import pg from 'pg'
import {expect, onTestFinished, test, vi} from 'vitest'
import {
  checkUsable,
  type Migration,
  migrate,
  type Schema,
  schemaState,
} from '../../../src/postgres/migrate.ts'
import {checkStore, migrateStore, withStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {connections, storeUnavailable} from '../../../src/sandbox/store/postgres/connect.ts'
import {migrations, SCHEMA} from '../../../src/sandbox/store/postgres/schema.ts'
import {addTenant} from '../../../src/sandbox/store/postgres/tenants.ts'
import {createTenantSandbox} from '../../../src/sandbox/tenant-sandbox.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {migratedCluster} from '../helpers/migrated-postgres.ts'

/** First the new column is added, beside what an old program uses. */
const adding: Migration = {
  worksSince: migrations.length,
  sql: `ALTER TABLE ${SCHEMA}.cards ADD COLUMN note text;
CREATE INDEX cards_note ON ${SCHEMA}.cards (tenant, note, seq);`,
}
/** A version later, what only old programs used is removed. */
const removing: Migration = {
  worksSince: migrations.length + 1,
  sql: `ALTER TABLE ${SCHEMA}.cards DROP COLUMN seq CASCADE;`,
}

const newer = (...steps: Migration[]): Schema => ({
  name: SCHEMA,
  migrations: [...migrations, ...steps],
  hint: 'Run cardctl sandbox store migrate with the same --store.',
  unusable: storeUnavailable,
})

async function scene() {
  const cluster = await migratedCluster()
  const postgres = {url: new Secret(cluster.url)}
  const token = (await withStore(postgres, opened => addTenant(opened, 'team'))).open()
  const opened = await connections(postgres)
  onTestFinished(() => opened.pool.end())
  const start = async () => {
    const sandbox = await createTenantSandbox({postgres})
    const server = await sandbox.serve()
    onTestFinished(async () => {
      await server.close()
      await sandbox.close()
    })
    const call = async (path: string, init: RequestInit = {}) => {
      const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
      const response = await fetch(`${server.url}${path}`, {...init, headers})
      return {status: response.status, text: await response.text()}
    }
    return {
      ready: async () => (await call('/readyz')).status,
      read: () => call('/v4/3001?auditUser=test'),
      write: (name: string) =>
        call('/v4/DEBIT/2002?auditUser=test', {method: 'PATCH', body: JSON.stringify({name})}),
    }
  }
  const other = async () => {
    const db = new pg.Client({connectionString: cluster.url})
    await db.connect()
    onTestFinished(() => db.end().catch(() => undefined))
    return db
  }
  return {postgres, opened, start, other}
}

test('an old process serves while a newer cardctl adds to the tables, and starts again beside them', async () => {
  const {postgres, opened, start} = await scene()
  const old = await start()
  const next = newer(adding)
  expect((await old.write('before')).status).toBe(200)
  const state = await schemaState(opened, next)
  expect(() => checkUsable(state, opened.shown, next)).toThrow('are older than this cardctl')
  let isMigrated = false
  const statuses: number[] = []
  const send = async () => {
    while (!isMigrated) statuses.push((await old.write('during')).status, (await old.read()).status)
  }
  const sending = [send(), send()]
  // Two machines of the newer version migrate at once.
  const done = await Promise.all([migrate(opened, next), migrate(opened, next)])
  isMigrated = true
  await Promise.all(sending)
  expect(done.map(({version}) => version).sort()).toEqual([migrations.length, migrations.length + 1])
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect([(await old.write('after')).status, (await old.read()).status, await old.ready()]).toEqual([
    200, 200, 200,
  ])
  const again = await start()
  expect([(await again.write('again')).status, await again.ready()]).toEqual([200, 200])
  // The old version's own migrate leaves the newer tables alone.
  const version = migrations.length + 1
  expect(await migrateStore(postgres)).toMatchObject({before: version, now: version})
  expect((await checkStore(postgres)).warnings).toEqual([])
})

test('an old process stops serving when a newer cardctl removes what it used, and says what to do', async () => {
  const {opened, start} = await scene()
  const old = await start()
  expect((await old.write('before')).status).toBe(200)
  await migrate(opened, newer(adding, removing))
  for (const {status, text} of [await old.write('late'), await old.read()]) {
    expect(status).toBe(503)
    expect(text).toContain("changed by a newer cardctl, which this one can't work beside")
  }
  expect(await old.ready()).toBe(503)
  await expect(start()).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('changed by a newer cardctl'),
    hint: 'Upgrade cardctl.',
  })
})

test('tables of a build from before the first release are refused, however many steps it took', async () => {
  const {postgres, other} = await scene()
  const db = await other()
  await db.query(
    `ALTER TABLE ${SCHEMA}.stores DROP COLUMN marks; INSERT INTO ${SCHEMA}.versions VALUES (3, 1), (4, 1)`,
  )
  const said = {
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('its tables are not as a release of cardctl makes them'),
  }
  await expect(migrateStore(postgres)).rejects.toMatchObject(said)
  await expect(checkStore(postgres)).rejects.toMatchObject(said)
  await expect(createTenantSandbox({postgres})).rejects.toMatchObject(said)
})

/** Resolves when a statement like this waits for a lock. */
const waiting = (db: pg.Client, like: string) =>
  expect
    .poll(async () => {
      const {rows} = await db.query(
        "SELECT count(*)::integer AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1",
        [like],
      )
      return rows[0].n
    })
    .toBeGreaterThan(0)

test('a step that waits behind a long reader lets programs at work go on, and names it in the end', async () => {
  const {opened, start, other} = await scene()
  const old = await start()
  expect((await old.read()).status).toBe(200)
  const [reader, watcher] = [await other(), await other()]
  await reader.query('BEGIN; SELECT count(*) FROM cardctl.cards')
  const migrated = migrate(opened, newer(adding))
  await waiting(watcher, 'ALTER TABLE cardctl.cards%')
  // This one waits behind the step, until the step gives up for a while.
  expect([(await old.read()).status, (await old.write('during')).status]).toEqual([200, 200])
  const real = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + 61_000)
  onTestFinished(() => clock.mockRestore())
  const {rows} = await reader.query('SELECT pg_backend_pid() AS pid')
  await expect(migrated).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining(
      `were in use for a minute: process ${rows[0].pid} (app, idle in transaction, for `,
    ),
  })
  clock.mockRestore()
  const again = migrate(opened, newer(adding))
  await waiting(watcher, 'ALTER TABLE cardctl.cards%')
  await reader.query('COMMIT')
  expect(await again).toMatchObject({version: migrations.length})
  expect(await migrate(opened, newer(adding))).toMatchObject({version: migrations.length + 1})
})

test('an index is built while programs write, and again if its building was broken off', async () => {
  const {opened, start, other} = await scene()
  const indexing: Migration = {
    worksSince: migrations.length,
    indexes: [{name: 'cards_by_note', on: 'cards (tenant, id, seq)'}],
  }
  const old = await start()
  expect((await old.write('before')).status).toBe(200)
  const [writer, watcher] = [await other(), await other()]
  const isValid = async () => {
    const {rows} = await watcher.query(
      "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('cardctl.cards_by_note')",
    )
    return rows[0]?.valid
  }
  // The building waits for the end of this transaction; others don't wait for the building.
  await writer.query('BEGIN; LOCK TABLE cardctl.cards IN ROW EXCLUSIVE MODE')
  const broken = expect(migrate(opened, newer(indexing))).rejects.toMatchObject({code: 'STORE_UNAVAILABLE'})
  await waiting(watcher, 'CREATE INDEX CONCURRENTLY%')
  expect([(await old.write('during')).status, (await old.read()).status]).toEqual([200, 200])
  await watcher.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%'",
  )
  await broken
  expect(await isValid()).toBe(false)
  await writer.query('COMMIT')
  const both = await Promise.all([1, 2].map(() => migrate(opened, newer(indexing))))
  expect(both.map(({version}) => version).sort()).toEqual([migrations.length, migrations.length + 1])
  expect(await isValid()).toBe(true)
  expect((await old.write('after')).status).toBe(200)
})

test('a check behind a lock ends, and names who holds it', async () => {
  const {postgres, other} = await scene()
  const holder = await other()
  await holder.query('BEGIN; LOCK TABLE cardctl.versions IN ACCESS EXCLUSIVE MODE')
  const {rows} = await holder.query('SELECT pg_backend_pid() AS pid')
  await expect(checkStore(postgres)).rejects.toMatchObject({
    message: expect.stringContaining(`process ${rows[0].pid} (app, idle in transaction, for `),
    details: {hint: expect.stringContaining('pg_terminate_backend')},
  })
})

test.each([
  ['of somebody else', 'CREATE SCHEMA cardctl; CREATE TABLE cardctl.cards (id text)', 'cards'],
  ['without the record of the steps', undefined, 'accounts'],
])('tables %s are named, and what to do about them', async (_, made, table) => {
  const {opened, other} = await scene()
  const admin = await other()
  await admin.query(made === undefined ? 'TRUNCATE cardctl.versions' : `DROP SCHEMA cardctl CASCADE; ${made}`)
  await expect(migrate(opened, newer())).rejects.toMatchObject({
    message: expect.stringMatching(
      new RegExp(
        `The schema cardctl of .*versions does not record it\\. Its tables: .*\\b${table}\\b.*Nothing was changed`,
      ),
    ),
    details: {hint: expect.stringContaining('ALTER SCHEMA cardctl RENAME TO cardctl_old;')},
  })
})
