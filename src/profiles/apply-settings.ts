import {isObject} from '../errors/is-object.ts'
import type {Secret} from '../sensitive/secret.ts'
import {formatReference, type Place, type SecretReference} from './reference.ts'
import {type ProfileSettings, profileType, type SecretInput} from './settings.ts'
import {secret, type ValueType} from './value-types.ts'

/** A secret that the user entered directly. It is stored before the profile that refers to it. */
interface PendingSecret {
  /** Dotted field of the profile, for example `auth.password`. */
  readonly member: string
  readonly secret: Secret
}

export type Entry = Record<string, unknown>

/**
 * The entry of profiles.json with the settings applied; unknown fields stay. A secret that was entered directly goes to
 * `pending`, and the entry gets the reference that `referenceFor` returns for its field.
 *
 * @throws Failure SENSITIVE_IN_ARGV, INPUT_INVALID for a value that isn't a reference.
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
    const after: Entry = isObject(before) ? {...before} : {}
    for (const [member, value] of Object.entries(changed) as [string, unknown][]) {
      if (value === undefined) continue
      const name = `${path}${member}`
      const inner = typeOf(type, member)
      if (inner === secret) put(after, member, secretFor(name, value as SecretInput))
      else if (isObject(value))
        put(after, member, merge(startOf(name, after, value), value, inner, `${name}.`))
      else put(after, member, storedForm(value, inner, place))
    }
    return after
  }
  return {raw: merge(raw, changes, profileType, ''), pending}
}

function storedForm(value: unknown, type: ValueType<unknown> | undefined, place: Place): unknown {
  if (Array.isArray(value)) return value.map(item => storedForm(item, type?.item, place))
  return typeof value === 'string' ? (type?.store?.(value, place) ?? value) : value
}

const typeOf = (type: ValueType<unknown> | undefined, member: string): ValueType<unknown> | undefined => {
  const {members = {}, item} = type ?? {}
  return Object.hasOwn(members, member) ? members[member]?.type : item
}

/** The object that changes are merged into. It is empty if the type of authentication changes. */
function startOf(name: string, before: Entry, changes: Entry): unknown {
  const current = own(before, name.slice(name.lastIndexOf('.') + 1))
  if (!/^(webhook\.)?auth$/.test(name) || changes.type === undefined) return current
  return isObject(current) && current.type === changes.type ? current : undefined
}

export function own(owner: Entry, member: string): unknown {
  return Object.hasOwn(owner, member) ? owner[member] : undefined
}

/** Uses defineProperty, so that a field named __proto__ becomes an ordinary field. */
function put(owner: Entry, member: string, value: unknown): void {
  Object.defineProperty(owner, member, {value, enumerable: true, configurable: true, writable: true})
}
