import {devNull} from 'node:os'
import {join} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {credentialHosts, liveProfilesAt} from './addresses.ts'
import type {AuthType, StoredAuth} from './auth-settings.ts'
import {type Choice, type Chosen, choose, chooseStored} from './choose.ts'
import {changeProfile, checkChange, ownSecrets, type ProfileChanges, problemsOf} from './edit-profile.ts'
import {looseConfig} from './folder-modes.ts'
import {builtIn, checkNewName, EMBEDDED_PROFILE, nameTaken, profileNotFound} from './profile-name.ts'
import {openStore, type ProfileStore} from './profiles-file.ts'
import {
  describeProblem,
  embeddedProfile,
  invalidProfile,
  type ProfilesDocument,
  readProfile,
} from './read-profile.ts'
import {formatReference, type SecretReference} from './reference.ts'
import {openSecrets} from './secrets.ts'
import type {ProfileKind, ProfileSettings, StoredProfile} from './settings.ts'
import {type Folders, foldersOf, type ProfileSurroundings} from './surroundings.ts'
import {type Target, toTarget} from './target.ts'
import type {Problem} from './value-types.ts'
import {type ProfileWebhook, readWebhookCredentials} from './webhook-credentials.ts'

/**
 * The stored profiles of a user. Reading creates no files. Every call may throw Failure CONFIG_DAMAGED,
 * CONFIG_UNREADABLE.
 */
export interface Profiles {
  /** The path of profiles.json. */
  readonly file: string
  /** The built-in profile first, then by name. Broken ones are listed with their problems. */
  list(): Promise<readonly ProfileSummary[]>
  /** @throws Failure PROFILE_NOT_FOUND, PROFILE_INVALID */
  show(name: string): Promise<ProfileDetails>
  /** The problems of a new profile's settings. Required settings may still be missing. */
  problems(name: string, settings: ProfileSettings): Promise<readonly Problem[]>
  /** What `add` would store, before the user enters a secret. @throws as `add` */
  checkAdd(name: string, settings: ProfileSettings): Promise<StoredProfile>
  /** The same for `edit`. @throws as `edit` */
  checkEdit(name: string, changes: ProfileChanges): Promise<StoredProfile>
  /** Adding a profile doesn't choose it. @throws Failure INPUT_INVALID, SENSITIVE_IN_ARGV */
  add(name: string, settings: ProfileSettings): Promise<ProfileDetails>
  /** @throws Failure PROFILE_NOT_FOUND, INPUT_INVALID, SENSITIVE_IN_ARGV */
  edit(name: string, changes: ProfileChanges): Promise<ProfileDetails>
  /** Refuses what `remove` would refuse, before a confirmation. Broken profiles can be removed. @throws as `remove` */
  checkRemovable(name: string): Promise<void>
  /** Removes a profile and its stored secrets. @throws Failure PROFILE_NOT_FOUND, INPUT_INVALID (built in) */
  remove(name: string): Promise<void>
  /** Makes a profile the default. @throws Failure PROFILE_NOT_FOUND */
  use(name: string): Promise<void>
  /** Decides profile, base URL and audit user. Reads only profiles.json. See choose(). */
  choose(choice: Choice): Promise<Chosen>
  /** The names of the live profiles, also broken ones, whose requests go to a host. */
  liveAt(host: string): Promise<readonly string[]>
  /** The chosen profile, for what needs neither a service nor an audit user. */
  stored(choice: Pick<Choice, 'profile'>): Promise<StoredProfile>
  /**
   * How authorisation calls are authenticated; undefined if the profile doesn't say.
   * @throws Failure SECRET_MISSING; PROFILE_INVALID for certificates that can't be read
   */
  webhook(choice: Pick<Choice, 'profile'>): Promise<ProfileWebhook | undefined>
  /** @throws Failure PROFILE_INVALID for certificates that can't be read */
  target(chosen: Chosen): Promise<Target>
}

export function openProfiles(surroundings: ProfileSurroundings): Profiles {
  const folders = foldersOf(surroundings)
  // Without a home folder no profile is stored, but the environment may hold all of one, or none be needed.
  const isWithoutFiles = !isThere(() => folders.config)
  const store = isWithoutFiles ? noStore(folders) : openStore(folders.config, surroundings)
  const secretFile = isThere(() => folders.data) ? join(folders.data, 'secrets.json') : devNull
  const secrets = openSecrets(secretFile, surroundings)
  const rooms = {store, secrets, surroundings}

  const orWithoutHome = <T>(find: () => T): T => {
    try {
      return find()
    } catch (error) {
      const isLost = isWithoutFiles && error instanceof Failure && error.code === 'PROFILE_NOT_FOUND'
      throw isLost ? error.with({hint: NO_HOME}) : error
    }
  }

  const details = async (name: string): Promise<ProfileDetails> => {
    const document = store.read()
    const standing = {current: isCurrent(name, document), builtIn: name === EMBEDDED_PROFILE}
    if (standing.builtIn) return detailsOf(name, embeddedProfile, standing)
    const read = readProfile(entryOf(name, document))
    if ('problems' in read) throw invalidProfile(name, read.problems)
    return detailsOf(name, read.profile, standing)
  }

  return {
    file: store.file,
    async list() {
      const document = store.read()
      const standing = {current: isCurrent(EMBEDDED_PROFILE, document), builtIn: true}
      const names = [...document.profiles.keys()].sort()
      return [
        summaryOfProfile(EMBEDDED_PROFILE, embeddedProfile, standing),
        ...names.map(name =>
          summaryOf(name, document.profiles.get(name), {current: isCurrent(name, document), builtIn: false}),
        ),
      ]
    },
    show: details,
    problems: async (name, settings) => problemsOf(name, settings, store.read(), surroundings),
    async checkAdd(name, set) {
      checkNewName(name)
      const document = store.read()
      return checkChange(name, {set}, freshEntry(name, document), document, surroundings)
    },
    async checkEdit(name, changes) {
      if (name === EMBEDDED_PROFILE) throw builtIn()
      const document = store.read()
      return checkChange(name, changes, entryOf(name, document), document, surroundings)
    },
    async add(name, settings) {
      checkNewName(name)
      await changeProfile(name, {set: settings}, document => freshEntry(name, document), rooms)
      return details(name)
    },
    async edit(name, changes) {
      if (name === EMBEDDED_PROFILE) throw builtIn()
      await changeProfile(name, changes, document => entryOf(name, document), rooms)
      return details(name)
    },
    async checkRemovable(name) {
      if (name === EMBEDDED_PROFILE) throw builtIn()
      entryOf(name, store.read())
    },
    async remove(name) {
      if (name === EMBEDDED_PROFILE) throw builtIn()
      let wasCurrent = false
      let kept: ReturnType<typeof ownSecrets> = []
      await store.edit(document => {
        kept = ownSecrets(name, entryOf(name, document))
        wasCurrent = document.current === name
        const profiles = new Map(document.profiles)
        profiles.delete(name)
        return {current: wasCurrent ? undefined : document.current, profiles}
      })
      for (const reference of kept) await secrets.forget(reference)
      if (!wasCurrent) return
      surroundings.notify?.({
        code: 'CURRENT_REMOVED',
        message: `${name} was the chosen profile; until another is chosen, the embedded sandbox is used.`,
      })
    },
    async use(name) {
      await store.edit(document => {
        if (name !== EMBEDDED_PROFILE) entryOf(name, document)
        return {current: name, profiles: document.profiles}
      })
    },
    async choose(choice) {
      const paths = isWithoutFiles ? [] : [folders.config, store.file]
      for (const notice of looseConfig(paths, surroundings.platform)) surroundings.notify?.(notice)
      return orWithoutHome(() => choose(choice, store.read(), surroundings))
    },
    liveAt: async host => liveProfilesAt([host], store.read().profiles).map(({name}) => name),
    stored: async choice => orWithoutHome(() => chooseStored(choice, store.read(), surroundings)).profile,
    async webhook(choice) {
      const {name, profile} = orWithoutHome(() => chooseStored(choice, store.read(), surroundings))
      if (!profile.webhook) return undefined
      return readWebhookCredentials(name, profile.webhook, secrets)
    },
    target: chosen => toTarget(chosen, secrets),
  }
}

const NO_HOME = 'There is no home folder to find profiles in: set HOME, or CARDCTL_CONFIG_DIR.'

/** Whether there is a place for a folder. */
function isThere(folder: () => string): boolean {
  try {
    return folder() !== ''
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** No stored profiles. An edit reports why. */
const noStore = (folders: Folders): ProfileStore => ({
  file: 'profiles.json',
  read: () => ({profiles: new Map(), raw: {}}),
  agreeTo: async () => undefined,
  edit: async () => {
    throw new Error(`Profiles are not kept in ${folders.config}.`)
  },
})

function isCurrent(name: string, {current = EMBEDDED_PROFILE}: ProfilesDocument): boolean {
  return current === name
}

function entryOf(name: string, {profiles}: ProfilesDocument): unknown {
  if (profiles.has(name)) return profiles.get(name)
  throw profileNotFound(name, profiles.keys())
}

function freshEntry(name: string, {profiles}: ProfilesDocument): unknown {
  if (!profiles.has(name)) return {}
  throw nameTaken(name)
}

/** A line of the list. */
export interface ProfileSummary {
  readonly name: string
  /** Whether it is the default profile. */
  readonly current: boolean
  readonly builtIn: boolean
  /** Absent for a profile that can't be used; `problems` says why. */
  readonly kind?: ProfileKind
  readonly baseUrl?: string
  readonly auth?: AuthType
  readonly auditUser?: string
  readonly readOnly?: boolean
  readonly problems?: readonly string[]
}

type Shown<T> = T extends SecretReference
  ? string
  : T extends readonly SecretReference[]
    ? readonly string[]
    : T extends readonly unknown[]
      ? T
      : T extends object
        ? {readonly [key in keyof T]: Shown<T[key]>}
        : T

/** A whole profile with its defaults. Secrets appear only as references, for example `env:API_TOKEN`. */
export interface ProfileDetails extends Shown<Omit<StoredProfile, 'auth'>> {
  readonly name: string
  readonly current: boolean
  readonly builtIn: boolean
  readonly auth: Shown<StoredAuth>
  /** Every host that credentials may be sent to. */
  readonly hosts: readonly string[]
}

interface Standing {
  readonly current: boolean
  readonly builtIn: boolean
}

function detailsOf(name: string, profile: StoredProfile, standing: Standing): ProfileDetails {
  const {auth, tls, teamStore, teamKey, rateStore, webhook, ...rest} = profile
  return {
    name,
    ...standing,
    ...rest,
    auth: shown(auth),
    tls: shown(tls),
    ...(teamStore === undefined ? {} : {teamStore: formatReference(teamStore)}),
    ...(teamKey === undefined ? {} : {teamKey: formatReference(teamKey)}),
    ...(webhook && {webhook: shown(webhook)}),
    ...(rateStore === undefined ? {} : {rateStore: formatReference(rateStore)}),
    hosts: standing.builtIn ? [] : credentialHosts(profile),
  }
}

function summaryOf(name: string, raw: unknown, standing: Standing): ProfileSummary {
  const read = readProfile(raw)
  return 'problems' in read
    ? {name, ...standing, problems: read.problems.map(describeProblem)}
    : summaryOfProfile(name, read.profile, standing)
}

function summaryOfProfile(
  name: string,
  {kind, baseUrl, auth, auditUser, readOnly}: StoredProfile,
  standing: Standing,
): ProfileSummary {
  return {
    name,
    ...standing,
    kind,
    baseUrl,
    auth: auth.type,
    ...(auditUser === undefined ? {} : {auditUser}),
    readOnly,
  }
}

/** References in their stored form. */
function shown<T extends object>(value: T): Shown<T> {
  const members = Object.entries(value).map(([member, inner]: [string, unknown]) => [
    member,
    shownValue(inner),
  ])
  return Object.fromEntries(members) as Shown<T>
}

function shownValue(value: unknown): unknown {
  if (isReference(value)) return formatReference(value)
  if (Array.isArray(value)) return value.map(shownValue)
  return typeof value === 'object' && value !== null ? shown(value) : value
}

function isReference(value: unknown): value is SecretReference {
  return typeof value === 'object' && value !== null && 'source' in value && 'locator' in value
}
