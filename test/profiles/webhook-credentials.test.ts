import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {SIGNATURE_DEFAULTS} from '../../src/network/signature-defaults.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {signCall} from '../../src/webhook/public/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {endpoint, listener} from '../webhook/listener.ts'

let home: Home
const env = {HOOK_PASSWORD: 'open-sesame', HOOK_KEY: 'signing-key', OLD_KEY: 'former-key'}
beforeAll(async () => {
  home = await openHome()
  await home.run(
    'profiles add hooks --kind test --base-url https://api.example --webhook-user service --webhook-secret env:HOOK_PASSWORD --webhook-key env:HOOK_KEY --webhook-other-key env:OLD_KEY --webhook-signature-header x-hub-signature --webhook-signature-prefix sha256='.split(
      ' ',
    ),
  )
})
afterAll(() => home.remove())

const run = (...line: string[]) => home.run(['-p', 'hooks', ...line], {env})
const credentials = {
  auth: {type: 'basic', user: 'service', password: new Secret('open-sesame')},
  signature: {
    ...SIGNATURE_DEFAULTS,
    header: 'x-hub-signature',
    prefix: 'sha256=',
    keys: [new Secret('signing-key')],
  },
} as const

test('calls that are triggered carry what the profile says, and what is printed has none of it', async () => {
  const {url, events} = await listener({credentials, now: Date.now})
  const sent = await run('webhook', 'trigger', 'auth', '--to', url)
  expect([sent.code, sent.stderr]).toEqual([0, ''])
  const dry = await run('webhook', 'trigger', 'auth', '--to', url, '--dry-run')
  const curl = await run('webhook', 'trigger', 'auth', '--to', url, '--curl')
  const printed = sent.stdout + dry.stdout + curl.stdout
  expect(dry.stdout).toContain('x-hub-signature')
  expect(printed).not.toContain('sesame')
  expect(printed).not.toContain(Buffer.from('service:open-sesame').toString('base64'))
  expect(printed).not.toMatch(/sha256=[0-9a-f]{64}/)
  const without = await run('webhook', 'trigger', 'auth', '--to', url, '--auth', 'none')
  expect(without.code).toBe(8)
  expect(events.map(event => (event.type === 'rejected' ? event.reason : event.type))).toEqual([
    'auth',
    'the credentials are missing (header authorization)',
  ])
})

test('suites, replays, loads and the sandbox carry it too', async () => {
  const {url, events} = await listener({credentials, now: Date.now})
  const suite = join(home.folder, 'one.yaml')
  await writeFile(suite, 'steps: [{send: contactless}]')
  expect((await run('webhook', 'test', suite, '--to', url)).code).toBe(0)
  const bench = await run(
    'webhook',
    'bench',
    '--to',
    url,
    '--rate',
    '50/s',
    '--duration',
    '100ms',
    '-o',
    'json',
  )
  expect([bench.code, bench.stderr]).toEqual([0, expect.any(String)])
  const authorize = await home.run(
    ['sandbox', 'authorize', '--card', '3001', '--amount', '5', '--webhook-url', url].concat([
      '--webhook-auth',
      'basic:env:HOOK_USER',
      '--webhook-auth',
      'hmac:env:HOOK_KEY',
    ]),
    {env: {...env, HOOK_USER: 'service:open-sesame'}},
  )
  // Its signature has the form that cardctl uses by default, which this listener doesn't take.
  expect(authorize.stderr).not.toContain('sesame')
  const types = events.map(event => (event.type === 'rejected' ? event.reason : event.type))
  expect(types.slice(-1)).toEqual(['the signature is missing (header x-hub-signature)'])
  expect(types.filter(type => type === 'auth').length).toBeGreaterThan(3)
})

test('the sandbox signs its calls', async () => {
  const signature = {...SIGNATURE_DEFAULTS, keys: [new Secret('signing-key')]}
  const {url, events} = await listener({credentials: {signature}, now: Date.now})
  const {code} = await home.run(
    ['sandbox', 'authorize', '--card', '3001', '--amount', '5', '--webhook-url', url].concat([
      '--webhook-auth',
      'hmac:env:HOOK_KEY',
    ]),
    {env},
  )
  expect(code).toBe(0)
  expect(events.map(({type}) => type)).toEqual(['warm-up', 'auth'])
})

test('the credentials go to no other machine than the profile names', async () => {
  const {code, stderr} = await run('webhook', 'trigger', 'auth', '--to', 'https://hooks.example')
  expect(code).toBe(3)
  expect(stderr).toContain('are not meant for hooks.example; nothing was sent')
  expect(stderr).toContain('--webhook-host')
})

test('whoami and doctor say how calls are authenticated', async () => {
  expect((await run('whoami')).stdout).toContain('basic, signed (x-hub-signature)')
  const {stdout} = await run('doctor', '-o', 'json')
  expect(stdout).toContain('basic, signed (x-hub-signature); all secrets can be read')
  const unset = await home.run(['-p', 'hooks', 'doctor', '-o', 'json'], {env: {...env, HOOK_KEY: ''}})
  expect(unset.stdout).toContain(
    'he key of the profile hooks for authorisation calls cannot be read from env:HOOK_KEY',
  )
})

test('of several flags the first key signs, and a wrong one is named', async () => {
  const key = {keys: ['former-key', 'signing-key'], header: 'x-hub-signature', prefix: 'sha256='}
  const url = await endpoint((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const now = Number(request.headers['x-signature-timestamp']) * 1000
      const expected = signCall(Buffer.concat(chunks), {...key, now})['x-hub-signature']
      const code = request.headers['x-hub-signature'] === expected ? '00' : '05'
      response.end(JSON.stringify({transactionData: {authResponseCode: {code}}}))
    })
  })
  const trigger = (...auth: string[]) =>
    run('webhook', 'trigger', 'auth', '--to', url, ...auth.flatMap(text => ['--auth', text]))
  expect((await trigger('hmac:env:OLD_KEY', 'hmac:env:HOOK_KEY')).code).toBe(0)
  expect((await trigger('hmac:env:HOOK_KEY')).code).toBe(6)
  expect((await trigger('hmac:signing-key')).stderr).not.toContain('signing-key')
  expect((await trigger('header:x-key:env:HOOK_KEY', 'bearer:env:HOOK_KEY')).stderr).toContain('takes one of')
  expect((await trigger('digest:env:HOOK_KEY')).stderr).toContain('header:NAME:REF')
})
