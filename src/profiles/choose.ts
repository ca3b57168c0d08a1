import {Failure} from '../errors/failure.ts'
import {Secret} from '../sensitive/secret.ts'
import {hostOf} from './addresses.ts'
import {applyAddress, guardCredentials} from './apply-address.ts'
import {auditUserProblem, isPersonal} from './audit-user.ts'
import type {ProfilesDocument} from './document.ts'
import {invalidProfile} from './profile-failure.ts'
import {isProfileName, profileNotFound} from './profile-name.ts'
import type {Provenance, Source, Sourced} from './provenance.ts'
import {readProfile} from './read-profile.ts'
import {defaultRate, type StoredProfile} from './stored-profile.ts'
import {type ProfileSurroundings, variable} from './surroundings.ts'
import {AD_HOC_PROFILE, EMBEDDED_BASE_URL, EMBEDDED_PROFILE} from './target.ts'

/** What was given with flags. */
export interface Choice {
  readonly profile?: string | undefined
  readonly auditUser?: string | undefined
  readonly bid?: string | undefined
}

/** Which profile will be used and with which values; nothing of it was read from a keyring, file or network yet. */
export interface Chosen {
  readonly name: string
  readonly embedded: boolean
  /** Whether somebody said which: by flag, environment or `profiles use`. */
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
 * Decides which value wins: flag, environment, profile, default, in this order, for each value by itself.
 *
 * @throws Failure PROFILE_NOT_FOUND, PROFILE_INVALID (what is stored), INPUT_INVALID (what a flag or variable says).
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
          : {value: 'bearer', from: 'environment CARDCTL_TOKEN'},
      ...(bid === undefined ? {} : {bid}),
    },
  }
}

function chooseName(
  {profile}: Choice,
  {current}: ProfilesDocument,
  env: ProfileSurroundings['env'],
): Sourced<string> {
  if (profile !== undefined) return {value: profile, from: 'flag'}
  const fromEnv = variable(env, 'CARDCTL_PROFILE')
  if (fromEnv !== undefined) return {value: fromEnv, from: 'environment CARDCTL_PROFILE'}
  if (current !== undefined) return {value: current, from: 'profiles use'}
  return {value: EMBEDDED_PROFILE, from: 'default'}
}

/** The profile of that name from the file, or the built-in one. */
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

/** The built-in sandbox. */
export const embeddedProfile: StoredProfile = {
  kind: 'sandbox',
  baseUrl: EMBEDDED_BASE_URL,
  readOnly: false,
  auth: {type: 'none'},
  groups: {},
  words: {},
  tls: {},
  idempotency: 'documented',
  settleDelayMs: 0,
  allowInsecure: false,
  strict: false,
  hosts: [],
  rate: defaultRate('sandbox'),
}

function givenToken(env: ProfileSurroundings['env']): Secret | undefined {
  const token = variable(env, 'CARDCTL_TOKEN')?.trim()
  return token ? new Secret(token) : undefined
}

function chooseAuditUser(
  choice: Choice,
  name: string,
  profile: StoredProfile,
  {env, osUser}: Pick<ProfileSurroundings, 'env' | 'osUser'>,
): Sourced<string> {
  const found = firstOf(
    [choice.auditUser, 'flag'],
    [variable(env, 'CARDCTL_AUDIT_USER'), 'environment CARDCTL_AUDIT_USER'],
    [profile.auditUser, 'profile'],
    [profile.kind === 'live' ? undefined : osUser, 'os user'],
  )
  if (found === undefined) {
    throw new Failure('PROFILE_INVALID', {
      message: `The profile ${name} is live and has no audit user: the service wants to know which person acts.`,
      hint: 'Give it with --audit-user or CARDCTL_AUDIT_USER, or store it with profiles edit.',
      effect: 'none',
    })
  }
  const problem =
    auditUserProblem(found.value) ??
    (profile.kind === 'live' && !isPersonal(found.value)
      ? 'must name a person on a live profile, not a role or a machine'
      : undefined)
  if (problem === undefined) return found
  throw new Failure('INPUT_INVALID', {
    message: `The audit user (${found.from}) ${problem}.`,
    hint: 'Give the name of the person who acts, with --audit-user or CARDCTL_AUDIT_USER.',
    effect: 'none',
  })
}

function chooseBid(choice: Choice, profile: StoredProfile): Sourced<string> | undefined {
  return firstOf([choice.bid, 'flag'], [profile.bid, 'profile'])
}

function firstOf(...options: readonly [string | undefined, Source][]): Sourced<string> | undefined {
  const found = options.find(([value]) => value !== undefined)
  return found?.[0] === undefined ? undefined : {value: found[0], from: found[1]}
}
