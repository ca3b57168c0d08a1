// The password and the certificates of the database change while a server runs: it goes on with the new ones, and ends if
// it can't have them.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test, vi} from 'vitest'
import {newHome} from '../documented/scene.ts'
import {freePort} from '../helpers/free-port.ts'
import {certificates} from '../helpers/made-certificates.ts'
import type {Cluster, ClusterOptions} from '../helpers/postgres.ts'
import {openMachine, witness} from '../helpers/team.ts'
import {migratedCluster} from '../sandbox/helpers/migrated-postgres.ts'
import {serveStore} from './served.ts'

/** @param access a line of pg_hba.conf, once the tables are there. */
async function cluster(access: string, options?: ClusterOptions): Promise<Cluster> {
  const started = await migratedCluster(options)
  const file = join(started.data, 'pg_hba.conf')
  writeFileSync(file, `${access}\n${readFileSync(file, 'utf8')}`)
  ask(started, 'SELECT pg_reload_conf()')
  return started
}

const ask = (server: Cluster, sql: string) => server.run('psql', '-qAt', '-c', sql, 'app')

/** Ends the connections of the sandbox, so that it needs new ones. */
const cut = (server: Cluster) =>
  ask(server, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'")

/** @returns a way to change the password, and the URL with one. */
async function withPassword() {
  const server = await cluster('local all app scram-sha-256')
  const change = (password: string) => {
    ask(server, `ALTER ROLE app PASSWORD '${password}'`)
    cut(server)
  }
  return {change, urlWith: (password: string) => server.url.replace('app@', `app:${password}@`)}
}

function folder(): (name: string) => string {
  const path = mkdtempSync(join(tmpdir(), 'cardctl-rotated-'))
  onTestFinished(() => rmSync(path, {recursive: true}))
  return name => join(path, name)
}

const soon = {timeout: 10_000, interval: 50}

test('a new password behind a reference is used without a restart', async () => {
  const {change, urlWith} = await withPassword()
  const file = folder()('url')
  const keep = (password: string) => writeFileSync(file, urlWith(password), {mode: 0o600})
  change('first-1')
  keep('first-1')
  const home = await newHome()
  const servers = [await serveStore(home, `file:${file}`), await serveStore(home, `cmd:cat ${file}`)]
  const writeAll = () => Promise.all(servers.map(({write}) => write('changed')))
  expect(await writeAll()).toEqual([200, 200])
  change('second-2')
  await expect.poll(writeAll, soon).toEqual([503, 503])
  keep('second-2')
  await expect.poll(writeAll, soon).toEqual([200, 200])
  // What can't be read is tried again.
  rmSync(file)
  change('third-3')
  await expect.poll(writeAll, soon).toEqual([503, 503])
  keep('third-3')
  await expect.poll(writeAll, soon).toEqual([200, 200])
})

test('an error of a shared job names where the URL is kept, and shows nothing of the URL', async () => {
  const {change, urlWith} = await withPassword()
  change('first-1')
  const file = folder()('url')
  writeFileSync(file, urlWith('stale-0'), {mode: 0o600})
  const {service} = await witness()
  const kept = ['env:TEAM_URL', `file:${file}`, `cmd:cat ${file}`]
  for (const reference of kept) {
    const machine = await openMachine({database: urlWith('stale-0'), url: service.url})
    await machine.json(['profiles', 'edit', 'team', '--team-store', reference])
    const {code, stderr} = await machine.team(['bulk', 'work', 'sj_1', '--no-input'])
    expect(code).toBe(9)
    expect(stderr).toContain('the password is wrong. What is not recorded there is not sent.')
    expect(stderr).toContain(
      `Check the database server and the URL in ${reference.replace(/^(cmd:cat) .*/, '$1 …')} (teamStore of the profile team).`,
    )
    expect(stderr).not.toMatch(/stale-0|postgres:\/\//)
  }
}, 60_000)

test('what has been refused for a minute ends the server, so that a new one is started', async () => {
  const {change, urlWith} = await withPassword()
  change('first-1')
  const {write, ended} = await serveStore(await newHome(), 'env:DATABASE', {
    env: {DATABASE: urlWith('first-1')},
  })
  expect(await write('one')).toBe(200)
  const real = performance.now.bind(performance)
  let later = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + later)
  onTestFinished(() => clock.mockRestore())
  change('second-2')
  await expect.poll(() => write('lost'), soon).toBe(503)
  later = 59_000
  expect(await write('lost')).toBe(503)
  // A password that comes back in time is no reason to end.
  change('first-1')
  later += 2_000
  expect(await write('back')).toBe(200)
  change('second-2')
  await expect.poll(() => write('lost'), soon).toBe(503)
  let isEnded = false
  void ended.then(() => {
    isEnded = true
  })
  // The first 503 may be of a connection that was cut, before any refusal.
  const writeLater = async (): Promise<boolean> => {
    later += 61_000
    await write('lost').catch(() => 0)
    return isEnded
  }
  await expect.poll(writeLater, soon).toBe(true)
  const {code, stderr} = await ended
  expect(code).toBe(3)
  expect(stderr).toContain('refused this process for a minute: the password is wrong')
  expect(stderr).not.toMatch(/first-1|second-2/)
})

test('new certificates in the files that the URL names are used without a restart', async () => {
  const at = folder()
  const [old, next] = [certificates(at, 'old'), certificates(at, 'next')]
  const port = await freePort()
  const files = {'server.pem': old.server.cert, 'server.key': old.server.key, 'ca.pem': old.ca}
  const server = await cluster('hostssl all app 127.0.0.1/32 cert', {tlsPort: port, files})
  const keep = (name: string, text: string) => writeFileSync(at(name), text)
  keep('ca', old.ca)
  keep('cert', old.client.cert)
  keep('key', old.client.key)
  const url = `postgres://app@localhost:${port}/app?sslrootcert=${at('ca')}&sslcert=${at('cert')}&sslkey=${at('key')}`
  const {write} = await serveStore(await newHome(), 'env:DATABASE', {env: {DATABASE: url}})
  expect(await write('one')).toBe(200)
  writeFileSync(join(server.data, 'server.pem'), next.server.cert)
  writeFileSync(join(server.data, 'server.key'), next.server.key)
  writeFileSync(join(server.data, 'ca.pem'), next.ca)
  ask(server, 'SELECT pg_reload_conf()')
  cut(server)
  await expect.poll(() => write('lost'), soon).toBe(503)
  keep('ca', next.ca)
  keep('cert', next.client.cert)
  // The certificate is there before its key.
  expect(await write('lost')).toBe(503)
  keep('key', next.client.key)
  await expect.poll(() => write('back'), soon).toBe(200)
})
