import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {checkNeighbours, credentialHosts, hostOf, serviceHosts} from './addresses.ts'
import type {Address, Named} from './base-url-variable.ts'
import {badAddress, madeOfVariables, overridden} from './base-url-variable.ts'
import type {EnvironmentSettings} from './environment.ts'
import {EMBEDDED_PROFILE} from './profile-name.ts'
import type {ProfilesDocument} from './profiles-document.ts'
import {describeProblem, invalidProfile} from './read-profile.ts'
import type {Place} from './reference.ts'
import {type StoredProfile, settings} from './settings.ts'
import {type ProfileSurroundings, variable} from './surroundings.ts'

const ADDRESS = settings.baseUrl.env

/**
 * CARDCTL_BASE_URL replaces the base URL. It also replaces the base URLs of single groups; otherwise some requests
 * would still go to the other service. If no profile is chosen, it makes an unnamed one of the environment's settings:
 * of kind sandbox on this machine, and of kind live elsewhere, to be safe, unless CARDCTL_KIND says otherwise.
 */
export function applyAddress(
  stored: Named,
  {profiles}: ProfilesDocument,
  {env, ...place}: Pick<ProfileSurroundings, 'env'> & Place,
  given: EnvironmentSettings,
): Address {
  const {name, profile} = stored
  const url = variable(env, ADDRESS)
  const from = name === EMBEDDED_PROFILE ? 'default' : 'profile'
  const address: Address =
    url === undefined
      ? {name, profile, from, credentialHosts: credentialHosts(profile), isOwn: true}
      : name === EMBEDDED_PROFILE
        ? madeOfVariables(url, profiles, given, place)
        : overridden(stored, url, profiles, given)
  const {kind} = address.profile
  // A live profile asks before every change, so it may lead anywhere.
  if (address.name === EMBEDDED_PROFILE || kind === 'live') return address
  const conflict = checkNeighbours({name, kind, hosts: serviceHosts(address.profile)}, profiles)
  if (conflict === undefined) return address
  if (url === undefined) throw invalidProfile(name, [conflict])
  throw badAddress(describeProblem(conflict).slice(conflict.member.length + 1))
}

/**
 * Credentials of a profile go only to the hosts that it names. An override to another host must bring its own, or need
 * none.
 */
export function guardCredentials(
  name: string,
  profile: StoredProfile,
  {isOwn}: Address,
  {hasOwnAuth, hasOwnKey}: {readonly hasOwnAuth: boolean; readonly hasOwnKey: boolean},
): void {
  if (isOwn) return
  const sendsKey = profile.tls.key !== undefined && !hasOwnKey
  const sendsHeaders = Object.keys(profile.service?.headers ?? {}).length > 0
  if (!sendsKey && !sendsHeaders && (profile.auth.type === 'none' || hasOwnAuth)) return
  throw new Failure('PROFILE_INVALID', {
    message: `${ADDRESS} leads to ${hostOf(profile.baseUrl)}, which the profile ${name} does not name. Its credentials and headers are not sent there.`,
    hint:
      sendsKey || sendsHeaders
        ? advice`Add the host: ${cardctl('profiles', 'edit', {value: name}, '--host', {value: 'HOST'})}`
        : advice`Add the host, or give a token for it in ${settings.auth.env}: ${cardctl('profiles', 'edit', {value: name}, '--host', {value: 'HOST'})}`,
    effect: 'none',
  })
}
