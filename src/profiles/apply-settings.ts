import {Failure} from '../errors/failure.ts'
import {nearestName} from '../errors/nearest-name.ts'
import type {Secret} from '../sensitive/secret.ts'
import {isRecord} from './json-object.ts'
import {formatReference, type Place, type SecretReference, storedReference} from './reference.ts'
import {type ProfileSettings, profileType, type SecretInput, settingList, settings} from './settings.ts'
import {secret, type ValueType} from './value-types.ts'

/** A secret that was given as itself, to be stored before the profile that names it. */
export interface PendingSecret {
  /** Dotted member of the profile, for example `auth.password`. */
  readonly member: string
  readonly secret: Secret
}

type Entry = Record<string, unknown>

/**
 * The entry of profiles.json with the settings applied; members that aren't known stay. A secret given as itself is
 * listed in `pending`, and the entry holds the reference that `referenceFor` gives for its member.
 *
 * @throws Failure SENSITIVE_IN_ARGV, INPUT_INVALID for what is no reference.
 */
export function applySettings(
  raw: unknown,
  changes: ProfileSettings,
  place: Place,
  referenceFor: (member: string) => SecretReference,
): {readonly raw: Entry; readonly pending: readonly PendingSecret[]} {
  const pending: PendingSecret[] = []
  const secretFor = (name: string, input: SecretInput): string => {
    if ('reference' in input) return secret.store?.(input.reference, place) ?? input.reference
    pending.push({member: name, secret: input.value})
    return formatReference(referenceFor(name))
  }
  const merge = (
    before: unknown,
    changed: object,
    type: ValueType<unknown> | undefined,
    path: string,
  ): Entry => {
    const after: Entry = isRecord(before) ? {...before} : {}
    for (const [member, value] of Object.entries(changed) as [string, unknown][]) {
      if (value === undefined) continue
      const name = `${path}${member}`
      const inner = typeOf(type, member)
      if (inner === secret) put(after, member, secretFor(name, value as SecretInput))
      else if (isRecord(value))
        put(after, member, merge(startOf(name, after, value), value, inner, `${name}.`))
      else put(after, member, typeof value === 'string' ? (inner?.store?.(value, place) ?? value) : value)
    }
    return after
  }
  return {raw: merge(raw, changes, profileType, ''), pending}
}

const typeOf = (type: ValueType<unknown> | undefined, member: string): ValueType<unknown> | undefined => {
  const {members = {}, item} = type ?? {}
  return Object.hasOwn(members, member) ? members[member]?.type : item
}

/** What the changes of an object are merged into: nothing, if authentication changes its type. */
function startOf(name: string, before: Entry, changes: Entry): unknown {
  const current = own(before, name.slice(name.lastIndexOf('.') + 1))
  if (name !== 'auth' || changes.type === undefined) return current
  return isRecord(current) && current.type === changes.type ? current : undefined
}

/**
 * Deletes members by their dotted names, for example `auditUser`, `words.walleta`, `groups.cards.prefix`. One that isn't
 * there counts as deleted.
 *
 * @throws Failure INPUT_INVALID for a name that is no setting's.
 */
export function unsetMembers(raw: Entry, names: readonly string[]): Entry {
  const copy = structuredClone(raw)
  for (const name of names) {
    const [first = '', ...inner] = name.split('.')
    if (!Object.hasOwn(settings, first) && own(copy, first) === undefined) throw unknownSetting(name)
    remove(copy, first, inner)
  }
  return copy
}

/** An object that the deletion leaves empty goes with it. */
function remove(owner: Entry, member: string, inner: readonly string[]): void {
  const [next, ...rest] = inner
  const value = own(owner, member)
  if (next !== undefined && isRecord(value)) remove(value, next, rest)
  if (next === undefined || (isRecord(value) && Object.keys(value).length === 0)) delete owner[member]
}

function unknownSetting(name: string): Failure {
  const known = Object.keys(settings)
  const meant = nearestName(name, known)
  return new Failure('INPUT_INVALID', {
    message: `${name} is not a setting of a profile.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: `Settings: ${known.join(', ')}.`,
    effect: 'none',
  })
}

/**
 * The secrets that the tool itself stores for a profile, whether the rest of its entry is valid or not. An account that
 * was made for another profile is not its own, whoever wrote it there.
 */
export function ownSecrets(profile: string, raw: unknown): readonly SecretReference[] {
  return settingList.flatMap(({name, setting}) => {
    if (setting.type !== secret) return []
    const text = name
      .split('.')
      .reduce<unknown>((value, member) => (isRecord(value) ? value[member] : undefined), raw)
    const reference = typeof text === 'string' ? storedReference(text) : undefined
    const isOwn =
      (reference?.source === 'keyring' || reference?.source === 'secretfile') &&
      reference.locator.startsWith(`${profile}/`)
    return isOwn ? [reference] : []
  })
}

function own(owner: Entry, member: string): unknown {
  return Object.hasOwn(owner, member) ? owner[member] : undefined
}

/** Defines instead of assigning, so that a member named __proto__ is a member and nothing else. */
function put(owner: Entry, member: string, value: unknown): void {
  Object.defineProperty(owner, member, {value, enumerable: true, configurable: true, writable: true})
}
