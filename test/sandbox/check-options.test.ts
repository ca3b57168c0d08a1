import {describe, expect, onTestFinished, test} from 'vitest'
import {
  createSandbox,
  type HandledRequest,
  type SandboxOptions,
  Secret,
  type ServeOptions,
  type WebhookOptions,
} from '../../src/sandbox/index.ts'

const open = async (options?: SandboxOptions) => {
  const sandbox = await createSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}
/** As somebody without types calls it. */
const untyped = (options: unknown) => createSandbox(options as SandboxOptions)
const invalid = (message: string | RegExp) => ({
  code: 'INPUT_INVALID',
  message: expect.stringMatching(message),
})

/** Values of every option that cannot be. */
const bad: Record<keyof Required<SandboxOptions>, readonly unknown[]> = {
  file: ['', 1],
  postgres: ['postgres://a@b/c', {}, {url: 'postgres://a@b/c'}, {url: new Secret('x'), connections: 0}],
  from: ['fixture.json', {}, {format: 'cardctl-sandbox-snapshot', version: 2}],
  busyTimeoutMs: [-1, 1.5, '5s', Number.NaN, Number.POSITIVE_INFINITY],
  now: [0],
  monotonic: ['x'],
  random: [{}],
  chance: [0.5],
  sleep: [1000],
  processes: [1, {isAlive: true}, {alive: () => true}],
  auth: [
    'basic',
    {type: 'basic', user: 'a'},
    {type: 'basic', user: 'a', password: 'plain'},
    {type: 'bearer', token: 'plain'},
    {type: 'bearer', tokn: new Secret('x')},
    {type: 'digest'},
  ],
  allowedHosts: ['sandbox', ['']],
  rateLimit: [50, [{count: 0, windowMs: 1000}], [{count: 1}], [{count: 1, window: 1000}]],
  prefixes: ['yes'],
  idempotency: ['none', true],
  strictIdempotency: [1],
  settlement: ['later'],
  remoteCheckoutMs: [-5],
  webhook: ['http://127.0.0.1:3000', {}],
  onUnreachable: ['log'],
  onWebhookCall: ['log'],
  baseUrl: ['localhost', 'ftp://x'],
  onRequest: [true],
  onError: [null],
}
const badWebhook: Record<keyof Required<WebhookOptions>, readonly unknown[]> = {
  handler: ['http://127.0.0.1:3000'],
  url: [
    'nonsense',
    'http://127.0.0.1:3000/auth',
    'ftp://127.0.0.1',
    'http://a:b@127.0.0.1',
    'http://127.0.0.1?x=1',
    3000,
  ],
  user: ['', 1],
  password: ['plain'],
  deadlineMs: [0, -1, '2s', 600_001],
  fallback: ['aprove'],
  idleMs: [-1],
  ca: ['/etc/ca.pem'],
  cert: ['/etc/cert.pem'],
  key: ['plain'],
  credentials: [
    {auth: {type: 'header', name: 'x-key', value: 'plain'}},
    {signature: {keys: []}},
    {signature: {keys: ['plain']}},
    {signature: {keys: [new Secret('k')], signed: '{timestamp}'}},
  ],
}
const badServe: Record<keyof Required<ServeOptions>, readonly unknown[]> = {
  host: ['', 1],
  port: ['80', -1, 65_536],
  tls: [true, {cert: 'x', key: 'y'}, {}],
  drainMs: ['1s'],
}
const badRequest: Record<keyof Required<HandledRequest>, readonly unknown[]> = {
  method: [undefined, '', 1],
  url: [undefined, 'v4/3001', 1],
  headers: ['x', {accept: 1}],
  body: [{a: 1}, 1],
  origin: ['moon'],
}
const each = (table: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(table).flatMap(([name, values]) => values.map(value => [name, value] as const))

describe('options of createSandbox', () => {
  test.each(each(bad))('%s cannot be %j', async (name, value) => {
    await expect(untyped({[name]: value})).rejects.toMatchObject(
      invalid(new RegExp(`^createSandbox: .*\\b${name}`)),
    )
  })

  test.each(each(badWebhook))('webhook.%s cannot be %j', async (name, value) => {
    const webhook = {...(name !== 'handler' && {url: 'http://127.0.0.1:3000'}), [name]: value}
    await expect(untyped({webhook})).rejects.toMatchObject(invalid(new RegExp(`webhook\\.${name}\\b.* must`)))
  })

  test.each([
    [{webhok: {}}, 'there is no option webhok. Did you mean webhook?'],
    [{webhook: {url: 'http://127.0.0.1:3000', deadline: 100}}, 'Did you mean webhook.deadlineMs?'],
    [{speed: 2}, 'there is no option speed. The options are file, postgres, '],
    [
      {webhook: {url: 'http://127.0.0.1:3000', user: 'bank'}},
      'webhook.user and webhook.password must be given both or neither',
    ],
    [{webhook: {}}, 'webhook.url or webhook.handler must be given alone'],
    [
      {webhook: {url: 'http://127.0.0.1:3000', handler: () => 1}},
      'webhook.url or webhook.handler must be given alone',
    ],
    [[], 'the options must be an object'],
    [null, 'the options must be an object'],
  ])('%j is refused by name', async (options, message) => {
    await expect(untyped(options)).rejects.toMatchObject(invalid(message.replace(/[.?]/g, '\\$&')))
  })

  test('what is undefined counts as absent', async () => {
    const options = Object.fromEntries(Object.keys(bad).map(name => [name, undefined]))
    await open(options as SandboxOptions)
  })

  test('no message holds a value', async () => {
    const password = 'hunter2'
    const auth = {type: 'basic', user: 'a', password}
    await expect(untyped({auth})).rejects.toMatchObject({message: expect.not.stringContaining(password)})
  })
})

describe('serve and handle', () => {
  test.each(each(badServe))('serve: %s cannot be %j', async (name, value) => {
    const sandbox = await open()
    const served = sandbox.serve({[name]: value} as ServeOptions)
    await expect(served).rejects.toMatchObject(invalid(`^serve: ${name}`))
  })

  test.each(each(badRequest))('handle: %s cannot be %j', async (name, value) => {
    const sandbox = await open()
    const request = {method: 'GET', url: '/v4/3001?auditUser=a', [name]: value} as HandledRequest
    await expect(sandbox.handle(request)).rejects.toMatchObject(invalid(`^handle: ${name}`))
  })

  test('unknown fields are refused by name', async () => {
    const sandbox = await open()
    await expect(sandbox.serve({prot: 1} as ServeOptions)).rejects.toMatchObject(invalid('Did you mean port'))
    const request = {method: 'GET', url: '/', header: {}} as HandledRequest
    await expect(sandbox.handle(request)).rejects.toMatchObject(invalid('Did you mean headers'))
  })

  test('a request needs neither headers nor a body, and its headers have no case', async () => {
    const auth = {type: 'bearer', token: new Secret('t0ken')} as const
    const sandbox = await open({auth})
    const request = {method: 'get', url: '/v4/3001?auditUser=a', headers: {Authorization: 'Bearer t0ken'}}
    expect((await sandbox.handle(request)).status).toBe(200)
    expect((await (await open()).handle({method: 'GET', url: '/v4/3001?auditUser=a'})).status).toBe(200)
  })

  test('a body may be text', async () => {
    const sandbox = await open()
    const {status} = await sandbox.handle({
      method: 'PATCH',
      url: '/v4/DEBIT/2002?auditUser=a',
      headers: {'Content-Type': 'application/json'},
      body: '{"name": "warm"}',
    })
    expect(status).toBeLessThan(300)
  })
})
