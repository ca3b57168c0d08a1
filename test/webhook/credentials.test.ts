import type {IncomingHttpHeaders} from 'node:http'
import {describe, expect, onTestFinished, test} from 'vitest'
import type {CallCredentials} from '../../src/network/call-credentials.ts'
import {SIGNATURE_DEFAULTS} from '../../src/network/signature-defaults.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {forwardTo, openCaller} from '../../src/webhook/index.ts'
import {checkSignature, signCall} from '../../src/webhook/public/index.ts'
import {callOf} from './calls.ts'
import {endpoint, listener} from './listener.ts'

const NOW = Date.UTC(2026, 5, 15, 12)
const signature = {...SIGNATURE_DEFAULTS, keys: [new Secret('new key'), new Secret('old key')]}
const call = JSON.stringify(callOf('chip', 'a'))

describe('a listener that wants signed calls', () => {
  const answered = async (headers: Record<string, string>, text = call) => {
    const {post, events} = await listener({credentials: {signature}})
    const {status} = await post('/auth', text, headers)
    return [status, ...events.map(event => (event.type === 'rejected' ? event.reason : event.type))]
  }

  test('takes those by each of its keys', async () => {
    expect(await answered(signCall(call, {keys: 'new key', now: NOW}))).toEqual([200, 'auth'])
    expect(await answered(signCall(call, {keys: 'old key', now: NOW}))).toEqual([200, 'auth'])
  })

  test.each([
    ['missing', {}, 'the signature is missing (header x-signature)'],
    [
      'wrong',
      signCall(call, {keys: 'another key', now: NOW}),
      'the signature is wrong: another key, or another body or time',
    ],
    [
      'too old',
      signCall(call, {keys: 'new key', now: NOW - 301_000}),
      'the signature is too old: 301 s, more than the tolerance of 300 s',
    ],
    [
      'from the future',
      signCall(call, {keys: 'new key', now: NOW + 301_000}),
      'the signature is from the future: 301 s, more than the tolerance of 300 s',
    ],
  ])('refuses others: %s', async (_, headers, reason) => {
    expect(await answered(headers)).toEqual([401, reason])
  })

  test('compares bytes, before anything is parsed', async () => {
    const spaced = call.replaceAll(':', ': ')
    expect(await answered(signCall(spaced, {keys: 'new key', now: NOW}), spaced)).toEqual([200, 'auth'])
    const [status] = await answered(signCall(call, {keys: 'new key', now: NOW}), spaced)
    expect(status).toBe(401)
    expect(await answered({}, 'no JSON')).toEqual([401, 'the signature is missing (header x-signature)'])
  })

  test('neither records nor repeats a signature', async () => {
    const {post, exchanges} = await listener({credentials: {signature}})
    const headers = signCall(call, {keys: 'new key', now: NOW})
    await post('/auth', call, headers)
    await post('/auth', call, signCall(call, {keys: 'another key', now: NOW}))
    expect(exchanges).toHaveLength(2)
    expect(JSON.stringify(exchanges)).not.toContain(headers['x-signature'])
    expect(JSON.stringify(exchanges)).not.toContain('new key')
  })
})

test('a credential in a header of any name is required', async () => {
  const auth = {type: 'header', name: 'X-Api-Key', value: new Secret('sesame')} as const
  const {post, events} = await listener({credentials: {auth}})
  expect((await post('/auth', call)).status).toBe(401)
  expect((await post('/auth', call, {'x-api-key': 'other'})).status).toBe(401)
  expect((await post('/auth', call, {'x-api-key': 'sesame'})).status).toBe(200)
  expect(events.map(event => (event.type === 'rejected' ? event.reason : event.type))).toEqual([
    'the credentials are missing (header x-api-key)',
    'the credentials are wrong (header x-api-key)',
    'auth',
  ])
})

test.each([
  ['basic', {auth: {type: 'basic', user: 'service', password: new Secret('open: sesame')}}],
  ['bearer', {auth: {type: 'bearer', token: new Secret('t')}}],
  ['header', {auth: {type: 'header', name: 'x-key', value: new Secret('v with spaces')}}],
  ['signed', {signature}],
  ['basic and signed', {auth: {type: 'basic', user: 'u', password: new Secret('p')}, signature}],
] as const)(
  'calls that are sent are those that a listener takes: %s',
  async (_, credentials: CallCredentials) => {
    const {url, events} = await listener({credentials})
    const caller = openCaller({base: new URL(url), deadlineMs: 10_000, now: () => NOW, credentials})
    onTestFinished(() => caller.close())
    expect((await caller.warmUp()).outcome).toBe('ready')
    expect((await caller.authorise(callOf('chip', 'a'))).outcome).toBe('approved')
    expect(events.map(({type}) => type)).toEqual(['warm-up', 'auth'])
  },
)

/** An endpoint that approves and keeps what it got. */
async function keeping() {
  const got: {readonly headers: IncomingHttpHeaders; readonly body: string}[] = []
  const url = await endpoint(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    got.push({headers: request.headers, body})
    response.end('{"transactionData":{"authResponseCode":{"code":"00"}}}')
  })
  return {url: new URL(url), got}
}

describe('a forwarded call', () => {
  test('has the bytes and headers that came, so that its signature is valid there too', async () => {
    const {url, got} = await keeping()
    const {post} = await listener({credentials: {signature}, decider: forwardTo(url)})
    const text = `${call.replaceAll(',', ' , ')}\n`
    const headers = signCall(text, {keys: 'old key', now: NOW})
    const sent = {'x-trace': 'abc', te: 'trailers', connection: 'x-hop', 'x-hop': '1', ...headers}
    expect((await post('/auth', text, sent)).status).toBe(200)
    const [received] = got
    expect(received?.body).toBe(text)
    expect(received?.headers).toMatchObject({'x-trace': 'abc', ...headers})
    expect(received?.headers.te).toBeUndefined()
    expect(checkSignature(received ?? {headers: {}, body: ''}, {keys: 'old key', now: NOW})).toBeUndefined()
  })

  test('has its own credentials in place of those for the listener', async () => {
    const {url, got} = await keeping()
    const auth = {type: 'bearer', token: new Secret('for the listener')} as const
    const credentialsFor = () => ({'x-key': 'for the endpoint'})
    const decider = forwardTo(url, {withheld: ['authorization'], credentialsFor, headers: {'x-own': '1'}})
    const {post} = await listener({credentials: {auth}, decider})
    const headers = {authorization: 'Bearer for the listener', 'x-key': 'of the caller', 'x-own': '2'}
    expect((await post('/auth', call, headers)).status).toBe(200)
    expect(got[0]?.headers).toMatchObject({'x-key': 'for the endpoint', 'x-own': '1'})
    expect(got[0]?.headers.authorization).toBeUndefined()
  })

  test('is never answered with a compressed body', async () => {
    const {url, got} = await keeping()
    const {post} = await listener({decider: forwardTo(url)})
    await post('/auth', call, {'accept-encoding': 'gzip'})
    expect(got[0]?.headers['accept-encoding']).toBeUndefined()
  })
})

test('an endpoint of one’s own checks calls with the function that cardctl exports', () => {
  const signed = signCall(call, {keys: 'k', prefix: 'v1=', encoding: 'base64', now: NOW})
  const settings = {keys: ['other', 'k'], prefix: 'v1=', encoding: 'base64', now: NOW} as const
  expect(checkSignature({headers: new Headers(signed), body: call}, settings)).toBeUndefined()
  expect(checkSignature({headers: signed, body: Buffer.from(`${call} `)}, settings)?.kind).toBe('wrong')
  expect(() => checkSignature({headers: signed, body: call}, {keys: ''})).toThrow('keys must not be empty')
  expect(() => checkSignature({headers: {}, body: ''}, {keys: 'k', signed: 'x'})).toThrow('{body} once')
})
