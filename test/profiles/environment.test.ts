import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {variableOf} from '../../src/profiles/environment.ts'
import {type ProfileSettings, whoami} from '../../src/profiles/index.ts'
import {settingList} from '../../src/profiles/settings.ts'
import {failureOf, home} from './fixtures.ts'

const live: ProfileSettings = {
  kind: 'live',
  baseUrl: 'https://api.example',
  auditUser: 'Aino Virtanen',
  auth: {type: 'oauth2', tokenUrl: 'https://id.example', clientId: 'ops', clientSecret: {reference: 'env:S'}},
  readOnly: true,
  requireTicket: true,
}

const OWN = {CARDCTL_BASE_URL: 'https://test.example', CARDCTL_KIND: 'test'}

describe('a profile of variables alone', () => {
  it('has every setting, each with its source', async () => {
    using user = home()
    const env = {
      ...OWN,
      CARDCTL_READ_ONLY: '1',
      CARDCTL_AUTH: 'basic',
      CARDCTL_USER: 'job',
      CARDCTL_SECRET: 'env:API_PASSWORD',
      API_PASSWORD: 'hunter2',
      CARDCTL_PREFIX: 'cards=/card, pin=/pin',
      CARDCTL_CA: 'own.pem',
      CARDCTL_RATE: '5/s,100/min',
      CARDCTL_RATE_SHARE: '10%',
      CARDCTL_SETTLE_DELAY: '90s',
      CARDCTL_HOST: 'a.example,b.example:8443',
      CARDCTL_BID: 'BID9',
      CARDCTL_WEBHOOK_SECRET: 'file:/hook',
      CARDCTL_WEBHOOK_USER: 'service',
    }
    writeFileSync(
      join(user.path, 'own.pem'),
      '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    )
    const profiles = user.profiles({env})
    const chosen = await profiles.choose({})
    expect(chosen.profile).toMatchObject({
      kind: 'test',
      baseUrl: 'https://test.example',
      readOnly: true,
      groups: {cards: {prefix: '/card'}, pin: {prefix: '/pin'}},
      rate: {perSecond: 5, perMinute: 100, share: 0.1},
      settleDelayMs: 90_000,
      tls: {ca: join(user.path, 'own.pem')},
    })
    expect(chosen.hosts).toEqual(['test.example', 'a.example', 'b.example:8443'])
    const {auth, bid} = await profiles.target(chosen)
    expect(auth.type === 'basic' && [auth.user, (await auth.password()).open()]).toEqual(['job', 'hunter2'])
    expect(bid).toBe('BID9')
    const {provenance} = whoami(chosen)
    expect(provenance).toMatchObject({
      profile: {value: 'unnamed'},
      kind: {value: 'test', from: 'environment CARDCTL_KIND'},
      auth: {value: 'basic', from: 'environment CARDCTL_AUTH'},
      bid: {value: 'BID9', from: 'environment CARDCTL_BID'},
    })
    expect(provenance.settings).toContainEqual({
      setting: 'groups.cards.prefix',
      value: '/card',
      from: 'environment CARDCTL_PREFIX',
    })
    expect(provenance.settings).toContainEqual({
      setting: 'auth.password',
      value: 'env:API_PASSWORD',
      from: 'environment CARDCTL_SECRET',
    })
    expect(JSON.stringify(whoami(chosen))).not.toContain('hunter2')
  })

  it('needs no home folder', async () => {
    using user = home()
    const nowhere = {CARDCTL_CONFIG_DIR: '', CARDCTL_DATA_DIR: ''}
    const profiles = user.profiles({env: {...OWN, ...nowhere}, homedir: ''})
    expect((await profiles.choose({})).profile.kind).toBe('test')
    expect(await failureOf(() => profiles.use('sandbox'))).toMatchObject({code: 'CONFIG_UNREADABLE'})
    const none = user.profiles({env: nowhere, homedir: ''})
    expect((await none.choose({})).embedded).toBe(true)
    const lost = await failureOf(() => none.choose({profile: 'prod'}))
    expect(lost).toMatchObject({code: 'PROFILE_NOT_FOUND'})
    expect(lost.hint).toContain('set HOME')
  })

  it.each([
    [{CARDCTL_KIND: 'tset'}, 'CARDCTL_KIND must be one of sandbox, test, live. Did you mean test?'],
    [{CARDCTL_READ_ONLY: 'perhaps'}, 'CARDCTL_READ_ONLY must be 1 or 0.'],
    [{CARDCTL_AUTH: 'basic', CARDCTL_SECRET: 'env:A'}, 'CARDCTL_USER is missing.'],
    [{CARDCTL_AUTH: 'bearer'}, 'CARDCTL_SECRET is missing.'],
    [{CARDCTL_SECRET: 'env:A'}, 'CARDCTL_SECRET needs CARDCTL_AUTH'],
    [{CARDCTL_CERT: '/me.pem'}, 'CARDCTL_CERT_KEY is missing.'],
    [{CARDCTL_PREFIX: 'crads=/card'}, 'crads is not a group of operations'],
    [{CARDCTL_PREFIX: 'card'}, 'CARDCTL_PREFIX takes NAME=VALUE.'],
    [{CARDCTL_SETTLE_DELAY: '5'}, 'CARDCTL_SETTLE_DELAY must be a number with ms'],
  ])('is refused with a wrong value: %j', async (env, message) => {
    using user = home()
    const failure = await failureOf(() => user.profiles({env: {...OWN, ...env}}).choose({}))
    expect(failure.message).toContain(message)
    expect(failure.exit).toBe(2)
  })

  it('never quotes a secret that stands where a reference should', async () => {
    using user = home()
    const env = {...OWN, CARDCTL_AUTH: 'bearer', CARDCTL_SECRET: 'hunter2'}
    const failure = await failureOf(() => user.profiles({env}).choose({}))
    expect([failure.code, failure.message.includes('hunter2')]).toEqual(['INPUT_INVALID', false])
  })
})

describe('a variable and a stored profile', () => {
  it.each([
    {CARDCTL_KIND: 'test'},
    {CARDCTL_READ_ONLY: '0'},
    {CARDCTL_REQUIRE_TICKET: 'no'},
    {CARDCTL_ALLOW_INSECURE: '1'},
    {CARDCTL_HOST: 'other.example'},
    {CARDCTL_GROUP_URL: 'pin=https://other.example'},
    {CARDCTL_TOKEN_URL: 'https://other.example'},
    {CARDCTL_SECOND_PERSON_FOR: 'destroyed'},
    {CARDCTL_PAN_KEY: '/other.jwks'},
    {CARDCTL_WEBHOOK_HOST: 'other.example'},
    {CARDCTL_IDEMPOTENCY: 'all'},
    {CARDCTL_PREFIX: 'cards=/card'},
    {CARDCTL_WORD: 'walleta=one'},
  ])('that loosens it, or sends credentials elsewhere, is refused: %j', async env => {
    using user = home()
    await user.profiles().add('prod', live)
    const failure = await failureOf(() => user.profiles({env}).choose({profile: 'prod'}))
    expect(failure).toMatchObject({code: 'INPUT_INVALID', exit: 2})
    expect(failure.message).toContain(Object.keys(env)[0])
  })

  it('that is stricter, or changes what is harmless, replaces the setting', async () => {
    using user = home()
    await user.profiles().add('try', {kind: 'test', baseUrl: 'https://test.example', auditUser: 'Aino'})
    const env = {
      CARDCTL_KIND: 'live',
      CARDCTL_READ_ONLY: '1',
      CARDCTL_RATE: '9/s',
      CARDCTL_IDEMPOTENCY: 'documented',
    }
    const {profile, provenance} = await user.profiles({env}).choose({profile: 'try'})
    expect(profile).toMatchObject({kind: 'live', readOnly: true, rate: {perSecond: 9}})
    expect(provenance.kind.from).toBe('environment CARDCTL_KIND')
    expect(provenance.auditUser.from).toBe('profile')
  })

  it('gives other credentials, which do not take those of the profile to another host', async () => {
    using user = home()
    await user.profiles().add('prod', {...live, tls: {cert: '/me.pem', key: {reference: 'file:/me.key'}}})
    const own = {CARDCTL_AUTH: 'bearer', CARDCTL_SECRET: 'env:T', T: 'other'}
    const {profile} = await user.profiles({env: own}).choose({profile: 'prod'})
    expect(profile.auth).toMatchObject({type: 'bearer'})
    const elsewhere = {
      CARDCTL_AUTH: 'oauth2',
      CARDCTL_TOKEN_URL: 'https://other.example',
      CARDCTL_CLIENT_ID: 'x',
      CARDCTL_SECRET: 'env:T',
      CARDCTL_BASE_URL: 'https://other.example',
    }
    const failure = await failureOf(() => user.profiles({env: elsewhere}).choose({profile: 'prod'}))
    expect(failure).toMatchObject({code: 'PROFILE_INVALID'})
  })
})

describe('the embedded sandbox', () => {
  it('takes nothing from settings of a connection, and is read only if a variable says so', async () => {
    using user = home()
    const env = {CARDCTL_AUTH: 'basic', CARDCTL_USER: 'job', CARDCTL_KIND: 'live', CARDCTL_READ_ONLY: '1'}
    const {profile, embedded} = await user.profiles({env}).choose({})
    expect({embedded, kind: profile.kind, readOnly: profile.readOnly}).toEqual({
      embedded: true,
      kind: 'sandbox',
      readOnly: true,
    })
  })
})

describe('the names of variables', () => {
  it('are those of the flags, and every setting that is no object has one', () => {
    const without = settingList.filter(
      ({setting}) => variableOf(setting) === undefined && setting.type.members === undefined,
    )
    // `rate` is one variable, such as 50/s,3000/min; `found` is written by contract map alone.
    expect(without.map(({name}) => name)).toEqual([
      'groups',
      'service.found',
      'rate.perSecond',
      'rate.perMinute',
    ])
  })
})
