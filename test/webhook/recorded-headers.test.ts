// The headers of calls and answers in the recording: all that came, and nothing that is secret.
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {SIGNATURE_DEFAULTS} from '../../src/network/signature-defaults.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {forwardTo} from '../../src/webhook/index.ts'
import {signCall} from '../../src/webhook/public/index.ts'
import {headerMasker} from '../../src/webhook/recorded-headers.ts'
import {callOf} from './calls.ts'
import {endpoint, listener} from './listener.ts'

const call = JSON.stringify(callOf('chip', 'a'))

describe('a recorded call', () => {
  test('has its headers, and those of its answer', async () => {
    const {post, exchanges} = await listener()
    await post('/auth', call, {'x-request-id': 'r-1', traceparent: '00-1-2-01'})
    expect(exchanges[0]?.request.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(call.length),
      'x-request-id': 'r-1',
      traceparent: '00-1-2-01',
    })
    expect(exchanges[0]?.reply?.headers).toEqual({'content-type': 'application/json'})
  })

  test('has the headers that an answer was sent with', async () => {
    const auth = {type: 'bearer', token: new Secret('sesame-1234')} as const
    const {post, exchanges} = await listener({credentials: {auth}})
    const answers = [await post('/auth', call), await post('/elsewhere', call, bearer('sesame-1234'))]
    for (const [index, {headers}] of answers.entries()) {
      const recorded = Object.entries(exchanges[index]?.reply?.headers ?? {})
      expect(recorded.length).toBeGreaterThan(0)
      for (const [name, value] of recorded) expect(headers.get(name)).toBe(value)
    }
    expect(exchanges[0]?.reply?.headers).toHaveProperty('www-authenticate')
  })

  test('has no credential, cookie, signature or card number, whatever became of the call', async () => {
    const auth = {type: 'header', name: 'X-Partner', value: new Secret('partner-secret')} as const
    const signature = {...SIGNATURE_DEFAULTS, header: 'X-Proof', keys: [new Secret('the key')]}
    const {post, exchanges} = await listener({credentials: {auth, signature}})
    const signed = signCall(call, {keys: 'the key', header: 'X-Proof', now: Date.UTC(2026, 5, 15, 12)})
    const secret = {
      ...signed,
      'x-partner': 'partner-secret',
      'x-copy': 'again partner-secret',
      authorization: 'Basic dXNlcjpwYXNzd29yZA==',
      cookie: 'session=abcdef',
      'x-api-key': 'k-987',
      'x-note': 'card 4111111111111111',
      'x-4111111111111111': 'a name',
      referer: 'https://user:hunter2@host.example/?token=t-1',
    }
    await post('/auth', call, secret)
    await post('/auth', 'no JSON', secret)
    await post('/nowhere', call, secret)
    await post('/auth', call, {...secret, 'x-partner': 'wrong-secret'})
    expect(exchanges.map(({event}) => event.type)).toEqual(['auth', 'rejected', 'rejected', 'rejected'])
    const text = JSON.stringify(exchanges)
    for (const raw of [
      ...Object.values(signCall(call, {keys: 'the key', header: 'X-Proof', now: 1})).filter(
        value => value.length > 20,
      ),
      signed['x-proof'],
      'partner-secret',
      'wrong-secret',
      'dXNlcjpwYXNzd29yZA',
      'abcdef',
      'k-987',
      '41111111111',
      'hunter2',
      't-1',
    ]) {
      expect(text).not.toContain(raw)
    }
    for (const {request} of exchanges) {
      expect(request.headers).toMatchObject({
        'x-partner': '[masked]',
        'x-proof': '[masked]',
        'x-copy': '[masked]',
      })
    }
  })

  test('has the headers of the endpoint that it was forwarded to', async () => {
    const address = await endpoint((_, response) => {
      response
        .writeHead(500, {'x-request-id': 'r-7', 'x-node': 'host-7', 'set-cookie': ['a=1', 'b=2']})
        .end('{}')
    })
    const {post, exchanges} = await listener({decider: forwardTo(new URL(address))})
    await post('/auth', call)
    expect(exchanges[0]?.steps[0]?.headers).toMatchObject({
      'x-request-id': 'r-7',
      'x-node': '[masked]',
      'set-cookie': '[masked]',
    })
  })
})

const bearer = (token: string) => ({authorization: `Bearer ${token}`})

test('no header of any name shows the credential of the callers', () => {
  const secret = 'correct-horse-battery'
  const mask = headerMasker({auth: {type: 'bearer', token: new Secret(secret)}})
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (name, before, after) => {
      expect(JSON.stringify(mask({[name]: [before, before + secret + after]}))).not.toContain(secret)
    }),
  )
})

test.each(
  `x-bearer x-basic x-oauth x-oauth2 x-assertion saml saml-response x-saml x-hmac x-digest digest x-mac x-otp x-totp x-pin
  x-pass x-pwd x-psk x-shared x-sig x-sign sig x-key key apikey x-apikey x-app-key x-app-id x-user x-login x-account
  x-client-id x-client x-cert x-client-cert x-forwarded-client-cert ssl-client-cert x-ticket kerberos x-nonce x-proof
  x-identity x-principal x-sso x-ssn x-csrf x-xsrf x-access x-grant x-license x-hub x-gateway from baggage dpop
  x-request-identity x-trace`
    .split(/\s+/)
    .map(name => [name]),
)('%s keeps no value, because it may be a credential', name => {
  expect(headerMasker({})({[name]: 'sesame-1234'})).toEqual({[name]: '[masked]'})
})

test('no header of an unknown name keeps its value', () => {
  const known = ['accept', 'content-type', 'x-request-id', 'user-agent']
  const mask = headerMasker({})
  fc.assert(
    fc.property(fc.stringMatching(/^(?:x-)?[a-z]{2,9}(?:-[a-z]{2,9})?$/), name => {
      fc.pre(!/(?:trace|request|correlation|span)-id$|^x?-?rate/.test(name))
      const [shown = ''] = Object.values(mask({[name]: 'sesame-1234'}))
      return shown === '[masked]' || HTTP.has(name)
    }),
  )
  expect(mask(Object.fromEntries(known.map(name => [name, 'v'])))).toEqual(
    Object.fromEntries(known.map(name => [name, 'v'])),
  )
})

/** What the property may come upon. */
const HTTP = new Set(
  `accept age allow connection date dnt etag expect expires forwarded host link location origin pragma priority range
  referer server te trailer upgrade vary via warning newrelic ratelimit x-cache x-timer x-runtime x-scheme`.split(
    /\s+/,
  ),
)
