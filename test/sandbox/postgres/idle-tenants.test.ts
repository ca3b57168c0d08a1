// What has expired leaves the database, also that of tenants that nobody uses.
import {expect, test} from 'vitest'
import {createSandbox} from '../../../src/sandbox/index.ts'
import {systemProcesses} from '../../../src/sandbox/process-mark.ts'
import {TenantRounds} from '../../../src/sandbox/store/postgres/tidy-tenants.ts'
import {addTenant, withStore} from '../../../src/sandbox/team.ts'
import {tidyStore} from '../../../src/sandbox/tidy.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {migratedCluster} from '../helpers/migrated-postgres.ts'

const DAY = 24 * 60 * 60 * 1000

test('rounds reach every tenant, and remove the expired keys of each', async () => {
  const cluster = await migratedCluster()
  const postgres = {url: new Secret(cluster.url)}
  const names = Array.from({length: 23}, (_, at) => `team-${at}`)
  const kept = () =>
    cluster.run('psql', '-qAt', '-c', 'SELECT count(*) FROM cardctl.kept_replies', 'app').trim()
  await withStore(postgres, async opened => {
    for (const name of names) await addTenant(opened, name)
    for (const tenant of ['team-0', 'team-22']) {
      const sandbox = await createSandbox({postgres: {...postgres, tenant}})
      const {status} = await sandbox.handle({
        method: 'PATCH',
        url: '/v4/DEBIT/2002?auditUser=test',
        headers: {'content-type': 'application/json', 'x-idempotency-key': 'k'},
        body: JSON.stringify({name: 'x'}),
      })
      expect(status).toBe(200)
      await sandbox.close()
    }
    const processes = systemProcesses()
    let now = Date.now()
    const rounds = new TenantRounds(opened, store => tidyStore(store, {now: () => now, processes}))
    for (let round = 0; round < 2; round++) await rounds.next()
    expect(kept()).toBe('2')
    now += DAY
    await rounds.next()
    expect(kept()).toBe('1')
    await rounds.next()
    expect(kept()).toBe('0')
  })
})
