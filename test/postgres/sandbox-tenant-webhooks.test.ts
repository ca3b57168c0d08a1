// Each tenant has an endpoint of its own, which any process calls. Two processes share the database.
import {type ChildProcess, spawn} from 'node:child_process'
import {randomUUID} from 'node:crypto'
import {once} from 'node:events'
import {networkInterfaces} from 'node:os'
import {createInterface} from 'node:readline'
import {expect, inject, onTestFinished, test} from 'vitest'
import {createTenantSandbox} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {newHome} from '../documented/scene.ts'
import {type AuthCall, coded, startEndpoint} from '../sandbox/authorisations/endpoint.ts'

const database = () => inject('postgres') ?? ''
const entry = new URL('../../src/sandbox/team.ts', import.meta.url).href
const secrets = new URL('../../src/sensitive/secret.ts', import.meta.url).href

const program = `
const {createTenantSandbox} = await import(process.argv[1])
const {Secret} = await import(process.argv[2])
const sandbox = await createTenantSandbox({postgres: {url: new Secret(process.argv[3])}, webhookHosts: ['127.0.0.1']})
console.log((await sandbox.serve()).url)
`

async function startProcess(): Promise<{child: ChildProcess; url: string}> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, entry, secrets, database()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [url] = (await once(createInterface({input: child.stdout}), 'line')) as [string]
  return {child, url}
}

async function scene() {
  const home = await newHome()
  const name = `t${randomUUID().slice(0, 18)}`
  const tenants = async (verb: string, ...argv: string[]) => {
    const {code, stdout, stderr} = await home.run(
      ['sandbox', 'tenants', verb, name, ...argv, '--store', 'env:DATABASE_URL', '-o', 'json'],
      {env: {DATABASE_URL: database(), HOOK: 'bank:Hook-secret-1'}},
    )
    return {code, text: stdout + stderr, json: () => JSON.parse(stdout)}
  }
  const add = async (...argv: string[]) => {
    const added = await tenants('add', ...argv)
    expect(added.code, added.text).toBe(0)
    return added.json().token as string
  }
  return {name, tenants, add}
}

function client(token: string) {
  const call = async (url: string, path: string, body?: object) => {
    const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
    const init = body ? {method: 'POST', headers, body: JSON.stringify(body)} : {headers}
    const response = await fetch(`${url}/_sandbox/authorisations${path}`, init)
    return (await response.json()) as Record<string, unknown>
  }
  return {
    buy: (url: string, amount = 1) => call(url, '', {cardId: '3001', amount, currency: 'EUR'}),
    reverse: (url: string, id: string) => call(url, `/${id}/reversal`, {}),
    /** Without that of the demo data. */
    list: async (url: string) =>
      ((await call(url, '')) as unknown as {id: string}[]).filter(({id}) => id !== 'a_0'),
    get: (url: string, id: string) => call(url, `/${id}`),
  }
}

const idsOf = (calls: readonly {body: AuthCall}[]) => calls.map(({body}) => body.metadata.id)

test('each tenant has its endpoint, every process calls it, and each call is made once', async () => {
  const [one, two] = [await scene(), await scene()]
  const [first, second] = [await startEndpoint(coded('00')), await startEndpoint(coded('51'))]
  const auth = ['--webhook-auth', 'basic:env:HOOK']
  const buyOne = client(await one.add('--webhook-url', first.url, ...auth)).buy
  const buyTwo = client(await two.add('--webhook-url', second.url)).buy
  const processes = [await startProcess(), await startProcess()]
  const done = await Promise.all(
    Array.from({length: 20}, async (_, at) => {
      const url = processes[at % 2]?.url ?? ''
      return [await buyOne(url), await buyTwo(url)]
    }),
  )
  expect(new Set(done.map(([mine]) => mine?.status))).toEqual(new Set(['APPROVED']))
  expect(new Set(done.map(([, theirs]) => theirs?.responseCode))).toEqual(new Set(['51']))
  for (const endpoint of [first, second]) {
    expect(endpoint.auths()).toHaveLength(20)
    expect(new Set(idsOf(endpoint.auths())).size).toBe(20)
  }
  const basic = `Basic ${Buffer.from('bank:Hook-secret-1').toString('base64')}`
  expect(new Set(first.received.map(({headers}) => headers.authorization))).toEqual(new Set([basic]))
  expect(new Set(second.received.map(({headers}) => headers.authorization))).toEqual(new Set([undefined]))
}, 60_000)

test('a call whose process is killed is sent again by the other one, with its id, and has one effect', async () => {
  const {add} = await scene()
  let isSilent = true
  const endpoint = await startEndpoint((call, response) => {
    if (!isSilent) coded('00')(call, response)
  })
  const {buy, list, reverse, get} = client(
    await add('--webhook-url', endpoint.url, '--webhook-deadline', '1s'),
  )
  const [dying, other] = [await startProcess(), await startProcess()]
  const lost = buy(dying.url, 3).catch(() => 'closed')
  await expect.poll(() => endpoint.auths().length).toBe(1)
  dying.child.kill('SIGKILL')
  expect(await lost).toBe('closed')
  isSilent = false
  await expect
    .poll(() => list(other.url))
    .toMatchObject([{status: 'APPROVED', decidedBy: 'client', hold: {amount: 3}}])
  expect(new Set(idsOf(endpoint.auths())).size).toBe(1)
  expect(endpoint.auths()).toHaveLength(2)
  const [{id} = {id: ''}] = await list(other.url)

  const next = await startProcess()
  isSilent = true
  const told = reverse(next.url, id).catch(() => 'closed')
  await expect.poll(() => endpoint.auths().length).toBe(3)
  next.child.kill('SIGKILL')
  expect(await told).toBe('closed')
  isSilent = false
  await expect
    .poll(() => get(other.url, id))
    .toMatchObject({
      holdStatus: 'REVERSED',
      reversals: [{amount: 3, clientAnswer: 'the endpoint answered with status 200'}],
    })
  const [, , reversal, again] = idsOf(endpoint.auths())
  expect(again).toBe(reversal)
}, 120_000)

test('the credential of a webhook is shown by no command and is not in the database in clear', async () => {
  const {add, tenants, name} = await scene()
  const url = 'https://decide.example/hooks'
  await add('--webhook-url', url, '--webhook-auth', 'basic:env:HOOK')
  const shown = await tenants('show')
  expect(shown.json().webhook).toEqual({url, hasCredentials: true})
  const changed = await tenants('set', '--webhook-fallback', 'approve', '--webhook-url', url)
  expect(changed.json().webhook).toEqual({url, fallback: 'approve', hasCredentials: false})
  await tenants('set', '--webhook-url', url, '--webhook-auth', 'basic:env:HOOK')
  const {pool} = await import('../../src/sandbox/team.ts').then(({connections}) =>
    connections({url: new Secret(database())}),
  )
  const {rows} = await pool.query('SELECT webhook FROM cardctl.tenants WHERE name = $1', [name])
  await pool.end()
  expect(JSON.stringify(rows)).toContain('decide.example')
  expect(JSON.stringify(rows) + shown.text + changed.text).not.toContain('Hook-secret-1')
  expect((await tenants('set', '--unset', 'webhook')).json().webhook).toBeNull()
  expect((await tenants('set')).code).toBe(2)
})

/** Those of the machine's network cards. */
const OWN = Object.values(networkInterfaces())
  .flatMap(each => each ?? [])
  .filter(({family, internal}) => family === 'IPv4' && !internal)
  .map(({address}) => address)

test.each([
  '127.0.0.1',
  'localhost',
  '169.254.169.254',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[2002:7f00:1::1]',
  ...OWN,
])('an endpoint at %s is not called, unless the server allows it', async host => {
  const {add, tenants, name} = await scene()
  const endpoint = await startEndpoint(coded('00'))
  const url = endpoint.url.replace('127.0.0.1', host)
  const token = await add('--webhook-url', url, '--confirm', new URL(url).hostname)
  const told: unknown[] = []
  const sandbox = await createTenantSandbox({
    postgres: {url: new Secret(database())},
    onWebhookCall: call => told.push(call),
  })
  const server = await sandbox.serve()
  onTestFinished(async () => {
    await server.close()
    await sandbox.close()
  })
  expect(await client(token).buy(server.url)).toMatchObject({
    status: 'DECLINED',
    decidedBy: 'fallback',
    reason: 'the server is not allowed to call this address',
  })
  expect(endpoint.received).toEqual([])
  expect(told).toContainEqual(
    expect.objectContaining({tenant: name, path: '/auth', why: expect.stringContaining('not allowed')}),
  )
  expect((await tenants('show')).json().webhook).toMatchObject({url: expect.stringContaining('http://')})
})
