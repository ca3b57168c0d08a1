import {credentialHosts} from './addresses.ts'
import {describeProblem} from './profile-failure.ts'
import {readProfile} from './read-profile.ts'
import {formatReference, type SecretReference} from './reference.ts'
import type {AuthType, StoredAuth, StoredProfile} from './stored-profile.ts'
import type {ProfileKind} from './target.ts'

/** A line of the list. */
export interface ProfileSummary {
  readonly name: string
  /** Whether it is used when nobody says otherwise. */
  readonly current: boolean
  readonly builtIn: boolean
  /** Absent on a profile that cannot be used; `problems` says why. */
  readonly kind?: ProfileKind
  readonly baseUrl?: string
  readonly auth?: AuthType
  readonly auditUser?: string
  readonly readOnly?: boolean
  readonly problems?: readonly string[]
}

type Shown<T> = T extends SecretReference
  ? string
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? {readonly [key in keyof T]: Shown<T[key]>}
      : T

/** All of a profile, defaults included. Of secrets only the references, e.g. `env:API_TOKEN`. */
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

export function detailsOf(name: string, profile: StoredProfile, standing: Standing): ProfileDetails {
  const {auth, tls, ...rest} = profile
  return {
    name,
    ...standing,
    ...rest,
    auth: shown(auth),
    tls: shown(tls),
    hosts: standing.builtIn ? [] : credentialHosts(profile),
  }
}

export function summaryOf(name: string, raw: unknown, standing: Standing): ProfileSummary {
  const read = readProfile(raw)
  return 'problems' in read
    ? {name, ...standing, problems: read.problems.map(describeProblem)}
    : summaryOfProfile(name, read.profile, standing)
}

export function summaryOfProfile(
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

/** References as their stored text. */
function shown<T extends object>(value: T): Shown<T> {
  const members = Object.entries(value).map(([member, inner]: [string, unknown]) => [
    member,
    isReference(inner) ? formatReference(inner) : inner,
  ])
  return Object.fromEntries(members) as Shown<T>
}

function isReference(value: unknown): value is SecretReference {
  return typeof value === 'object' && value !== null && 'source' in value && 'locator' in value
}
