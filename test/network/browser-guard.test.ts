import {request} from 'node:http'
import {describe, expect, onTestFinished, test} from 'vitest'
import {isAllowedHost, isCrossSite} from '../../src/network/browser-guard.ts'
import {createSandbox, type SandboxOptions, Secret} from '../../src/sandbox/index.ts'
import {openHome} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'
import {listener} from '../webhook/listener.ts'

const host = '127.0.0.1:8080'
const own = `http://${host}`

test.each<[boolean, string, Record<string, string>]>([
  [false, 'POST', {}],
  [false, 'POST', {origin: own}],
  [false, 'POST', {origin: own, 'sec-fetch-site': 'same-origin'}],
  // A form of our own page, which hides its address.
  [false, 'POST', {origin: 'null', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate'}],
  // Typed, or followed from elsewhere.
  [false, 'GET', {'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate'}],
  [false, 'GET', {'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate'}],
  [true, 'GET', {'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors'}],
  [true, 'GET', {origin: 'https://evil.example'}],
  [true, 'POST', {origin: 'https://evil.example'}],
  [true, 'POST', {origin: 'http://127.0.0.1:8081'}],
  [true, 'POST', {origin: 'http://localhost:8080'}],
  [true, 'POST', {origin: 'null'}],
  [true, 'POST', {origin: 'null', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate'}],
  [true, 'POST', {'sec-fetch-site': 'same-site'}],
  [true, 'POST', {'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate'}],
  [true, 'POST', {origin: 'https://evil.example', 'sec-fetch-site': 'same-origin'}],
  [true, 'POST', {origin: 'nonsense'}],
])('a foreign page: %s %s %j', (expected, method, headers) => {
  expect(isCrossSite(method, {host, ...headers})).toBe(expected)
})

test.each([
  [true, 'localhost'],
  [true, 'LOCALHOST:8080'],
  [true, 'app.localhost:1'],
  [true, '127.0.0.1:8080'],
  [true, '[::1]:8080'],
  [true, '192.168.1.5:8080'],
  [true, 'Sandbox:8080'],
  [false, 'evil.example'],
  [false, 'localhost.evil.example:8080'],
  [false, '127.0.0.1.evil.example'],
  [false, '[::1'],
  [false, ''],
  [false, undefined],
])('served under that name: %s %s', (expected, name) => {
  expect(isAllowedHost(name, ['sandbox'])).toBe(expected)
})

/** The status of a request with just these headers. */
function ask(url: string, method: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, {method, headers})
      .on('response', response => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      .on('error', reject)
      .end()
  })
}

async function sandboxAt(options: SandboxOptions = {}): Promise<string> {
  const sandbox = await createSandbox(options)
  const server = await sandbox.serve()
  onTestFinished(async () => {
    await server.close()
    await sandbox.close()
  })
  return server.url
}

const CARD = '/v4/3001?auditUser=a'
const TOKEN = '/v1/controls/3001?auditUser=a'

describe('sandbox serve', () => {
  test.each([
    ['GET', CARD],
    ['POST', TOKEN],
    ['GET', '/_sandbox/info'],
    ['GET', '/.well-known/jwks.json'],
    ['GET', '/nowhere'],
  ])('refuses %s %s of another site, and under a name of its own', async (method, path) => {
    const url = await sandboxAt()
    const {status} = await fetch(url + path, {method})
    expect(status).not.toBe(403)
    expect(await ask(url + path, method, {origin: 'https://evil.example'})).toBe(403)
    expect(await ask(url + path, method, {'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors'})).toBe(
      403,
    )
    expect(await ask(url + path, method, {host: 'evil.example'})).toBe(403)
  })

  test('answers under a name that was allowed, or to whoever has the credentials', async () => {
    const authorization = 'Bearer t0ken'
    const named = {host: 'sandbox:8080'}
    expect(await ask((await sandboxAt({allowedHosts: ['sandbox']})) + CARD, 'GET', named)).toBe(200)
    expect(await ask((await sandboxAt({baseUrl: 'http://sandbox:8080'})) + CARD, 'GET', named)).toBe(200)
    const guarded = await sandboxAt({auth: {type: 'bearer', token: new Secret('t0ken')}})
    expect(await ask(guarded + CARD, 'GET', {...named, authorization})).toBe(200)
    expect(await ask(guarded + CARD, 'GET', {authorization, origin: 'https://evil.example'})).toBe(403)
  })

  test('lets the page of a client post a token to the pages that are made for it', async () => {
    const url = await sandboxAt()
    expect(await ask(`${url}/pages/card-data`, 'POST', {origin: 'https://client.example'})).not.toBe(403)
    expect(await ask(`${url}/pages/card-data`, 'POST', {host: 'evil.example'})).toBe(403)
  })

  test('takes the names from --allow-host', async () => {
    const home = await openHome()
    const stop = new AbortController()
    const port = await freePort()
    const running = home.run(
      [
        'sandbox',
        'serve',
        '--memory',
        '--port',
        `${port}`,
        '--allow-host',
        'sandbox',
        '--allow-host',
        'box.test',
      ],
      {signal: stop.signal},
    )
    const under = (name: string) => ask(`http://127.0.0.1:${port}${CARD}`, 'GET', {host: name}).catch(() => 0)
    await expect.poll(() => under('sandbox')).toBe(200)
    expect(await under('box.test:80')).toBe(200)
    expect(await under('other.test')).toBe(403)
    stop.abort('SIGTERM')
    await running
    await home.remove()
  })
})

describe('webhook serve', () => {
  test.each([
    ['POST', '/auth'],
    ['POST', '/warm-up'],
    ['GET', '/'],
    ['POST', '/nowhere'],
  ])(
    'refuses %s %s of another site, and takes any name, for it may stand behind a tunnel',
    async (method, path) => {
      const {url} = await listener()
      expect(await ask(url + path, method, {origin: 'https://evil.example'})).toBe(403)
      expect(await ask(url + path, method, {host: 'abc.tunnel.example'})).not.toBe(403)
    },
  )
})
