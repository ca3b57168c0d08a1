import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const words = (line: string): string[] => line.split(' ')

describe("a profile's quota", () => {
  const rateOf = async (line: string, options?: RunOptions): Promise<unknown> =>
    (await home.json<{rate: unknown}>(words(`profiles ${line}`), options)).rate

  it('is set by flags, part by part, and taken away again', async () => {
    const add = 'add quota --kind live --base-url https://api.example --audit-user aino'
    expect(await rateOf(`${add} --rate 100/s,6000/min --rate-share 12.5%`)).toEqual({
      perSecond: 100,
      perMinute: 6000,
      share: 0.125,
    })
    expect((await home.run(words('profiles show quota'))).stdout).toContain(
      '100 a second, 6000 a minute; a bulk run takes 12.5%',
    )
    expect(await rateOf('edit quota --rate 10/s')).toEqual({perSecond: 10, perMinute: 6000, share: 0.125})
    const more = await rateOf('edit quota --unset rate', {typed: [['Type quota to confirm:', 'quota']]})
    expect(more).toEqual({perSecond: 50, perMinute: 3000, share: 0.2})
  })

  it.each([
    ['--rate x', '--rate takes limits such as'],
    ['--rate 0/s', '--rate takes limits such as'],
    ['--rate 10/h', '--rate of a profile is by the second and the minute'],
    ['--rate 99999/s', 'rate.perSecond must be a whole number from 1 to 10000'],
    ['--rate-share 0%', '--rate-share takes a part'],
    ['--rate-share 101%', '--rate-share takes a part'],
    ['--rate-share 0.2', '--rate-share takes a part'],
  ])('%s is refused', async (flags, message) => {
    await home.run(words('profiles add refused --kind test --base-url https://test.example'))
    const {code, stderr} = await home.run(words(`profiles edit refused ${flags}`))
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

it('remove refuses what cannot be removed before it asks', async () => {
  for (const [name, code] of [
    ['sandbox', 'INPUT_INVALID'],
    ['nowhere', 'PROFILE_NOT_FOUND'],
  ]) {
    const {stderr} = await home.run(['profiles', 'remove', `${name}`])
    expect(stderr).toContain(`Error ${code}: `)
  }
})

it('whoami takes the flag for the audit user, and says that it won', async () => {
  const env = {CARDCTL_AUDIT_USER: 'environment'}
  expect(await home.json(words('whoami --audit-user aino'), {env})).toMatchObject({
    auditUser: 'aino',
    provenance: {auditUser: {value: 'aino', from: 'flag'}},
  })
})

it('test says how fast which host answered, and for whom requests are logged', async () => {
  const {code, stdout} = await home.run(['profiles', 'test', 'sandbox'])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^Profile sandbox: sandbox\.embedded answered in \d+ m?s\. Requests are logged for tester\.\n$/,
  )
})

describe('add', () => {
  let fresh: Home
  beforeEach(async () => {
    fresh = await openHome()
  })
  afterEach(() => fresh.remove())
  const live = 'profiles add prod --kind live --base-url https://api.example --audit-user aino'

  it('runs its examples one after the other', async () => {
    const {stdout} = await fresh.run(['profiles', 'add', '--help'])
    const examples = stdout.split('\n').filter(line => /cardctl profiles add .*--kind (test|live)/.test(line))
    expect(examples).toHaveLength(2)
    for (const line of examples) {
      const argv = line.trim().split(' ').slice(2)
      expect(await fresh.run(argv, {stdin: 'secret\n'}), line).toMatchObject({code: 0})
    }
  })

  it.each([
    ['--base-url https://api.example --user ops', 'live and other profiles share no host'],
    ['--base-url https://other.example --user a:b', 'auth.user must be 1 to 200 characters without a colon'],
  ])('%s is refused before a secret is read', async (flags, message) => {
    await fresh.json(words(live))
    const line = `profiles add staging --kind test --auth basic --secret - ${flags}`
    const {code, stderr} = await fresh.run(words(line), {stdin: ''})
    expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining(message)})
  })

  it('edit is also refused before a secret is read', async () => {
    await fresh.json(words(live))
    const line = 'profiles edit prod --auth basic --user a:b --secret -'
    const {code, stderr} = await fresh.run(words(line), {stdin: ''})
    expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining('without a colon')})
  })

  it('asks for another address where a live profile has it, and for the password behind its user name', async () => {
    await fresh.json(words(live))
    const {code, stderr} = await fresh.run(words('profiles add second --kind test --auth basic'), {
      env: {DBUS_SESSION_BUS_ADDRESS: 'unix:path=/none'},
      typed: [
        ['Address of the service', 'https://api.example'],
        ['It leads to api.example', '\u0015https://other.example'],
        ['User name at the service', 'ops'],
        ['Password:', 'hunter2'],
      ],
    })
    expect(code).toBe(0)
    expect(stderr).not.toContain('hunter2')
    expect((await fresh.json<{baseUrl: string}>(words('profiles show second'))).baseUrl).toBe(
      'https://other.example',
    )
  })

  it('asks for the person before the credentials', async () => {
    const {code} = await fresh.run(words('profiles add prod --kind live --base-url https://api.example'), {
      typed: [
        ['Audit user: your own name', 'aino'],
        ['How does the service authenticate', '\u001b[A'],
      ],
    })
    expect(code).toBe(0)
    expect(await fresh.json(words('profiles show prod'))).toMatchObject({
      auditUser: 'aino',
      auth: {type: 'none'},
    })
  })
})
