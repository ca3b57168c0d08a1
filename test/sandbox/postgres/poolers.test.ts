// A pooler between the sandbox and its database.
import process from 'node:process'
import {expect, onTestFinished, test} from 'vitest'
import {createSandbox, Secret} from '../../../src/sandbox/index.ts'
import {checkStore, withStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {addTenant} from '../../../src/sandbox/store/postgres/tenants.ts'
import {createTenantSandbox} from '../../../src/sandbox/tenant-sandbox.ts'
import {pgbouncerVersion, startPgbouncer} from '../../helpers/pgbouncer.ts'
import {migratedCluster} from '../helpers/migrated-postgres.ts'

/** From this version on, it can give each session the statements that its clients have prepared. PGBOUNCER_NEW names it. */
const PREPARES = 1.21

const programs = [
  {name: 'PgBouncer', program: 'pgbouncer'},
  {
    name: 'PgBouncer that tracks prepared statements',
    program: process.env.PGBOUNCER_NEW ?? 'pgbouncer',
    since: PREPARES,
  },
].map(({name, program, since = 0}) => {
  const version = pgbouncerVersion(program)
  return {name, program, skipped: version === undefined || version < since, tracks: since > 0}
})

const REFUSED = {
  code: 'STORE_UNAVAILABLE',
  message: expect.stringContaining('a pooler in between gives each transaction another session'),
  hint: expect.stringContaining('pool_mode = session'),
}

for (const {name, program, skipped, tracks} of programs) {
  const settings = tracks ? ['max_prepared_statements = 200'] : []
  test.skipIf(skipped).each([
    ['transaction', 1],
    ['transaction', 3],
    ['statement', 3],
  ] as const)(`${name} that pools by %s, with %d sessions, is refused by name`, async (mode, size) => {
    const cluster = await migratedCluster()
    const url = new Secret(await startPgbouncer(cluster.url, {program, mode, size, settings}))
    await expect(checkStore({url})).rejects.toMatchObject(REFUSED)
    await expect(createSandbox({postgres: {url}})).rejects.toMatchObject(REFUSED)
    await expect(createTenantSandbox({postgres: {url}})).rejects.toMatchObject(REFUSED)
    await expect(withStore({url}, opened => addTenant(opened, 'team'))).rejects.toMatchObject(REFUSED)
  })

  test.skipIf(skipped)(`${name} that pools by transaction is found while others keep it busy`, async () => {
    const cluster = await migratedCluster()
    const place = await startPgbouncer(cluster.url, {program, mode: 'transaction', size: 4, settings})
    let isOver = false
    const busy = Array.from({length: 3}, async () => {
      const {default: pg} = await import('pg')
      const client = new pg.Client(place)
      await client.connect()
      while (!isOver) await client.query('BEGIN; SELECT pg_sleep(0.002); COMMIT')
      await client.end()
    })
    try {
      for (let round = 0; round < 10; round++) {
        await expect(checkStore({url: new Secret(place)})).rejects.toMatchObject(REFUSED)
      }
    } finally {
      isOver = true
      await Promise.all(busy)
    }
  })

  test.skipIf(skipped)(`${name} that pools sessions may be in between`, async () => {
    const cluster = await migratedCluster()
    const place = await startPgbouncer(cluster.url, {program, mode: 'session', size: 10, settings})
    const postgres = {url: new Secret(place)}
    expect((await checkStore(postgres)).warnings).toEqual([])
    const both = [await createSandbox({postgres}), await createSandbox({postgres})]
    onTestFinished(async () => {
      for (const sandbox of both) await sandbox.close()
    })
    const statuses = await Promise.all(
      Array.from({length: 40}, async (_, at) => {
        const reply = await both[at % 2]?.handle({
          method: 'PATCH',
          url: '/v4/DEBIT/2002?auditUser=test',
          headers: {'content-type': 'application/json'},
          body: JSON.stringify({name: `name ${at}`}),
        })
        return reply?.status
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
}
