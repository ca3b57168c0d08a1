// Two tenants under random requests at once, with both checks and by row-level security alone: neither sees anything of the
// other. TENANTS_SEED repeats a run.
import process from 'node:process'
import {migrateStore} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {startCluster} from '../helpers/postgres.ts'
import {fuzzTenants} from '../sandbox/helpers/fuzzed-tenants.ts'
import {withoutTenantChecks} from '../sandbox/helpers/without-tenant-checks.ts'

const SEED = Number(process.env.TENANTS_SEED ?? Date.now() % 1_000_000_000)
const REQUESTS = Number(process.env.REQUESTS ?? 5_000)

const cluster = startCluster()
if (cluster === undefined) {
  process.stdout.write('skipped: PostgreSQL is not installed\n')
} else {
  try {
    const url = new Secret(cluster.url)
    await migrateStore({url})
    for (const check of ['both checks', 'row-level security alone']) {
      const removed = check === 'both checks' ? undefined : withoutTenantChecks()
      const report = await fuzzTenants({url}, {seed: SEED, requests: REQUESTS})
      removed?.restore()
      const {requests, successes, operations, foreignIds, leaks} = report
      process.stdout.write(
        `seed ${SEED}, ${check}: ${requests} requests, ${successes} successes of ${operations.size} operations, ${foreignIds} named the other tenant, ${leaks.length} leaks\n`,
      )
      for (const leak of leaks.slice(0, 10)) process.stdout.write(`${leak}\n`)
      if (leaks.length > 0) process.exitCode = 1
    }
  } finally {
    cluster.remove()
  }
}
