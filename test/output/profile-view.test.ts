import {expect, test} from 'vitest'
import {profileView} from '../../src/commands/profiles/shared/views.ts'
import type {ProfileDetails} from '../../src/profiles/index.ts'

const context = {width: 200, colour: 0, ascii: false, now: 0} as const

const plain: ProfileDetails = {
  name: 'prod',
  current: false,
  builtIn: false,
  kind: 'live',
  baseUrl: 'https://api.example',
  readOnly: false,
  auth: {type: 'basic', user: 'ops', password: 'secretfile:prod/auth.password/9957d4b0'},
  serviceCheck: true,
  groups: {},
  words: {},
  tls: {},
  idempotency: 'documented',
  settleDelayMs: 2000,
  allowInsecure: false,
  requireTicket: false,
  secondPersonFor: [],
  ceiling: [],
  strict: false,
  hosts: ['api.example'],
  rate: {perSecond: 50, perMinute: 3000, share: 0.2},
}

const rows = async (profile: ProfileDetails) =>
  (await profileView(profile, context)).split('\n').map(line => line.trim().replaceAll(/ {2,}/g, ' | '))

test('a plain profile says only what matters, and not under which name a secret is kept', async () => {
  expect(await rows(plain)).toEqual([
    'Profile prod | LIVE',
    expect.stringMatching(/^─+$/),
    'Base URL | https://api.example',
    'Auth | basic, user ops, password in the file for secrets',
    'Idempotency keys | as documented',
    'Settle delay | 2 s',
    'Quota | 50 a second, 3000 a minute; a bulk run takes 20%',
  ])
})

test('every setting is shown', async () => {
  const lines = await rows({
    ...plain,
    kind: 'test',
    current: true,
    readOnly: true,
    auditUser: 'aino',
    bid: 'ISSUER-1',
    auth: {
      type: 'oauth2',
      tokenUrl: 'https://login.example/token',
      clientId: 'me',
      clientSecret: 'env:CLIENT_SECRET',
      scope: 'cards',
    },
    groups: {cards: {prefix: '/card'}, a2a: {baseUrl: 'https://a2a.example', prefix: '/x'}},
    words: {walleta: 'phonewallet'},
    tls: {ca: '/etc/ca.pem', cert: '/etc/me.pem', key: 'file:/etc/me.key'},
    idempotency: 'all',
    allowInsecure: true,
    hosts: ['api.example', 'a2a.example', 'login.example'],
    panKey: {source: '/etc/pan.pem', thumbprint: 'abc'},
  })
  expect(lines).toEqual(
    expect.arrayContaining([
      'Profile prod | test',
      'Groups | cards /card',
      'a2a https://a2a.example /x',
      'Words | walleta = phonewallet',
      'Auth | OAuth 2.0 at https://login.example/token, client me, secret from env:CLIENT_SECRET, scope cards',
      'Credentials go also to | a2a.example, login.example',
      'Certificates | CA /etc/ca.pem, client /etc/me.pem',
      'Client key | from file:/etc/me.key',
      'Card number key | /etc/pan.pem abc',
      'Audit user | aino',
      'customerBID | ISSUER-1',
      'Access | read only',
      'Plain http | allowed',
      'Idempotency keys | honoured by every POST and PATCH',
      'In use | yes, by default',
    ]),
  )
})
