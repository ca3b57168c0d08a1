import {Failure} from '../errors/failure.ts'
import {isLoopback} from '../sensitive/loopback.ts'
import {checkBaseUrl, credentialHosts, hostOf, serviceHosts} from './addresses.ts'
import type {ProfilesDocument} from './document.ts'
import {checkNeighbours} from './neighbours.ts'
import {describeProblem, invalidProfile} from './profile-failure.ts'
import type {Source} from './provenance.ts'
import {defaultRate, defaultSettleDelayMs, type StoredProfile} from './stored-profile.ts'
import {type ProfileSurroundings, variable} from './surroundings.ts'
import {AD_HOC_PROFILE, EMBEDDED_PROFILE} from './target.ts'

/** Where requests of a chosen profile go. */
export interface Address {
  readonly name: string
  readonly profile: StoredProfile
  readonly from: Source
  readonly credentialHosts: readonly string[]
  /** Whether the address is one that the profile itself names. */
  readonly isOwn: boolean
}

/**
 * CARDCTL_BASE_URL replaces the address; addresses of single groups go with it, or half of the requests would still go
 * to the other service. Without a profile of one's own it makes an unnamed one, without credentials: of kind sandbox on
 * this machine, and anywhere else of kind live, for nobody said that it isn't.
 */
export function applyAddress(
  name: string,
  stored: StoredProfile,
  {profiles}: ProfilesDocument,
  env: ProfileSurroundings['env'],
): Address {
  const given = variable(env, 'CARDCTL_BASE_URL')
  const from = name === EMBEDDED_PROFILE ? 'default' : 'profile'
  const address =
    given === undefined
      ? ({name, profile: stored, from, credentialHosts: credentialHosts(stored), isOwn: true} as const)
      : overridden(name, stored, given)
  const {kind} = address.profile
  // A live profile asks before it does anything, so it may lead anywhere.
  if (address.name === EMBEDDED_PROFILE || kind === 'live') return address
  const conflict = checkNeighbours({name, kind, hosts: serviceHosts(address.profile)}, profiles)
  if (conflict === undefined) return address
  if (given === undefined) throw invalidProfile(name, [conflict])
  throw badVariable('CARDCTL_BASE_URL', describeProblem(conflict).slice(conflict.member.length + 1))
}

function overridden(name: string, stored: StoredProfile, given: string): Address {
  const checked = checkBaseUrl(given, stored.allowInsecure)
  if ('problem' in checked) throw badVariable('CARDCTL_BASE_URL', `${checked.problem}.`)
  const baseUrl = checked.url
  const host = hostOf(baseUrl)
  const from = 'environment CARDCTL_BASE_URL'
  if (name === EMBEDDED_PROFILE) {
    const kind = isLoopback(new URL(baseUrl).hostname) ? 'sandbox' : 'live'
    const profile = {
      ...stored,
      kind,
      baseUrl,
      settleDelayMs: defaultSettleDelayMs,
      rate: defaultRate(kind),
    } as const
    return {name: AD_HOC_PROFILE, profile, from, credentialHosts: [host], isOwn: true}
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

/** Credentials of a profile go to the hosts that it names; an override elsewhere must bring its own, or need none. */
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
    message: `CARDCTL_BASE_URL leads to ${hostOf(profile.baseUrl)}, which the profile ${name} does not name: its credentials stay here.`,
    hint:
      profile.tls.key === undefined
        ? `Add the host with profiles edit ${name} --host, or give a token for it in CARDCTL_TOKEN.`
        : `Add the host with profiles edit ${name} --host.`,
    effect: 'none',
  })
}

function badVariable(name: string, problem: string): Failure {
  return new Failure('INPUT_INVALID', {
    message: `The environment variable ${name} ${problem}`,
    hint: `Correct or unset ${name}.`,
    effect: 'none',
  })
}
