import {once} from 'node:events'
import type {RequestListener} from 'node:http'
import {connect} from 'node:net'
import {expect, test} from 'vitest'
import {Secret} from '../../src/sensitive/secret.ts'
import {type Decider, declineAll, forwardTo, parseAddress} from '../../src/webhook/index.ts'
import {callOf} from './calls.ts'
import {endpoint, listener} from './listener.ts'

const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)

const approved = {transactionData: {authResponseCode: {code: '00'}}}

test('a call is answered and reported, and so is a warm-up', async () => {
  const {post, events} = await listener({pathPrefix: '/hooks'})
  expect(await post('/warm-up', {type: 'WARM_UP', timestamp: '2026-06-15T12:00:00Z'})).toMatchObject({
    status: 200,
  })
  expect(await post('/auth', callOf('contactless', 'a'))).toMatchObject({status: 200, body: approved})
  expect(events).toMatchObject([
    {type: 'warm-up'},
    {type: 'auth', id: 'a', merchant: 'Kahvila Aino', amount: 100, currency: 'EUR', outcome: 'approved'},
  ])
})

test('unknown fields and enum values are accepted, card numbers in text are masked', async () => {
  const {post, events} = await listener()
  const call = callOf('contactless', 'a', {
    transactionType: 'TELEPATHY',
    cardEntryMode: 'MIND',
    later: {x: 1},
  })
  call.merchantData.name = 'Shop 4111111111111111'
  expect((await post('/auth', {...call, more: []})).status).toBe(200)
  expect(events).toMatchObject([{transactionType: 'TELEPATHY', merchant: 'Shop 411111••••••1111'}])
})

test('the same id gets the same answer, though the rule would say otherwise by now', async () => {
  let asked = 0
  const decider: Decider = {
    decide: request => declineAll(asked++ === 0 ? '51' : '05').decide(request),
  }
  const {post, events} = await listener({decider})
  const answers = await Promise.all(['a', 'a', 'b'].map(id => post('/auth', callOf('chip', id))))
  const codes = answers.map(({body}) => (body as typeof approved).transactionData.authResponseCode.code)
  expect(codes[0]).toBe(codes[1])
  expect(asked).toBe(2)
  expect(events.filter(event => event.type === 'auth' && event.repeated)).toHaveLength(1)
})

test.each([
  ['takes it', 200, 200],
  ['has no such path', 404, 502],
  ['moves it', 302, 502],
])('a warm-up is passed on; the endpoint %s', async (_, status, expected) => {
  const address = await endpoint((_request, response) => response.writeHead(status).end())
  const {post, exchanges} = await listener({decider: forwardTo(new URL(address))})
  const warmUp = {type: 'WARM_UP', timestamp: '2026-06-15T12:00:00Z'}
  expect((await post('/warm-up', warmUp)).status).toBe(expected)
  expect(exchanges).toMatchObject([
    {
      event:
        expected === 200
          ? {type: 'warm-up'}
          : {type: 'rejected', reason: `the endpoint answered the warm-up with status ${status}`},
      steps: [{by: 'forward', said: expect.stringContaining(`status ${status}`)}],
    },
  ])
})

test('reports a warm-up without an answer in time, and one that reaches no endpoint', async () => {
  const warmUp = {type: 'WARM_UP', timestamp: '2026-06-15T12:00:00Z'}
  const silent = await endpoint(() => undefined)
  const slow = await listener({decider: forwardTo(new URL(silent)), deadlineMs: 100})
  expect((await slow.post('/warm-up', warmUp)).status).toBe(503)
  const none = await listener({decider: forwardTo(new URL('http://127.0.0.1:1'))})
  expect(await none.post('/warm-up', warmUp)).toMatchObject({
    status: 502,
    body: {detail: expect.stringContaining("can't be reached")},
  })
})

test.each([
  ['no JSON', '/auth', '{"metadata":', 400],
  ['no object', '/auth', [callOf('chip', 'a')], 400],
  ['nothing', '/auth', '', 400],
  ['a web page', '/auth', '<html><body>Sign in</body></html>', 400],
  ['too large', '/auth', `"${'x'.repeat(64 * 1024)}"`, 413],
  ['elsewhere', '/other', {}, 404],
  ['nested too deep', '/auth', {...callOf('chip', 'a'), x: nested(100)}, 400],
  [
    'nested too deep where the contract has a list',
    '/auth',
    callOf('chip', 'a', {transactionFees: [nested(100)]}),
    400,
  ],
  [
    'nested too deep in lists',
    '/auth',
    `{"transactionData":{"transactionFees":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`,
    400,
  ],
  ['nested as deep as can be', '/auth', `{"x":${'['.repeat(32_000)}${']'.repeat(32_000)}}`, 400],
  ['a warm-up of another kind', '/warm-up', [], 400],
])('%s is refused as a problem, and told', async (_, path, body, status) => {
  const {post, events} = await listener()
  const answer = await post(path, body)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer).toMatchObject({
    status,
    body: {status, title: expect.any(String), detail: expect.any(String)},
  })
  expect(events).toMatchObject([{type: 'rejected', status}])
})

test('a body that does not come in time is refused, and others are answered meanwhile', async () => {
  const {url, post, events} = await listener()
  const slow = connect(Number(new URL(url).port), '127.0.0.1')
  const answer = once(slow, 'data')
  slow.write('POST /auth HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{')
  expect((await post('/auth', callOf('chip', 'a'))).status).toBe(200)
  expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 408 /)
  expect(events.map(({type}) => type)).toEqual(['auth', 'rejected'])
  slow.destroy()
})

test('credentials are required if they are set', async () => {
  const auth = {type: 'basic', user: 'service', password: new Secret('open:sesame')} as const
  const {post} = await listener({credentials: {auth}})
  const header = (text: string) => ({authorization: `Basic ${Buffer.from(text).toString('base64')}`})
  expect((await post('/auth', callOf('chip', 'a'))).status).toBe(401)
  expect((await post('/auth', callOf('chip', 'a'), header('service:wrong'))).status).toBe(401)
  expect((await post('/auth', callOf('chip', 'a'), header('service:open:sesame'))).status).toBe(200)
})

test('an endpoint decides, and gets the bytes that came', async () => {
  const seen: string[] = []
  const address = await endpoint(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    seen.push(`${request.url} ${text}`)
    response.end('{"transactionData":{"authResponseCode":{"code":"DO_NOT_HONOR"}},"note":1}')
  })
  const {post, events} = await listener({decider: forwardTo(new URL(`${address}/mine/`))})
  const call = `${JSON.stringify(callOf('chip', 'a'))}\n`
  const answer = await post('/auth', call)
  expect(answer.body).toEqual({transactionData: {authResponseCode: {code: 'DO_NOT_HONOR'}}, note: 1})
  expect(seen).toEqual([`/mine/auth ${call}`])
  expect(events).toMatchObject([{outcome: 'declined', code: 'DO_NOT_HONOR', by: 'forward'}])
})

const partial = (amount: number, currency = 'EUR') =>
  JSON.stringify({
    transactionData: {authResponseCode: {code: '10'}, partialApprovalAmount: {amount, currency}},
  })

test.each([
  ['a part', 'fuel', 200, partial(99.99), 200],
  ['a part to a merchant who cannot take it', 'chip', 200, partial(50), 502],
  ['nothing', 'fuel', 200, partial(0), 502],
  ['the whole', 'fuel', 200, partial(100), 502],
  ['too many decimals', 'fuel', 200, partial(1.001), 502],
  ['another currency', 'fuel', 200, partial(50, 'NOK'), 502],
  ['no code', 'chip', 200, '{"transactionData":{}}', 502],
  ['no JSON', 'chip', 200, 'ok', 502],
  ['a fault', 'chip', 500, JSON.stringify(approved), 502],
] as const)('an endpoint that answers %s', async (_, scenario, status, text, expected) => {
  const address = await endpoint((_request, response) => response.writeHead(status).end(text))
  const {post, events} = await listener({decider: forwardTo(new URL(address))})
  expect((await post('/auth', callOf(scenario, 'a'))).status).toBe(expected)
  const part = {amount: 99.99, currency: 'EUR'}
  expect(events).toMatchObject([
    expected === 200 ? {type: 'auth', outcome: 'partial', part} : {type: 'rejected', id: 'a'},
  ])
})

test.each<[string, RequestListener, RegExp]>([
  ['too much', (_, response) => response.end(' '.repeat(64 * 1024 + 1)), /more than 65536 bytes/],
  [
    'half',
    (_, response) => response.writeHead(200, {'content-length': '9'}).write('{', () => response.destroy()),
    /closed before the end/,
  ],
])('what an endpoint that answers %s did is told', async (_, answer, said) => {
  const {post, events} = await listener({decider: forwardTo(new URL(await endpoint(answer)))})
  const {status, body} = await post('/auth', callOf('chip', 'a'))
  expect({status, body}).toMatchObject({status: 502, body: {detail: expect.stringMatching(said)}})
  expect(events).toMatchObject([{type: 'rejected', id: 'a', reason: expect.stringMatching(said)}])
})

test('the answer of the endpoint stays with the call, masked', async () => {
  const answers = [
    '{"transactionData":{"authResponseCode":{"code":"00"}},"pan":"4111111111111111","pin":"1234"}',
    'no JSON 4111111111111111',
    '',
    JSON.stringify({note: 'x'.repeat(5000)}),
  ]
  const address = await endpoint((_request, response) => {
    response.setHeader('set-cookie', 'id=1234')
    response.setHeader('x-node', 'host-7')
    response.end(answers.shift())
  })
  const {post, exchanges} = await listener({decider: forwardTo(new URL(address))})
  for (const id of ['a', 'b', 'c', 'd']) await post('/auth', callOf('chip', id))
  const headers = expect.objectContaining({'set-cookie': '[masked]', 'x-node': '[masked]'})
  expect(exchanges.map(({steps}) => steps)).toEqual([
    [{by: 'forward', headers, said: expect.stringMatching(/^status 200, \{"transactionData":.*"code":"00"/)}],
    [{by: 'forward', headers, said: expect.stringMatching(/^status 200, no JSON /)}],
    [{by: 'forward', headers, said: 'status 200, no body'}],
    [{by: 'forward', headers, said: expect.stringMatching(/^status 200, \{"note":"x{400}.*…$/)}],
  ])
  expect(JSON.stringify(exchanges)).not.toMatch(/411111111|1234/)
})

test('reports an endpoint that does not listen', async () => {
  const {post, events} = await listener({decider: forwardTo(new URL('http://127.0.0.1:1'))})
  expect((await post('/auth', callOf('chip', 'a'))).status).toBe(502)
  expect(events).toMatchObject([{reason: "the endpoint can't be reached (ECONNREFUSED)"}])
})

test('no decision in time is late, and the next call of that id is decided again', async () => {
  let calls = 0
  const address = await endpoint((_request, response) => {
    if (calls++ > 0) response.end(JSON.stringify(approved))
  })
  const {post, events} = await listener({decider: forwardTo(new URL(address)), deadlineMs: 500})
  expect((await post('/auth', callOf('chip', 'a'))).status).toBe(503)
  expect((await post('/auth', callOf('chip', 'a'))).status).toBe(200)
  expect(events.map(({type}) => type)).toEqual(['late', 'auth'])
})

test('addresses that cannot be forwarded to are refused', () => {
  for (const address of ['', 'localhost:3000', 'ftp://x', 'http://x/?a=1']) {
    expect(() => parseAddress(address, '--forward-to')).toThrow(expect.objectContaining({code: 'USAGE'}))
  }
  expect(() => parseAddress('http://a:b@x/', '--forward-to')).toThrow(
    expect.objectContaining({code: 'SENSITIVE_IN_ARGV'}),
  )
})

test('a status without a body is sent without one', async () => {
  const answer = {kind: 'raw', status: 204, body: '{}'} as const
  const {url} = await listener({decider: {decide: () => ({answer, by: 'rules'})}})
  const body = JSON.stringify(callOf('chip', 'a'))
  const headers = {'content-type': 'application/json'}
  const response = await fetch(`${url}/auth`, {method: 'POST', body, headers})
  expect([response.status, response.headers.get('content-length')]).toEqual([204, null])
})

test.each([
  [4.2, 0, 'payment'],
  [0, 4.2, 'payment'],
  [0, 0, 'verification'],
  [0, undefined, 'verification'],
])('%d asked and %d billed is a %s', async (asked, billed, kind) => {
  const {post, events} = await listener()
  const amountOf = (amount: number | undefined) =>
    amount === undefined ? undefined : {amount, currency: 'EUR'}
  const amounts = {transactionAmount: amountOf(asked), billingAmount: amountOf(billed)}
  await post('/auth', callOf('chip', 'a', amounts))
  expect(events).toMatchObject([{kind}])
})
