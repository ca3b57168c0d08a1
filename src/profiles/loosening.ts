import {isObject} from '../errors/is-object.ts'
import {machineOf, namedHosts} from './addresses.ts'
import type {AuthFields} from './auth-settings.ts'
import type {GroupAddress} from './group-settings.ts'
import {hostRules, loosenedRules} from './host-rules.ts'
import type {StoredTls} from './key-settings.ts'
import {effectiveValues} from './read-profile.ts'
import type {StoredService} from './service-settings.ts'
import {
  atLeast,
  atMost,
  type Direction,
  each,
  fixed,
  free,
  inside,
  kept,
  type Loosening,
  permits,
  type SettingChange,
  strictest,
} from './setting-change.ts'
import type {Rate, StoredProfile} from './settings.ts'
import type {Raw} from './value-types.ts'
import type {StoredWebhook} from './webhook-settings.ts'

type Inner<Name extends keyof StoredWebhook> = NonNullable<StoredWebhook[Name]>

/**
 * What loosens a live profile, setting by setting. One that is missing here doesn't compile. `fixed` is what widens by being
 * added: whom cardctl believes (`tls.ca`), what it may send at all (`panKey`), as whom (`machineUser`), where to (prefixes,
 * headers), and what a request means there (words, a dialect, the header of keys).
 */
const directions: {readonly [Name in keyof StoredProfile]-?: Direction} = {
  ...hostRules,
  kind: strictest('live'),
  baseUrl: kept,
  socket: kept,
  auditUser: free,
  machineUser: fixed,
  bid: free,
  auth: inside<AuthFields>({
    // Of a profile that had none, each is an addition.
    type: (before, after, name) => (before === 'none' ? [] : kept(before, after, name)),
    user: kept,
    password: kept,
    token: kept,
    tokenUrl: kept,
    clientId: kept,
    clientSecret: kept,
    // The token may do more.
    scope: fixed,
    name: kept,
    value: kept,
  }),
  // Another base URL of a group replaces the one of the profile.
  groups: each(inside<GroupAddress>({baseUrl: fixed, prefix: fixed})),
  words: each(fixed),
  answerIds: each((before, after, name) => (after === 'none' ? fixed : kept)(before, after, name)),
  service: inside<StoredService>({
    headers: each(fixed),
    // It is somewhere by default.
    auditUser: fixed,
    envelope: kept,
    accepted: kept,
    arrays: kept,
    paging: each(kept),
    found: free,
    error: kept,
  }),
  tls: inside<StoredTls>({ca: fixed, cert: kept, key: kept}),
  webhook: inside<StoredWebhook>({
    auth: kept,
    signature: inside<Inner<'signature'>>({
      key: kept,
      otherKeys: permits,
      preset: kept,
      header: kept,
      timestampHeader: kept,
      idHeader: kept,
      signed: kept,
      encoding: kept,
      prefix: kept,
      keyEncoding: kept,
      toleranceMs: atMost,
    }),
    tls: inside<Inner<'tls'>>({ca: fixed, cert: kept, key: kept}),
    hosts: permits,
  }),
  idempotencyHeader: fixed,
  decimal: free,
  settleDelayMs: atLeast,
  allowInsecure: strictest(false),
  dialect: fixed,
  // Who may be the second person that a rule wants.
  proposals: (before, after, name, {secondPersonFor} = {}) =>
    (isRuled(secondPersonFor) ? fixed : kept)(before, after, name),
  hosts: permits,
  panKey: fixed,
  rate: inside<Rate>({perSecond: atMost, perMinute: atMost, share: atMost}),
  teamStore: kept,
  teamKey: kept,
  rateStore: kept,
}

const isRuled = (rules: unknown): boolean => !Array.isArray(rules) || rules.length > 0

type Entries = ReadonlyMap<string, unknown>

/** Compares the stored profiles before and after a write. */
export function looseningsOf(before: Entries, after: Entries): readonly Loosening[] {
  const old = liveOf(before)
  const now = liveOf(after)
  const changed = old.flatMap(([profile, raw]): readonly Loosening[] => {
    const {baseUrl} = raw
    const found = {profile, baseUrl: typeof baseUrl === 'string' ? baseUrl : ''}
    if (!after.has(profile)) return [{...found, isRemoved: true, changes: []}]
    const changes = loosened(raw, after.get(profile))
    return changes.length === 0 ? [] : [{...found, isRemoved: false, changes}]
  })
  const added = now.filter(([name]) => !old.some(([known]) => known === name))
  return [...changed, ...added.flatMap(([name, raw]) => undercut(name, raw, old))]
}

const liveOf = (entries: Entries): readonly (readonly [name: string, raw: Raw])[] =>
  [...entries].flatMap(([name, raw]) => (isObject(raw) && raw.kind === 'live' ? [[name, raw] as const] : []))

/** The host of a live profile must not get looser rules by a second profile. */
function undercut(name: string, raw: Raw, old: readonly (readonly [string, Raw])[]): readonly Loosening[] {
  const machines = new Set(namedHosts(raw).map(machineOf))
  const others = old.filter(([, other]) => namedHosts(other).some(host => machines.has(machineOf(host))))
  const found = others.map(([profile, other]) => ({
    profile,
    baseUrl: String(other.baseUrl),
    isRemoved: false,
    by: name,
    changes: loosenedRules(other, raw).map(shown),
  }))
  if (found.some(({changes}) => changes.length === 0)) return []
  return found.toSorted((a, b) => a.changes.length - b.changes.length).slice(0, 1)
}

/** What an entry permits that it didn't permit before. */
function loosened(before: Raw, after: unknown): readonly SettingChange[] {
  const raw = isObject(after) ? after : {}
  const [old, now] = [effectiveValues(before), effectiveValues(raw)]
  const known = Object.entries(directions).flatMap(([name, direction]) =>
    direction(old[name], now[name], name, old),
  )
  // A setting of a newer version may be a rule as well.
  const others = Object.keys(before).filter(name => !Object.hasOwn(directions, name))
  return [...known, ...others.flatMap(name => kept(before[name], raw[name], name))].map(shown)
}

/** Where cardctl keeps a secret says nothing to a person, and is not known before it is kept. */
const shown = ({setting, from, to}: SettingChange): SettingChange => ({
  setting,
  from: from?.replace(OWN_STORE, 'a stored secret'),
  to: to?.replace(OWN_STORE, 'a stored secret'),
})

const OWN_STORE = /^(?:keyring|secretfile):.*/s
