// The database goes back to an earlier state while processes serve it: what they keep in memory is of a time that never was.
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {Secret} from '../../../src/sandbox/index.ts'
import {withStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {addTenant} from '../../../src/sandbox/store/postgres/tenants.ts'
import {createTenantSandbox} from '../../../src/sandbox/tenant-sandbox.ts'
import type {Cluster} from '../../helpers/postgres.ts'
import {isWhole} from '../../helpers/whole.ts'
import {migratedCluster} from '../helpers/migrated-postgres.ts'

const transfers = (amount: number) => [{fromAccountId: '2006', toAccountId: '2007', amount, currency: 'EUR'}]

/** Two servers of one tenant, in turn. */
async function scene() {
  const cluster = await migratedCluster()
  const postgres = {url: new Secret(cluster.url)}
  const token = (await withStore(postgres, opened => addTenant(opened, 'team'))).open()
  const start = async () => {
    const sandbox = await createTenantSandbox({postgres})
    const server = await sandbox.serve()
    onTestFinished(async () => {
      await server.close()
      await sandbox.close()
    })
    return server.url
  }
  const urls = [await start(), await start()]
  let calls = 0
  const call = async (path: string, body?: object) => {
    const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
    const response = await fetch(`${urls[calls++ % urls.length]}${path}`, {
      headers,
      ...(body && {method: 'POST', body: JSON.stringify(body)}),
    })
    return {status: response.status, body: (await response.json()) as Record<string, unknown>}
  }
  const transfer = (amount: number) => call('/v1/a2a/batches?auditUser=test', {transfers: transfers(amount)})
  /** What each of the servers says is on an account. */
  const booked = () =>
    Promise.all(
      urls.map(async () => {
        const {body} = await call('/_sandbox/state/account/2006')
        return (body.balances as {booked: number}[])[0]?.booked
      }),
    )
  const isReady = async () => {
    const answers = await Promise.all(urls.map(url => fetch(`${url}/readyz`)))
    return answers.every(({status}) => status === 200)
  }
  return {cluster, call, transfer, booked, isReady}
}

const BOOKS = `
SELECT b.row::json->>'id' AS id, (b.row::json->>'booked')::numeric AS booked,
  coalesce((SELECT sum((p.row::json->>'minor')::numeric) FROM cardctl.postings p WHERE p.tenant = b.tenant
    AND p.account_id = b.account_id AND p.row::json->>'currency' = b.row::json->>'currency'), 0) AS posted
FROM cardctl.balances b`

/** The balances that are not the sum of their postings. */
function wrongBalances(cluster: Cluster): string {
  const ask = (sql: string) => cluster.run('psql', '-qAt', '-c', sql, 'app')
  expect(Number(ask(`SELECT count(*) FROM (${BOOKS}) AS books WHERE posted <> 0`))).toBeGreaterThan(1)
  return ask(`SELECT * FROM (${BOOKS}) AS books WHERE booked <> posted`)
}

async function work({transfer, booked}: Pick<Awaited<ReturnType<typeof scene>>, 'transfer' | 'booked'>) {
  for (let round = 0; round < 25; round++) {
    const done = await Promise.all(Array.from({length: 8}, () => transfer(1)))
    expect(done.map(({status}) => status)).toEqual(done.map(() => 200))
    if (round % 5 === 0) await booked()
  }
}

test('a standby takes over that lacks the last commits: all that follows is built on what it has', async () => {
  const {cluster, transfer, booked, isReady} = await scene()
  const standby = cluster.standby()
  await transfer(1)
  await expect.poll(async () => new Set(await booked())).toEqual(new Set([9_999]))
  standby.cutOff()
  for (let at = 0; at < 2; at++) expect((await transfer(1000)).status).toBe(200)
  await expect.poll(async () => new Set(await booked())).toEqual(new Set([7_999]))
  cluster.stop('immediate')
  standby.takeOver()
  await expect.poll(isReady).toBe(true)
  await expect.poll(async () => (await booked())[0]).toBe(9_999)
  expect(new Set(await booked())).toEqual(new Set([9_999]))
  await work({transfer, booked})
  await expect.poll(async () => new Set(await booked())).toEqual(new Set([9_799]))
  expect(wrongBalances(cluster)).toBe('')
}, 120_000)

test.runIf(isWhole).each([
  ['into a new database', 'new'],
  ['into the same database, whose connections stay', 'same'],
])(
  'a dump is restored %s under running servers: all that follows is built on the dump',
  async (_, where) => {
    const {cluster, transfer, booked, isReady} = await scene()
    await transfer(1)
    await expect.poll(async () => new Set(await booked())).toEqual(new Set([9_999]))
    const folder = new URL(cluster.url).searchParams.get('host') ?? ''
    const file = join(folder, 'dump.sql')
    const dump = cluster.run('pg_dump', ...(where === 'same' ? ['--clean'] : []), 'app')
    writeFileSync(file, dump, {mode: 0o644})
    for (let at = 0; at < 2; at++) expect((await transfer(1000)).status).toBe(200)
    await expect.poll(async () => new Set(await booked())).toEqual(new Set([7_999]))
    if (where === 'new') {
      cluster.run('dropdb', '--force', 'app')
      cluster.run('createdb', '-O', 'app', 'app')
    }
    cluster.run('psql', '-q', '-1', '-v', 'ON_ERROR_STOP=1', '-f', file, 'app')
    await expect.poll(isReady).toBe(true)
    await expect.poll(async () => (await booked())[0]).toBe(9_999)
    expect(new Set(await booked())).toEqual(new Set([9_999]))
    await work({transfer, booked})
    await expect.poll(async () => new Set(await booked())).toEqual(new Set([9_799]))
    expect(wrongBalances(cluster)).toBe('')
  },
  120_000,
)
