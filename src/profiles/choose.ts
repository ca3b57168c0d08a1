import {Failure} from '../errors/failure.ts'
import {Secret} from '../sensitive/secret.ts'
import {hostOf} from './addresses.ts'
import {applyAddress, guardCredentials} from './apply-address.ts'
import type {AuthType} from './auth-settings.ts'
import {AD_HOC_PROFILE, EMBEDDED_PROFILE, isProfileName, profileNotFound} from './profile-name.ts'
import type {ProfilesDocument} from './profiles-file.ts'
import {EMBEDDED_BASE_URL, embeddedProfile, invalidProfile, readProfile} from './read-profile.ts'
import {auditUserProblem} from './setting-checks.ts'
import {type ProfileKind, type StoredProfile, settings} from './settings.ts'
import {type ProfileSurroundings, variable} from './surroundings.ts'
import type {StoredWebhook} from './webhook-settings.ts'

type Env = ProfileSurroundings['env']

/** Values of global flags. */
export interface Choice {
  readonly profile?: string | undefined
  readonly auditUser?: string | undefined
  readonly bid?: string | undefined
}

/** The chosen profile and its values. Nothing has been read from a keyring, a certificate file or the network yet. */
export interface Chosen {
  readonly name: string
  readonly embedded: boolean
  /** Whether the user chose it: by flag, environment or `profiles use`. */
  readonly explicit: boolean
  /** The profile with the overrides applied. */
  readonly profile: StoredProfile
  readonly auditUser: string
  readonly bid?: string
  /** Instead of the profile's authentication. */
  readonly token?: Secret
  /** Where credentials may go. */
  readonly hosts: readonly string[]
  readonly provenance: Provenance
}

/**
 * Decides each value on its own: flag, then environment, then profile, then default.
 *
 * @throws Failure PROFILE_NOT_FOUND, PROFILE_INVALID (stored values), INPUT_INVALID (values of flags or variables).
 */
export function choose(
  choice: Choice,
  document: ProfilesDocument,
  {env, osUser}: Pick<ProfileSurroundings, 'env' | 'osUser'>,
): Chosen {
  const named = chooseName(choice, document, env)
  const stored = storedProfile(named, document)
  const addressed = applyAddress(named.value, stored, document, env)
  const {profile, name} = addressed
  const embedded = name === EMBEDDED_PROFILE
  const token = embedded ? undefined : givenToken(env)
  const auditUser = chooseAuditUser(choice, name, profile, {env, osUser})
  const bid = chooseBid(choice, profile)
  guardCredentials(name, profile, addressed, token !== undefined)
  return {
    name,
    embedded,
    explicit: named.from !== 'default' || name === AD_HOC_PROFILE,
    profile,
    auditUser: auditUser.value,
    ...(bid === undefined ? {} : {bid: bid.value}),
    ...(token === undefined ? {} : {token}),
    hosts: embedded ? [hostOf(EMBEDDED_BASE_URL)] : addressed.credentialHosts,
    provenance: {
      profile: {value: name, from: named.from},
      baseUrl: {value: profile.baseUrl, from: addressed.from},
      auditUser,
      auth:
        token === undefined
          ? {value: profile.auth.type, from: embedded || name === AD_HOC_PROFILE ? 'default' : 'profile'}
          : {value: 'bearer', from: `environment ${settings.auth.env}`},
      ...(bid === undefined ? {} : {bid}),
    },
  }
}

/** The chosen profile as stored, for what needs neither a service nor an audit user. */
export function chooseStored(
  choice: Pick<Choice, 'profile'>,
  document: ProfilesDocument,
  env: Env,
): {readonly name: string; readonly profile: StoredProfile} {
  const named = chooseName(choice, document, env)
  return {name: named.value, profile: storedProfile(named, document)}
}

function chooseName(
  {profile}: Pick<Choice, 'profile'>,
  {current}: ProfilesDocument,
  env: Env,
): Sourced<string> {
  if (profile !== undefined) return {value: profile, from: 'flag'}
  const fromEnv = variable(env, 'CARDCTL_PROFILE')
  if (fromEnv !== undefined) return {value: fromEnv, from: 'environment CARDCTL_PROFILE'}
  if (current !== undefined) return {value: current, from: 'profiles use'}
  return {value: EMBEDDED_PROFILE, from: 'default'}
}

/** The profile with this name from the file, or the built-in one. */
function storedProfile({value: name, from}: Sourced<string>, {profiles}: ProfilesDocument): StoredProfile {
  if (name === EMBEDDED_PROFILE) return embeddedProfile
  const raw = profiles.get(name)
  if (raw === undefined || !isProfileName(name) || name === AD_HOC_PROFILE) {
    throw profileNotFound(name, [EMBEDDED_PROFILE, ...profiles.keys()], from === 'flag' ? undefined : from)
  }
  const read = readProfile(raw)
  if ('problems' in read) throw invalidProfile(name, read.problems)
  return read.profile
}

function givenToken(env: Env): Secret | undefined {
  const token = variable(env, settings.auth.env)?.trim()
  return token ? new Secret(token) : undefined
}

function chooseAuditUser(
  choice: Choice,
  name: string,
  profile: StoredProfile,
  {env, osUser}: Pick<ProfileSurroundings, 'env' | 'osUser'>,
): Sourced<string> {
  const found = firstDecision(
    [choice.auditUser, 'flag'],
    [variable(env, settings.auditUser.env), `environment ${settings.auditUser.env}`],
    [profile.auditUser, 'profile'],
    [profile.kind === 'live' ? undefined : osUser, 'os user'],
  )
  if (found === undefined) {
    throw new Failure('PROFILE_INVALID', {
      message: `The profile ${name} is live and has no audit user. The service must know which person acts.`,
      hint: `Give it with --audit-user or ${settings.auditUser.env}, or store it with profiles edit.`,
      effect: 'none',
    })
  }
  const problem = auditUserProblem(found.value, profile.kind)
  if (problem === undefined) return found
  throw new Failure('INPUT_INVALID', {
    message: `The audit user (${found.from}) ${problem}.`,
    hint: `Give the name of the person who acts, with --audit-user or ${settings.auditUser.env}.`,
    effect: 'none',
  })
}

function chooseBid(choice: Choice, profile: StoredProfile): Sourced<string> | undefined {
  return firstDecision([choice.bid, 'flag'], [profile.bid, 'profile'])
}

/** Whether `--strict` or its variable asks for strict checks; undefined if neither is given. */
export function chosenStrictness(flag: boolean | undefined, env: Env): boolean | undefined {
  if (flag !== undefined) return flag
  const text = variable(env, settings.strict.env)
  return text === undefined ? undefined : text !== '0' && text !== 'false'
}

function firstDecision(...options: readonly [string | undefined, Source][]): Sourced<string> | undefined {
  const found = options.find(([value]) => value !== undefined)
  return found?.[0] === undefined ? undefined : {value: found[0], from: found[1]}
}

/** The source of a value. `profiles use` and `default` apply to the profile's name, `os user` to the audit user. */
export type Source = 'flag' | `environment ${string}` | 'profile' | 'profiles use' | 'os user' | 'default'

export interface Sourced<T> {
  readonly value: T
  readonly from: Source
}

/** The sources of the values of a request's profile. */
export interface Provenance {
  readonly profile: Sourced<string>
  readonly baseUrl: Sourced<string>
  readonly auditUser: Sourced<string>
  readonly auth: Sourced<AuthType>
  readonly bid?: Sourced<string>
}

/** The profile, service and audit user of a run. Holds no secret, and needs no network or keyring. */
export interface WhoAmI {
  readonly profile: string
  readonly kind: ProfileKind
  readonly embedded: boolean
  readonly address: string
  readonly auditUser: string
  readonly auth: AuthType
  readonly readOnly: boolean
  readonly bid?: string
  /** How authorisation calls are authenticated, in words; absent if the profile doesn't say. */
  readonly webhook?: string
  /** Whether the user chose the profile; otherwise it is the built-in sandbox by default. */
  readonly explicit: boolean
  /** The source of each value: flag, environment, profile, operating system or default. */
  readonly provenance: Provenance
}

export function whoami({name, embedded, explicit, profile, auditUser, bid, provenance}: Chosen): WhoAmI {
  return {
    profile: name,
    kind: profile.kind,
    embedded,
    address: profile.baseUrl,
    auditUser,
    auth: provenance.auth.value,
    readOnly: profile.readOnly,
    ...(bid === undefined ? {} : {bid}),
    ...(profile.webhook && {webhook: webhookInWords(profile.webhook)}),
    explicit,
    provenance,
  }
}

/** `basic, signed (x-signature), client certificate` */
function webhookInWords({auth, signature, tls}: StoredWebhook): string {
  const words = [
    ...(auth ? [auth.type === 'header' ? `header ${auth.name}` : auth.type] : []),
    ...(signature ? [`signed (${signature.header})`] : []),
    ...(tls.cert === undefined ? [] : ['client certificate']),
  ]
  return words.join(', ') || 'none'
}
