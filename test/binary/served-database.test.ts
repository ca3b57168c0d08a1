// `sandbox serve --store` as a process: what it takes of the database, and how it ends.
import {setTimeout as delay} from 'node:timers/promises'
import {expect, onTestFinished, test} from 'vitest'
import {addTenant, connections} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {emptyHome, start, until} from '../helpers/binary.ts'
import {hasPostgres} from '../helpers/postgres.ts'
import {serveTenants} from '../helpers/sandbox-process.ts'
import {part} from '../helpers/whole.ts'
import {migratedCluster} from '../sandbox/helpers/migrated-postgres.ts'

const given = test.skipIf(!hasPostgres())

/** A process with these flags, and a statement of another program that keeps its reads of cards waiting. */
async function scene(tenants: number, ...flags: string[]) {
  const cluster = await migratedCluster()
  const opened = await connections({url: new Secret(cluster.url), connections: 2})
  const tokens: string[] = []
  for (let at = 0; at < tenants; at++) tokens.push((await addTenant(opened, `t${at}`)).open())
  const served = await serveTenants(cluster.url, 0, {}, flags)
  const read = async (token: string) => {
    const response = await fetch(`${served.url}/v4/3001?auditUser=test`, {
      headers: {authorization: `Bearer ${token}`},
    })
    return response.status
  }
  for (const token of tokens) expect(await read(token)).toBe(200)
  // Forgets what was read, because another process might have written.
  cluster.run('psql', '-q', '-c', `UPDATE cardctl.stores SET marks = marks || '{"cards": "another"}'`, 'app')
  const locker = await opened.pool.connect()
  onTestFinished(async () => {
    locker.release(true)
    await opened.pool.end()
  })
  await locker.query('BEGIN; LOCK TABLE cardctl.cards IN ACCESS EXCLUSIVE MODE')
  const waiting = async (): Promise<number> => {
    const {rows} = await opened.pool.query<{n: number}>(
      `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'cardctl sandbox'`,
    )
    return rows[0]?.n ?? 0
  }
  return {served, read, tokens, waiting, unlock: () => locker.query('COMMIT')}
}

given.each(part([2, 6], 2))(
  '--store-connections %i is how many statements run at once, and --store-timeout how long',
  async most => {
    const flags = ['--store-connections', String(most), '--store-timeout', '2s']
    const {read, tokens, waiting, unlock} = await scene(8, ...flags)
    const began = performance.now()
    const statuses = Promise.all(tokens.map(read))
    await expect.poll(waiting, {timeout: 1900, interval: 20}).toBe(most)
    await statuses.then(all => expect(all).toContain(503))
    expect(performance.now() - began).toBeGreaterThanOrEqual(1900)
    await unlock()
    // On a busy machine, the first read may take longer than the flag allows, too.
    await expect.poll(() => read(tokens[0] ?? '')).toBe(200)
  },
  60_000,
)

given(
  'a request in progress at SIGTERM is answered before the process exits',
  async () => {
    const {served, read, tokens, waiting, unlock} = await scene(1)
    const answer = read(tokens[0] ?? '')
    await expect.poll(waiting, {timeout: 5000, interval: 20}).toBe(1)
    const ended = served.end('SIGTERM')
    // A request that came before the signal waits, too.
    const tried = () => Promise.race([read(tokens[0] ?? '').catch(() => 'closed'), delay(100, 'waiting')])
    await expect.poll(tried).toBe('closed')
    await unlock()
    expect(await answer).toBe(200)
    expect(await ended).toBe(143)
  },
  60_000,
)

given(
  'a server says at its start what weakens the separation of tenants',
  async () => {
    const {run, url} = await migratedCluster()
    run('psql', '-q', '-c', 'GRANT SELECT ON cardctl.cards TO public', 'app')
    const argv = ['sandbox', 'serve', '--store', 'env:URL', '--port', '0', '-o', 'ndjson']
    const server = start(await emptyHome(), argv, {env: {URL: url}})
    await until(() => server.stdout().includes('ready'))
    expect(server.stderr()).toContain('The role public has SELECT on cards.')
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(143)
  },
  60_000,
)
