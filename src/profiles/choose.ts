import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {cardctl, type SuggestedCommand} from '../errors/suggested-command.ts'
import {Secret} from '../sensitive/secret.ts'
import {credentialHosts, hostOf} from './addresses.ts'
import type {AuthType} from './auth-settings.ts'
import {applyAddress, guardCredentials, type Named, type Source} from './base-url-variable.ts'
import {
  type EnvironmentSettings,
  environmentSettings,
  refuseLoosening,
  valuesOf,
  withEnvironment,
} from './environment.ts'
import {AD_HOC_PROFILE, EMBEDDED_PROFILE, isProfileName, profileNotFound} from './profile-name.ts'
import {
  EMBEDDED_BASE_URL,
  embeddedProfile,
  invalidProfile,
  type ProfilesDocument,
  readProfile,
} from './read-profile.ts'
import type {Place} from './reference.ts'
import {auditUserProblem} from './setting-checks.ts'
import {type ProfileKind, type StoredProfile, settings} from './settings.ts'
import {mayGiveSettings, type ProfileSurroundings, variable} from './surroundings.ts'
import type {Raw} from './value-types.ts'
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
  /** What else the profile or the environment sets, with references in place of secrets. */
  settings(): readonly SourcedSetting[]
}

/**
 * Decides each value on its own: flag, then environment, then profile, then default.
 *
 * @throws Failure PROFILE_NOT_FOUND, PROFILE_INVALID (stored values), INPUT_INVALID (values of flags or variables).
 */
export function choose(
  choice: Choice,
  document: ProfilesDocument,
  {env, osUser, ...place}: ChooseSurroundings,
): Chosen {
  const named = chooseName(choice, document, env)
  const given = mayGiveSettings(env) ? environmentSettings(env) : NO_SETTINGS
  const stored = storedProfile(named, document, given, place)
  const addressed = applyAddress(stored, document, {env, ...place}, given)
  const {profile, name} = addressed
  const embedded = name === EMBEDDED_PROFILE
  const token = embedded ? undefined : givenToken(env)
  const auditUser = chooseAuditUser(choice, name, profile, {env, osUser}, given)
  const bid = chooseBid(choice, profile, given)
  guardCredentials(name, profile, addressed, {
    hasOwnAuth: token !== undefined || given.set.auth !== undefined,
    hasOwnKey: given.variables.has('tls.key'),
  })
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
          ? {value: profile.auth.type, from: sourceOf('auth.type', name, given)}
          : {value: 'bearer', from: `environment ${settings.auth.env}`},
      ...(bid === undefined ? {} : {bid}),
      kind: {value: profile.kind, from: sourceOf('kind', name, given)},
    },
    settings: () => sourcedSettings(addressed.raw ?? stored.raw, name, given),
  }
}

const NO_SETTINGS: EnvironmentSettings = {set: {}, variables: new Map()}

type ChooseSurroundings = Pick<ProfileSurroundings, 'env' | 'osUser' | 'homedir' | 'cwd'>

/** The chosen profile as stored, for what needs neither a service nor an audit user. */
export function chooseStored(
  choice: Pick<Choice, 'profile'>,
  document: ProfilesDocument,
  {env, ...place}: Omit<ChooseSurroundings, 'osUser'>,
): {readonly name: string; readonly profile: StoredProfile} {
  const named = chooseName(choice, document, env)
  const given = mayGiveSettings(env) ? environmentSettings(env) : NO_SETTINGS
  const stored = storedProfile(named, document, given, place)
  const {name, profile} = applyAddress(stored, document, {env, ...place}, given)
  return {name, profile}
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

/** The profile with this name from the file, or the built-in one, with the settings of the environment. */
function storedProfile(
  {value: name, from}: Sourced<string>,
  {profiles}: ProfilesDocument,
  given: EnvironmentSettings,
  place: Place,
): Named & {readonly raw: Raw} {
  if (name === EMBEDDED_PROFILE) {
    // It needs no connection, so only what it permits can be set.
    const {readOnly = false, decimal} = given.set
    const set = {readOnly, ...(decimal === undefined ? {} : {decimal})}
    return {name, profile: {...embeddedProfile, ...set}, raw: set, ownHosts: []}
  }
  const raw = profiles.get(name)
  if (raw === undefined || !isProfileName(name) || name === AD_HOC_PROFILE) {
    throw profileNotFound(name, [EMBEDDED_PROFILE, ...profiles.keys()], from === 'flag' ? undefined : from)
  }
  const read = readProfile(raw)
  if ('problems' in read || !isObject(raw)) {
    throw invalidProfile(name, 'problems' in read ? read.problems : [])
  }
  const ownHosts = credentialHosts(read.profile)
  if (given.variables.size === 0) return {name, profile: read.profile, raw, ownHosts}
  refuseLoosening(name, raw, given)
  return {name, ...withEnvironment(raw, given, place), ownHosts}
}

/** Where a setting comes from. The unnamed profile has no other source than variables. */
function sourceOf(setting: string, name: string, {variables}: EnvironmentSettings): Source {
  const variableName = variables.get(setting)
  if (variableName !== undefined) return `environment ${variableName}`
  return name === EMBEDDED_PROFILE || name === AD_HOC_PROFILE ? 'default' : 'profile'
}

/** What the profile or the environment sets beyond what `Provenance` names. */
function sourcedSettings(raw: Raw, name: string, given: EnvironmentSettings): readonly SourcedSetting[] {
  return valuesOf(raw)
    .filter(({setting}) => !NAMED.has(setting))
    .map(({setting, value}) => ({setting, value, from: sourceOf(setting, name, given)}))
    .filter(({from}) => from !== 'default')
}

const NAMED = new Set(['kind', 'baseUrl', 'auditUser', 'auth.type', 'bid'])

function givenToken(env: Env): Secret | undefined {
  const token = variable(env, settings.auth.env)?.trim()
  return token ? new Secret(token) : undefined
}

function chooseAuditUser(
  choice: Choice,
  name: string,
  profile: StoredProfile,
  {env, osUser}: Pick<ProfileSurroundings, 'env' | 'osUser'>,
  given: EnvironmentSettings,
): Sourced<string> {
  const found = firstDecision(
    [choice.auditUser, 'flag'],
    [variable(env, settings.auditUser.env), `environment ${settings.auditUser.env}`],
    [profile.auditUser, 'profile'],
    [profile.machineUser?.name, sourceOf('machineUser.name', name, given)],
    [profile.kind === 'live' ? undefined : osUser, 'os user'],
  )
  if (found === undefined) {
    throw new Failure('PROFILE_INVALID', {
      message: `The profile ${name} is live and has no audit user. The service must know who acts.`,
      hint: advice`Give it with --audit-user or ${settings.auditUser.env}, or store it: ${cardctl('profiles', 'edit', {value: name}, '--audit-user', {value: 'NAME'})}. For a job: ${declaration(name)}`,
      effect: 'none',
    })
  }
  const problem = auditUserProblem(found.value, profile.kind, profile.machineUser?.name)
  if (problem === undefined) return found
  throw new Failure('INPUT_INVALID', {
    message: `The audit user (${found.from}) ${problem}.`,
    hint: advice`Give the name of the person who acts, with --audit-user or ${settings.auditUser.env}. For a job: ${declaration(name)}`,
    effect: 'none',
  })
}

/** How a machine is declared, as a command line or as variables. */
function declaration(profile: string): SuggestedCommand | string {
  return profile === AD_HOC_PROFILE
    ? 'set CARDCTL_MACHINE_USER and CARDCTL_RESPONSIBLE'
    : cardctl('profiles', 'edit', {value: profile}, '--machine-user', {value: 'NAME'}, '--responsible', {
        value: 'TEAM',
      })
}

/** Who is responsible for the audit user, if that is the machine that the profile declares. */
export function responsibleFor(
  auditUser: string,
  {machineUser}: Pick<StoredProfile, 'machineUser'>,
): string | undefined {
  return machineUser?.name === auditUser ? machineUser.responsible : undefined
}

function chooseBid(
  choice: Choice,
  profile: StoredProfile,
  {variables}: EnvironmentSettings,
): Sourced<string> | undefined {
  const variableName = variables.get('bid')
  return firstDecision(
    [choice.bid, 'flag'],
    [profile.bid, variableName === undefined ? 'profile' : `environment ${variableName}`],
  )
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
  readonly kind: Sourced<ProfileKind>
}

/** A setting by its dotted name, its value, and where that comes from. */
export interface SourcedSetting extends Sourced<unknown> {
  readonly setting: string
}

/** The profile, service and audit user of a run. Holds no secret, and needs no network or keyring. */
export interface WhoAmI {
  readonly profile: string
  readonly kind: ProfileKind
  readonly embedded: boolean
  readonly address: string
  readonly auditUser: string
  /** Who is responsible for the audit user, if that is a machine. */
  readonly responsible?: string
  readonly auth: AuthType
  readonly readOnly: boolean
  readonly bid?: string
  /** How authorisation calls are authenticated, in words; absent if the profile doesn't say. */
  readonly webhook?: string
  /** Whether the user chose the profile; otherwise it is the built-in sandbox by default. */
  readonly explicit: boolean
  /** The source of each value: flag, environment, profile, operating system or default. */
  readonly provenance: Provenance & {readonly settings: readonly SourcedSetting[]}
}

export function whoami(chosen: Chosen): WhoAmI {
  const {name, embedded, explicit, profile, auditUser, bid, provenance} = chosen
  const responsible = responsibleFor(auditUser, profile)
  return {
    profile: name,
    kind: profile.kind,
    embedded,
    address: profile.baseUrl,
    auditUser,
    ...(responsible === undefined ? {} : {responsible}),
    auth: provenance.auth.value,
    readOnly: profile.readOnly,
    ...(bid === undefined ? {} : {bid}),
    ...(profile.webhook && {webhook: webhookInWords(profile.webhook)}),
    explicit,
    provenance: {...provenance, settings: chosen.settings()},
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
