import {readFileSync} from 'node:fs'
import {glob} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest'
import {openOutgoing} from '../../src/network/outgoing.ts'
import {createSandbox} from '../../src/sandbox/index.ts'
import {forwardTo, openCaller} from '../../src/webhook/index.ts'
import {Listening, pem} from '../http/listening.ts'
import {callOf, requestFor} from '../webhook/calls.ts'

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED'
const before = process.env[VARIABLE]
const servers = new Listening()
let reached = 0
const answer = {transactionData: {authResponseCode: {code: '00'}}}

beforeAll(() => {
  process.env[VARIABLE] = '0'
})
afterAll(() => {
  if (before === undefined) delete process.env[VARIABLE]
  else process.env[VARIABLE] = before
})
afterEach(async () => {
  reached = 0
  await servers.close()
})

/** An endpoint whose certificate is signed by an authority of ours. */
async function endpoint(): Promise<string> {
  const port = await servers.https((_request, response) => {
    reached++
    response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(answer))
  })
  return `https://localhost:${port}`
}

/** Everything that calls another program by node:http(s); each says what came of one call. */
const senders: readonly (readonly [string, (url: string, ca?: string) => Promise<unknown>])[] = [
  [
    'webhook trigger, bench, replay',
    async (url, ca) => {
      const caller = openCaller({base: new URL(url), tls: {ca}, deadlineMs: 5000, now: Date.now})
      const {outcome} = await caller.warmUp()
      caller.close()
      return outcome
    },
  ],
  [
    'webhook serve --forward-to',
    async (url, ca) => {
      const decider = forwardTo(new URL(url), {tls: {ca}})
      const call = callOf('chip', 'a')
      const decision = await Promise.resolve(decider.decide(requestFor(call))).catch(
        (error: Error) => error.message,
      )
      decider.close?.()
      return decision
    },
  ],
  [
    'sandbox authorize --webhook-url',
    async (url, ca) => {
      const why: string[] = []
      const sandbox = await createSandbox({
        webhook: {url, ...(ca === undefined ? {} : {ca})},
        onUnreachable: reason => why.push(reason),
      })
      await sandbox.handle({
        method: 'POST',
        url: '/_sandbox/authorisations',
        headers: {'content-type': 'application/json'},
        body: Buffer.from(JSON.stringify({cardId: '3001', amount: 1, currency: 'EUR'})),
      })
      await sandbox.close()
      return why
    },
  ],
]

describe.each(senders)('%s', (_name, send) => {
  test('checks the certificate, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    await send(await endpoint())
    expect(reached).toBe(0)
  })

  test('trusts the authority that it is given', async () => {
    await send(await endpoint(), pem('ca'))
    expect(reached).toBeGreaterThan(0)
  })
})

test('a pinned certificate is trusted under any name, and no other one of the same signer', async () => {
  const port = await servers.https((_request, response) => response.end(String(++reached)))
  const ask = (pinned: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      openOutgoing('https:', {tls: {pinned}})
        .request(new URL(`https://[::ffff:127.0.0.1]:${port}`), {})
        .on('response', ({statusCode}) => resolve(statusCode))
        .on('error', reject)
        .end()
    })
  expect(await ask(pem('service'))).toBe(200)
  await expect(ask(pem('client'))).rejects.toThrow()
  await expect(ask(pem('ca'))).rejects.toThrow('another certificate')
  expect(reached).toBe(1)
})

test('nothing else in the sources opens a connection', async () => {
  const own = new Map([
    ['src/network/outgoing.ts', 'the factory'],
    ['src/http/connections.ts', 'looks at certificates; undici, which connects there, is told to check'],
    ['src/http/request-parts.ts', 'asks for the certificates that Node trusts; connects to nobody'],
    ['src/postgres/tls-files.ts', 'checks whether files can be read as certificates; connects to nobody'],
    ['src/doctor/certificates.ts', 'looks at what a server shows, trusted or not, and sends nothing'],
    ['src/doctor/network-path.ts', 'sees whether a proxy lets through, and sends no request behind it'],
  ])
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const found: string[] = []
  for await (const path of glob('src/**/*.ts', {cwd: root})) {
    if (own.has(path)) continue
    const text = readFileSync(`${root}/${path}`, 'utf8')
    for (const [, names = '', module] of text.matchAll(IMPORT)) {
      const used = names.split(',').map(name => name.trim())
      const others = used.filter(name => !/^(|type \w+|STATUS_CODES|createServer( as \w+)?)$/.test(name))
      if (others.length > 0) found.push(`${path}: ${others} of ${module}`)
    }
    if (/import\('node:(https?|http2|tls)'\)|globalThis\.fetch/.test(text)) found.push(path)
  }
  expect(found).toEqual([])
})

/** Modules that open connections, and what is taken of them; imports of types alone are none. */
const IMPORT = /^import (?!type )\{?([^;'"}]+)\}? from '(node:(?:https?|http2|tls))'/gm
