import {spawn} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {writeFile} from 'node:fs/promises'
import {connect, createServer, type Socket} from 'node:net'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {makeCertificate} from '../../src/certificates/index.ts'
import {freePort} from '../helpers/free-port.ts'
import {json, Listening, pem} from '../http/listening.ts'
import {check, openScene, type Scene, states} from './scene.ts'

const DAY = 24 * 60 * 60 * 1000
const TLS = new URL('../http/tls/', import.meta.url).pathname
const BATCHES = {size: 0, items: []}

let scene: Scene
const servers = new Listening()
beforeEach(async () => {
  scene = await openScene()
})
afterEach(async () => {
  await servers.close()
  await scene.home.remove()
})

const batches = (options = {}): Promise<number> =>
  servers.https((_request, response) => json(response, BATCHES), options)

/** A service with a certificate of its own making, which the profile trusts as its CA. */
async function selfMade(from: number): Promise<number> {
  const made = makeCertificate('localhost', from, randomBytes)
  const ca = join(scene.home.folder, 'own-ca.pem')
  await writeFile(ca, made.cert, {mode: 0o600})
  const port = await batches(made)
  await scene.add(`https://localhost:${port}`, '--ca', ca)
  return port
}

describe('TLS', () => {
  test('a chain that ends in the CA of the profile is fine', async () => {
    const port = await batches()
    await scene.add(`https://localhost:${port}`, '--ca', `${TLS}ca.pem`)
    const report = await scene.doctor()
    expect(report).toMatchObject({ok: true, exit: 0, code: 0, profile: 'there'})
    expect(Object.values(states(report))).not.toContain('problem')
    expect(check(report, 'tls')).toMatchObject({
      state: 'ok',
      facts: {protocol: 'TLSv1.3', ownCa: true, names: ['localhost', '127.0.0.1', 'service.test']},
    })
    expect(check(report, 'tls').message).toMatch(/^TLSv1\.3, localhost.*issued by .+, expires in \d+ days$/)
    expect(check(report, 'dns')).toMatchObject({
      state: 'ok',
      facts: {addresses: expect.arrayContaining(['127.0.0.1'])},
    })
  })

  test('an unknown CA is named, with the way to trust it', async () => {
    await scene.add(`https://localhost:${await batches()}`)
    const report = await scene.doctor()
    expect(report).toMatchObject({ok: false, exit: 9, code: 9})
    expect(check(report, 'tls')).toMatchObject({state: 'problem', code: 'TLS_FAILED'})
    expect(check(report, 'tls').message).toContain('is not trusted (UNABLE_TO')
    expect(check(report, 'tls').advice).toContain('cardctl profiles edit there --ca FILE')
    for (const id of ['authentication', 'clock', 'latency', 'quota']) {
      expect(check(report, id)).toMatchObject({
        state: 'unchecked',
        message: 'not checked, because there is no trusted TLS connection',
      })
    }
  })

  test('an expired certificate says since when', async () => {
    await selfMade(Date.UTC(2021, 0, 1))
    const report = await scene.doctor()
    expect(report.code).toBe(9)
    // The CA of the profile is the same certificate, and comes first.
    expect(check(report, 'certificates')).toMatchObject({state: 'problem', code: 'TLS_FAILED'})
  })

  test('an expired certificate of a server says so before anything else', async () => {
    const port = await batches(makeCertificate('localhost', Date.UTC(2021, 0, 1), randomBytes))
    await scene.add(`https://localhost:${port}`)
    const report = await scene.doctor()
    const {message} = check(report, 'tls')
    expect(message).toMatch(/^the certificate expired \d+ days ago$/)
  })

  test('a certificate that will be valid later says from when', async () => {
    const from = Date.now() + 10 * DAY
    const port = await batches(makeCertificate('localhost', from, randomBytes))
    await scene.add(`https://localhost:${port}`)
    const day = new Date(from - DAY).toISOString().slice(0, 10)
    expect(check(await scene.doctor(), 'tls').message).toContain(`is valid from ${day} only`)
  })

  test('one that ends within 30 days is a warning', async () => {
    await selfMade(Date.now() - 20 * DAY)
    const report = await scene.doctor()
    expect(report).toMatchObject({ok: true, code: 0})
    expect(check(report, 'tls')).toMatchObject({state: 'warning', facts: {expiresInDays: 9}})
    expect(check(report, 'certificates').state).toBe('warning')
  })

  test('a certificate for another name says for which', async () => {
    const proxy = await servers.proxy({'other.test:443': await batches()})
    await scene.add('https://other.test', '--ca', `${TLS}ca.pem`)
    const report = await scene.doctor([], {env: {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`}})
    expect(report.code).toBe(9)
    expect(check(report, 'tls').message).toBe(
      'the certificate is for localhost, 127.0.0.1, service.test, not for other.test',
    )
  })

  test('a server that wants our certificate before TLS 1.3 gets it, once it is trusted', async () => {
    const mutual = {ca: pem('ca'), requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2'}
    const port = await batches(mutual)
    const own = ['--cert', `${TLS}client.pem`, '--cert-key', `file:${TLS}client.key.pem`]
    await scene.add(`https://localhost:${port}`, '--ca', `${TLS}ca.pem`, ...own)
    expect(check(await scene.doctor(), 'tls')).toMatchObject({state: 'ok', facts: {protocol: 'TLSv1.2'}})
  })

  test('reports a server without TLS', async () => {
    const port = await servers.http((_request, response) => json(response, BATCHES))
    await scene.add(`https://localhost:${port}`)
    expect(check(await scene.doctor(), 'tls')).toMatchObject({state: 'problem', code: 'TLS_FAILED'})
  })

  test('a server that never answers the handshake is given up', async () => {
    const sockets: Socket[] = []
    const server = createServer(socket => void sockets.push(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    await scene.add(`https://localhost:${port}`)
    const report = await scene.doctor(['--timeout', '300ms'])
    for (const socket of sockets) socket.destroy()
    server.close()
    expect(check(report, 'tls')).toMatchObject({state: 'problem', code: 'TIMED_OUT'})
  })
})

describe('the way there', () => {
  test('a port that refuses', async () => {
    await scene.add(`http://127.0.0.1:${await freePort()}`)
    const report = await scene.doctor()
    expect(report.code).toBe(9)
    expect(check(report, 'dns').message).toBe('127.0.0.1 is an address, nothing to look up')
    expect(check(report, 'tcp')).toMatchObject({state: 'problem', code: 'CONNECTION_FAILED'})
    expect(check(report, 'tcp').message).toContain('nothing listens there (ECONNREFUSED)')
    expect(check(report, 'tls').message).toBe('not checked, because there is no connection')
    expect(check(report, 'authentication').message).toBe('not checked, because there is no connection')
  })

  test('a port that answers nothing', async () => {
    // Its process never takes a connection; once its queue is full, the system drops what comes.
    const hole = spawn(process.execPath, [
      '-e',
      `const s = require('node:net').createServer().listen({port: 0, host: '127.0.0.1', backlog: 1}, () => {
        require('node:fs').writeSync(1, String(s.address().port))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      })`,
    ])
    const waiting: Socket[] = []
    try {
      const [port] = await once(hole.stdout, 'data')
      for (let one = 0; one < 8; one++) {
        waiting.push(connect(Number(port), '127.0.0.1').on('error', () => undefined))
      }
      await Promise.all(waiting.slice(0, 2).map(socket => once(socket, 'connect')))
      await scene.add(`http://127.0.0.1:${port}`)
      const report = await scene.doctor(['--timeout', '500ms'])
      expect(report.code).toBe(9)
      expect(check(report, 'tcp')).toMatchObject({state: 'problem', code: 'TIMED_OUT'})
      expect(check(report, 'tcp').advice).toContain('firewall')
    } finally {
      for (const socket of waiting) socket.destroy()
      hole.kill('SIGKILL')
    }
  })

  test('an unknown host name', async () => {
    await scene.add('https://no-such-host.invalid')
    const report = await scene.doctor()
    expect(report.code).toBe(9)
    expect(check(report, 'dns').message).toMatch(
      /^no-such-host\.invalid: the host name .*\((ENOTFOUND|EAI_AGAIN)\)$/,
    )
    expect(check(report, 'tcp').message).toBe('not checked, because the host name is not known')
  })

  test('a proxy is named without the credentials in its address, and used', async () => {
    const credentials = `Basic ${Buffer.from('user:canary-token-7Q2').toString('base64')}`
    const proxy = await servers.proxy({'service.test:443': await batches()}, credentials)
    await scene.add('https://service.test', '--ca', `${TLS}ca.pem`)
    const env = {HTTPS_PROXY: `http://user:canary-token-7Q2@127.0.0.1:${proxy.port}`}
    const report = await scene.doctor([], {env})
    expect(report).toMatchObject({ok: true})
    expect(check(report, 'proxy').message).toBe(`by way of 127.0.0.1:${proxy.port} (HTTPS_PROXY)`)
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT service.test:443']))
  })

  test('a proxy that asks for a password is told apart from the service', async () => {
    const proxy = await servers.proxy({}, 'Basic none')
    await scene.add('https://service.test')
    const report = await scene.doctor([], {env: {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`}})
    expect(check(report, 'tls').message).toContain('the proxy refuses to connect to service.test:443 (407)')
  })

  test.each([
    ['service.test', 'NO_PROXY excepts the address'],
    ['*.test', 'NO_PROXY excepts the address'],
    ['service.test:8443', undefined],
    ['*.service.test', undefined],
  ])('NO_PROXY=%s', async (noProxy, direct) => {
    const proxy = await servers.proxy({})
    await scene.add('https://service.test')
    const env = {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: noProxy}
    const {message} = check(await scene.doctor(['--timeout', '2s'], {env}), 'proxy')
    expect(message).toBe(
      direct === undefined ? `by way of 127.0.0.1:${proxy.port} (HTTPS_PROXY)` : `none: ${direct}`,
    )
  })

  test('every other host of the profile is looked at, too', async () => {
    const port = await servers.http((_request, response) => json(response, BATCHES))
    const closed = await freePort()
    await scene.add(`http://127.0.0.1:${port}`, '--group-url', `cards=http://127.0.0.1:${closed}`)
    const report = await scene.doctor()
    expect(check(report, 'tcp').state).toBe('ok')
    expect(check(report, `tcp.127.0.0.1:${closed}`)).toMatchObject({
      state: 'problem',
      title: `Connection 127.0.0.1:${closed}`,
    })
  })
})
