// Two processes behind nginx and HAProxy, with the files of examples/team: what clients see when one of them ends.
import {execFileSync, spawn, spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {Agent, request} from 'node:https'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {addTenant, migrateStore, withStore} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {freePort} from '../helpers/free-port.ts'
import {type Cluster, hasPostgres, startCluster} from '../helpers/postgres.ts'
import {type ServedProcess, serveTenants} from '../helpers/sandbox-process.ts'
import {isWhole} from '../helpers/whole.ts'

const PROXIES = {nginx: ['nginx', '-v'], HAProxy: ['haproxy', '-v']} as const
type Proxy = keyof typeof PROXIES

const example = (name: string) =>
  readFileSync(new URL(`../../examples/team/${name}`, import.meta.url), 'utf8')

/** A certificate with its key in one file. */
function makeCertificate(folder: string): string {
  const file = join(folder, 'sandbox.pem')
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file]
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...subject, ...key, '-out', `${file}.cert`], {
    stdio: 'pipe',
  })
  writeFileSync(file, readFileSync(file, 'utf8') + readFileSync(`${file}.cert`, 'utf8'))
  return file
}

/** The example with the ports and files of this test. */
function configure(proxy: Proxy, folder: string, port: number, backends: readonly number[]): string[] {
  const pem = makeCertificate(folder)
  const [one, two] = backends.map(String)
  const text = example(proxy === 'nginx' ? 'nginx.conf' : 'haproxy.cfg')
    .replace('8481', one ?? '')
    .replace('8482', two ?? '')
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replaceAll(/\/etc\/ssl\/[\w.-]+/g, pem)
  const file = join(folder, 'proxy.conf')
  if (proxy === 'HAProxy') {
    writeFileSync(file, text)
    return ['haproxy', '-db', '-q', '-f', file]
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `${name}_temp_path ${join(folder, name)};`)
    .join(' ')
  writeFileSync(
    file,
    `daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'log')};
events {}
http { access_log off; ${temporary}
${text}}`,
  )
  return ['nginx', '-e', join(folder, 'log'), '-c', file]
}

let cluster: Cluster | undefined
let tenants = 0
beforeAll(async () => {
  cluster = startCluster()
  if (cluster) await migrateStore({url: new Secret(cluster.url)})
})
afterAll(() => cluster?.remove())

/** Two processes behind the proxy, with a tenant of its own. */
async function scene(proxy: Proxy) {
  const database = cluster?.url ?? ''
  const name = `team${tenants++}`
  const token = (await withStore({url: new Secret(database)}, opened => addTenant(opened, name))).open()
  const ports = [await freePort(), await freePort()]
  const processes = await Promise.all(ports.map(port => serveTenants(database, port)))
  const folder = mkdtempSync(join(tmpdir(), 'cardctl-proxy-'))
  const port = await freePort()
  const [program = '', ...argv] = configure(proxy, folder, port, ports)
  const child = spawn(program, argv, {stdio: 'inherit'})
  const agent = new Agent({keepAlive: true, ca: readFileSync(join(folder, 'sandbox.pem.cert'))})
  onTestFinished(() => {
    agent.destroy()
    child.kill()
    rmSync(folder, {recursive: true, force: true})
  })
  /** @returns 0 if the connection broke. */
  const call = (method: string, path: string, {key = '', body = ''} = {}) =>
    new Promise<{status: number; text: string}>(resolve => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)}),
        ...(key && {'x-idempotency-key': key}),
      }
      const sent = request({host: 'localhost', port, method, path, headers, agent}, response => {
        let text = ''
        response.on('data', chunk => {
          text += chunk
        })
        response.on('end', () => resolve({status: response.statusCode ?? 0, text}))
        response.on('error', () => resolve({status: 0, text}))
      })
      sent.on('error', () => resolve({status: 0, text: ''})).end(body)
    })
  await expect.poll(async () => (await call('GET', '/readyz')).status).toBe(200)
  const change = async (key: string) => {
    const body = JSON.stringify({name: key})
    return (await call('PATCH', '/v4/DEBIT/2002?auditUser=test', {key, body})).status
  }
  const effects = async () => {
    const {text} = await call('GET', '/_sandbox/state/account/2002')
    return (JSON.parse(text) as {effects: number}).effects
  }
  const restart = async (at: number): Promise<void> => {
    processes[at] = await serveTenants(database, ports[at])
  }
  return {processes: processes as ServedProcess[], change, effects, restart}
}

type Scene = Awaited<ReturnType<typeof scene>>

const CLIENTS = 4

/** Clients send changes, each with its key until it is answered, until `during` is over. @returns the statuses, and how many keys. */
async function under({change}: Scene, during: () => Promise<unknown>) {
  const statuses: number[] = []
  let isOver = false
  let keys = 0
  const client = async () => {
    while (!isOver) {
      const key = `change-${keys++}`
      let status = 0
      while (status !== 200) {
        status = await change(key)
        statuses.push(status)
      }
    }
  }
  const clients = Promise.all(Array.from({length: CLIENTS}, client))
  await during()
  isOver = true
  await clients
  return {statuses, keys}
}

const isInstalled = (proxy: Proxy) => spawnSync(PROXIES[proxy][0], [PROXIES[proxy][1]]).status === 0

// Each proxy meets one of the two here, and both in the soak.
for (const proxy of ['nginx', 'HAProxy'] as const) {
  const isThere = isInstalled(proxy) && hasPostgres()

  test.runIf(isThere && (isWhole || proxy === 'HAProxy'))(
    `${proxy}: a killed process costs its requests an error, and each change happens once`,
    async () => {
      const at = await scene(proxy)
      const {statuses, keys} = await under(at, async () => {
        await new Promise(resolve => setTimeout(resolve, 500))
        expect(await at.processes[0]?.end('SIGKILL')).toBe('SIGKILL')
        await at.restart(0)
      })
      // 502 or 503 by the proxy, or a closed connection: the requests that the killed process had.
      const failed = statuses.filter(status => status !== 200)
      expect(failed.every(status => [0, 502, 503].includes(status))).toBe(true)
      expect(await at.effects()).toBe(keys)
    },
    60_000,
  )

  test.runIf(isThere && (isWhole || proxy === 'nginx'))(
    `${proxy}: processes are replaced one by one: requests go on, and each change happens once`,
    async () => {
      const at = await scene(proxy)
      const ends: unknown[] = []
      const {statuses, keys} = await under(at, async () => {
        for (const each of [0, 1]) {
          ends.push(await at.processes[each]?.end('SIGTERM'))
          await at.restart(each)
        }
      })
      expect(ends).toEqual([143, 143])
      // A request that comes on a connection in the moment when it is closed may fail.
      expect(statuses.filter(status => status !== 200).length).toBeLessThanOrEqual(CLIENTS)
      expect(await at.effects()).toBe(keys)
    },
    60_000,
  )
}
