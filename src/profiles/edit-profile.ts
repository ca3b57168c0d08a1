import {checkNeighbours, namedHosts, serviceHosts} from './addresses.ts'
import {applySettings, ownSecrets, unsetMembers} from './apply-settings.ts'
import {isRecord} from './json-object.ts'
import type {ProfileStore, ProfilesDocument} from './profiles-file.ts'
import {invalidSettings, readProfile} from './read-profile.ts'
import type {SecretReference} from './reference.ts'
import type {Secrets} from './secrets.ts'
import type {ProfileSettings, StoredProfile} from './settings.ts'
import type {ProfileSurroundings} from './surroundings.ts'
import type {Problem} from './value-types.ts'

/** What a person changes on a profile; deleting comes first. */
export interface ProfileChanges {
  readonly set?: ProfileSettings
  /** Dotted names of settings to delete, e.g. `auditUser`, `words.walleta`, `groups.pin.prefix`. */
  readonly unset?: readonly string[]
}

interface Rooms {
  readonly store: ProfileStore
  readonly secrets: Secrets
  readonly surroundings: ProfileSurroundings
}

/**
 * Stores a changed or new profile. Its secrets are kept first, so that no profile ever names a secret that isn't there;
 * if the profile is refused then, they are deleted again. Old secrets go when nothing names them any more.
 *
 * @param before gives the entry to change, or throws if there is none to change.
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
    const cleared = unsetMembers(isRecord(entry) ? entry : {}, unset)
    const {raw, pending} = applySettings(cleared, set, surroundings, referenceFor)
    return {raw, pending, profile: checked(name, raw, document)}
  }
  // Everything that can be refused is refused before a keyring is touched.
  const {pending} = apply(store.read(), () => ({source: 'keyring', locator: 'pending'}))
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
 * Refuses what `changeProfile` would refuse, for those who ask for secrets in between; what is given of them is not kept.
 *
 * @throws Failure INPUT_INVALID, SENSITIVE_IN_ARGV
 */
export function checkChange(
  name: string,
  {set = {}, unset = []}: ProfileChanges,
  entry: unknown,
  document: ProfilesDocument,
  surroundings: ProfileSurroundings,
): void {
  const cleared = unsetMembers(isRecord(entry) ? entry : {}, unset)
  const {raw} = applySettings(cleared, set, surroundings, () => ({source: 'keyring', locator: 'pending'}))
  checked(name, raw, document)
}

/** What is wrong with the settings of a new profile, some of which may be missing yet. */
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

/** The profile of an entry that is about to be stored. */
function checked(name: string, raw: unknown, {profiles}: ProfilesDocument): StoredProfile {
  const read = readProfile(raw)
  if ('problems' in read) throw invalidSettings(name, read.problems)
  const {profile} = read
  const conflict = checkNeighbours({name, kind: profile.kind, hosts: serviceHosts(profile)}, profiles)
  if (conflict !== undefined) throw invalidSettings(name, [conflict])
  return profile
}
