import {generateKeyPairSync} from 'node:crypto'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {makeDevice} from '../helpers/device.ts'
import {openService, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
beforeEach(async () => {
  home = await openHome()
  service = await openService()
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const add = (name: string, kind: string, ...flags: string[]) =>
  home.json([
    ...['profiles', 'add', name, '--kind', kind, '--base-url', service.url],
    ...['--profile-audit-user', 'aino', ...flags],
  ])
const on = (name: string, line: string, stdin?: string) =>
  home.run([...line.split(' '), '-p', name], stdin === undefined ? {} : {stdin})

/** Operations of every effect but read. */
const GATED = [
  'accounts patch 2001 --type credit -F creditLimit=5000',
  'pricelists patch 5001 -F code=X',
  'pricelists period delete 6003 --confirm 6003',
  'pincontrol create 7001 --scope set',
  'cards control-token 3001',
  'a2a create --transfer 2006:2007:1.00:EUR --confirm-count 1 --confirm-total EUR:1.00',
  'wallets provision 3001 --wallet issuerwallet --provider shop',
  'remotecheckout enroll --card 3001 --bid B',
  'api PATCH /v4/CREDIT/2001 -F creditLimit=5000',
]

const READS = [
  'cards get 3001',
  'cards list --customer 1003',
  'cards plastics 3001',
  'a2a list',
  'api GET /v4/3001',
]

describe('a read-only profile', () => {
  beforeEach(() => add('ro', 'test', '--read-only'))

  it.each([...GATED, 'pin view 3001', 'cards payment-info 3001'])(
    '%s ends with 3 before any connection',
    async line => {
      for (const flags of ['', ' --yes']) {
        const {code, stdout, stderr} = await on('ro', line + flags)
        expect(code).toBe(3)
        expect(stdout).toBe('')
        expect(stderr).toContain('read-only')
      }
      expect(service.connections).toBe(0)
    },
  )

  it('refuses to set a PIN before it reads one', async () => {
    const {code} = await on('ro', 'pin set 3001', '8253\n')
    expect(code).toBe(3)
    expect(service.connections).toBe(0)
  })

  it.each(READS)('%s is free', async line => {
    expect((await on('ro', line)).code).toBe(0)
    expect(service.connections).toBeGreaterThan(0)
  })

  it('finds a card by its number, which is a POST and yet a read', async () => {
    expect((await on('ro', 'cards get --pan-stdin', '4111111111111111\n')).code).toBe(0)
  })
})

describe('a live profile without a terminal', () => {
  beforeEach(() => add('prod', 'live'))

  it.each(GATED.filter(line => !line.includes('--confirm')))('%s needs --yes', async line => {
    const refused = await on('prod', line)
    expect(refused.code).toBe(2)
    expect(refused.stdout).toBe('')
    expect(refused.stderr).toContain('prod')
    expect(refused.stderr).toContain('--yes')
    expect(service.connections).toBe(0)
    const sure = await on('prod', `${line} --yes`)
    expect(sure.stderr).not.toContain('CONFIRMATION')
    expect(service.requests.length).toBeGreaterThan(0)
  })

  it.each(READS)('%s is free', async line => {
    expect((await on('prod', line)).code).toBe(0)
  })

  it.each(['pin view 3001', 'pin view 3001 --reveal --yes', 'cards payment-info 3001 --reveal --yes'])(
    '%s makes no key pair here, and says what does',
    async line => {
      const {code, stdout, stderr} = await on('prod', line)
      expect(code).toBe(3)
      expect(stdout).toBe('')
      expect(stderr).toContain('--public-key')
      expect(service.connections).toBe(0)
    },
  )

  it('reads no PIN', async () => {
    const {code, stderr} = await on('prod', 'pin set 3001 --yes', '8253\n')
    expect(code).toBe(3)
    expect(stderr).toContain('--pin-block-stdin')
    expect(service.connections).toBe(0)
  })

  it('lets a device set a PIN through it', async () => {
    const device = await makeDevice(home)
    const create = await on('prod', 'pincontrol create 7001 --scope set --yes -o json')
    const {id} = JSON.parse(create.stdout)
    const control = join(home.folder, 'control')
    await writeFile(control, id)
    const key = `--public-key ${device.publicKeyFile}`
    const answer = await on('prod', `pin tzpk --control-id file:${control} ${key} --yes -o json`)
    const block = device.pinBlock(JSON.parse(answer.stdout).tzpk, '60473')
    const set = await on('prod', `pin set --control-id file:${control} --pin-block-stdin --yes`, `${block}\n`)
    expect(set.code).toBe(0)
  })

  it('sends no key that is private or too small by api, and no PIN beside the contract', async () => {
    const pair = (modulusLength: number) => generateKeyPairSync('rsa', {modulusLength})
    const small = pair(1024).publicKey.export({format: 'der', type: 'spki'}).toString('base64')
    const own = pair(2048).privateKey.export({format: 'pem', type: 'pkcs8'}).toString()
    const send = (path: string, body: object, more = '') =>
      on('prod', `api POST ${path} --data - --yes${more}`, JSON.stringify(body))
    for (const publicKey of [small, own]) {
      for (const path of ['/v3/set/tzpk', '/v3/view']) {
        const {code, stderr} = await send(path, {controlId: 'c', publicKey})
        expect({code, stderr}).toEqual({
          code: 2,
          stderr: expect.stringMatching(/KEY_INVALID|CONTRACT_VIOLATION/),
        })
      }
    }
    const withPin = {controlId: 'c', pinBlock: 'c2VjcmV0LWI=', pin: '8253'}
    expect((await send('/v3/set', withPin)).code).toBe(2)
    expect((await send('/v3/set', withPin, ' --no-check-input')).code).toBe(3)
    expect(service.connections).toBe(0)
  })

  it('takes v2 of the PIN operations with --allow-v2 only', async () => {
    const device = await makeDevice(home, 'v2')
    const line = `pin view --control-id env:HOME --public-key ${device.publicKeyFile} --api-version v2 --yes`
    const refused = await on('prod', line)
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain('The person who looks after the profile prod decides')
    expect(refused.stderr).not.toContain('--allow-v2')
    expect(service.connections).toBe(0)
    // The service then knows no such control id.
    expect((await on('prod', `${line} --allow-v2`)).code).toBe(5)
  })

  it('sends no card number without a key to encipher it', async () => {
    const {code, stdout} = await on('prod', 'cards get --pan-stdin --yes', '4111111111111111\n')
    expect(code).toBe(3)
    expect(stdout).toBe('')
    expect(service.connections).toBe(0)
  })

  it('has no controls of a sandbox', async () => {
    for (const line of ['sandbox reset --yes', 'sandbox state show card 3001', 'sandbox clock show']) {
      expect((await on('prod', line)).code).toBe(3)
    }
    expect(service.connections).toBe(0)
  })

  it('is not covered by --yes where a value cannot be undone', async () => {
    const line = 'accounts patch 2001 --type credit -F status=ACCOUNT_TO_CLOSE'
    expect((await on('prod', `${line} --yes`)).code).toBe(2)
    expect(service.connections).toBe(0)
    const unnamed = await on('prod', `${line} --yes --confirm ACCOUNT_TO_CLOSE`)
    expect(unnamed).toMatchObject({code: 2, stderr: expect.stringContaining('Add --confirm 2001')})
    expect(service.connections).toBe(0)
    expect((await on('prod', `${line} --confirm ACCOUNT_TO_CLOSE --confirm 2001`)).code).toBe(0)
  })

  const DESTROYS = [
    ['pricelists delete 5002', '5002'],
    ['pricelists period delete 6003', '6003'],
    ['remotecheckout delete --card 3001 --bid B', '3001'],
    ['remotecheckout delete --customer 1001 --bid B', '1001'],
    ['api DELETE /v1/pricelist/5002', '5002'],
    ['api DELETE /prefix/v1/pricelist/5002', '5002'],
    ['api DELETE /v1//pricelist/5002/', '5002'],
    ['api DELETE /v9/unknown/7', '/v9/unknown/7'],
    ['api POST /v9/unknown --group accounts', '/v9/unknown'],
    ['api POST /v1/remotecheckout/NETWORK_A/delete/card/3001 -F customerBID=B', '3001'],
    ['api POST /wallet/v1/remotecheckout/NETWORK_A/delete/card/3001 -F customerBID=B', '3001'],
  ] as const

  it.each(DESTROYS)('%s needs --confirm %s, which --yes is not', async (line, id) => {
    for (const flags of ['', ' --yes', ' --yes --confirm 1']) {
      const {code, stderr} = await on('prod', line + flags)
      expect({code, stderr}).toEqual({
        code: 2,
        stderr: expect.stringContaining(`--confirm ${id}; --yes does not cover it`),
      })
    }
    expect(service.connections).toBe(0)
    await on('prod', `${line} --confirm ${id}`)
    expect(service.requests.length).toBeGreaterThan(0)
  })

  it.each(DESTROYS)('%s: a second name that matches nothing is refused', async (line, id) => {
    const {code, stderr} = await on('prod', `${line} --confirm ${id} --confirm 4711`)
    expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining('--confirm names 4711')})
    expect(service.connections).toBe(0)
  })

  it('shows in a dry run where it would go, without a question', async () => {
    const {code, stdout} = await on('prod', 'accounts patch 2001 --type credit -F creditLimit=1 --dry-run')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).url).toBe(`${service.url}/v4/CREDIT/2001?auditUser=aino`)
    expect(service.connections).toBe(0)
  })
})

describe('a write without a terminal', () => {
  const write = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000']
  const nobody = {env: {CARDCTL_PROFILE: ''}}

  it('needs a profile that was chosen', async () => {
    const {code, stdout, stderr} = await home.run(write, nobody)
    expect(code).toBe(3)
    expect(stdout).toBe('')
    expect(stderr).toContain('PROFILE_NOT_CHOSEN')
  })

  it.each([
    ['the flag', [...write, '-p', 'sandbox'], nobody],
    ['the environment', write, {}],
  ] as const)('is fine with %s', async (_, argv, options) => {
    expect((await home.run(argv, options)).code).toBe(0)
  })

  it('is fine after profiles use', async () => {
    expect((await home.run(['profiles', 'use', 'sandbox'])).code).toBe(0)
    expect((await home.run(write, nobody)).code).toBe(0)
  })

  it('leaves reads alone, which say where they went', async () => {
    const {code, stderr} = await home.run(['cards', 'get', '3001'], nobody)
    expect(code).toBe(0)
    expect(stderr).toContain('sandbox (embedded)')
  })
})

describe('credentials', () => {
  it('go out as the profile says, and into no preview', async () => {
    const file = join(home.folder, 'token')
    await writeFile(file, 'tok-3f9a1c', {mode: 0o600})
    await add('auth', 'test', '--auth', 'bearer', '--secret', `file:${file}`)
    expect((await on('auth', 'cards get 3001')).code).toBe(0)
    expect(service.requests.at(-1)?.headers.authorization).toBe('Bearer tok-3f9a1c')
    const dry = await on('auth', 'cards get 3001 --dry-run')
    expect(JSON.parse(dry.stdout).headers.authorization).toBe('[masked]')
    const curl = await on('auth', 'cards get 3001 --curl')
    expect(curl.stdout).toContain(`'authorization: '"$AUTHORIZATION"`)
    const debug = await on('auth', 'cards get 3001 --debug')
    expect(debug.code).toBe(0)
    for (const {stdout, stderr} of [dry, curl, debug]) expect(stdout + stderr).not.toContain('tok-3f9a1c')
  })

  it('that cannot be read end with 3 before any connection', async () => {
    await add('auth', 'test', '--auth', 'bearer', '--secret', 'env:NOT_SET')
    const {code, stderr} = await on('auth', 'cards get 3001')
    expect(code).toBe(3)
    expect(stderr).toContain('NOT_SET')
    expect(service.connections).toBe(0)
  })
})
