import {globSync, readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {Ajv2020} from 'ajv/dist/2020.js'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {helpTopics} from '../../src/cli/help/topics.ts'
import {profileFlags} from '../../src/commands/profiles/shared/flags.ts'
import {socketUrl} from '../../src/network/check-url.ts'
import {readProfile} from '../../src/profiles/read-profile.ts'
import {profileType, settingList, settings} from '../../src/profiles/settings.ts'
import {Reading} from '../../src/profiles/value-types.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {runs} from '../helpers/whole.ts'

const fits = new Ajv2020({allErrors: true, strictTypes: false}).compile(profileType.schema)
const isRead = (entry: object): boolean => 'profile' in readProfile(entry)

/** An entry with every setting but those of the other ways to authenticate. */
const whole = {
  kind: 'live',
  baseUrl: 'https://api.example',
  readOnly: true,
  auditUser: 'Aino Virtanen',
  machineUser: {name: 'nightly', responsible: 'Cards team'},
  bid: 'BID7',
  auth: {
    type: 'oauth2',
    tokenUrl: 'https://id.example',
    clientId: 'ops',
    clientSecret: 'cmd:pass x',
    scope: 'a b',
  },
  groups: {pin: {baseUrl: 'https://pin.example', prefix: '/pin'}},
  words: {walleta: 'own-word'},
  answerIds: {'cards.get.v4': '/card/id', 'x:shop/orders/get': 'none'},
  service: {
    headers: {'X-Version': '2024', 'X-Tenant': 'env:TENANT'},
    auditUser: 'header:X-Actor',
    arrays: 'brackets',
    found: {'service.envelope': 'shop.yaml'},
    accepted: {state: '/status', done: ['DONE'], failed: ['FAILED'], pending: ['OPEN'], timeoutMs: 5000},
    envelope: '/data',
    paging: {'x:shop/orders/list': 'cursor=at,next=/meta/onward,size=n'},
    error: {code: '/errors/*/code', message: '/errors/*/text', field: '/errors/*/at', status: '/status'},
  },
  tls: {ca: '/ca.pem', cert: '/me.pem', key: 'file:/me.key'},
  webhook: {
    auth: {type: 'basic', user: 'service', secret: 'env:W'},
    signature: {
      key: 'keyring:one/webhook.signature.key/1',
      otherKeys: ['env:OLD', 'file:/old.key'],
      header: 'x-sign',
      preset: 'plain',
      timestampHeader: 'x-time',
      idHeader: 'x-id',
      keyEncoding: 'text',
      signed: 'v1:{timestamp}:{body}',
      encoding: 'base64',
      prefix: 'v1=',
      toleranceMs: 60_000,
    },
    tls: {ca: '/wca.pem', cert: '/wme.pem', key: 'file:/wme.key'},
    hosts: ['hooks.example'],
  },
  idempotency: 'all',
  idempotencyHeader: 'Idempotency-Key',
  settleDelayMs: 1500,
  decimal: 'comma',
  allowInsecure: true,
  strict: true,
  requireTicket: true,
  serviceCheck: false,
  secondPersonFor: ['destroyed', 'EUR:10000'],
  ceiling: ['EUR:50000', '70000'],
  dialect: '/srv/dialect.yaml',
  proposals: '/srv/proposals',
  hosts: ['localhost:8443'],
  panKey: {source: 'https://api.example/jwks', thumbprint: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'},
  rate: {perSecond: 1, perMinute: 2, share: 0.5},
  teamStore: 'env:TEAM_URL',
  teamKey: 'env:TEAM_KEY',
  rateStore: 'env:RATE_URL',
}
const others = [
  {type: 'basic', user: 'ops', password: 'keyring:one/auth.password/1'},
  {type: 'bearer', token: 'env:TOKEN'},
  {type: 'header', name: 'X-Key', value: 'secretfile:one/auth.value/1'},
]
const entries = [
  whole,
  ...others.map(auth => ({...whole, auth})),
  {...whole, webhook: {auth: {type: 'header', name: 'X-Key', secret: 'env:W'}}},
  {...whole, baseUrl: socketUrl('/run/prod.sock'), socket: '/run/prod.sock'},
]

/** The entry with another value at a dotted name, where `*` is the group in it. */
function changed(entry: object, name: string, value: unknown): object {
  const copy = structuredClone(entry) as Record<string, unknown>
  const path = name.replace('*', 'pin').split('.')
  const last = path.pop() ?? ''
  const owner = path.reduce<Record<string, unknown>>(
    (at, member) => at[member] as Record<string, unknown>,
    copy,
  )
  owner[last] = value
  return copy
}

const entryWith = (name: string) => {
  const path = name.replace('*', 'pin').split('.')
  return entries.find(
    entry =>
      path.reduce<unknown>((at, member) => (at as Record<string, unknown> | undefined)?.[member], entry) !==
      undefined,
  )
}

describe('the settings of a profile', () => {
  it('all stand in an entry that reader and JSON Schema accept', () => {
    for (const entry of entries) {
      expect([isRead(entry), fits(entry)], JSON.stringify(fits.errors)).toEqual([true, true])
    }
    for (const {name} of settingList) expect(entryWith(name), name).toBeDefined()
  })

  it.each(settingList.map(({name}) => name))(
    '%s of a wrong type is refused by reader and JSON Schema',
    name => {
      const entry = entryWith(name) ?? {}
      for (const wrong of [{'': [{}]}, [{}], null, -1.5, '']) {
        const broken = changed(entry, name, wrong)
        if (isRead(broken)) continue
        expect({wrong, fits: fits(changed(entry, name, [{}]))}).toEqual({wrong, fits: false})
      }
      expect([isRead(changed(entry, name, [{}])), fits(changed(entry, name, [{}]))]).toEqual([false, false])
    },
  )

  it('that the reader accepts are accepted by the JSON Schema, whatever is mixed', () => {
    const junk = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('', 'https://x.example', 'env:A', 'none', 0, 1, true, {}),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...entries),
        fc.array(fc.tuple(fc.constantFrom(...settingList), junk), {maxLength: 3}),
        (entry, changes) => {
          const mixed = changes.reduce<object>((before, [{name}, value]) => {
            try {
              return changed(before, name, value)
            } catch {
              return before
            }
          }, entry)
          if (isRead(mixed)) expect(fits(mixed), JSON.stringify([mixed, fits.errors])).toBe(true)
        },
      ),
      {numRuns: runs(1000)},
    )
  })

  it('have defaults of their own type', () => {
    for (const [name, {type, ...facts}] of Object.entries(settings)) {
      if (!('default' in facts)) continue
      for (const kind of ['sandbox', 'test', 'live']) {
        const entry = {kind}
        const usual: unknown = typeof facts.default === 'function' ? facts.default(entry) : facts.default
        const at = new Reading(entry, [], name)
        expect([type.read(usual, at), at.problems]).toEqual([usual, []])
      }
    }
  })

  it('have flags of add and edit, and no flag belongs to none', () => {
    const flags = settingList.flatMap(({setting}) => setting.flag?.name ?? [])
    expect(Object.keys(profileFlags).sort()).toEqual([...new Set(flags)].sort())
  })

  it('name their variables in the guide and in the help, and nothing else in the sources does', () => {
    const guide = readFileSync('docs/commands/settings.md', 'utf8')
    for (const {setting} of settingList) {
      if (setting.env === undefined) continue
      expect(guide).toContain(`\`${setting.env}\``)
      expect(helpTopics.environment?.text()).toContain(`${setting.env} `)
    }
    const readers = globSync('src/**/*.ts').filter(path =>
      settingList.some(
        ({setting: {env}}) => env !== undefined && readFileSync(path, 'utf8').includes(`env.${env}`),
      ),
    )
    expect(readers).toEqual([])
  })
})

describe('profiles show', () => {
  let home: Home
  beforeAll(async () => {
    home = await openHome()
  })
  afterAll(() => home.remove())

  it('shows every setting that differs from its default', async () => {
    const line =
      'profiles add full --kind test --socket /run/full.sock --audit-user aino --machine-user nightly --responsible Aino --bid BID7 --read-only --strict ' +
      '--allow-insecure --auth oauth2 --token-url https://id.example --client-id ops --secret env:S --scope a ' +
      '--prefix cards=/card --group-url pin=https://pin.example --word walleta=own --answer-id cards.get.v4=/card/id --ca /ca.pem --cert /me.pem ' +
      '--cert-key env:K --idempotency all --idempotency-header Idempotency-Key --settle-delay 90s --host localhost:8443 --rate 7/s,70/min --rate-share 33% --rate-store env:RATE_URL ' +
      '--webhook-user service --webhook-secret env:WS --webhook-key file:/sign.key --webhook-other-key env:OLD ' +
      '--webhook-signature-header x-sign --webhook-tolerance 60s --webhook-cert /w.pem --webhook-cert-key env:WK --webhook-host hooks.example ' +
      '--decimal comma --ceiling EUR:50000 --ceiling 70000 --header x-v=7 --header x-t=env:T --audit-user-in header:x-who --array-style brackets --accepted-state /state --accepted-done OK --accepted-failed NOK --accepted-timeout 90s --envelope /content --error-code /error/nr --second-person-for destroyed --proposals /srv/proposals ' +
      `--dialect ${fileURLToPath(new URL('../../examples/dialects/harbour.yaml', import.meta.url))} ` +
      '--team-store env:TEAM_URL --team-key env:TEAM_KEY ' +
      '--pan-key /pan.jwks --pan-key-thumbprint NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
    const shown = await home.json<Record<string, unknown>>(line.split(' '))
    const members = Object.keys(shown).filter(name => !['name', 'current', 'builtIn'].includes(name))
    expect(members.sort()).toEqual(Object.keys(settings).sort())
    const {stdout} = await home.run(['profiles', 'show', 'full'])
    const words = [
      'test',
      socketUrl('/run/full.sock'),
      '/run/full.sock',
      'read only',
      'aino',
      'nightly, responsible Aino',
      'BID7',
      'OAuth 2.0',
      'https://id.example',
      'ops',
      'scope a',
      'cards /card',
      'pin https://pin.example',
      'walleta = own',
      'cards.get.v4 = /card/id',
      '/ca.pem',
      '/me.pem',
      'env:K',
      'every POST and PATCH',
      'after a comma',
      'EUR:50000, 70000',
      'header x-v: 7',
      'header x-t: from env:T',
      'audit user in header:x-who',
      'a[]=1',
      '/state is OK when done, NOK when failed; asked for 1 min 30 s',
      'envelope /content',
      'error code /error/nr',
      'destroyed',
      '/srv/proposals',
      'user service, secret from env:WS',
      'signed in x-sign, key from file:/sign.key, also valid env:OLD',
      'client certificate /w.pem, key from env:WK',
      'credentials go to hooks.example and this machine',
      '1 min 30 s',
      'http',
      'contract',
      'localhost:8443',
      '/pan.jwks',
      'NzbLsX',
      '7 a second, 70 a minute',
      '33%',
      'shared by env:RATE_URL',
      'in env:TEAM_URL, key env:TEAM_KEY',
    ]
    for (const word of words) expect(stdout).toContain(word)
  })
})
