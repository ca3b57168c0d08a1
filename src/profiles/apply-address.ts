import {Failure} from '../errors/failure.ts'
import {isLoopback} from '../sensitive/loopback.ts'
import {checkBaseUrl, checkNeighbours, credentialHosts, hostOf, serviceHosts} from './addresses.ts'
import type {Source} from './choose.ts'
import {AD_HOC_PROFILE, EMBEDDED_PROFILE} from './profile-name.ts'
import type {ProfilesDocument} from './profiles-file.ts'
import {defaultProfile, describeProblem, invalidProfile} from './read-profile.ts'
import {type StoredProfile, settings} from './settings.ts'
import {type ProfileSurroundings, variable} from './surroundings.ts'

const ADDRESS = settings.baseUrl.env

/** Where requests of a chosen profile go. */
export interface Address {
  readonly name: string
  readonly profile: StoredProfile
  readonly from: Source
  readonly credentialHosts: readonly string[]
  /** Whether the profile itself names this base URL. */
  readonly isOwn: boolean
}

/**
 * CARDCTL_BASE_URL replaces the base URL. It also replaces the base URLs of single groups; otherwise some requests
 * would still go to the other service. If no profile is chosen, it creates an unnamed one without credentials: of kind
 * sandbox on this machine, and of kind live elsewhere, to be safe.
 */
export function applyAddress(
  name: string,
  stored: StoredProfile,
  {profiles}: ProfilesDocument,
  env: ProfileSurroundings['env'],
): Address {
  const given = variable(env, ADDRESS)
  const from = name === EMBEDDED_PROFILE ? 'default' : 'profile'
  const address =
    given === undefined
      ? ({name, profile: stored, from, credentialHosts: credentialHosts(stored), isOwn: true} as const)
      : overridden(name, stored, given)
  const {kind} = address.profile
  // A live profile asks before every change, so it may lead anywhere.
  if (address.name === EMBEDDED_PROFILE || kind === 'live') return address
  const conflict = checkNeighbours({name, kind, hosts: serviceHosts(address.profile)}, profiles)
  if (conflict === undefined) return address
  if (given === undefined) throw invalidProfile(name, [conflict])
  throw badAddress(describeProblem(conflict).slice(conflict.member.length + 1))
}

function overridden(name: string, stored: StoredProfile, given: string): Address {
  const checked = checkBaseUrl(given, stored.allowInsecure)
  if ('problem' in checked) throw badAddress(`${checked.problem}.`)
  const baseUrl = checked.url
  const host = hostOf(baseUrl)
  const from = `environment ${ADDRESS}` as const
  if (name === EMBEDDED_PROFILE) {
    const kind = isLoopback(new URL(baseUrl).hostname) ? 'sandbox' : 'live'
    return {
      name: AD_HOC_PROFILE,
      profile: defaultProfile(kind, baseUrl),
      from,
      credentialHosts: [host],
      isOwn: true,
    }
  }
  const hosts = credentialHosts(stored)
  const groups = Object.fromEntries(
    Object.entries(stored.groups).map(([group, {prefix}]) => [group, prefix === undefined ? {} : {prefix}]),
  )
  const isOwn = hosts.includes(host)
  return {
    name,
    profile: {...stored, baseUrl, groups},
    from,
    credentialHosts: isOwn ? hosts : [host],
    isOwn,
  }
}

/**
 * Credentials of a profile go only to the hosts that it names. An override to another host must bring its own, or need
 * none.
 */
export function guardCredentials(
  name: string,
  profile: StoredProfile,
  {isOwn}: Address,
  hasToken: boolean,
): void {
  if (isOwn) return
  const needsOwn = (profile.auth.type !== 'none' && !hasToken) || profile.tls.key !== undefined
  if (!needsOwn) return
  throw new Failure('PROFILE_INVALID', {
    message: `${ADDRESS} leads to ${hostOf(profile.baseUrl)}, which the profile ${name} does not name. Its credentials are not sent there.`,
    hint:
      profile.tls.key === undefined
        ? `Add the host with profiles edit ${name} --host, or give a token for it in ${settings.auth.env}.`
        : `Add the host with profiles edit ${name} --host.`,
    effect: 'none',
  })
}

function badAddress(problem: string): Failure {
  return new Failure('INPUT_INVALID', {
    message: `The environment variable ${ADDRESS} ${problem}`,
    hint: `Correct or unset ${ADDRESS}.`,
    effect: 'none',
  })
}
