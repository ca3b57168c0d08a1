import {type IncomingHttpHeaders, request} from 'node:http'
import {expect, onTestFinished, test} from 'vitest'
import {inspected} from './inspected.ts'

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

const session = async (ask: Awaited<ReturnType<typeof site>>['ask']): Promise<string> => {
  const {headers} = await ask('/?token=the-token')
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

test('the token opens once, for a cookie that scripts and other sites do not get', async () => {
  const {ask, port} = await site()
  expect(await ask('/?token=another')).toMatchObject({status: 403})
  const first = await ask('/?token=the-token')
  expect(first).toMatchObject({status: 303, headers: {location: '/', 'referrer-policy': 'no-referrer'}})
  expect(first.headers['set-cookie']).toEqual([
    `cardctl_${port}=the-session; Path=/_inspect/; Max-Age=86400; HttpOnly; SameSite=Strict`,
  ])
  const second = await ask('/?token=the-token')
  expect(second).toMatchObject({status: 403})
  expect(second.body).toContain('This link was already used')
  expect(second.headers['set-cookie']).toBeUndefined()
})

test('a request that changes nothing else does not use the token up', async () => {
  const {ask} = await site()
  expect(await ask('/?token=the-token', {method: 'HEAD'})).toMatchObject({status: 405})
  expect(await ask('/?token=the-token', {headers: {host: 'evil.example'}})).toMatchObject({status: 403})
  expect(await ask('/?token=the-token')).toMatchObject({status: 303})
})

test('calls are shown to the browser that came by the link, and to no other', async () => {
  const {ask, port} = await site()
  const cookie = await session(ask)
  for (const path of ['/_inspect/stream', '/_inspect/session']) {
    expect(await ask(path)).toMatchObject({status: 401})
    expect(await ask(path, {headers: {cookie: `cardctl_${port}=guess`}})).toMatchObject({status: 401})
    expect(await ask(path, {headers: {cookie: `other=1; ${cookie}`}})).toMatchObject({status: 200})
  }
})

test.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1.evil.example', 'localhost:1'])(
  'a name that only leads here is refused: %s',
  async host => {
    const {ask} = await site()
    const cookie = await session(ask)
    for (const path of ['/', '/_inspect/page.js', '/_inspect/stream']) {
      expect(await ask(path, {headers: {host, cookie}})).toMatchObject({status: 403})
    }
  },
)

test('every name of this machine is taken', async () => {
  const {ask, port} = await site()
  for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
    expect(await ask('/', {headers: {host: `${name}:${port}`}})).toMatchObject({status: 200})
  }
})

test('a post is refused unless the page itself sends it', async () => {
  const {ask, host} = await site()
  const cookie = await session(ask)
  const own = {
    cookie,
    origin: `http://${host}`,
    'content-type': 'application/json',
    'x-cardctl-inspect': '1',
    'sec-fetch-site': 'same-origin',
  }
  const post = (headers: Record<string, string>) =>
    ask('/_inspect/answer', {method: 'POST', headers, body: '{"event":"e_1","choice":{"approve":true}}'})
  expect(await post(own)).toMatchObject({status: 200})
  for (const other of [
    {origin: 'http://evil.example'},
    {origin: 'null'},
    {origin: 'http://127.0.0.1:1'},
    {'content-type': 'text/plain'},
    {'x-cardctl-inspect': ''},
    {'sec-fetch-site': 'cross-site'},
    {'sec-fetch-site': 'same-site'},
  ]) {
    expect(await post({...own, ...other}), JSON.stringify(other)).toMatchObject({status: 403})
  }
  const {origin: _, ...without} = own
  expect(await post(without)).toMatchObject({status: 403})
  expect(await post({...own, cookie: ''})).toMatchObject({status: 401})
  expect(await ask('/_inspect/answer', {headers: own})).toMatchObject({status: 405})
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
    cookie: await session(ask),
    origin: `http://${host}`,
    'content-type': 'application/json',
    'x-cardctl-inspect': '1',
  }
  for (const path of ['/_inspect/answer', '/_inspect/send']) {
    expect(await ask(path, {method: 'POST', headers, body})).toMatchObject({status: 409})
  }
})

test('every answer forbids what the page does not need', async () => {
  const {ask} = await site()
  for (const path of [
    '/',
    '/_inspect/page.js',
    '/_inspect/page.css',
    '/_inspect/icon.svg',
    '/_inspect/stream',
  ]) {
    const {headers} = await ask(path)
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
    '/_inspect/',
    '/_inspect/auth',
    '/_inspect/page.js/',
    '/favicon.ico',
    '//',
  ]) {
    expect(await ask(path)).toMatchObject({status: 404, body: ''})
  }
})
