import {isAbsolute} from 'node:path'
import type {Group} from '../contract/operation.ts'
import {nearestName} from '../errors/nearest-name.ts'
import {checkBaseUrl, checkHost, checkUrl} from './addresses.ts'
import {auditUserProblem, isPersonal} from './audit-user.ts'
import {isRecord} from './json-object.ts'
import {readAuth} from './read-auth.ts'
import {MemberReader} from './read-member.ts'
import {
  defaultRate,
  defaultSettleDelayMs,
  groups,
  kinds,
  type Rate,
  type StoredProfile,
} from './stored-profile.ts'
import type {GroupAddress, ProfileKind} from './target.ts'
import {checkWords, type Problem} from './words.ts'

export type ReadProfile =
  | {readonly profile: StoredProfile}
  | {readonly problems: readonly [Problem, ...Problem[]]}

/**
 * Turns one entry of profiles.json into a profile with its defaults filled in, or says all that is wrong with it.
 * Members that aren't known are left alone: a newer version may have written them.
 */
export function readProfile(raw: unknown): ReadProfile {
  if (!isRecord(raw)) return {problems: [{member: '(the entry)', message: 'is not an object'}]}
  const reader = new MemberReader(raw)
  const allowInsecure = reader.flag('allowInsecure')
  const kind = reader.choice('kind', kinds) ?? 'live'
  const profile: StoredProfile = {
    kind,
    baseUrl: readBaseUrl(reader, allowInsecure),
    readOnly: reader.flag('readOnly'),
    ...optional('auditUser', readAuditUser(reader, kind)),
    ...optional('bid', reader.text('bid', /^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 printable characters')),
    auth: readAuth(reader.object('auth') ?? reader.empty('auth'), allowInsecure),
    groups: readGroups(reader, allowInsecure),
    words: readWords(reader),
    tls: readTls(reader),
    idempotency: reader.optionalChoice('idempotency', ['documented', 'all'] as const) ?? 'documented',
    settleDelayMs: reader.number('settleDelayMs', {least: 0, most: 600_000}) ?? defaultSettleDelayMs,
    allowInsecure,
    strict: reader.flag('strict'),
    hosts: readHosts(reader),
    ...optional('panKey', readPanKey(reader, allowInsecure)),
    rate: readRate(reader, kind),
  }
  const [first, ...rest] = reader.problems
  return first === undefined ? {profile} : {problems: [first, ...rest]}
}

function readBaseUrl(reader: MemberReader, allowInsecure: boolean): string {
  const text = reader.text('baseUrl')
  if (text === undefined) {
    if (!reader.has('baseUrl')) reader.report('baseUrl', 'is missing')
    return ''
  }
  const checked = checkBaseUrl(text, allowInsecure)
  if ('url' in checked) return checked.url
  reader.report('baseUrl', checked.problem)
  return ''
}

function readAuditUser(reader: MemberReader, kind: ProfileKind): string | undefined {
  const name = reader.text('auditUser')
  if (name === undefined) return undefined
  const problem = auditUserProblem(name)
  if (problem !== undefined) reader.report('auditUser', problem)
  else if (kind === 'live' && !isPersonal(name)) {
    reader.report('auditUser', 'must name a person on a live profile, not a role or a machine')
  }
  return name
}

function readGroups(reader: MemberReader, allowInsecure: boolean): StoredProfile['groups'] {
  const found: Partial<Record<Group, GroupAddress>> = {}
  const all = reader.object('groups')
  for (const name of all?.names() ?? []) {
    const group = groups.find(known => known === name)
    if (group === undefined) {
      all?.report(name, `is not a group of operations (${groups.join(', ')})`, nearestName(name, groups))
      continue
    }
    const address = all?.object(name)
    if (address !== undefined) found[group] = readAddress(address, allowInsecure)
  }
  return found
}

function readAddress(address: MemberReader, allowInsecure: boolean): GroupAddress {
  const text = address.text('baseUrl')
  const checked = text === undefined ? undefined : checkBaseUrl(text, allowInsecure)
  if (checked && 'problem' in checked) address.report('baseUrl', checked.problem)
  const prefix = address.text('prefix')
  if (prefix !== undefined && !isPrefix(prefix)) {
    const mended = `/${prefix.replace(/^\/+|\/+$/g, '')}`
    address.report(
      'prefix',
      'must be empty, or segments that each begin with /',
      isPrefix(mended) ? mended : undefined,
    )
  }
  return {
    ...(checked && 'url' in checked ? {baseUrl: checked.url} : {}),
    ...optional('prefix', prefix),
  }
}

function isPrefix(text: string): boolean {
  return /^(\/[A-Za-z0-9._~-]+)*$/.test(text) && !/\/\.\.?(\/|$)/.test(text)
}

function readWords(reader: MemberReader): StoredProfile['words'] {
  const words = reader.object('words')
  if (words === undefined) return {}
  const problems = checkWords(words.raw)
  for (const problem of problems) reader.problems.push(problem)
  return problems.length === 0 ? (words.raw as Record<string, string>) : {}
}

function readTls(reader: MemberReader): StoredProfile['tls'] {
  const tls = reader.object('tls')
  if (tls === undefined) return {}
  const found = {
    ...optional('ca', readPath(tls, 'ca')),
    ...optional('cert', readPath(tls, 'cert')),
    ...optional('key', tls.reference('key')),
  }
  if (tls.has('cert') !== tls.has('key')) {
    const missing = tls.has('cert') ? 'key' : 'cert'
    tls.report(missing, 'is missing: a client certificate and its key go together')
  }
  return found
}

function readPath(reader: MemberReader, member: string): string | undefined {
  const path = reader.text(member)
  if (path === undefined || (isAbsolute(path) && !path.includes('\0'))) return path
  reader.report(member, 'must be an absolute path of a file')
  return undefined
}

function readHosts(reader: MemberReader): readonly string[] {
  const hosts: string[] = []
  for (const [index, text] of (reader.list('hosts') ?? []).entries()) {
    const host = typeof text === 'string' ? checkHost(text) : undefined
    if (host === undefined)
      reader.report(`hosts.${index}`, 'must be a host or host:port, without scheme or path')
    else hosts.push(host)
  }
  return hosts
}

function readPanKey(reader: MemberReader, allowInsecure: boolean): StoredProfile['panKey'] {
  const key = reader.object('panKey')
  if (key === undefined) return undefined
  const thumbprint = key.text(
    'thumbprint',
    /^[A-Za-z0-9_-]{43}$/,
    'must be a SHA-256 thumbprint in base64url',
  )
  const source = key.text('source') ?? ''
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(source)) {
    const checked = checkUrl(source, allowInsecure)
    if ('problem' in checked) key.report('source', checked.problem)
  } else if (!isAbsolute(source)) {
    key.report('source', 'must be an absolute path of a JWKS or PEM file, or a URL of one')
  }
  return {source, ...optional('thumbprint', thumbprint)}
}

function readRate(reader: MemberReader, kind: ProfileKind): Rate {
  const rate = reader.object('rate')
  const usual = defaultRate(kind)
  if (rate === undefined) return usual
  return {
    perSecond: rate.number('perSecond', {least: 1, most: 10_000}) ?? usual.perSecond,
    perMinute: rate.number('perMinute', {least: 1, most: 600_000}) ?? usual.perMinute,
    share: rate.number('share', {least: 0.001, most: 1, fraction: true}) ?? usual.share,
  }
}

function optional<K extends string, V>(name: K, value: V | undefined): {[key in K]?: V} {
  return (value === undefined ? {} : {[name]: value}) as {[key in K]?: V}
}
