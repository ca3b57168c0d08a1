import {describe, expect, it} from 'vitest'
import {looseningsOf} from '../../src/profiles/loosening.ts'

const live = {
  kind: 'live',
  baseUrl: 'https://api.example',
  auth: {type: 'bearer', token: 'file:/run/token'},
}

/** The settings that a person must agree to, when one entry becomes another. */
const asked = (before: object, after: object): readonly string[] =>
  looseningsOf(new Map([['prod', before]]), new Map([['prod', after]])).flatMap(({changes}) =>
    changes.map(({setting}) => setting),
  )

describe('a live profile', () => {
  it.each<[name: string, strict: object, loose: object, setting: string]>([
    ['kind', {}, {kind: 'test'}, 'kind'],
    ['kind that is none', {}, {kind: 'nothing'}, 'kind'],
    ['base URL', {}, {baseUrl: 'https://other.example'}, 'baseUrl'],
    ['read-only', {readOnly: true}, {readOnly: false}, 'readOnly'],
    ['a read-only that cannot be read', {readOnly: 'yes'}, {}, 'readOnly'],
    ['ticket', {requireTicket: true}, {}, 'requireTicket'],
    ['check at the service', {}, {serviceCheck: false}, 'serviceCheck'],
    ['strict', {strict: true}, {strict: false}, 'strict'],
    ['keys', {}, {idempotency: 'all'}, 'idempotency'],
    ['header of keys', {idempotencyHeader: 'x-one'}, {idempotencyHeader: 'x-two'}, 'idempotencyHeader'],
    ['no TLS', {}, {allowInsecure: true}, 'allowInsecure'],
    [
      'a second person',
      {secondPersonFor: ['destroyed', 'irreversible']},
      {secondPersonFor: ['destroyed']},
      'secondPersonFor',
    ],
    [
      'a second person, amount',
      {secondPersonFor: ['EUR:10']},
      {secondPersonFor: ['EUR:10.01']},
      'secondPersonFor',
    ],
    [
      'a second person, currency',
      {secondPersonFor: ['EUR:10']},
      {secondPersonFor: ['USD:10']},
      'secondPersonFor',
    ],
    ['ceiling', {ceiling: ['EUR:500']}, {ceiling: ['EUR:501']}, 'ceiling'],
    ['ceiling, gone', {ceiling: ['EUR:500']}, {}, 'ceiling'],
    ['ceiling of all others', {ceiling: ['500']}, {ceiling: ['500', 'EUR:900']}, 'ceiling'],
    ['ceiling without a currency', {ceiling: ['EUR:500']}, {ceiling: ['EUR:500', '900']}, 'ceiling'],
    ['folder of proposals', {proposals: '/srv/a'}, {proposals: '/srv/b'}, 'proposals'],
    ['certificate authority', {tls: {ca: '/a.pem'}}, {tls: {ca: '/b.pem'}}, 'tls.ca'],
    ['certificate authority, gone', {tls: {ca: '/a.pem'}}, {}, 'tls.ca'],
    ['secret', {}, {auth: {type: 'bearer', token: 'file:/tmp/mine'}}, 'auth.token'],
    ['hosts', {}, {hosts: ['evil.example']}, 'hosts'],
    ['group', {}, {groups: {cards: {baseUrl: 'https://evil.example'}}}, 'groups.cards.baseUrl'],
    ['prefix', {groups: {cards: {prefix: '/a'}}}, {groups: {cards: {prefix: '/b'}}}, 'groups.cards.prefix'],
    ['word', {words: {walleta: 'one'}}, {words: {walleta: 'two'}}, 'words.walleta'],
    ['dialect', {dialect: '/a.yaml'}, {dialect: '/b.yaml'}, 'dialect'],
    ['audit user', {}, {service: {auditUser: 'none'}}, 'service.auditUser'],
    ['header', {service: {headers: {'X-T': 'a'}}}, {service: {headers: {'X-T': 'b'}}}, 'service.headers.X-T'],
    ['answer', {}, {answerIds: {'cards.get.v4': 'none'}}, 'answerIds.cards.get.v4'],
    ['rate', {}, {rate: {perSecond: 51}}, 'rate.perSecond'],
    ['share', {}, {rate: {share: 0.3}}, 'rate.share'],
    ['delay', {}, {settleDelayMs: 0}, 'settleDelayMs'],
    ['a first certificate authority', {}, {tls: {ca: '/a.pem'}}, 'tls.ca'],
    [
      'a first folder of proposals',
      {secondPersonFor: ['destroyed']},
      {secondPersonFor: ['destroyed'], proposals: '/srv/a'},
      'proposals',
    ],
    ['a first key for card numbers', {}, {panKey: {source: '/a.pem'}}, 'panKey.source'],
    ['a first prefix', {}, {groups: {cards: {prefix: '/a'}}}, 'groups.cards.prefix'],
    ['a first word', {}, {words: {walleta: 'one'}}, 'words.walleta'],
    ['a first dialect', {}, {dialect: '/a.yaml'}, 'dialect'],
    ['a first header', {}, {service: {headers: {'X-T': 'a'}}}, 'service.headers.X-T'],
    ['a first header of keys', {}, {idempotencyHeader: 'x-one'}, 'idempotencyHeader'],
    [
      'a further key of webhooks',
      {webhook: {signature: {key: 'env:A'}}},
      {webhook: {signature: {key: 'env:A', otherKeys: ['env:B']}}},
      'webhook.signature.otherKeys',
    ],
    ['a first host of webhooks', {}, {webhook: {hosts: ['evil.example']}}, 'webhook.hosts'],
    [
      'a further host of webhooks',
      {webhook: {hosts: ['a.example']}},
      {webhook: {hosts: ['a.example', 'evil.example']}},
      'webhook.hosts',
    ],
    ['a setting of a newer version', {newRule: ['a']}, {}, 'newRule'],
  ])('asks about: %s', (_, strict, loose, setting) => {
    const [before, after] = [
      {...live, ...strict},
      {...live, ...loose},
    ]
    expect(asked(before, after)).toContain(setting)
    // The way back asks at most about what has no direction: addresses, names, secrets.
    const back = asked(after, before)
    expect(back.filter(name => name !== setting)).toEqual([])
    expect(asked({...before, kind: 'test'}, {...after, kind: 'test'})).toEqual([])
    expect(asked(before, before)).toEqual([])
  })

  it.each<[name: string, before: object, after: object]>([
    ['kind', {kind: 'test'}, {}],
    ['read-only', {}, {readOnly: true}],
    ['a second person', {secondPersonFor: ['EUR:10']}, {secondPersonFor: ['EUR:9', 'destroyed']}],
    ['ceiling', {ceiling: ['EUR:500']}, {ceiling: ['EUR:500', 'USD:400']}],
    ['ceiling in another order', {ceiling: ['EUR:500', '10']}, {ceiling: ['10']}],
    ['client certificate', {}, {tls: {cert: '/a.pem', key: 'file:/a.key'}}],
    ['folder of proposals without a rule', {}, {proposals: '/srv/a'}],
    ['folder and rule', {}, {proposals: '/srv/a', secondPersonFor: ['destroyed']}],
    ['secret of a profile without one', {auth: {type: 'none'}}, {}],
    ['hosts', {hosts: ['a.example', 'b.example']}, {hosts: ['b.example']}],
    ['rate', {}, {rate: {perSecond: 10}}],
    ['delay', {}, {settleDelayMs: 9000}],
    ['who acts', {auditUser: 'Aino Virtanen'}, {auditUser: 'Bo Ek'}],
    ['webhook', {}, {webhook: {auth: {user: 'a', secret: 'env:A'}}}],
  ])('asks nothing about what is stricter, or added: %s', (_, before, after) => {
    expect(asked({...live, ...before}, {...live, ...after})).toEqual([])
  })

  it('gets no machine without a word', () => {
    const machineUser = {name: 'nightly', responsible: 'Bo'}
    expect(asked(live, {...live, machineUser})).toEqual(['machineUser.name', 'machineUser.responsible'])
  })

  it('is not removed without a word', () => {
    const entries = new Map<string, unknown>([
      ['prod', live],
      ['test', {...live, kind: 'test'}],
    ])
    expect(looseningsOf(entries, new Map())).toMatchObject([{profile: 'prod', isRemoved: true}])
  })

  it('gets no neighbour with looser rules than all that name its host', () => {
    const strict = {...live, readOnly: true}
    const before = new Map<string, unknown>([['prod', strict]])
    const add = (entry: object, others = before) => looseningsOf(others, new Map([...others, ['own', entry]]))
    expect(add({...live, baseUrl: 'https://api.example:8443/v1'})).toMatchObject([
      {profile: 'prod', by: 'own', isRemoved: false, changes: [{setting: 'readOnly'}]},
    ])
    expect(add(strict)).toEqual([])
    expect(add({...live, baseUrl: 'https://other.example'})).toEqual([])
    const writable = new Map<string, unknown>([...before, ['desk', {...live, requireTicket: true}]])
    expect(add({...live, requireTicket: true}, writable)).toEqual([])
    expect(add(live, writable)).toMatchObject([{profile: 'prod'}])
    // A profile that becomes a live one is a new one.
    const staged = new Map<string, unknown>([...before, ['own', {...live, kind: 'test'}]])
    expect(looseningsOf(staged, new Map([...before, ['own', live]]))).toMatchObject([{by: 'own'}])
  })

  it('shows no place of a stored secret', () => {
    const [found] = looseningsOf(
      new Map([['prod', {...live, auth: {type: 'bearer', token: 'keyring:prod/a'}}]]),
      new Map([['prod', {...live, auth: {type: 'bearer', token: 'keyring:prod/b'}}]]),
    )
    expect(found?.changes).toEqual([{setting: 'auth.token', from: 'a stored secret', to: 'a stored secret'}])
  })
})
