import {type IncomingHttpHeaders, request} from 'node:http'
import {expect, onTestFinished, test} from 'vitest'
import {Secret} from '../../../src/sensitive/secret.ts'
import {pageAt} from '../../../src/webhook/index.ts'
import {inspected} from './inspected.ts'
import {KEY, PLACE, proofOf} from './page-link.ts'

const PAGE = pageAt(PLACE)

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A client that sends whatever headers it likes, as no browser would. Streams are cut after their first part. */
async function site(): Promise<{
  readonly host: string
  readonly port: string
  ask(
    path: string,
    options?: {method?: string; headers?: Record<string, string>; body?: string},
  ): Promise<Reply>
}> {
  const {url, close} = await inspected({pendingCalls: {answer: async () => undefined}})
  onTestFinished(close)
  const {host, port} = new URL(url)
  return {
    host,
    port,
    ask: (path, {method = 'GET', headers = {}, body} = {}) =>
      new Promise((resolve, reject) => {
        const sent = request(
          {host: '127.0.0.1', port, path, method, headers: {host, ...headers}},
          response => {
            let text = ''
            const end = () =>
              resolve({status: response.statusCode ?? 0, headers: response.headers, body: text})
            response.setEncoding('utf8')
            response.on('data', chunk => {
              text += chunk
              if (response.headers['content-type'] === 'text/event-stream' && text.includes('hello')) {
                end()
                sent.destroy()
              }
            })
            response.on('end', end)
          },
        )
        sent.on('error', reject)
        sent.end(body)
      }),
  }
}

test('calls are shown to who proves to have the key, for this run and this address, and to nobody else', async () => {
  const {ask, host, port} = await site()
  const proof = proofOf(`http://${host}`)
  for (const path of ['stream', 'session']) {
    const at = `${PAGE}${path}`
    expect(await ask(at)).toMatchObject({status: 401})
    for (const wrong of [
      '',
      'guess',
      KEY,
      proofOf(`http://${host}`, {epoch: 'second'}),
      proofOf(`http://${host}`, {key: 'another'}),
      proofOf(`http://localhost:${port}`),
      proofOf('http://127.0.0.1:1'),
    ]) {
      expect(await ask(at, {headers: {'x-cardctl-inspect': wrong}}), wrong).toMatchObject({status: 401})
      expect(await ask(`${at}?proof=${encodeURIComponent(wrong)}`), wrong).toMatchObject({status: 401})
    }
    for (const cookie of [`cardctl_${port}=${KEY}`, `cardctl_${port}=${proof}`]) {
      expect(await ask(at, {headers: {cookie}})).toMatchObject({status: 401})
    }
    const first = await ask(at, {headers: {'x-cardctl-inspect': proof}})
    expect(first).toMatchObject({status: 200})
    expect(first.headers['set-cookie']).toBeUndefined()
    expect(await ask(`${at}?proof=${proof}`)).toMatchObject({status: 200})
  }
})

test('a new key opens the page, and locks out who has the former one, also while it is shown', async () => {
  const {url, inspector, close} = await inspected()
  onTestFinished(close)
  const ask = (path: string, key: string) =>
    fetch(url + PAGE + path, {headers: {'x-cardctl-inspect': proofOf(url, {key})}})
  const open = await ask('stream', KEY)
  expect(open.status).toBe(200)
  inspector.renew(new Secret('the-second'))
  await open.text()
  expect((await ask('session', KEY)).status).toBe(401)
  expect((await ask('stream', KEY)).status).toBe(401)
  expect((await ask('session', 'the-second')).status).toBe(200)
})

test('what a proof is made for is told to this machine alone, and to no other site', async () => {
  const {ask} = await site()
  expect(JSON.parse((await ask(`${PAGE}epoch`)).body)).toEqual({epoch: 'first'})
  expect(await ask(`${PAGE}epoch`, {headers: {host: 'evil.example'}})).toMatchObject({status: 403})
  expect(await ask(`${PAGE}epoch`, {headers: {'sec-fetch-site': 'same-site'}})).toMatchObject({status: 403})
})

test.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1.evil.example', 'localhost:1'])(
  'a name that only leads here is refused: %s',
  async host => {
    const {ask} = await site()
    for (const path of ['', 'page.js', 'stream', 'epoch']) {
      const headers = {host, 'x-cardctl-inspect': proofOf(`http://${host}`)}
      expect(await ask(PAGE + path, {headers})).toMatchObject({status: 403})
    }
  },
)

test.each(['http://evil.example', 'null', 'http://127.0.0.1:1'])(
  'a script of another page gets nothing: %s',
  async origin => {
    const {ask, host} = await site()
    for (const path of ['', 'page.js', 'stream', 'epoch']) {
      const headers = {origin, 'x-cardctl-inspect': proofOf(`http://${host}`)}
      expect(await ask(PAGE + path, {headers}), path).toMatchObject({status: 403})
      expect((await ask(PAGE + path, {headers: {...headers, origin: `http://${host}`}})).status).toBe(200)
    }
  },
)

test('every name of this machine is taken', async () => {
  const {ask, port} = await site()
  for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
    const headers = {
      host: `${name}:${port}`,
      'x-cardctl-inspect': proofOf(`http://${name.toLowerCase()}:${port}`),
    }
    expect(await ask(`${PAGE}session`, {headers})).toMatchObject({status: 200})
  }
})

test('a post is refused unless the page itself sends it', async () => {
  const {ask, host} = await site()
  const own = {
    origin: `http://${host}`,
    'content-type': 'application/json',
    'x-cardctl-inspect': proofOf(`http://${host}`),
    'sec-fetch-site': 'same-origin',
  }
  const post = (headers: Record<string, string>) =>
    ask(`${PAGE}answer`, {method: 'POST', headers, body: '{"event":"e_1","choice":{"approve":true}}'})
  expect(await post(own)).toMatchObject({status: 200})
  for (const other of [
    {origin: 'http://evil.example'},
    {origin: 'null'},
    {origin: 'http://127.0.0.1:1'},
    {'content-type': 'text/plain'},
    {'sec-fetch-site': 'cross-site'},
    {'sec-fetch-site': 'same-site'},
  ]) {
    expect(await post({...own, ...other}), JSON.stringify(other)).toMatchObject({status: 403})
  }
  const {origin: _, ...without} = own
  expect(await post(without)).toMatchObject({status: 403})
  const {'x-cardctl-inspect': __, ...unproven} = own
  expect(await post(unproven)).toMatchObject({status: 403})
  for (const wrong of ['', '1']) {
    expect(await post({...own, 'x-cardctl-inspect': wrong})).toMatchObject({status: 401})
  }
  expect(await ask(`${PAGE}answer`, {headers: own})).toMatchObject({status: 405})
})

test.each([
  '',
  '{',
  '[]',
  '{"event":1}',
  '{"event":"e","choice":{"approve":"yes"}}',
  '{"choice":{"partial":{}}}',
])('a post of another shape does nothing: %s', async body => {
  const {ask, host} = await site()
  const headers = {
    origin: `http://${host}`,
    'content-type': 'application/json',
    'x-cardctl-inspect': proofOf(`http://${host}`),
  }
  for (const path of ['answer', 'send']) {
    expect(await ask(PAGE + path, {method: 'POST', headers, body})).toMatchObject({status: 409})
  }
})

test('every answer forbids what the page does not need', async () => {
  const {ask} = await site()
  for (const path of ['', 'page.js', 'page.css', 'icon.svg', 'stream', 'epoch']) {
    const {headers} = await ask(PAGE + path)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'/,
    )
  }
})

test('everything else is left to the listener', async () => {
  const {ask} = await site()
  for (const path of [
    '/auth',
    '/warm-up',
    '/',
    '/_inspect/',
    '/_inspect/auth',
    '/_inspect/stream',
    '/_inspect/page.js',
    '/_inspect/other/session',
    `${PAGE}auth`,
    `${PAGE}page.js/`,
    PAGE.slice(0, -1),
    '/favicon.ico',
    '//',
  ]) {
    expect(await ask(path)).toMatchObject({status: 404, body: ''})
  }
})
