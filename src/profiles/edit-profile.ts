import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {nearestName} from '../errors/nearest-name.ts'
import {checkNeighbours, namedHosts, serviceHosts} from './addresses.ts'
import {applySettings, type Entry, own} from './apply-settings.ts'
import type {ProfileStore} from './profiles-file.ts'
import {invalidSettings, type ProfilesDocument, readProfile} from './read-profile.ts'
import {type SecretReference, storedReference} from './reference.ts'
import type {Secrets} from './secrets.ts'
import {type ProfileSettings, type StoredProfile, settingList, settings} from './settings.ts'
import type {ProfileSurroundings} from './surroundings.ts'
import {type Problem, secret} from './value-types.ts'

/** Changes to a profile. Deletions come first. */
export interface ProfileChanges {
  readonly set?: ProfileSettings
  /** Dotted names of settings to delete, for example `auditUser`, `words.walleta`, `groups.pin.prefix`. */
  readonly unset?: readonly string[]
}

interface Rooms {
  readonly store: ProfileStore
  readonly secrets: Secrets
  readonly surroundings: ProfileSurroundings
}

/**
 * Stores a changed or new profile. Its secrets are stored first, so that no profile ever names a missing secret. If the
 * profile is then refused, they are deleted again. Old secrets are deleted once nothing refers to them.
 *
 * @param before returns the entry to change, or throws if there is none.
 * @throws Failure INPUT_INVALID, SENSITIVE_IN_ARGV, and those of the store.
 */
export async function changeProfile(
  name: string,
  {set = {}, unset = []}: ProfileChanges,
  before: (document: ProfilesDocument) => unknown,
  {store, secrets, surroundings}: Rooms,
): Promise<StoredProfile> {
  const apply = (document: ProfilesDocument, referenceFor: (member: string) => SecretReference) => {
    const entry = before(document)
    const cleared = changedByHand(unsetMembers(isObject(entry) ? entry : {}, unset), [
      ...unset,
      ...namesIn(set),
    ])
    const {raw, pending} = applySettings(cleared, set, surroundings, referenceFor)
    return {raw, pending, profile: checked(name, raw, document)}
  }
  // Refuse what must be refused before the keyring changes.
  const {pending} = apply(store.read(), () => ({source: 'keyring', locator: 'pending'}))
  await store.agreeTo(document => {
    const {raw} = apply(document, member => ({source: 'keyring', locator: `${name}/${member}/new`}))
    return {current: document.current, profiles: new Map([...document.profiles, [name, raw]])}
  })
  const kept = new Map<string, SecretReference>()
  let stored: StoredProfile | undefined
  let old: readonly SecretReference[] = []
  try {
    for (const {member, secret} of pending) {
      kept.set(member, await secrets.store(`${name}/${member}/${surroundings.newKey()}`, secret))
    }
    await store.edit(document => {
      old = ownSecrets(name, document.profiles.get(name))
      const {raw, profile} = apply(
        document,
        member => kept.get(member) ?? {source: 'keyring', locator: member},
      )
      stored = profile
      const current = ownSecrets(name, raw)
      old = old.filter(({locator}) => !current.some(one => one.locator === locator))
      return {current: document.current, profiles: new Map([...document.profiles, [name, raw]])}
    })
  } catch (error) {
    for (const reference of kept.values()) await secrets.forget(reference)
    throw error
  }
  for (const reference of old) await secrets.forget(reference)
  if (stored === undefined) throw new Error('The store ended without an edit.')
  return stored
}

/**
 * Refuses what `changeProfile` would refuse, so that no user enters a secret in vain. Stores nothing.
 *
 * @throws Failure INPUT_INVALID, SENSITIVE_IN_ARGV
 */
export function checkChange(
  name: string,
  {set = {}, unset = []}: ProfileChanges,
  entry: unknown,
  document: ProfilesDocument,
  surroundings: ProfileSurroundings,
): StoredProfile {
  const cleared = unsetMembers(isObject(entry) ? entry : {}, unset)
  const {raw} = applySettings(cleared, set, surroundings, () => ({source: 'keyring', locator: 'pending'}))
  return checked(name, raw, document)
}

/** The problems of a new profile's settings. Required settings may still be missing. */
export function problemsOf(
  name: string,
  settings: ProfileSettings,
  {profiles}: ProfilesDocument,
  surroundings: ProfileSurroundings,
): readonly Problem[] {
  const {raw} = applySettings({}, settings, surroundings, () => ({source: 'keyring', locator: 'pending'}))
  const read = readProfile(raw)
  const conflict = checkNeighbours({name, kind: settings.kind ?? 'live', hosts: namedHosts(raw)}, profiles)
  return [...('problems' in read ? read.problems : []), ...(conflict === undefined ? [] : [conflict])]
}

/** Checks an entry before it is stored, and returns its profile. */
function checked(name: string, raw: unknown, {profiles}: ProfilesDocument): StoredProfile {
  const read = readProfile(raw)
  if ('problems' in read) throw invalidSettings(name, read.problems)
  const {profile} = read
  const conflict = checkNeighbours({name, kind: profile.kind, hosts: serviceHosts(profile)}, profiles)
  if (conflict !== undefined) throw invalidSettings(name, [conflict])
  return profile
}

/**
 * Deletes fields by their dotted names, for example `auditUser`, `words.walleta`, `groups.cards.prefix`. Deleting a
 * missing field has no effect.
 *
 * @throws Failure INPUT_INVALID for a name that isn't a setting.
 */
function unsetMembers(raw: Entry, names: readonly string[]): Entry {
  const copy = structuredClone(raw)
  for (const name of names) {
    const [first = ''] = name.split('.')
    if (!Object.hasOwn(settings, first) && own(copy, first) === undefined) throw unknownSetting(name)
    remove(copy, name)
  }
  return copy
}

/** What is changed is no longer what a document said. The changes name the document themselves, if it is from one. */
function changedByHand(entry: Entry, names: readonly string[]): Entry {
  const service = own(entry, 'service')
  if (!isObject(service) || !isObject(service.found)) return entry
  const found = Object.entries(service.found).filter(
    ([known]) => !names.some(name => known === name || known.startsWith(`${name}.`)),
  )
  const {found: _, ...others} = service
  return {...entry, service: found.length === 0 ? others : {...others, found: Object.fromEntries(found)}}
}

const namesIn = (value: object, before = ''): readonly string[] =>
  Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    isObject(inner) ? namesIn(inner, `${before}${name}.`) : inner === undefined ? [] : [`${before}${name}`],
  )

/** Also deletes an object that becomes empty. A field's own name may have dots, as that of an operation. */
function remove(owner: Entry, name: string): void {
  const dot = Object.hasOwn(owner, name) ? -1 : name.indexOf('.')
  const member = dot === -1 ? name : name.slice(0, dot)
  const value = own(owner, member)
  if (dot !== -1 && isObject(value)) remove(value, name.slice(dot + 1))
  if (dot === -1 || (isObject(value) && Object.keys(value).length === 0)) delete owner[member]
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
 * The secrets that cardctl stores for a profile, even if the rest of its entry is invalid. A secret of another profile
 * doesn't count, even if this entry refers to it.
 */
export function ownSecrets(profile: string, raw: unknown): readonly SecretReference[] {
  return settingList.flatMap(({name, setting}) => {
    if (setting.type !== secret) return []
    const text = name
      .split('.')
      .reduce<unknown>((value, member) => (isObject(value) ? value[member] : undefined), raw)
    const reference = typeof text === 'string' ? storedReference(text) : undefined
    const isOwn =
      (reference?.source === 'keyring' || reference?.source === 'secretfile') &&
      reference.locator.startsWith(`${profile}/`)
    return isOwn ? [reference] : []
  })
}
