import type {TLSSocket} from 'node:tls'
import {afterEach, describe, expect, it} from 'vitest'
import type {Surroundings} from '../../src/http/index.ts'
import type {Target} from '../../src/profiles/target.ts'
import {maskText} from '../../src/sensitive/mask-text.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {json, Listening, pem} from './listening.ts'
import {failureOf, kinds, type OpenSender, openSender, still, target} from './surround.ts'

const servers = new Listening()
let sender: OpenSender | undefined

afterEach(async () => {
  await sender?.close()
  await servers.close()
})

const key = (name: string) => async () => new Secret(pem(`${name}.key`))

function send(baseUrl: string, more: Partial<Target> = {}, surroundings: Partial<Surroundings> = {}) {
  sender = openSender(target(baseUrl, more), still(surroundings))
  return sender.send({operation: kinds.unkeyed, input: {path: {id: '1'}, query: {}}})
}

describe('TLS', () => {
  const calls: string[] = []
  const handle = (
    request: import('node:http').IncomingMessage,
    response: import('node:http').ServerResponse,
  ): void => {
    const subject = (request.socket as TLSSocket).getPeerCertificate?.()?.subject?.CN
    calls.push(String(subject ?? 'nobody'))
    json(response, {})
  }

  afterEach(() => {
    calls.length = 0
  })

  it('trusts the CA of the profile', async () => {
    const port = await servers.https(handle)
    expect(await send(`https://127.0.0.1:${port}`, {tls: {ca: pem('ca')}})).toMatchObject({status: 200})
  })

  it('trusts nobody else, at once and without an effect, whatever the environment says', async () => {
    const port = await servers.https(handle)
    const old = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const failure = await failureOf(send(`https://127.0.0.1:${port}`))
      expect(failure).toMatchObject({code: 'TLS_FAILED', exit: 9, details: {effect: 'none'}})
      expect(failure.message).toContain('unknown CA')
      expect(calls).toEqual([])
    } finally {
      if (old === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = old
    }
  })

  it('checks the host name', async () => {
    const proxy = await servers.proxy({'other.test:443': await servers.https(handle)})
    const env = {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`}
    const failure = await failureOf(send('https://other.test', {tls: {ca: pem('ca')}}, {env}))
    expect(failure).toMatchObject({code: 'TLS_FAILED', details: {effect: 'none'}})
    expect(failure.message).toContain('another host name, it has localhost, 127.0.0.1, service.test')
    expect(failure.hint).toContain('Another CA does not help.')
    expect(calls).toEqual([])
  })

  it('to a server without TLS has no effect', async () => {
    const port = await servers.http((_request, response) => json(response, {}))
    const failure = await failureOf(send(`https://127.0.0.1:${port}`))
    expect(failure).toMatchObject({code: 'TLS_FAILED', details: {effect: 'none'}})
  })

  const mutual = {ca: pem('ca'), requestCert: true}

  it('shows the certificate of the profile', async () => {
    const port = await servers.https(handle, {...mutual, rejectUnauthorized: true})
    const tls = {ca: pem('ca'), cert: pem('client'), key: key('client')}
    expect(await send(`https://localhost:${port}`, {tls})).toMatchObject({status: 200})
    expect(calls).toEqual(['client'])
  })

  it('shows it to the hosts of the profile only', async () => {
    const port = await servers.https(handle, {...mutual, rejectUnauthorized: false})
    const tls = {ca: pem('ca'), cert: pem('client'), key: key('client')}
    await send(`https://localhost:${port}`, {tls, hosts: ['api.example']})
    expect(calls).toEqual(['nobody'])
  })

  it.each([
    ['no certificate', {}, 'TLSv1.3'],
    ['no certificate', {}, 'TLSv1.2'],
    ['a certificate that nobody signed', {cert: pem('stranger'), key: key('stranger')}, 'TLSv1.3'],
    ['a certificate that nobody signed', {cert: pem('stranger'), key: key('stranger')}, 'TLSv1.2'],
  ] as const)(
    'a service that refuses %s had no effect, though bytes may have left (%#)',
    async (_what, own, version) => {
      const port = await servers.https(handle, {
        ...mutual,
        rejectUnauthorized: true,
        minVersion: version,
        maxVersion: version,
      })
      const failure = await failureOf(send(`https://localhost:${port}`, {tls: {ca: pem('ca'), ...own}}))
      expect(calls).toEqual([])
      // The alert races with a reset of the connection. Before TLS 1.3 no byte has left then; with it, nothing more can
      // be known.
      const lost = version === 'TLSv1.2' ? ['CONNECTION_FAILED', 'none'] : ['EFFECT_UNKNOWN', 'unknown']
      expect([['TLS_FAILED', 'none'], lost]).toContainEqual([failure.code, failure.details.effect])
    },
  )

  it('names a certificate of the profile that has expired, where a service closes the connection for it', async () => {
    const port = await servers.https(request => request.socket.destroy(), mutual)
    const tls = {ca: pem('ca'), cert: pem('client'), key: key('client')}
    const at = async (year: number) => {
      const now = () => Date.UTC(year)
      const failure = await failureOf(send(`https://localhost:${port}`, {tls}, {now}))
      await sender?.close()
      return failure
    }
    const before = await at(2119)
    expect(before).toMatchObject({code: 'EFFECT_UNKNOWN', details: {blame: 'lost response'}})
    expect(before.message).not.toContain('expired')
    const after = await at(2121)
    expect(after).toMatchObject({code: 'EFFECT_UNKNOWN', details: {blame: 'client certificate'}})
    expect(after.message).toMatch(/\. The client certificate of the profile expired on 2120-01-01$/)
  })

  it.each([
    ['ca', {ca: 'no PEM'}],
    ['cert', {cert: 'no PEM', key: key('client')}],
    ['key of another certificate', {cert: pem('client'), key: key('stranger')}],
  ])('a %s that cannot be used is a fault of the profile', async (_what, tls) => {
    expect(await failureOf(send('https://127.0.0.1:1', {tls}))).toMatchObject({
      code: 'PROFILE_INVALID',
      exit: 3,
    })
  })
})

describe('a proxy', () => {
  it('carries https: by CONNECT, so that it sees nothing of it', async () => {
    const port = await servers.https((request, response) =>
      json(response, {isAuthorised: request.headers.authorization === 'Bearer t0k'}),
    )
    const proxy = await servers.proxy({'service.test:443': port})
    const answer = await send(
      'https://service.test',
      {tls: {ca: pem('ca')}, auth: {type: 'bearer', token: async () => new Secret('t0k')}},
      {env: {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`}},
    )
    expect(answer.body).toEqual({isAuthorised: true})
    expect(proxy.asked).toEqual(['CONNECT service.test:443'])
  })

  it('gets the credentials in its address', async () => {
    const port = await servers.https((_request, response) => json(response, {}))
    const credentials = `Basic ${Buffer.from('user:p@ss').toString('base64')}`
    const proxy = await servers.proxy({'service.test:443': port}, credentials)
    const tls = {ca: pem('ca')}
    const env = {https_proxy: `user:p%40ss@127.0.0.1:${proxy.port}`}
    expect(await send('https://service.test', {tls}, {env})).toMatchObject({status: 200})
    const failure = await failureOf(
      send('https://service.test', {tls}, {env: {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`}}),
    )
    expect(failure).toMatchObject({code: 'CONNECTION_FAILED', details: {effect: 'none'}})
    expect(maskText(failure.message)).toContain('(407): write USER:PASSWORD@ before its host')
  })

  it('carries http: where HTTP_PROXY says so, and HTTPS_PROXY is none for it', async () => {
    const port = await servers.http((request, response) => json(response, {host: request.headers.host}))
    const proxy = await servers.proxy({'service.test': port})
    const more = {allowInsecure: true}
    const url = `http://127.0.0.1:${proxy.port}`
    const answer = await send('http://service.test', more, {env: {HTTP_PROXY: url}})
    expect(answer.body).toEqual({host: 'service.test'})
    expect(proxy.asked).toEqual(['PATCH http://service.test/v4/1?auditUser=aino'])
    await sender?.close()
    const failure = await failureOf(send('http://no-such-host.invalid', more, {env: {HTTPS_PROXY: url}}))
    expect(failure.code).toBe('CONNECTION_FAILED')
    expect(proxy.asked).toHaveLength(1)
  })

  it.each(['service.test', '.test', '*', 'other.example, service.test:443'])(
    'is left out by NO_PROXY=%s',
    async noProxy => {
      const proxy = await servers.proxy({})
      const env = {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: noProxy}
      await failureOf(send('https://service.test', {}, {env}))
      expect(proxy.asked).toEqual([])
    },
  )

  it('is never asked for this machine', async () => {
    const port = await servers.http((_request, response) => json(response, {}))
    const proxy = await servers.proxy({})
    const env = {HTTP_PROXY: `http://127.0.0.1:${proxy.port}`}
    expect(await send(`http://127.0.0.1:${port}`, {}, {env})).toMatchObject({status: 200})
    expect(proxy.asked).toEqual([])
  })

  it('that refuses had no effect, and is not asked again', async () => {
    const proxy = await servers.proxy({})
    const failure = await failureOf(
      send('https://service.test', {}, {env: {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`}}),
    )
    expect(failure).toMatchObject({code: 'CONNECTION_FAILED', details: {effect: 'none'}})
    expect(failure.message).toContain('403')
    expect(proxy.asked).toEqual(['CONNECT service.test:443'])
  })

  it('that refuses a forwarded request had no effect either', async () => {
    const port = await servers.http((_request, response) => json(response, {}))
    const proxy = await servers.proxy({'service.test': port}, 'Basic none')
    const env = {HTTP_PROXY: `http://127.0.0.1:${proxy.port}`}
    const failure = await failureOf(send('http://service.test', {allowInsecure: true}, {env}))
    expect(failure).toMatchObject({code: 'CONNECTION_FAILED', details: {effect: 'none'}})
    expect(failure.message).toContain('407')
    expect(proxy.asked).toHaveLength(1)
  })

  describe('that does not work is named by its URL and variable, without its credentials', () => {
    const PROXIED = {tls: {ca: pem('ca')}, allowInsecure: true}
    const nobody = async () => {
      const port = await servers.http(() => {})
      await servers.close()
      return port
    }

    async function expectBlamed(
      [variable, url]: readonly [string, string],
      {
        service = 'https://service.test',
        code = 'CONNECTION_FAILED',
        says,
      }: {service?: string; code?: string; says: RegExp},
    ): Promise<void> {
      const failure = await failureOf(send(service, PROXIED, {env: {[variable]: url}}))
      expect(failure).toMatchObject({code, details: {effect: 'none'}})
      expect(failure.message).toContain(`the proxy ${new URL(url).host} (${variable})`)
      expect(failure.message).toMatch(says)
      expect(failure.message).not.toContain('hunter2')
    }

    it.each([
      ['HTTPS_PROXY', 'https://service.test'],
      ['https_proxy', 'https://service.test'],
      ['HTTP_PROXY', 'http://service.test'],
    ])('where nothing listens, by %s', async (variable, service) => {
      const says = /cannot be used: nothing listens there \(ECONNREFUSED\)/
      await expectBlamed([variable, `http://ops:hunter2@127.0.0.1:${await nobody()}`], {service, says})
    })

    it.each([
      ['HTTPS_PROXY', 'https://service.test'],
      ['HTTP_PROXY', 'http://service.test'],
    ])('whose name is unknown, by %s', async (variable, service) => {
      const says = /cannot be used: the host name/
      await expectBlamed([variable, 'http://ops:hunter2@no-such-proxy.invalid:3128'], {service, says})
    })

    it.each([
      ['HTTPS_PROXY', 'https://service.test'],
      ['HTTP_PROXY', 'http://service.test'],
    ])('that asks for a password, by %s', async (variable, service) => {
      const {port} = await servers.proxy({}, 'Basic none')
      await expectBlamed([variable, `http://ops:hunter2@127.0.0.1:${port}`], {
        service,
        says: /does not accept the user and password that its URL has \(407\)/,
      })
    })

    it('that refuses', async () => {
      const {port} = await servers.proxy({})
      await expectBlamed(['HTTPS_PROXY', `http://127.0.0.1:${port}`], {
        says: /refused the connection \(403\)/,
      })
    })

    it.each([
      ['HTTPS_PROXY', 'https://service.test'],
      ['HTTP_PROXY', 'http://service.test'],
    ])('whose certificate nobody knows, by %s', async (variable, service) => {
      const port = await servers.https(() => {}, {cert: pem('stranger'), key: pem('stranger.key')})
      await expectBlamed([variable, `https://localhost:${port}`], {
        service,
        code: 'TLS_FAILED',
        says: /cannot be used: .*certificate/,
      })
    })

    it('whose certificate is not one of a server', async () => {
      const port = await servers.https(() => {}, {cert: pem('client'), key: pem('client.key')})
      const says = /cannot be used: the certificate is not a server certificate/
      await expectBlamed(['HTTPS_PROXY', `https://localhost:${port}`], {code: 'TLS_FAILED', says})
    })

    it('that speaks TLS and has a number for a name', async () => {
      const port = await servers.https(() => {})
      await expectBlamed(['HTTPS_PROXY', `https://127.0.0.1:${port}`], {
        says: /must be named by its host name/,
      })
    })
  })

  it('is not blamed for what is wrong with the service behind it', async () => {
    const port = await servers.https((_request, response) => json(response, {}))
    const proxy = await servers.proxy({'service.test:443': port})
    const failure = await failureOf(
      send('https://service.test', {}, {env: {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`}}),
    )
    expect(failure.code).toBe('TLS_FAILED')
    expect(failure.message).not.toContain('the proxy')
  })

  it('with a broken address is named by its variable, not by its value', async () => {
    const failure = await failureOf(
      send('https://service.test', {}, {env: {HTTPS_PROXY: 'ftp://user:hunter2@proxy'}}),
    )
    expect(failure).toMatchObject({code: 'PROFILE_INVALID', details: {effect: 'none'}})
    expect(failure.message).toContain('HTTPS_PROXY')
    expect(failure.message).not.toContain('hunter2')
  })
})
