// Two tenants under random requests at once never see each other's ids: with both checks, by row-level security alone; and
// with neither they do, which shows that this test would notice. The cluster is this file's own.
import {expect, onTestFinished, test} from 'vitest'
import {migrateStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {startCluster} from '../../helpers/postgres.ts'
import {isWhole} from '../../helpers/whole.ts'
import {fuzzTenants} from '../helpers/fuzzed-tenants.ts'
import {withoutTenantChecks} from '../helpers/without-tenant-checks.ts'

const SEED = Number(process.env.TENANTS_SEED ?? 20_261_122)
/** The soak sends many more. */
const REQUESTS = 100

async function database(user = 'app'): Promise<Secret> {
  const started = startCluster()
  if (started === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => started.remove())
  await migrateStore({url: new Secret(started.url)})
  return new Secret(started.url.replace('app@', `${user}@`))
}

test.runIf(isWhole)(
  'with all checks',
  async () => {
    const url = await database()
    const report = await fuzzTenants({url}, {seed: SEED, requests: REQUESTS})
    expect(report.leaks, `seed ${SEED}`).toEqual([])
    expect(report.foreignIds).toBeGreaterThan(50)
    expect(report.operations.size, [...report.operations].join(' ')).toBeGreaterThan(20)
  },
  120_000,
)

test('by row-level security alone', async () => {
  const url = await database()
  const removed = withoutTenantChecks()
  onTestFinished(removed.restore)
  const report = await fuzzTenants({url}, {seed: SEED, requests: REQUESTS})
  expect(removed.count()).toBeGreaterThan(500)
  expect(report.leaks, `seed ${SEED}`).toEqual([])
  expect(report.successes).toBeGreaterThan(50)
}, 120_000)

test.runIf(isWhole)(
  'with neither, what one has is seen by the other',
  async () => {
    const url = await database('postgres')
    const removed = withoutTenantChecks({role: true})
    onTestFinished(removed.restore)
    const report = await fuzzTenants({url}, {seed: SEED, requests: REQUESTS})
    expect(report.leaks.length).toBeGreaterThan(0)
  },
  120_000,
)
