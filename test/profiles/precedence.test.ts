import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {type ProfileSettings, whoami} from '../../src/profiles/index.ts'
import {EMBEDDED_BASE_URL} from '../../src/profiles/read-profile.ts'
import {failureOf, type Home, home} from './fixtures.ts'

const live: ProfileSettings = {
  kind: 'live',
  baseUrl: 'https://api.example',
  auditUser: 'Aino Virtanen',
  auth: {type: 'bearer', token: {reference: 'env:API_TOKEN'}},
  groups: {pin: {baseUrl: 'https://pin.example', prefix: '/pin'}},
}
const test: ProfileSettings = {kind: 'test', baseUrl: 'https://test.example', bid: 'BID1'}

async function twoProfiles(user: Home): Promise<void> {
  await user.profiles().add('prod', live)
  await user.profiles().add('try', test)
}

describe('which profile is used', () => {
  it.each([
    ['nobody said', {}, undefined, undefined, 'sandbox', 'default', false],
    ['by profiles use', {}, undefined, 'try', 'try', 'profiles use', true],
    ['the sandbox, by profiles use', {}, undefined, 'sandbox', 'sandbox', 'profiles use', true],
    [
      'environment over use',
      {CARDCTL_PROFILE: 'prod'},
      undefined,
      'try',
      'prod',
      'environment CARDCTL_PROFILE',
      true,
    ],
    ['an empty variable is none', {CARDCTL_PROFILE: ''}, undefined, 'try', 'try', 'profiles use', true],
    ['flag over all', {CARDCTL_PROFILE: 'prod'}, 'sandbox', 'try', 'sandbox', 'flag', true],
    ['flag over use', {}, 'prod', 'try', 'prod', 'flag', true],
  ] as const)('%s', async (_, env, flag, used, name, from, explicit) => {
    using user = home()
    await twoProfiles(user)
    if (used !== undefined) await user.profiles().use(used)
    const chosen = await user.profiles({env}).choose({profile: flag})
    expect(whoami(chosen)).toMatchObject({
      profile: name,
      explicit,
      provenance: {profile: {value: name, from}},
    })
  })

  it('that does not exist is never replaced by another; where the name came from is told', async () => {
    using user = home()
    await twoProfiles(user)
    const failure = await failureOf(() => user.profiles({env: {CARDCTL_PROFILE: 'prd'}}).choose({}))
    expect(failure).toMatchObject({code: 'PROFILE_NOT_FOUND', exit: 3})
    expect(failure.message).toBe('There is no profile prd (environment CARDCTL_PROFILE). Did you mean prod?')
    for (const profile of ['', '../prod', 'unnamed', '__proto__', 'toString', '4111111111111111 x']) {
      const {code, message} = await failureOf(() => user.profiles().choose({profile}))
      expect([code, message.includes('4111')]).toEqual(['PROFILE_NOT_FOUND', false])
    }
  })
})

describe('the audit user', () => {
  it.each([
    ['flag', 'prod', {CARDCTL_AUDIT_USER: 'Environment Eve'}, 'Flag Fay', 'Flag Fay', 'flag'],
    ['environment', 'prod', {CARDCTL_AUDIT_USER: 'Eve'}, undefined, 'Eve', 'environment CARDCTL_AUDIT_USER'],
    ['profile', 'prod', {}, undefined, 'Aino Virtanen', 'profile'],
    ['the user of the system', 'try', {}, undefined, 'aino', 'os user'],
    ['the user of the system', 'sandbox', {CARDCTL_AUDIT_USER: ''}, undefined, 'aino', 'os user'],
  ] as const)('comes from: %s', async (_, profile, env, flag, value, from) => {
    using user = home()
    await twoProfiles(user)
    const chosen = await user.profiles({env}).choose({profile, auditUser: flag})
    expect(chosen.provenance.auditUser).toEqual({value, from})
    expect((await user.profiles({env}).target(chosen)).auditUser).toBe(value)
  })

  it('of a live profile is a person, and never taken from the system', async () => {
    using user = home()
    await twoProfiles(user)
    await user.profiles().edit('prod', {unset: ['auditUser']})
    const missing = await failureOf(() => user.profiles().choose({profile: 'prod'}))
    expect(missing).toMatchObject({code: 'PROFILE_INVALID', exit: 3})
    const flag = await failureOf(() => user.profiles().choose({profile: 'prod', auditUser: 'root'}))
    expect(flag).toMatchObject({code: 'INPUT_INVALID', exit: 2})
    expect(flag.message).toContain('(flag)')
    const env = {CARDCTL_AUDIT_USER: 'gitlab-runner'}
    const variable = await failureOf(() => user.profiles({env}).choose({profile: 'prod'}))
    expect(variable.message).toContain('(environment CARDCTL_AUDIT_USER)')
    expect((await user.profiles({osUser: 'root'}).choose({profile: 'try'})).auditUser).toBe('root')
  })
})

describe('the customerBID', () => {
  it.each([
    [{bid: 'BID2'}, {value: 'BID2', from: 'flag'}],
    [{}, {value: 'BID1', from: 'profile'}],
  ])('%j', async (choice, bid) => {
    using user = home()
    await twoProfiles(user)
    expect((await user.profiles().choose({profile: 'try', ...choice})).provenance.bid).toEqual(bid)
  })
})

describe('CARDCTL_TOKEN', () => {
  it("takes the place of the profile's authentication, for the hosts of the profile", async () => {
    using user = home()
    await twoProfiles(user)
    const profiles = user.profiles({env: {CARDCTL_TOKEN: ' hunter2\n'}})
    const chosen = await profiles.choose({profile: 'prod'})
    expect(chosen.provenance.auth).toEqual({value: 'bearer', from: 'environment CARDCTL_TOKEN'})
    expect(JSON.stringify(whoami(chosen))).not.toContain('hunter2')
    const {auth, hosts} = await profiles.target(chosen)
    expect(auth.type === 'bearer' && (await auth.token()).open()).toBe('hunter2')
    expect(hosts).toEqual(['api.example', 'pin.example'])
  })

  it('is not used on the embedded sandbox', async () => {
    using user = home()
    const chosen = await user.profiles({env: {CARDCTL_TOKEN: 'hunter2'}}).choose({})
    expect((await user.profiles().target(chosen)).auth).toEqual({type: 'none'})
  })
})

describe('CARDCTL_BASE_URL', () => {
  const at = (user: Home, url: string, more: Record<string, string> = {}) =>
    user.profiles({env: {CARDCTL_BASE_URL: url, ...more}})

  it("within the hosts of the profile keeps its credentials, and takes the groups' addresses along", async () => {
    using user = home()
    await twoProfiles(user)
    const profiles = at(user, 'https://api.example:443/v2/')
    const chosen = await profiles.choose({profile: 'prod'})
    expect(chosen.provenance.baseUrl).toEqual({
      value: 'https://api.example/v2',
      from: 'environment CARDCTL_BASE_URL',
    })
    expect(await profiles.target(chosen)).toMatchObject({
      kind: 'live',
      baseUrl: 'https://api.example/v2',
      groups: {pin: {prefix: '/pin'}},
      auth: {type: 'bearer'},
      hosts: ['api.example', 'pin.example'],
    })
    expect((await profiles.target(chosen)).groups.pin).not.toHaveProperty('baseUrl')
  })

  it('elsewhere never gets the credentials of the profile', async () => {
    using user = home()
    await twoProfiles(user)
    for (const url of ['https://evil.example', 'https://api.example:8443', 'http://127.0.0.1:4010']) {
      const failure = await failureOf(() => at(user, url).choose({profile: 'prod'}))
      expect(failure).toMatchObject({code: 'PROFILE_INVALID', exit: 3})
      expect(failure.message).toContain(new URL(url).host)
    }
    await user.profiles({agree: async () => undefined}).edit('prod', {set: {hosts: ['127.0.0.1:4010']}})
    const tunnel = at(user, 'http://127.0.0.1:4010')
    expect(await tunnel.target(await tunnel.choose({profile: 'prod'}))).toMatchObject({
      kind: 'live',
      auth: {type: 'bearer'},
    })
  })

  it('at another host may have its own token, which is sent only there', async () => {
    using user = home()
    await twoProfiles(user)
    const profiles = at(user, 'https://other.example', {CARDCTL_TOKEN: 'hunter2'})
    const target = await profiles.target(await profiles.choose({profile: 'prod'}))
    expect(target).toMatchObject({kind: 'live', hosts: ['other.example']})
    expect(target.auth.type === 'bearer' && (await target.auth.token()).open()).toBe('hunter2')
  })

  it('elsewhere never gets the client certificate, token or not', async () => {
    using user = home()
    const tls = {cert: 'me.pem', key: {reference: 'env:KEY'}}
    await user.profiles().add('prod', {...live, auth: {type: 'none'}, tls})
    for (const more of [{}, {CARDCTL_TOKEN: 'hunter2'}] as Record<string, string>[]) {
      const failure = await failureOf(() => at(user, 'https://other.example', more).choose({profile: 'prod'}))
      expect(failure.code).toBe('PROFILE_INVALID')
    }
  })

  it("takes a profile without credentials anywhere, but none that isn't live to a live host", async () => {
    using user = home()
    await twoProfiles(user)
    expect((await at(user, 'https://branch.example').choose({profile: 'try'})).profile).toMatchObject({
      kind: 'test',
      baseUrl: 'https://branch.example',
    })
    for (const url of ['https://api.example', 'https://api.example:8443/x', 'https://pin.example']) {
      const failure = await failureOf(() => at(user, url).choose({profile: 'try'}))
      expect(failure).toMatchObject({code: 'INPUT_INVALID'})
      expect(failure.message).toContain('live profile prod')
    }
  })

  it('without a profile makes an unnamed one: a sandbox on this machine, elsewhere a live one', async () => {
    using user = home()
    await twoProfiles(user)
    const here = at(user, 'http://127.0.0.1:4010')
    const chosen = await here.choose({})
    expect(await here.target(chosen)).toMatchObject({
      name: 'unnamed',
      kind: 'sandbox',
      embedded: false,
      baseUrl: 'http://127.0.0.1:4010',
      auth: {type: 'none'},
      hosts: ['127.0.0.1:4010'],
    })
    expect(chosen.explicit).toBe(true)
    const there = at(user, 'https://anywhere.example', {CARDCTL_AUDIT_USER: 'Aino', CARDCTL_TOKEN: 'hunter2'})
    expect(await there.target(await there.choose({}))).toMatchObject({
      name: 'unnamed',
      kind: 'live',
      auth: {type: 'bearer'},
    })
    expect((await failureOf(() => at(user, 'https://anywhere.example').choose({}))).code).toBe(
      'PROFILE_INVALID',
    )
  })

  it.each([
    'nowhere',
    'http://api.example',
    'https://u:hunter2@api.example',
    'https://api.example/?key=hunter2',
  ])('that cannot be used (%s) is named, not quoted', async url => {
    using user = home()
    await twoProfiles(user)
    const failure = await failureOf(() => at(user, url).choose({profile: 'try'}))
    expect(failure).toMatchObject({code: 'INPUT_INVALID', exit: 2})
    expect(failure.message).toContain('CARDCTL_BASE_URL')
    expect(failure.message).not.toContain('hunter2')
  })
})

describe('whoami', () => {
  it('says who would act where, without reading a secret or certificate', async () => {
    using user = home()
    const tls = {ca: 'not-there.pem'}
    await user.profiles().add('prod', {...live, readOnly: true, bid: 'BID7', tls})
    const chosen = await user.profiles({env: {CARDCTL_PROFILE: 'prod'}}).choose({})
    expect(whoami(chosen)).toEqual({
      profile: 'prod',
      kind: 'live',
      embedded: false,
      address: 'https://api.example',
      auditUser: 'Aino Virtanen',
      auth: 'bearer',
      readOnly: true,
      bid: 'BID7',
      explicit: true,
      provenance: {
        profile: {value: 'prod', from: 'environment CARDCTL_PROFILE'},
        baseUrl: {value: 'https://api.example', from: 'profile'},
        auditUser: {value: 'Aino Virtanen', from: 'profile'},
        auth: {value: 'bearer', from: 'profile'},
        bid: {value: 'BID7', from: 'profile'},
        kind: {value: 'live', from: 'profile'},
        settings: [
          {setting: 'auth.token', value: 'env:API_TOKEN', from: 'profile'},
          {setting: 'groups.pin.baseUrl', value: 'https://pin.example', from: 'profile'},
          {setting: 'groups.pin.prefix', value: '/pin', from: 'profile'},
          {setting: 'readOnly', value: true, from: 'profile'},
          {setting: 'tls.ca', value: join(user.path, 'not-there.pem'), from: 'profile'},
        ],
      },
    })
  })

  it('of the embedded sandbox', async () => {
    using user = home()
    expect(whoami(await user.profiles().choose({}))).toMatchObject({
      embedded: true,
      address: EMBEDDED_BASE_URL,
      explicit: false,
      provenance: {baseUrl: {from: 'default'}, auth: {value: 'none', from: 'default'}},
    })
  })
})

describe('a target', () => {
  const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'

  it('carries the certificates of its files, and leaves a private key beside them where it is', async () => {
    using user = home()
    const key = '-----BEGIN PRIVATE KEY-----\naHVudGVyMg==\n-----END PRIVATE KEY-----'
    writeFileSync(join(user.path, 'ca.pem'), `comment\n${pem}\n${pem}\n`)
    writeFileSync(join(user.path, 'me.pem'), `${key}\n${pem}\n`, {mode: 0o600})
    const tls = {ca: 'ca.pem', cert: 'me.pem', key: {reference: 'file:me.pem'}}
    await user.profiles().add('prod', {...live, tls})
    const target = await user.profiles().target(await user.profiles().choose({profile: 'prod'}))
    expect(target.tls.ca).toBe(`${pem}\n${pem}\n`)
    expect(target.tls.cert).toBe(`${pem}\n`)
    expect((await target.tls.key?.())?.open()).toContain(key)
    expect(JSON.stringify(target)).not.toContain('aHVudGVyMg')
  })

  it.each(['gone.pem', 'key.pem'])('without a certificate in %s is refused, naming the file', async file => {
    using user = home()
    writeFileSync(join(user.path, 'key.pem'), 'nothing here')
    await user.profiles().add('prod', {...live, tls: {ca: file}})
    const chosen = await user.profiles().choose({profile: 'prod'})
    const failure = await failureOf(() => user.profiles().target(chosen))
    expect(failure).toMatchObject({code: 'PROFILE_INVALID', exit: 3})
    expect(failure.message).toContain(join(user.path, file))
  })

  it('reads a secret on first use, once; a failed read may be repeated', async () => {
    using user = home()
    await user.profiles().add('prod', live)
    const env: Record<string, string> = {}
    let reads = 0
    const counted = new Proxy(env, {
      get(variables, name) {
        if (name === 'API_TOKEN') reads += 1
        return Reflect.get(variables, name)
      },
    })
    const profiles = user.profiles()
    const {openSecrets} = await import('../../src/profiles/secrets.ts')
    const {toTarget} = await import('../../src/profiles/target.ts')
    const secrets = openSecrets(user.secretFile, {...user.surroundings, env: counted})
    const {auth} = await toTarget(await profiles.choose({profile: 'prod'}), secrets)
    if (auth.type !== 'bearer') throw new Error('The profile authenticates by a bearer token.')
    expect(reads).toBe(0)
    expect((await failureOf(auth.token)).code).toBe('SECRET_MISSING')
    env.API_TOKEN = 'hunter2'
    const [first, second] = await Promise.all([auth.token(), auth.token()])
    expect(first).toBe(second)
    expect([first.open(), reads]).toEqual(['hunter2', 2])
  })
})
