import type {Group} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {nearestName} from '../errors/nearest-name.ts'
import type {Secret} from '../sensitive/secret.ts'
import {isRecord} from './json-object.ts'
import {absolute, formatReference, parseReference, type SecretReference} from './reference.ts'
import {type AuthType, type Rate, secretMembers} from './stored-profile.ts'
import type {GroupAddress, ProfileKind} from './target.ts'

/** A secret to keep for a profile, or where it is to be found: `env:NAME`, `file:PATH`, `cmd:COMMAND`. */
export type SecretInput = {readonly reference: string} | {readonly value: Secret}

/** The members that the type needs: see StoredAuth. Another type than before starts anew. */
export interface AuthSettings {
  readonly type?: AuthType | undefined
  readonly user?: string | undefined
  readonly name?: string | undefined
  readonly tokenUrl?: string | undefined
  readonly clientId?: string | undefined
  readonly scope?: string | undefined
  readonly password?: SecretInput | undefined
  readonly token?: SecretInput | undefined
  readonly value?: SecretInput | undefined
  readonly clientSecret?: SecretInput | undefined
}

/** What a person sets on a profile; what is absent stays. Groups, words, tls and auth are merged member by member. */
export interface ProfileSettings {
  readonly kind?: ProfileKind | undefined
  readonly baseUrl?: string | undefined
  readonly readOnly?: boolean | undefined
  readonly auditUser?: string | undefined
  readonly bid?: string | undefined
  readonly auth?: AuthSettings | undefined
  readonly groups?:
    | Readonly<Record<string, GroupAddress>>
    | Readonly<Partial<Record<Group, GroupAddress>>>
    | undefined
  readonly words?: Readonly<Record<string, string>> | undefined
  /** Paths of PEM files; the key is a secret. */
  readonly tls?:
    | {
        readonly ca?: string | undefined
        readonly cert?: string | undefined
        readonly key?: SecretInput | undefined
      }
    | undefined
  readonly idempotency?: 'documented' | 'all' | undefined
  readonly settleDelayMs?: number | undefined
  readonly allowInsecure?: boolean | undefined
  readonly strict?: boolean | undefined
  readonly hosts?: readonly string[] | undefined
  readonly panKey?:
    | {readonly source?: string | undefined; readonly thumbprint?: string | undefined}
    | undefined
  readonly rate?: {readonly [key in keyof Rate]?: number | undefined} | undefined
}

/** A secret that was given as itself, to be stored before the profile that names it. */
export interface PendingSecret {
  /** Dotted member of the profile, e.g. `auth.password`. */
  readonly member: string
  readonly secret: Secret
}

type Raw = Record<string, unknown>
interface Place {
  readonly cwd?: string | undefined
  readonly homedir: string
}

/** Dotted members of a profile that hold references to secrets. */
export const secretPaths: ReadonlySet<string> = new Set([
  ...Object.values(secretMembers).flatMap(member => (member === undefined ? [] : `auth.${member}`)),
  'tls.key',
])

/**
 * The entry of profiles.json after the settings were applied; members that aren't known are kept. A secret given as
 * itself is listed in `pending` and stands in the entry as the reference that `referenceFor` makes up for its member.
 *
 * @throws Failure SENSITIVE_IN_ARGV, INPUT_INVALID for a reference that is none.
 */
export function applySettings(
  raw: unknown,
  settings: ProfileSettings,
  place: Place,
  referenceFor: (member: string) => SecretReference,
): {readonly raw: Raw; readonly pending: readonly PendingSecret[]} {
  const pending: PendingSecret[] = []
  const secretFor = (member: string, input: SecretInput): string => {
    if ('reference' in input) return formatReference(parseReference(input.reference, place))
    pending.push({member, secret: input.value})
    return formatReference(referenceFor(member))
  }
  const merge = (before: unknown, changes: object, path: string): Raw => {
    const after: Raw = isRecord(before) ? {...before} : {}
    for (const [member, value] of Object.entries(changes) as [string, unknown][]) {
      if (value === undefined) continue
      const inside = `${path}${member}`
      if (secretPaths.has(inside)) put(after, member, secretFor(inside, value as SecretInput))
      else if (isRecord(value)) put(after, member, merge(startOf(inside, after, value), value, `${inside}.`))
      else put(after, member, isFilePath(inside, value) ? absolute(value, place) : value)
    }
    return after
  }
  return {raw: merge(raw, settings, ''), pending}
}

/** What an object's changes are merged into: nothing, if authentication changes its type. */
function startOf(member: string, before: Raw, changes: Raw): unknown {
  const current = own(before, member.slice(member.lastIndexOf('.') + 1))
  if (member !== 'auth' || changes.type === undefined) return current
  return isRecord(current) && current.type === changes.type ? current : undefined
}

function isFilePath(member: string, value: unknown): value is string {
  if (typeof value !== 'string' || value === '') return false
  return (
    member === 'tls.ca' || member === 'tls.cert' || (member === 'panKey.source' && !value.includes('://'))
  )
}

/**
 * Deletes members by their dotted names, e.g. `auditUser`, `words.walleta`, `groups.cards.prefix`; one that isn't there
 * is as good as deleted.
 *
 * @throws Failure INPUT_INVALID for a name that is no setting's.
 */
export function unsetMembers(raw: Raw, members: readonly string[]): Raw {
  const copy = structuredClone(raw)
  for (const member of members) {
    const [first = '', ...inner] = member.split('.')
    if (!settingNames.some(name => name === first) && own(copy, first) === undefined)
      throw unknownSetting(member)
    remove(copy, first, inner)
  }
  return copy
}

/** An object that the deletion leaves empty goes with it. */
function remove(owner: Raw, member: string, inner: readonly string[]): void {
  const [next, ...rest] = inner
  const value = own(owner, member)
  if (next !== undefined && isRecord(value)) remove(value, next, rest)
  if (next === undefined || (isRecord(value) && Object.keys(value).length === 0)) delete owner[member]
}

function unknownSetting(member: string): Failure {
  const meant = nearestName(member, settingNames)
  return new Failure('INPUT_INVALID', {
    message: `${member} is not a setting of a profile.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: `Settings: ${settingNames.join(', ')}.`,
    effect: 'none',
  })
}

function own(owner: Raw, member: string): unknown {
  return Object.hasOwn(owner, member) ? owner[member] : undefined
}

/** Defines instead of assigning, so that a member named __proto__ is a member and nothing else. */
function put(owner: Raw, member: string, value: unknown): void {
  Object.defineProperty(owner, member, {value, enumerable: true, configurable: true, writable: true})
}

const settingNames = Object.keys({
  kind: true,
  baseUrl: true,
  readOnly: true,
  auditUser: true,
  bid: true,
  auth: true,
  groups: true,
  words: true,
  tls: true,
  idempotency: true,
  settleDelayMs: true,
  allowInsecure: true,
  strict: true,
  hosts: true,
  panKey: true,
  rate: true,
} satisfies Record<keyof ProfileSettings, true>)
