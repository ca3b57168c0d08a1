import {statSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import type {ProfileSettings} from '../../src/profiles/index.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {failureOf, home, noKeyring} from './fixtures.ts'

const base = {kind: 'test', baseUrl: 'https://api.example'} as const
const basic = (secret: string): ProfileSettings['auth'] => ({
  type: 'basic',
  user: 'cards',
  password: {value: new Secret(secret)},
})

describe('profiles', () => {
  it('begin with the built-in sandbox, which no file is needed for', async () => {
    using user = home()
    const [sandbox, ...others] = await user.profiles().list()
    expect(sandbox).toMatchObject({name: 'sandbox', kind: 'sandbox', builtIn: true, current: true})
    expect(others).toEqual([])
    expect(await user.profiles().show('sandbox')).toMatchObject({
      builtIn: true,
      auth: {type: 'none'},
      hosts: [],
    })
    expect(() => statSync(user.configFile)).toThrow('ENOENT')
  })

  it('are stored with what was said, and shown with their defaults', async () => {
    using user = home()
    const shown = await user.profiles().add('prod', {
      kind: 'live',
      baseUrl: 'https://API.example/v/',
      auditUser: 'Aino Virtanen',
      bid: 'BID7',
      readOnly: true,
      auth: {
        type: 'oauth2',
        tokenUrl: 'https://id.example/token',
        clientId: 'cards',
        clientSecret: {reference: 'cmd:pass show cards'},
      },
      groups: {cards: {prefix: '/card'}, pin: {baseUrl: 'https://pin.example/', prefix: ''}},
      words: {walleta: 'ownwallet'},
      tls: {ca: 'ca.pem', cert: '~/me.pem', key: {reference: 'file:me.key'}},
      idempotency: 'all',
      hosts: ['Tunnel.example:8443'],
      panKey: {source: 'pan.jwks'},
    })
    expect(shown).toEqual({
      name: 'prod',
      current: false,
      builtIn: false,
      kind: 'live',
      baseUrl: 'https://api.example/v',
      readOnly: true,
      strict: false,
      serviceCheck: true,
      auditUser: 'Aino Virtanen',
      bid: 'BID7',
      auth: {
        type: 'oauth2',
        tokenUrl: 'https://id.example/token',
        clientId: 'cards',
        clientSecret: 'cmd:pass show cards',
      },
      groups: {cards: {prefix: '/card'}, pin: {baseUrl: 'https://pin.example', prefix: ''}},
      words: {walleta: 'ownwallet'},
      tls: {
        ca: join(user.path, 'ca.pem'),
        cert: join(user.path, 'me.pem'),
        key: `file:${join(user.path, 'me.key')}`,
      },
      idempotency: 'all',
      settleDelayMs: 2000,
      requireTicket: false,
      secondPersonFor: [],
      ceiling: [],
      allowInsecure: false,
      hosts: ['api.example', 'pin.example', 'id.example', 'tunnel.example:8443'],
      panKey: {source: join(user.path, 'pan.jwks')},
      rate: {perSecond: 50, perMinute: 3000, share: 0.2},
    })
    expect(await user.profiles().show('prod')).toEqual(shown)
  })

  it.skipIf(process.platform === 'win32')("stand in a file of their owner's alone", async () => {
    using user = home()
    const folder = join(user.path, 'new', 'folder')
    await user.profiles({env: {CARDCTL_CONFIG_DIR: folder}}).add('one', base)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'profiles.json')).mode & 0o777).toBe(0o600)
  })

  it('are chosen by use alone, never by being added', async () => {
    using user = home()
    const profiles = user.profiles()
    await profiles.add('prod', {...base, kind: 'live'})
    await profiles.add('try', {...base, baseUrl: 'https://test.example'})
    const current = async () => (await profiles.list()).find(profile => profile.current)?.name
    expect(await current()).toBe('sandbox')
    await profiles.use('try')
    expect(await current()).toBe('try')
    expect((await failureOf(() => profiles.use('tri'))).message).toBe(
      'There is no profile tri. Did you mean try?',
    )
    expect(await current()).toBe('try')
    await profiles.use('sandbox')
    expect(await current()).toBe('sandbox')
  })

  it('are changed field by field', async () => {
    using user = home()
    const profiles = user.profiles()
    await profiles.add('one', {
      ...base,
      auditUser: 'Aino',
      groups: {cards: {prefix: '/card'}, pin: {prefix: '/pin'}},
      words: {walleta: 'a', walletb: 'b'},
    })
    const changed = await profiles.edit('one', {
      set: {readOnly: true, groups: {cards: {baseUrl: 'https://cards.example'}}, words: {walleta: 'c'}},
      unset: ['auditUser', 'groups.pin', 'words.walletb', 'bid'],
    })
    expect(changed).toMatchObject({
      readOnly: true,
      groups: {cards: {prefix: '/card', baseUrl: 'https://cards.example'}},
      words: {walleta: 'c'},
    })
    expect(changed).not.toHaveProperty('auditUser')
    expect(changed.groups).not.toHaveProperty('pin')
    const failure = await failureOf(() => profiles.edit('one', {unset: ['auditUsr']}))
    expect(failure).toMatchObject({code: 'INPUT_INVALID'})
    expect(failure.message).toContain('Did you mean auditUser?')
    expect((await failureOf(() => profiles.edit('one', {unset: ['baseUrl']}))).message).toContain(
      'baseUrl is missing',
    )
    expect((await failureOf(() => profiles.edit('on', {}))).code).toBe('PROFILE_NOT_FOUND')
  })

  it("keep what this version doesn't know", async () => {
    using user = home()
    const unknown = {colour: 'red', deep: [{a: null}], kind: 'test', baseUrl: 'https://api.example'}
    user.writeConfig(JSON.stringify({schema: 1, later: {x: [1]}, current: 'one', profiles: {one: unknown}}))
    await user.profiles().edit('one', {set: {words: {walleta: 'a'}, bid: '7'}})
    await user.profiles().add('two', base)
    expect(user.config()).toEqual({
      schema: 1,
      later: {x: [1]},
      current: 'one',
      profiles: {one: {...unknown, words: {walleta: 'a'}, bid: '7'}, two: {...base}},
    })
  })

  it('are removed, and the choice with them, with a notice', async () => {
    using user = home()
    const profiles = user.profiles()
    await profiles.add('one', base)
    await profiles.use('one')
    await profiles.remove('one')
    expect((await profiles.list()).map(({name, current}) => [name, current])).toEqual([['sandbox', true]])
    expect(user.notices).toMatchObject([{code: 'CURRENT_REMOVED'}])
    expect((await failureOf(() => profiles.remove('one'))).code).toBe('PROFILE_NOT_FOUND')
  })

  it('are not the built-in one: it is neither changed nor removed', async () => {
    using user = home()
    for (const call of [
      () => user.profiles().edit('sandbox', {set: {readOnly: true}}),
      () => user.profiles().remove('sandbox'),
    ]) {
      expect(await failureOf(call)).toMatchObject({code: 'INPUT_INVALID', exit: 2})
    }
  })

  it('that are broken are in the list with the reason, and cannot be used', async () => {
    using user = home()
    user.writeConfig(
      JSON.stringify({
        schema: 1,
        profiles: {bad: {kind: 'test', baseUrl: 7, auth: {type: 'bearer', token: 'hunter2'}}},
      }),
    )
    const profiles = user.profiles()
    const listed = (await profiles.list()).find(({name}) => name === 'bad')
    expect(listed?.problems).toEqual([
      'baseUrl must be text.',
      'auth.token must be a reference to a secret: env:NAME, file:/PATH or cmd:COMMAND.',
    ])
    for (const call of [() => profiles.show('bad'), () => profiles.choose({profile: 'bad'})]) {
      const failure = await failureOf(call)
      expect(failure).toMatchObject({code: 'PROFILE_INVALID', exit: 3})
      expect(JSON.stringify(failure.details)).not.toContain('hunter2')
    }
    await profiles.edit('bad', {set: {...base, auth: {token: {reference: 'env:API_TOKEN'}}}})
    expect(await profiles.show('bad')).toMatchObject({auth: {type: 'bearer', token: 'env:API_TOKEN'}})
  })
})

describe('the secrets of a profile', () => {
  it('go to the keyring; the file and what is shown hold the reference', async () => {
    using user = home()
    const shown = await user.profiles().add('one', {...base, auth: basic('hunter2')})
    const account = 'one/auth.password/key1'
    expect(shown.auth).toEqual({type: 'basic', user: 'cards', password: `keyring:${account}`})
    expect([...user.keyring.entries.keys()]).toEqual([account])
    expect(JSON.stringify(user.config())).not.toContain('hunter2')
    expect(user.notices).toEqual([])
    const chosen = await user.profiles().choose({profile: 'one'})
    const {auth} = await user.profiles().target(chosen)
    expect(auth.type === 'basic' && (await auth.password()).open()).toBe('hunter2')
  })

  it('go when another takes their place, when the type changes, and with the profile', async () => {
    using user = home()
    const profiles = user.profiles()
    await profiles.add('one', {...base, auth: basic('first')})
    await profiles.edit('one', {set: {auth: {password: {value: new Secret('second')}}}})
    expect([...user.keyring.entries.values()].map(secret => secret.open())).toEqual(['second'])
    await profiles.edit('one', {set: {readOnly: true}})
    expect(user.keyring.entries.size).toBe(1)
    await profiles.edit('one', {set: {auth: {type: 'bearer', token: {value: new Secret('third')}}}})
    expect([...user.keyring.entries.values()].map(secret => secret.open())).toEqual(['third'])
    expect(user.config()).toMatchObject({profiles: {one: {auth: {type: 'bearer'}}}})
    expect(JSON.stringify(user.config())).not.toContain('cards')
    await profiles.remove('one')
    expect(user.keyring.entries.size).toBe(0)
  })

  it('are kept neither in the keyring nor anywhere if the profile is refused', async () => {
    using user = home()
    const settings = {kind: 'test', baseUrl: 'nowhere', auth: basic('hunter2')} as const
    await failureOf(() => user.profiles().add('one', settings))
    expect(user.keyring.entries.size).toBe(0)
  })

  it('are deleted again if the profile cannot be written after them', async () => {
    using user = home()
    const racing = {
      ...user.keyring,
      set: async (account: string, secret: Secret) => {
        await user.keyring.set(account, secret)
        if (account.includes('auth')) await user.profiles().add('one', base)
      },
    }
    const profiles = user.profiles({openKeyring: async () => racing})
    const failure = await failureOf(() => profiles.add('one', {...base, auth: basic('hunter2')}))
    expect(failure.message).toBe('There is a profile one already.')
    expect(user.keyring.entries.size).toBe(0)
    expect(await profiles.show('one')).toMatchObject({auth: {type: 'none'}})
  })

  it('without a keyring go to a file of their own, with a notice that names it', async () => {
    using user = home()
    const profiles = user.profiles({openKeyring: noKeyring})
    const shown = await profiles.add('one', {...base, auth: basic('hunter2')})
    expect(shown.auth).toMatchObject({password: 'secretfile:one/auth.password/key1'})
    expect(user.notices).toMatchObject([{code: 'SECRET_IN_FILE', path: user.secretFile}])
    expect(user.notices[0]?.message).toContain(user.secretFile)
    expect(user.notices[0]?.message).not.toContain('hunter2')
    if (process.platform !== 'win32') {
      expect(statSync(user.secretFile).mode & 0o777).toBe(0o600)
      expect(statSync(join(user.path, 'data')).mode & 0o777).toBe(0o700)
    }
    const {auth} = await profiles.target(await profiles.choose({profile: 'one'}))
    expect(auth.type === 'basic' && (await auth.password()).open()).toBe('hunter2')
    const unread = (await profiles.target(await profiles.choose({profile: 'one'}))).auth
    await profiles.remove('one')
    const failure = await failureOf(() => (unread.type === 'basic' ? unread.password() : undefined))
    expect(failure).toMatchObject({code: 'SECRET_MISSING', exit: 3})
    expect(failure.message).toContain('The password of the profile one')
  })

  it('of another profile are left alone, whoever wrote their name into this one', async () => {
    using user = home()
    const profiles = user.profiles()
    await profiles.add('one', {...base, auth: basic('hunter2')})
    const [account] = user.keyring.entries.keys()
    const config = user.config() as {profiles: object}
    const thief = {...base, auth: {type: 'bearer', token: `keyring:${account}`}}
    user.writeConfig(JSON.stringify({...config, profiles: {...config.profiles, thief}}))
    await profiles.remove('thief')
    expect([...user.keyring.entries.keys()]).toEqual([account])
  })

  it('that cannot be deleted are named in a notice', async () => {
    using user = home()
    const stubborn = {...user.keyring, delete: () => Promise.reject(new Error('locked'))}
    const profiles = user.profiles({openKeyring: async () => stubborn})
    await profiles.add('one', {...base, auth: basic('hunter2')})
    await profiles.remove('one')
    expect(user.notices).toMatchObject([{code: 'SECRET_LEFT'}])
    expect(user.notices[0]?.message).toContain('one/auth.password/key1')
  })
})
