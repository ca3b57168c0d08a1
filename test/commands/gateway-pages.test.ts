// Pages of gateways in place of the service's answer to a write that must not happen twice.
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import type {PlainResponse} from '../../src/sandbox/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
let answer: (sent: number) => PlainResponse | undefined

beforeEach(async () => {
  home = await openHome()
  answer = () => undefined
  let sent = 0
  service = await openService(({method}) => (method === 'GET' ? undefined : answer(++sent)))
  await home.json(['profiles', 'add', 'gate', '--kind', 'test', '--base-url', service.url, '--auth', 'none'])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const page = (status: number, headers: Record<string, string> = {}): PlainResponse => ({
  status,
  headers: {'content-type': 'text/html', ...headers},
  body: Buffer.from(`<html><head><title>${status}</title></head></html>`),
})

const problem = (status: number, headers: Record<string, string> = {}): PlainResponse =>
  reply(status, {title: 'Later', status}, {'content-type': 'application/problem+json', ...headers})

const run = (...argv: string[]) => home.run([...argv, '-p', 'gate', '-o', 'json'])
const create = () => run('a2a', 'create', '--transfer', '2006:2007:12.50:EUR:Rent', '--yes')
const errorIn = (stderr: string) =>
  stderr
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => (JSON.parse(line) as {error?: Record<string, unknown>}).error)
    .find(error => error !== undefined)
const posts = () => service.requests.filter(({method}) => method !== 'GET').length

describe('a batch of transfers', () => {
  it.each([
    ['503 that asks to wait', page(503, {'retry-after': '5'})],
    ['JSON of a gateway that asks to wait', reply(503, {message: 'Unavailable'}, {'retry-after': '5'})],
    ['502', page(502)],
    ['504', page(504)],
    ['408', page(408)],
    ['408 without a body', {status: 408, headers: {}, body: Buffer.alloc(0)}],
    ['429', page(429, {'retry-after': '1'})],
    ['403', page(403)],
    ['500 as text', {status: 500, headers: {'content-type': 'text/plain'}, body: Buffer.from('Oops')}],
  ])('is sent once and stays open after a page: %s', async (_, response) => {
    answer = () => response
    const first = await create()
    expect(errorIn(first.stderr)).toMatchObject({code: 'EFFECT_UNKNOWN', effect: 'unknown'})
    expect(first.code).toBe(10)
    expect(await home.json(['requests', 'list', '--open', '-p', 'gate'])).toMatchObject([
      {operation: 'a2a.create.v1', state: 'unknown', status: response.status},
    ])
    answer = () => undefined
    expect(await create()).toMatchObject({code: 10, stderr: expect.stringContaining('were sent at')})
    expect(posts()).toBe(1)
    const found = ['requests', 'resolve', 'last', '--found', 'no-effect', '--because', 'Not in the ledger']
    expect(await run(...found, '--yes')).toMatchObject({code: 0})
    expect(await create()).toMatchObject({code: 0})
    expect(posts()).toBe(2)
  })

  it.each([
    ['503 of the service that names a time', problem(503, {'retry-after': '5'}), 8],
    ['501', page(501), 8],
    ['401', page(401), 4],
    ['407', page(407), 6],
    ['413', page(413), 6],
    ['414', page(414), 6],
    ['431', page(431), 6],
    ['403 of the service', problem(403), 4],
  ])('had no effect after %s, so the same command sends it', async (_, response, exit) => {
    answer = () => response
    const first = await create()
    expect(errorIn(first.stderr)).toMatchObject({effect: 'none'})
    expect(first.code).toBe(exit)
    expect(posts()).toBe(1)
    answer = () => undefined
    expect(await create()).toMatchObject({code: 0})
    expect(posts()).toBe(2)
  })

  it('is sent again by the command itself after a 429 of the service, which refuses before any effect', async () => {
    answer = sent => (sent < 3 ? problem(429, {'retry-after': '1'}) : undefined)
    expect(await create()).toMatchObject({code: 0})
    expect(posts()).toBe(3)
  })
})

it('after a limit that names a time, the hint names it too', async () => {
  answer = () => problem(429, {'retry-after': '3600'})
  expect(errorIn((await create()).stderr)).toMatchObject({
    code: 'RATE_LIMITED',
    hint: expect.stringMatching(
      /^Wait 1 h, as the service asks, and send the request again\. Next, when the service takes requests again: cardctl a2a create /,
    ),
  })
})

describe('rows without an honoured key', () => {
  const rows = 'id,code\n5001,A\n5002,B\n5003,C\n'
  const command = ['bulk', 'run', 'pricelists', 'patch', '--from', '-', '--concurrency', '1', '--yes']

  it.each([
    ['429', page(429)],
    ['403', page(403)],
    ['503 that asks to wait', page(503, {'retry-after': '1'})],
    ['408', page(408)],
  ])('are unknown after a page, and never sent again: %s', async (_, response) => {
    answer = sent => (sent === 1 ? response : undefined)
    await home.run([...command, '-p', 'gate'], {stdin: rows})
    const [row] = await home.json<object[]>(['bulk', 'results', 'last', '-p', 'gate'])
    expect(row).toMatchObject({row: 1, state: 'unknown', code: 'EFFECT_UNKNOWN'})
    await home.run(['bulk', 'resume', 'last', '--retry-failed', '--yes', '-p', 'gate'])
    const sent = service.requests.filter(({body}) => Buffer.from(body).toString().includes('"A"'))
    expect(sent).toHaveLength(1)
  })
})
