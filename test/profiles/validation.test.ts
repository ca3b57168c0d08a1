import {describe, expect, it} from 'vitest'
import type {ProfileSettings} from '../../src/profiles/index.ts'
import {failureOf, home} from './fixtures.ts'

const base = {kind: 'test', baseUrl: 'https://api.example'} as const
const password = {reference: 'env:API_PASSWORD'}

/** What adding a profile with these settings fails with. */
async function refusal(settings: ProfileSettings, name = 'one'): Promise<string> {
  using user = home()
  const failure = await failureOf(() => user.profiles().add(name, settings))
  expect(failure).toMatchObject({exit: 2})
  expect(await user.profiles().list()).toHaveLength(1)
  return failure.message
}

describe('the name of a profile', () => {
  it.each(['a', 'prod', 'staging-2', 'eu.prod_1', `a${'b'.repeat(61)}c`, 'constructor'])(
    'may be %s',
    async name => {
      using user = home()
      expect(await user.profiles().add(name, base)).toMatchObject({name})
      expect((await user.profiles().choose({profile: name})).name).toBe(name)
    },
  )

  it.each([
    '',
    'Prod',
    '-a',
    'a-',
    '.a',
    'a..b',
    'a/b',
    '..',
    'a b',
    'ä',
    '__proto__',
    'con',
    'nul.txt',
    'a'.repeat(64),
    'a\n',
  ])('may not be %j', async name => {
    expect(await refusal(base, name)).toContain('lower-case letters')
  })

  it.each(['sandbox', 'unnamed'])('may not be %s, which is built in', async name => {
    expect(await refusal(base, name)).toContain('built-in')
  })

  it('may not be taken twice', async () => {
    using user = home()
    await user.profiles().add('one', base)
    const failure = await failureOf(() => user.profiles().add('one', {...base, bid: '7'}))
    expect(failure).toMatchObject({code: 'INPUT_INVALID', message: 'There is a profile one already.'})
    expect(await user.profiles().show('one')).not.toHaveProperty('bid')
  })
})

describe('settings that cannot be used', () => {
  const cases: [string, ProfileSettings, ...string[]][] = [
    ['no kind', {baseUrl: base.baseUrl}, 'kind is missing'],
    ['no base URL', {kind: 'test'}, 'baseUrl is missing'],
    ['a kind that is none', {...base, kind: 'prod' as 'live'}, 'kind must be one of sandbox, test, live'],
    ['http: elsewhere', {...base, baseUrl: 'http://api.example'}, 'allowInsecure'],
    [
      'http: of one group elsewhere',
      {...base, groups: {pin: {baseUrl: 'http://pin.example'}}},
      'groups.pin.baseUrl is http:',
    ],
    [
      'an unknown group',
      {...base, groups: {crads: {prefix: '/card'}}},
      'groups.crads',
      'Did you mean cards?',
    ],
    ['an unknown word', {...base, words: {waleta: 'x'}}, 'words.waleta', 'Did you mean walleta?'],
    [
      'a prefix without /',
      {...base, groups: {cards: {prefix: 'card'}}},
      'groups.cards.prefix',
      'Did you mean /card?',
    ],
    ['a prefix that climbs', {...base, groups: {cards: {prefix: '/a/../b'}}}, 'groups.cards.prefix'],
    ['a prefix with a query', {...base, groups: {cards: {prefix: '/a?b'}}}, 'groups.cards.prefix'],
    ['an empty audit user', {...base, auditUser: '  '}, 'auditUser is empty'],
    ['an audit user with a line break', {...base, auditUser: 'a\r\nb'}, 'auditUser holds control characters'],
    [
      'an audit user that turns its text round',
      {...base, auditUser: 'a\u202eb'},
      'auditUser holds control characters',
    ],
    ['basic without a user', {...base, auth: {type: 'basic', password}}, 'auth.user is missing'],
    ['a user with a colon', {...base, auth: {type: 'basic', user: 'a:b', password}}, 'auth.user'],
    ['basic without a password', {...base, auth: {type: 'basic', user: 'a'}}, 'auth.password is missing'],
    [
      'a secret of another type',
      {...base, auth: {type: 'bearer', token: password, password}},
      'auth.password belongs',
    ],
    ['authentication without a type', {...base, auth: {user: 'a'}}, 'auth.type is missing'],
    [
      'a type that is none',
      {...base, auth: {type: 'baisc' as 'basic'}},
      'auth.type must be',
      'Did you mean basic?',
    ],
    [
      'a header that is none',
      {...base, auth: {type: 'header', name: 'a b', value: password}},
      'auth.name is not',
    ],
    [
      'a header of HTTP',
      {...base, auth: {type: 'header', name: 'Host', value: password}},
      'set by the tool itself',
    ],
    [
      'a token endpoint without TLS',
      {
        ...base,
        auth: {type: 'oauth2', tokenUrl: 'http://id.example/token', clientId: 'a', clientSecret: password},
      },
      'auth.tokenUrl is http:',
    ],
    [
      'a scope with a quotation mark',
      {
        ...base,
        auth: {
          type: 'oauth2',
          tokenUrl: 'https://id.example',
          clientId: 'a',
          clientSecret: password,
          scope: 'a "b',
        },
      },
      'auth.scope',
    ],
    ['a certificate without its key', {...base, tls: {cert: 'a.pem'}}, 'tls.key is missing'],
    [
      'a key without its certificate',
      {...base, tls: {key: {reference: 'file:k.pem'}}},
      'tls.cert is missing',
    ],
    ['a host with a path', {...base, hosts: ['ok.example', 'a.example/b']}, 'hosts.1 must be a host'],
    ['an endless settle delay', {...base, settleDelayMs: 1e9}, 'settleDelayMs must be a whole number'],
    ['half a millisecond', {...base, settleDelayMs: 0.5}, 'settleDelayMs must be a whole number'],
    ['no share at all', {...base, rate: {share: 0}}, 'rate.share'],
    [
      'a thumbprint that is none',
      {...base, panKey: {source: 'k.pem', thumbprint: 'abc'}},
      'panKey.thumbprint',
    ],
    [
      'a card key without TLS',
      {...base, panKey: {source: 'http://api.example/jwks'}},
      'panKey.source is http:',
    ],
    ['an idempotency that is none', {...base, idempotency: 'some' as 'all'}, 'idempotency must be one of'],
  ]
  it.each(cases)('%s', async (_, settings, ...parts) => {
    const message = await refusal(settings)
    for (const part of parts) expect(message).toContain(part)
  })

  it('are all reported at once, and as data', async () => {
    using user = home()
    const settings = {kind: 'test', baseUrl: 'nowhere', words: {walletx: 'a'}, bid: ''} as const
    const failure = await failureOf(() => user.profiles().add('one', settings))
    expect(failure.code).toBe('INPUT_INVALID')
    expect(failure.details.data).toMatchObject({
      problems: [{member: 'baseUrl'}, {member: 'bid'}, {member: 'words.walletx', suggestion: 'walleta'}],
    })
  })

  it.each([
    'hunter2',
    'hunter2:x',
    'https://u:hunter2@x',
    'keyring:hunter2',
    'secretfile:hunter2',
    ':hunter2',
    '',
  ])('a secret that stands there as itself (%j) is never repeated', async reference => {
    using user = home()
    const settings = {...base, auth: {type: 'bearer', token: {reference}}} as const
    const failure = await failureOf(() => user.profiles().add('one', settings))
    expect(failure).toMatchObject({code: 'SENSITIVE_IN_ARGV', exit: 2})
    expect(failure.message).not.toContain('hunter2')
  })

  it.each(['env:not a name hunter2', 'env:', 'file:', 'cmd:', 'cmd:  ', 'cmd:echo "hunter2'])(
    'a reference without a use (%j) is refused and not repeated',
    async reference => {
      using user = home()
      const settings = {...base, auth: {type: 'bearer', token: {reference}}} as const
      const failure = await failureOf(() => user.profiles().add('one', settings))
      expect(failure.code).toBe('INPUT_INVALID')
      expect(failure.message).not.toContain('hunter2')
    },
  )
})

describe('a live profile', () => {
  const live = {kind: 'live', baseUrl: 'https://api.example'} as const

  it.each([
    'root',
    'Root',
    'CORP\\root',
    'root@host.example',
    'runner',
    'ci',
    'admin',
    'Administrator',
    'ci-prod',
    'gitlab-runner',
    'svc_cards',
    'deploy-bot',
    'uid-1000',
    'jenkins',
    '12345',
    'www-data',
    ' root ',
  ])('takes no audit user %j, who is no person', async auditUser => {
    expect(await refusal({...live, auditUser})).toContain('auditUser must name a person')
  })

  it.each([
    'aino',
    'Aino Virtanen',
    'a.virtanen@bank.example',
    'CORP\\avirtanen',
    'Łukasz',
    'cian',
    'rooth',
    'adminah',
  ])('takes %j', async auditUser => {
    using user = home()
    expect(await user.profiles().add('prod', {...live, auditUser})).toMatchObject({auditUser})
  })

  it.each([
    ['the same', 'https://api.example'],
    ['another path and port', 'https://API.example.:8443/test'],
    ['plain HTTP', 'http://api.example'],
  ])('shares its host with no test profile: %s', async (_, baseUrl) => {
    using user = home()
    const profiles = user.profiles()
    await profiles.add('prod', live)
    const test = {kind: 'test', baseUrl, allowInsecure: true} as const
    const failure = await failureOf(() => profiles.add('try', test))
    expect(failure).toMatchObject({code: 'INPUT_INVALID'})
    expect(failure.message).toContain('live profile prod')
    await profiles.add('try', {...test, baseUrl: 'https://test.example'})
    for (const changes of [{baseUrl}, {groups: {pin: {baseUrl}}}]) {
      expect((await failureOf(() => profiles.edit('try', {set: changes}))).code).toBe('INPUT_INVALID')
    }
    expect(await profiles.show('try')).toMatchObject({baseUrl: 'https://test.example', groups: {}})
  })

  it('is not added, nor made of another, where a test profile leads', async () => {
    using user = home()
    const profiles = user.profiles()
    await profiles.add('try', {kind: 'test', baseUrl: 'https://api.example'})
    expect((await failureOf(() => profiles.add('prod', live))).message).toContain('profile try')
    await profiles.add('other', {kind: 'sandbox', baseUrl: 'https://api.example/other'})
    expect((await failureOf(() => profiles.edit('other', {set: {kind: 'live'}}))).message).toContain(
      'profile try',
    )
  })

  it('may share one with another live one', async () => {
    using user = home()
    await user.profiles().add('prod', live)
    expect(await user.profiles().add('prod-2', {...live, readOnly: true})).toMatchObject({readOnly: true})
  })

  it('keeps its host to itself even while its entry is broken', async () => {
    using user = home()
    user.writeConfig(JSON.stringify({schema: 1, profiles: {prod: {...live, settleDelayMs: 'soon'}}}))
    const failure = await failureOf(() => user.profiles().add('try', {...live, kind: 'test'}))
    expect(failure.message).toContain('live profile prod')
  })
})
