// A dump of a running sandbox restores whole, into a database that never had one.
import {writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {Secret} from '../../../src/sandbox/index.ts'
import {checkStore, migrateStore, withStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {ROLE, SCHEMA} from '../../../src/sandbox/store/postgres/schema.ts'
import {sealWebhook} from '../../../src/sandbox/store/postgres/tenant-endpoint.ts'
import {
  addTenant,
  changeTenant,
  findTenant,
  listTenants,
} from '../../../src/sandbox/store/postgres/tenants.ts'
import {createTenantSandbox} from '../../../src/sandbox/tenant-sandbox.ts'
import {startCluster} from '../../helpers/postgres.ts'
import {coded, startEndpoint} from '../authorisations/endpoint.ts'

async function serve(url: Secret) {
  const sandbox = await createTenantSandbox({postgres: {url}, webhookHosts: ['127.0.0.1']})
  const server = await sandbox.serve()
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= server.close().then(() => sandbox.close())
    return closed
  }
  onTestFinished(close)
  const call = async (token: string, path: string, body?: object) => {
    const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
    const response = await fetch(server.url + path, {
      headers,
      ...(body && {method: 'POST', body: JSON.stringify(body)}),
    })
    return {status: response.status, body: (await response.json()) as Record<string, unknown>}
  }
  return {call, close}
}

test('a dump that is taken while tenants work restores them all, with books that balance and the same rights', async () => {
  const cluster = startCluster()
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => cluster.remove())
  const url = new Secret(cluster.url)
  await migrateStore({url})
  const endpoint = await startEndpoint(coded('00'))
  const names = ['one', 'two', 'three']
  const tokens = await withStore({url}, async opened => {
    const made: string[] = []
    for (const name of names) made.push((await addTenant(opened, name, {rate: '1000/s'})).open())
    const one = await findTenant(opened, 'one')
    const options = {url: endpoint.url, user: 'bank', password: new Secret('Hook-secret-1')}
    if (one) await changeTenant(opened, 'one', {webhook: await sealWebhook(opened, one, options)})
    return made
  })
  const running = await serve(url)
  let dump = ''
  const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 1, currency: 'EUR'}]
  const begun = new Set<string>()
  const send = async (token: string) => {
    while (dump === '') {
      await running.call(token, '/v1/a2a/batches?auditUser=test', {transfers})
      begun.add(token)
    }
  }
  const sending = tokens.map(send)
  await expect.poll(() => begun.size).toBe(names.length)
  dump = cluster.run('pg_dump', 'app')
  await Promise.all(sending)
  await running.close()
  cluster.run('createdb', '-O', 'app', 'restored')
  const file = join(tmpdir().startsWith('/dev/shm') ? '/dev/shm' : '/tmp', `cardctl-dump-${process.pid}.sql`)
  writeFileSync(file, dump, {mode: 0o644})
  cluster.run('psql', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, 'restored')
  const restoredUrl = new Secret(cluster.url.replace('/app?', '/restored?'))

  const inBoth = (sql: string) =>
    ['app', 'restored'].map(database => cluster.run('psql', '-qAt', '-c', sql, database))
  for (const sql of [
    // Who owns, and what the role of the sandbox may do.
    `SELECT tablename, tableowner FROM pg_tables WHERE schemaname = '${SCHEMA}' ORDER BY 1`,
    `SELECT table_name, grantee, privilege_type FROM information_schema.role_table_grants WHERE table_schema = '${SCHEMA}' ORDER BY 1, 2, 3`,
    // Row-level security, forced, with the same policies.
    `SELECT relname, relrowsecurity, relforcerowsecurity FROM pg_class WHERE relnamespace = '${SCHEMA}'::regnamespace ORDER BY 1`,
    `SELECT tablename, policyname, qual FROM pg_policies WHERE schemaname = '${SCHEMA}' ORDER BY 1`,
    `SELECT id, name, token_hash, rate, webhook FROM ${SCHEMA}.tenants ORDER BY id`,
    `SELECT version, works_since FROM ${SCHEMA}.versions ORDER BY 1`,
  ]) {
    const [before, after] = inBoth(sql)
    expect(after, sql).toBe(before)
    expect(before, sql).not.toBe('')
  }
  expect((await checkStore({url: restoredUrl})).warnings).toEqual([])
  expect(
    cluster.run('psql', '-qAt', '-c', `SET ROLE ${ROLE}; SELECT count(*) FROM ${SCHEMA}.cards`, 'restored'),
  ).toBe('0\n')
  const listed = await withStore({url: restoredUrl}, opened => listTenants(opened))
  expect(listed.map(({name}) => name)).toEqual(['default', 'one', 'three', 'two'])

  const restored = await serve(restoredUrl)
  for (const token of tokens) {
    const booked = async (id: string) => {
      const {body} = await restored.call(token, `/_sandbox/state/account/${id}`)
      return (body.balances as {booked: number}[])[0]?.booked ?? 0
    }
    // The batches of the dump go on here. Between the two reads a transfer may be booked.
    await expect.poll(async () => (await booked('2006')) + (await booked('2007'))).toBe(20_000)
    expect(await booked('2007')).toBeGreaterThan(10_000)
    // Ids go on where they were.
    const {body: before} = await restored.call(token, '/v1/a2a/batches?auditUser=test&size=100')
    const made = await restored.call(token, '/v1/a2a/batches?auditUser=test', {transfers})
    expect(made.status).toBe(200)
    expect(JSON.stringify(before)).not.toContain(`"${String(made.body.id ?? made.body.batchId)}"`)
  }
  const [one = ''] = tokens
  await restored.call(one, '/_sandbox/authorisations', {cardId: '3001', amount: 1, currency: 'EUR'})
  const basic = `Basic ${Buffer.from('bank:Hook-secret-1').toString('base64')}`
  expect(endpoint.auths().at(-1)?.headers.authorization).toBe(basic)
}, 60_000)
