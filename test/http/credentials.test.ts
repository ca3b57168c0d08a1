import {afterEach, describe, expect, it} from 'vitest'
import type {Auth, Target} from '../../src/profiles/target.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {json, Listening} from './listening.ts'
import {failureOf, kinds, type OpenSender, openSender, type Still, still, target} from './surround.ts'

const servers = new Listening()
let sender: OpenSender | undefined

afterEach(async () => {
  await sender?.close()
  await servers.close()
})

const secret = (value: string) => async () => new Secret(value)
const input = {path: {id: '1'}, query: {}}

describe('a fixed credential', () => {
  async function seen(auth: Auth, more: Partial<Target> = {}) {
    const headers: Record<string, unknown>[] = []
    const port = await servers.http((request, response) => {
      headers.push(request.headers)
      json(response, {})
    })
    const open = openSender(target(`http://127.0.0.1:${port}`, {auth, ...more}), still())
    sender = open
    return {headers, sent: open.send({operation: kinds.read, input})}
  }

  it.each([
    [{type: 'none'}, 'authorization', undefined],
    [
      {type: 'basic', user: 'äino', password: secret('p:w')},
      'authorization',
      `Basic ${Buffer.from('äino:p:w').toString('base64')}`,
    ],
    [{type: 'bearer', token: secret('t0k')}, 'authorization', 'Bearer t0k'],
    [{type: 'header', name: 'X-Api-Key', value: secret('k3y')}, 'x-api-key', 'k3y'],
  ] as const)('%j', async (auth, name, value) => {
    const {headers, sent} = await seen(auth)
    await sent
    expect(headers[0]?.[name]).toBe(value)
  })

  it('goes to the hosts of the profile only', async () => {
    const auth = {type: 'bearer' as const, token: () => Promise.reject(new Error('must not be read'))}
    const {headers, sent} = await seen(auth, {hosts: ['api.example']})
    expect(await failureOf(sent)).toMatchObject({code: 'PROFILE_INVALID', details: {effect: 'none'}})
    expect(headers).toHaveLength(0)
  })

  it.each(['a\r\nx-evil: 1', '', 'käy \u20ac', ' padded', 'line\n'])(
    '%j cannot stand in a header, and is not quoted',
    async value => {
      const {headers, sent} = await seen({type: 'bearer', token: secret(value)})
      const failure = await failureOf(sent)
      expect(failure.code).toBe('SECRET_MISSING')
      expect(failure.message).not.toContain('evil')
      expect(headers).toHaveLength(0)
    },
  )

  it.each(['host', 'Content-Length', 'x y', 'x:', '', 'X-Idempotency-Key'])(
    'cannot go into the header %j',
    name => {
      const open = () =>
        openSender(target('https://api.example', {auth: {type: 'header', name, value: secret('v')}}), still())
      expect(open).toThrow(expect.objectContaining({code: 'PROFILE_INVALID'}))
    },
  )

  it('is not followed to another host', async () => {
    const leaks: unknown[] = []
    const thief = await servers.http((request, response) => {
      leaks.push(request.headers.authorization)
      json(response, {})
    })
    const port = await servers.http((_request, response) => {
      response.writeHead(307, {location: `http://127.0.0.1:${thief}/`}).end()
    })
    sender = openSender(
      target(`http://127.0.0.1:${port}`, {auth: {type: 'bearer', token: secret('t0k')}}),
      still(),
    )
    const failure = await failureOf(sender.send({operation: kinds.unkeyed, input}))
    expect(failure).toMatchObject({code: 'SERVICE_FAULT', details: {status: 307, effect: 'none'}})
    expect(failure.message).toContain(`127.0.0.1:${thief}`)
    expect(leaks).toEqual([])
  })
})

interface TokenReply {
  status?: number
  body: unknown
  headers?: Record<string, string>
}

describe('OAuth 2.0 client credentials', () => {
  /** A token endpoint that numbers its tokens, and a service that accepts the given ones. */
  async function setUp(
    options: {
      accepts?: (token: string) => boolean
      token?: (count: number) => TokenReply
      page?: string
    } = {},
  ) {
    const tokens: {authorization: string | undefined; body: string; path: string | undefined}[] = []
    const calls: string[] = []
    const accepts = options.accepts ?? (() => true)
    const numbered = (count: number): TokenReply => ({
      body: {access_token: `t${count}`, token_type: 'bearer', expires_in: 3600},
    })
    const answer = options.token ?? numbered
    const port = await servers.http((request, response, body) => {
      if (request.url?.startsWith('/oauth')) {
        tokens.push({authorization: request.headers.authorization, body, path: request.url})
        const {status = 200, body: reply, headers = {}} = answer(tokens.length)
        response
          .writeHead(status, {'content-type': 'application/json', ...headers})
          .end(typeof reply === 'string' ? reply : JSON.stringify(reply))
        return
      }
      const token = request.headers.authorization ?? ''
      calls.push(token)
      if (accepts(token.replace('Bearer ', ''))) json(response, {})
      else response.writeHead(401).end(options.page)
    })
    const base = `http://127.0.0.1:${port}`
    const surroundings: Still = still()
    const auth = {
      type: 'oauth2' as const,
      tokenUrl: `${base}/oauth/token/?p=x`,
      clientId: 'id with:colon',
      clientSecret: secret('s3cr€t+'),
      scope: 'cards accounts',
    }
    const open = openSender(target(base, {auth}), surroundings)
    sender = open
    return {
      tokens,
      calls,
      surroundings,
      send: (kind: keyof typeof kinds = 'read', limits: {retries?: number; timeoutMs?: number} = {}) =>
        open.send({operation: kinds[kind], input, ...limits}),
    }
  }

  it('asks with Basic, form-encoded, and the scope', async () => {
    const {tokens, calls, send} = await setUp()
    await send()
    const credentials = Buffer.from('id+with%3Acolon:s3cr%E2%82%ACt%2B').toString('base64')
    expect(tokens).toEqual([
      {
        authorization: `Basic ${credentials}`,
        body: 'grant_type=client_credentials&scope=cards+accounts',
        path: '/oauth/token/?p=x',
      },
    ])
    expect(calls).toEqual(['Bearer t1'])
  })

  it.each([-1, -10])('fetches another one if the clock was set back by %s years', async years => {
    const {tokens, surroundings, send} = await setUp()
    await send()
    await surroundings.sleep(years * 31_536_000_000)
    await send()
    expect(tokens).toHaveLength(2)
  })

  it('keeps the token until shortly before it ends', async () => {
    const {tokens, surroundings, send} = await setUp()
    await send()
    await surroundings.sleep(3_569_000)
    await send()
    expect(tokens).toHaveLength(1)
    await surroundings.sleep(1_000)
    await send()
    expect(tokens).toHaveLength(2)
  })

  it('fetches once for all callers that wait', async () => {
    const {tokens, send} = await setUp()
    await Promise.all(Array.from({length: 20}, () => send()))
    expect(tokens).toHaveLength(1)
  })

  it.each(['read', 'disclose', 'keyed', 'unkeyed', 'destroy'] as const)(
    'takes a new token once after a 401, for %s',
    async kind => {
      const {tokens, calls, send} = await setUp({accepts: token => token !== 't1'})
      expect(await send(kind)).toMatchObject({status: 200, attempts: 2})
      expect(calls).toEqual(['Bearer t1', 'Bearer t2'])
      expect(tokens).toHaveLength(2)
    },
  )

  it('fetches a new token for the next request only, after a page with 401 to a write without a key', async () => {
    const {tokens, calls, send} = await setUp({accepts: token => token !== 't1', page: '<html>Log in</html>'})
    expect(await failureOf(send('unkeyed'))).toMatchObject({
      code: 'UNAUTHENTICATED',
      details: {effect: 'none'},
    })
    expect(await send('unkeyed')).toMatchObject({status: 200, attempts: 1})
    expect(calls).toEqual(['Bearer t1', 'Bearer t2'])
    expect(tokens).toHaveLength(2)
  })

  it('gives up after the second 401', async () => {
    const {calls, send} = await setUp({accepts: () => false})
    expect(await failureOf(send())).toMatchObject({code: 'UNAUTHENTICATED', exit: 4, details: {status: 401}})
    expect(calls).toEqual(['Bearer t1', 'Bearer t2'])
  })

  it('a refused token is replaced once, however many requests used it', async () => {
    const {tokens, send} = await setUp({accepts: token => token !== 't1'})
    await Promise.all(Array.from({length: 10}, () => send()))
    expect(tokens).toHaveLength(2)
  })

  it.each([
    [
      'an OAuth error',
      {status: 400, body: {error: 'invalid_client', error_description: 'Unknown client'}},
      'invalid_client: Unknown client',
    ],
    ['401 without a body', {status: 401, body: ''}, '(401)'],
    ['another type', {status: 200, body: {access_token: 'a', token_type: 'mac'}}, 'not of type Bearer'],
  ])('%s is a failed authentication, and nothing was sent', async (_what, reply, words) => {
    const {calls, send} = await setUp({token: () => reply})
    const failure = await failureOf(send('unkeyed'))
    expect(failure).toMatchObject({code: 'UNAUTHENTICATED', exit: 4, details: {effect: 'none'}})
    expect(failure.message).toContain(words)
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('s3cr')
    expect(calls).toEqual([])
  })

  it.each([
    ['a redirect', {status: 302, body: '', headers: {location: 'https://login.example/x'}}, 'login.example'],
    [
      'a login page',
      {status: 200, body: '<html>Log in</html>', headers: {'content-type': 'text/html'}},
      'is a web page',
    ],
    ['no token', {status: 200, body: {token: 'x'}}, 'no usable access token'],
    ['a token that no header takes', {status: 200, body: {access_token: 'a\r\nb'}}, 'no usable access token'],
  ])('%s is a fault of the endpoint, and not of the credential', async (_what, reply, words) => {
    const {calls, send} = await setUp({token: () => reply})
    const failure = await failureOf(send('unkeyed'))
    expect(failure).toMatchObject({
      code: 'CONNECTION_FAILED',
      exit: 9,
      details: {effect: 'none', blame: 'token endpoint'},
    })
    expect(failure.message).toContain(words)
    expect(failure.message).toContain('Nothing reached the service.')
    expect(calls).toEqual([])
  })

  it('a fault of the endpoint is retried, then reported', async () => {
    const first = await setUp({
      token: count => (count === 1 ? {status: 503, body: ''} : {body: {access_token: 'late'}}),
    })
    await first.send()
    expect(first.calls).toEqual(['Bearer late'])
    const second = await setUp({token: () => ({status: 500, body: ''})})
    // The service was not asked, so it has not failed.
    expect(await failureOf(second.send('unkeyed'))).toMatchObject({
      code: 'CONNECTION_FAILED',
      exit: 9,
      details: {effect: 'none', blame: 'token endpoint', status: 500},
    })
    // As a read: once and 4 retries.
    expect(second.tokens).toHaveLength(5)
  })

  it.each([0, 1, 6])('is asked again %i times with retries of that number', async retries => {
    const {tokens, send} = await setUp({token: () => ({status: 503, body: ''})})
    expect(await failureOf(send('unkeyed', {retries}))).toMatchObject({code: 'CONNECTION_FAILED'})
    expect(tokens).toHaveLength(retries + 1)
  })

  it('waits as long as the endpoint asks, but not past the time limit', async () => {
    const limited = (count: number): TokenReply =>
      count === 1
        ? {status: 429, body: '', headers: {'retry-after': '20'}}
        : {body: {access_token: `t${count}`}}
    const patient = await setUp({token: limited})
    await patient.send('unkeyed', {timeoutMs: 60_000})
    expect(patient.calls).toEqual(['Bearer t2'])
    const hurried = await setUp({token: limited})
    expect(await failureOf(hurried.send('unkeyed', {timeoutMs: 10_000}))).toMatchObject({
      code: 'RATE_LIMITED',
      details: {effect: 'none', retryAfter: 20},
    })
    expect(hurried.tokens).toHaveLength(1)
  })

  it('is not asked again where the refusal says that it would be the same', async () => {
    const {tokens, send} = await setUp({token: () => ({status: 501, body: ''})})
    expect(await failureOf(send())).toMatchObject({code: 'CONNECTION_FAILED'})
    expect(tokens).toHaveLength(1)
  })

  it('an endpoint that cannot be reached had no effect', async () => {
    const gone = await servers.http(() => {})
    await servers.close()
    const auth = {
      type: 'oauth2' as const,
      tokenUrl: `http://127.0.0.1:${gone}/t`,
      clientId: 'a',
      clientSecret: secret('b'),
    }
    sender = openSender(target('http://127.0.0.1:1', {auth}), still())
    const failure = await failureOf(sender.send({operation: kinds.unkeyed, input}))
    expect(failure).toMatchObject({code: 'CONNECTION_FAILED', details: {effect: 'none'}})
    expect(failure.message).toContain('token endpoint')
  })

  it('never shows token or secret in debug lines', async () => {
    const {surroundings, send} = await setUp({accepts: token => token !== 't1'})
    await send()
    const text = surroundings.lines.join('\n')
    expect(text).toContain('authorization: [masked]')
    expect(text).not.toMatch(/Bearer t|s3cr|Basic aW/)
  })

  it('is not asked over http: on another host', () => {
    const auth = {
      type: 'oauth2' as const,
      tokenUrl: 'http://login.example/t',
      clientId: 'a',
      clientSecret: secret('b'),
    }
    expect(() => openSender(target('https://api.example', {auth}), still())).toThrow(
      expect.objectContaining({code: 'PROFILE_INVALID'}),
    )
  })
})
