import {X509Certificate} from 'node:crypto'
import {once} from 'node:events'
import {request as httpsRequest} from 'node:https'
import {connect} from 'node:net'
import {describe, expect, onTestFinished, test} from 'vitest'
import {makeCertificate} from '../../src/certificates/index.ts'
import {LIMITS} from '../../src/limits/limits.ts'
import {
  createSandbox,
  type RequestEvent,
  type SandboxOptions,
  Secret,
  type ServeOptions,
} from '../../src/sandbox/index.ts'
import {foreseenRandom} from './helpers/sandbox.ts'

async function serving(options: SandboxOptions = {}, serveOptions: ServeOptions = {}) {
  const events: RequestEvent[] = []
  const sandbox = await createSandbox({
    settlement: 'background',
    onRequest: event => events.push(event),
    ...options,
  })
  const server = await sandbox.serve(serveOptions)
  onTestFinished(async () => {
    await server.close()
    await sandbox.close()
  })
  return {url: server.url, cert: server.cert, events}
}

const card = '/v4/3001?auditUser=test'

describe('on a port', () => {
  test('the same bytes come as embedded', async () => {
    const now = () => Date.UTC(2026, 0, 1)
    const {url} = await serving({now})
    const embedded = await createSandbox({now})
    const reply = await embedded.handle({method: 'GET', url: card, headers: {}, body: new Uint8Array()})
    const response = await fetch(url + card)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(reply.body))
    expect(response.headers.get('content-type')).toBe('application/json')
    await embedded.close()
  })

  test('a body is neither coerced nor thinned out', async () => {
    const {url} = await serving()
    const patch = (body: unknown, type = 'application/json') =>
      fetch(`${url}/v4/CREDIT/2001?auditUser=test`, {
        method: 'PATCH',
        headers: {'content-type': type},
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
    expect((await patch({creditLimit: '5000'})).status).toBe(400)
    expect((await patch({creditLimit: 5000, unknown: 1})).status).toBe(400)
    expect((await patch('creditLimit=5000', 'application/x-www-form-urlencoded')).status).toBe(415)
    expect((await patch('{"creditLimit": 12')).status).toBe(400)
    expect((await patch({creditLimit: 5000})).status).toBe(200)
  })

  test.each([
    ['/v4/%zz?auditUser=a', 404],
    ['/%', 404],
    ['//', 404],
    // No id holds a slash.
    ['/v4/..%2f..%2fetc?auditUser=a', 400],
    ['/nothing', 404],
    ['/v4/3001/', 404],
  ])('%s is a clear error', async (path, status) => {
    const {url} = await serving()
    const {port} = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    expect(text.startsWith(`HTTP/1.1 ${status} `)).toBe(true)
    expect(text).toContain('application/problem+json')
  })

  test('10 MB of JSON is refused, and others are still answered', async () => {
    const {url} = await serving()
    const body = JSON.stringify({name: 'x'.repeat(LIMITS.request.bytes)})
    const headers = {'content-type': 'application/json'}
    const large = await fetch(`${url}/v4/CREDIT/2001?auditUser=a`, {method: 'PATCH', headers, body})
    expect(large.status).toBe(413)
    expect(large.headers.get('content-type')).toBe('application/problem+json')
    expect((await fetch(url + card)).status).toBe(200)
  })

  test('a dropped connection has no answer; before the effect, or after it', async () => {
    const {url} = await serving()
    const post = (path: string, body: object) =>
      fetch(url + path, {
        method: path.startsWith('/v4') ? 'PATCH' : 'POST',
        headers: {'content-type': 'application/json'},
        body: JSON.stringify(body),
      })
    const effects = async () =>
      ((await (await fetch(`${url}/_sandbox/state/account/2002`)).json()) as {effects: number}).effects
    for (const [drop, expected] of [
      ['before', 0],
      ['after', 1],
    ] as const) {
      await post('/_sandbox/faults', {operation: 'accounts.*', drop, count: 1})
      await expect(post('/v4/DEBIT/2002?auditUser=a', {name: 'x'})).rejects.toThrow()
      expect(await effects()).toBe(expected)
    }
  })

  test('requests are reported without secrets', async () => {
    const {url, events} = await serving()
    await fetch(`${url}/v4/4111111111111111?auditUser=a`)
    expect(events).toMatchObject([
      {type: 'request', method: 'GET', operation: 'cards.get.v4', status: 404, replayed: false},
    ])
    expect(events[0]?.url).not.toContain('4111111111111111')
  })

  test('closing answers what is under way, and waits no longer than it should for what hangs', async () => {
    const sandbox = await createSandbox({sleep: () => new Promise(() => undefined)})
    const server = await sandbox.serve({drainMs: 50})
    const headers = {'content-type': 'application/json'}
    const body = JSON.stringify({operation: 'cards.*', delayMs: 1})
    await fetch(`${server.url}/_sandbox/faults`, {method: 'POST', headers, body})
    const hanging = fetch(server.url + card).then(
      () => 'answered',
      () => 'cut',
    )
    await expect
      .poll(
        async () =>
          ((await (await fetch(`${server.url}/_sandbox/faults`)).json()) as {struck: number}[])[0]?.struck,
        {
          timeout: 10_000,
        },
      )
      .toBe(1)
    await server.close()
    expect(await hanging).toBe('cut')
    await expect(fetch(server.url)).rejects.toThrow()
    await sandbox.close()
  })

  test('closing ends a connection that is kept alive, once its request is answered', async () => {
    const asleep = Promise.withResolvers<void>()
    const awake = Promise.withResolvers<void>()
    const sleep = () => {
      asleep.resolve()
      return awake.promise
    }
    const sandbox = await createSandbox({sleep})
    const server = await sandbox.serve({drainMs: 60_000})
    const headers = {'content-type': 'application/json'}
    const body = JSON.stringify({operation: 'cards.*', delayMs: 1})
    await fetch(`${server.url}/_sandbox/faults`, {method: 'POST', headers, body})
    const late = fetch(server.url + card)
    await asleep.promise
    const closed = server.close()
    awake.resolve()
    const response = await late
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close'])
    await closed
    await sandbox.close()
  })

  test('a caller that leaves in the middle of its body is no failure of the sandbox', async () => {
    const errors: unknown[] = []
    const {url, events} = await serving({onError: error => errors.push(error)})
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('PATCH /v4/DEBIT/2002 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"name":')
    await once(socket, 'connect')
    expect((await fetch(url + card)).status).toBe(200)
    socket.destroy()
    expect((await fetch(url + card)).status).toBe(200)
    expect([errors, events.map(({status}) => status)]).toEqual([[], [200, 200]])
  })

  test('a body may come in chunks, and without a type it is refused', async () => {
    const {url} = await serving()
    const send = async (head: string) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      const body = 'Transfer-Encoding: chunked\r\n\r\n7\r\n{"name"\r\n5\r\n:"a"}\r\n0\r\n\r\n'
      socket.write(
        `PATCH /v4/DEBIT/2002?auditUser=a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${head}${body}`,
      )
      const chunks: Buffer[] = []
      for await (const chunk of socket) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks).toString().slice(0, 12)
    }
    expect(await send('Content-Type: application/json\r\n')).toBe('HTTP/1.1 200')
    expect(await send('')).toBe('HTTP/1.1 415')
  })

  test('a port that is taken is an error with its code', async () => {
    const {url} = await serving()
    const sandbox = await createSandbox()
    await expect(sandbox.serve({port: Number(new URL(url).port)})).rejects.toMatchObject({code: 'EADDRINUSE'})
    await sandbox.close()
  })
})

describe('authentication', () => {
  const basic = `Basic ${Buffer.from('aino:s3cret').toString('base64')}`
  const options: SandboxOptions = {auth: {type: 'basic', user: 'aino', password: new Secret('s3cret')}}
  const bearer: SandboxOptions = {auth: {type: 'bearer', token: new Secret('t0ken')}}

  test.each([
    [options, undefined, 401],
    [options, basic, 200],
    [options, basic.replace('Basic', 'basic'), 200],
    [options, 'Bearer t0ken', 401],
    [options, `Basic ${Buffer.from('aino:wrong').toString('base64')}`, 401],
    [bearer, 'Bearer t0ken', 200],
    [bearer, 'Bearer t0ke', 401],
    [bearer, basic, 401],
  ])('%#: %s', async (sandboxOptions, authorization, status) => {
    const {url} = await serving(sandboxOptions)
    const response = await fetch(url + card, {headers: authorization === undefined ? {} : {authorization}})
    expect(response.status).toBe(status)
    if (status === 401) {
      expect(await response.text()).toBe('')
      expect(response.headers.get('www-authenticate')).toMatch(/^(Basic|Bearer) /)
    }
  })

  test('the key set is for anyone', async () => {
    const {url} = await serving(options)
    expect((await fetch(`${url}/.well-known/jwks.json`)).status).toBe(200)
    expect((await fetch(`${url}/_sandbox/info`)).status).toBe(401)
  })
})

describe('TLS', () => {
  const get = async (url: string, ca: string, more: object = {}) => {
    const request = httpsRequest(url + card, {ca, ...more}).end()
    const [response] = (await once(request, 'response')) as [{statusCode: number; resume(): void}]
    response.resume()
    return response.statusCode
  }

  test('a self-made certificate is good for those who trust it, by name and by address', async () => {
    const {url, cert = ''} = await serving({}, {tls: 'self-made'})
    expect(url).toMatch(/^https:/)
    expect(await get(url, cert)).toBe(200)
    expect(await get(url.replace('127.0.0.1', 'localhost'), cert)).toBe(200)
    await expect(get(url, makeCertificate('x', Date.now(), foreseenRandom()).cert)).rejects.toThrow()
  })

  test('clients may be asked for a certificate', async () => {
    const ours = makeCertificate('localhost', Date.now(), foreseenRandom())
    const {url} = await serving({}, {tls: {...ours, clientCa: ours.cert}})
    await expect(get(url, ours.cert)).rejects.toThrow()
    expect(await get(url, ours.cert, ours)).toBe(200)
  })

  test.each(['sandbox.example', '192.0.2.7', '2001:db8::17', '::'])('%s is in the certificate', host => {
    const certificate = new X509Certificate(
      makeCertificate(host, Date.UTC(2049, 11, 31), foreseenRandom()).cert,
    )
    const matches = host.includes('example') ? certificate.checkHost(host) : certificate.checkIP(host)
    expect(matches).toBe(host)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.validToDate.getUTCFullYear()).toBe(2050)
  })
})

test('with prefixes the paths of the field are taken', async () => {
  const {url} = await serving({prefixes: true})
  const status = async (path: string) => (await fetch(`${url}${path}?auditUser=a`)).status
  expect(await status('/card/v4/3001')).toBe(200)
  expect(await status('/transfer/v1/a2a/batches')).toBe(200)
  expect(await status('/account/v4/3001')).toBe(404)
  const plain = await serving()
  expect((await fetch(`${plain.url}/card/v4/3001?auditUser=a`)).status).toBe(404)
})
