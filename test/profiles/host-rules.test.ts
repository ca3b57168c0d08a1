import {describe, expect, it} from 'vitest'
import {failureOf, type Home, home} from './fixtures.ts'

const prod = {kind: 'live', baseUrl: 'https://api.example', auditUser: 'Aino Virtanen'}
const desk = {
  ...prod,
  readOnly: false,
  ceiling: ['EUR:500'],
  secondPersonFor: ['destroyed'],
  proposals: '/srv/p',
}

function storing(user: Home, profiles: Readonly<Record<string, object>>) {
  user.writeConfig(JSON.stringify({schema: 1, profiles}))
  return (env: Record<string, string>, profile = 'sandbox') =>
    user.profiles({env: {CARDCTL_AUDIT_USER: 'Bo Ek', ...env}}).choose({profile})
}
const at = (url: string) => ({CARDCTL_BASE_URL: url})

describe('a live host that a profile names, reached without one', () => {
  it.each(['https://api.example', 'https://API.example./v1', 'https://api.example:8443'])(
    'keeps the rules of that profile: %s',
    async url => {
      using user = home()
      const choose = storing(user, {
        prod: {...prod, readOnly: true, requireTicket: true, serviceCheck: false},
      })
      const {name, profile} = await choose(at(url))
      expect([name, profile]).toEqual([
        'unnamed',
        expect.objectContaining({kind: 'live', readOnly: true, requireTicket: true, serviceCheck: false}),
      ])
    },
  )

  it('keeps those of the loosest, as a whole', async () => {
    using user = home()
    const look = {...prod, readOnly: true}
    for (const profiles of [
      {desk, look},
      {look, desk},
    ]) {
      const {profile} = await storing(user, profiles)(at(prod.baseUrl))
      expect(profile).toMatchObject({
        readOnly: false,
        ceiling: ['EUR:500'],
        secondPersonFor: ['destroyed'],
        proposals: '/srv/p',
      })
    }
    const {profile} = await storing(user, {desk, open: prod})(at(prod.baseUrl))
    expect(profile).toMatchObject({ceiling: [], secondPersonFor: []})
  })

  it.each([
    ['CARDCTL_READ_ONLY', '0', {readOnly: true}],
    ['CARDCTL_CEILING', 'EUR:501', {ceiling: ['EUR:500']}],
    ['CARDCTL_SECOND_PERSON_FOR', 'irreversible', {secondPersonFor: ['destroyed']}],
    ['CARDCTL_REQUIRE_TICKET', '0', {requireTicket: true}],
    ['CARDCTL_SERVICE_CHECK', '0', {}],
    ['CARDCTL_IDEMPOTENCY', 'all', {}],
  ])('a variable does not loosen it: %s=%s', async (name, value, rules) => {
    using user = home()
    const choose = storing(user, {prod: {...prod, ...rules}})
    const failure = await failureOf(() => choose({...at(prod.baseUrl), [name]: value}))
    expect(failure).toMatchObject({code: 'INPUT_INVALID', exit: 2})
    expect(failure.message).toContain(`${name} permits more than the live profile prod`)
    expect(`${failure.hint}`).not.toMatch(/unset|set CARDCTL|profiles (edit|add)/)
  })

  it('a variable may tighten it, and give what is no rule', async () => {
    using user = home()
    const choose = storing(user, {prod: {...prod, ceiling: ['EUR:500']}})
    const {profile} = await choose({
      ...at(prod.baseUrl),
      CARDCTL_CEILING: 'EUR:400',
      CARDCTL_READ_ONLY: '1',
      CARDCTL_CA: '/ca.pem',
      CARDCTL_PREFIX: 'cards=/card',
    })
    expect(profile).toMatchObject({
      ceiling: ['EUR:400'],
      readOnly: true,
      tls: {ca: '/ca.pem'},
      groups: {cards: {prefix: '/card'}},
    })
  })

  it('is live on this machine too, and of no other kind', async () => {
    using user = home()
    const local = 'http://127.0.0.1:8480'
    const choose = storing(user, {prod: {...prod, baseUrl: local, readOnly: true}})
    expect((await choose(at(local))).profile).toMatchObject({kind: 'live', readOnly: true})
    expect((await choose(at('http://127.0.0.1:8481'))).profile).toMatchObject({
      kind: 'sandbox',
      readOnly: false,
    })
    const failure = await failureOf(() => choose({...at(local), CARDCTL_KIND: 'test'}))
    expect(failure).toMatchObject({code: 'INPUT_INVALID'})
  })

  it('is not reached by the rules of a broken profile', async () => {
    using user = home()
    const broken = {...prod, readOnly: 'yes'}
    expect(await failureOf(() => storing(user, {broken})(at(prod.baseUrl)))).toMatchObject({
      code: 'PROFILE_INVALID',
    })
    expect((await storing(user, {broken, desk})(at(prod.baseUrl))).profile.ceiling).toEqual(['EUR:500'])
  })
})

describe('another live profile that is led to that host', () => {
  const other = {...prod, baseUrl: 'https://other.example'}

  it.each([
    [{}, {readOnly: true}, {readOnly: true}],
    [{readOnly: true}, {}, {readOnly: true}],
    [{ceiling: ['EUR:5']}, {ceiling: ['EUR:9']}, {ceiling: ['EUR:5']}],
    [
      {},
      {secondPersonFor: ['destroyed'], proposals: '/p'},
      {secondPersonFor: ['destroyed'], proposals: '/p'},
    ],
    // That its credentials may go there doesn't make it the profile of the host.
    [{hosts: ['api.example']}, {readOnly: true}, {readOnly: true}],
  ])('has the stricter of both: %j and %j', async (own, theirs, both) => {
    using user = home()
    const choose = storing(user, {own: {...other, ...own}, prod: {...prod, ...theirs}})
    expect((await choose(at(prod.baseUrl), 'own')).profile).toMatchObject(both)
    expect((await choose({}, 'own')).profile).toMatchObject(own)
  })

  it('is refused where neither is stricter', async () => {
    using user = home()
    const choose = storing(user, {
      own: {...other, secondPersonFor: ['irreversible']},
      prod: {...prod, secondPersonFor: ['destroyed']},
    })
    expect(await failureOf(() => choose(at(prod.baseUrl), 'own'))).toMatchObject({code: 'PROFILE_INVALID'})
  })
})

it('a job that has all from the environment goes on at a host that no profile names', async () => {
  using user = home()
  const choose = storing(user, {prod: {...prod, readOnly: true}})
  const env = {...at('https://jobs.example'), CARDCTL_MACHINE_USER: 'nightly', CARDCTL_RESPONSIBLE: 'Cards'}
  expect((await choose({...env, CARDCTL_SERVICE_CHECK: '0'})).profile).toMatchObject({
    kind: 'live',
    readOnly: false,
    serviceCheck: false,
  })
})
