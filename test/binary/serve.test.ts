// `sandbox serve` as a process: where it is, what it logs, how it ends.
import {once} from 'node:events'
import {existsSync} from 'node:fs'
import {connect} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {type Ended, emptyHome, run, start, until} from '../helpers/binary.ts'

interface Served {
  readonly url: string
  readonly ca?: string
  readonly pid: number
  readonly ended: Promise<Ended>
  lines(): Record<string, unknown>[]
  kill(signal: NodeJS.Signals): void
}

async function serve(home: string, flags: readonly string[] = ['--memory'], env = {}): Promise<Served> {
  const {child, ended, stdout, stderr} = start(home, ['sandbox', 'serve', '-o', 'ndjson', ...flags], {env})
  const lines = () =>
    stdout()
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line))
  const ready = await until(() => {
    if (child.exitCode !== null) throw new Error(stderr())
    return lines()[0]
  })
  expect(ready).toMatchObject({type: 'ready', url: expect.stringMatching(/^https?:\/\/127\.0\.0\.1:\d+$/)})
  return {...ready, pid: child.pid ?? 0, ended, lines, kill: signal => child.kill(signal)}
}

const slowReads = (url: string, delayMs: number) =>
  fetch(`${url}/_sandbox/faults`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({operation: 'cards.get.v4', delayMs}),
  })

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s: what is under way is answered, then %i', async (signal, code) => {
  const server = await serve(await emptyHome())
  // Long enough for a slow machine to have the request before the signal.
  expect((await slowReads(server.url, 2500)).status).toBe(201)
  const answer = fetch(`${server.url}/v4/3001?auditUser=x`)
  // An idle connection must not hold the end.
  const idle = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(idle, 'connect')
  idle.on('error', () => undefined)
  await delay(2000)
  server.kill(signal)
  expect((await answer).status).toBe(200)
  expect(await server.ended).toMatchObject({code, stderr: expect.stringContaining('SERVER_ENDED')})
  await expect(fetch(server.url)).rejects.toThrow()
  idle.destroy()
})

test('reports at the start that the webhook does not respond', async () => {
  const flags = ['sandbox', 'serve', '--memory', '--webhook-url', 'http://127.0.0.1:1']
  const {child, ended, stderr} = start(await emptyHome(), flags)
  await until(() => stderr().includes('\n'))
  child.kill('SIGTERM')
  const [line] = (await ended).stderr.split('\n')
  expect(line).toContain('http://127.0.0.1:1: the endpoint cannot be reached (ECONNREFUSED).')
  expect(line).toContain('authorisations are declined')
})

test('a second signal ends at once; the echo of the first does not count', async () => {
  const server = await serve(await emptyHome())
  await slowReads(server.url, 60_000)
  const answer = fetch(`${server.url}/v4/3001?auditUser=x`).catch(() => 'cut')
  await delay(200)
  server.kill('SIGINT')
  server.kill('SIGINT')
  await delay(400)
  server.kill('SIGINT')
  expect((await server.ended).code).toBe(130)
  expect(await answer).toBe('cut')
})

test('a command that takes too long is killed', async () => {
  const server = await serve(await emptyHome())
  await slowReads(server.url, 60_000)
  const answer = fetch(`${server.url}/v4/3001?auditUser=x`).catch(() => 'cut')
  await delay(200)
  server.kill('SIGTERM')
  expect(await answer).toBe('cut')
  expect((await server.ended).code).toBe(143)
})

test('the log holds a masked line for each request, and the commands reach the server', async () => {
  const home = await emptyHome()
  const server = await serve(home, ['--data', `${home}/state`])
  const env = {CARDCTL_BASE_URL: server.url}
  const got = await run(home, ['cards', 'get', '3001', '-o', 'json'], {env})
  expect(JSON.parse(got.stdout).id).toBe('3001')
  await fetch(`${server.url}/v4/4111111111111111?auditUser=x`)
  const [, first, second] = await until(() => server.lines().length === 3 && server.lines())
  expect(first).toMatchObject({type: 'request', method: 'GET', operation: 'cards.get.v4', status: 200})
  expect(second).toMatchObject({url: '/v4/411111••••••1111?auditUser=x', status: 404})
  expect(existsSync(`${home}/state/sandbox.db`)).toBe(true)
  server.kill('SIGTERM')
  await server.ended
})

test('credentials, a rate limit and TLS', async () => {
  const home = await emptyHome()
  const flags = ['--memory', '--tls', '--auth', 'basic:env:WHO', '--rate-limit', '2/min']
  const server = await serve(home, flags, {WHO: 'ops:open sesame'})
  expect(server.url).toMatch(/^https:/)
  const add = [
    'profiles',
    'add',
    'served',
    '--kind',
    'sandbox',
    '--base-url',
    server.url,
    '--ca',
    server.ca ?? '',
  ]
  const auth = ['--auth', 'basic', '--user', 'ops', '--secret', 'env:PASSWORD']
  expect((await run(home, [...add, ...auth])).code).toBe(0)
  const get = (PASSWORD: string) =>
    run(home, ['cards', 'get', '3001', '-p', 'served', '--timeout', '2s'], {env: {PASSWORD}})
  expect((await get('wrong')).code).toBe(4)
  expect((await get('open sesame')).code).toBe(0)
  expect((await get('open sesame')).code).toBe(0)
  expect((await get('open sesame')).code).toBe(7)
  expect(JSON.stringify(server.lines())).not.toContain('sesame')
  server.kill('SIGTERM')
  await server.ended
  expect(existsSync(server.ca ?? '')).toBe(false)
})

test('refuses other machines without credentials', async () => {
  const home = await emptyHome()
  const refused = await run(home, ['sandbox', 'serve', '--host', '0.0.0.0', '--memory'])
  expect(refused).toMatchObject({code: 2, stdout: ''})
  expect(refused.stderr).toContain('--i-know-this-is-exposed')
  const argv = ['sandbox', 'serve', '--memory', '--auth', 'bearer:hunter2hunter2']
  const literal = await run(home, argv)
  expect(literal).toMatchObject({code: 2, stdout: ''})
  expect(literal.stderr).not.toContain('hunter2')
})

test('continues when nobody reads its log', async () => {
  const home = await emptyHome()
  const {child, ended, stdout} = start(home, ['sandbox', 'serve', '--memory', '-o', 'ndjson'])
  const {url} = JSON.parse(await until(() => stdout().split('\n', 1)[0] || undefined))
  child.stdout?.destroy()
  for (let count = 0; count < 3; count++) {
    expect((await fetch(`${url}/v4/3001?auditUser=x`)).status).toBe(200)
  }
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({code: 143, stderr: expect.stringContaining('SERVER_ENDED')})
})
