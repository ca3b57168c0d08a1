// A rolling upgrade: two versions of cardctl share a database. The newer one is this one with more steps of its schema.
import {expect, onTestFinished, test} from 'vitest'
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
  return {postgres, opened, start}
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
