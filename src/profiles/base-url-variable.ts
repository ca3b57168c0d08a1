import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {isLoopback, isSocketHost} from '../network/check-url.ts'
import {checkBaseUrl, checkNeighbours, credentialHosts, hostOf, serviceHosts} from './addresses.ts'
import {type EnvironmentSettings, withEnvironment} from './environment.ts'
import {loosenedRules, loosestAt, rulesOf, stricterRules} from './host-rules.ts'
import {AD_HOC_PROFILE, EMBEDDED_PROFILE} from './profile-name.ts'
import {describeProblem, invalidProfile, type ProfilesDocument} from './read-profile.ts'
import type {Place} from './reference.ts'
import type {SettingChange} from './setting-change.ts'
import {type StoredProfile, settings} from './settings.ts'
import {type ProfileSurroundings, variable} from './surroundings.ts'
import type {Raw} from './value-types.ts'

/** A profile of the file with the settings of the environment, and the hosts that the file alone names. */
export interface Named {
  readonly name: string
  readonly profile: StoredProfile
  readonly ownHosts: readonly string[]
}

/** Where requests of a chosen profile go. */
interface Address {
  readonly name: string
  readonly profile: StoredProfile
  readonly from: Source
  /** The entry of a profile that the environment alone makes. */
  readonly raw?: Raw
  readonly credentialHosts: readonly string[]
  /** Whether the profile itself names this base URL. */
  readonly isOwn: boolean
}

/** The source of a value. `profiles use` and `default` apply to the profile's name, `os user` to the audit user. */
export type Source = 'flag' | `environment ${string}` | 'profile' | 'profiles use' | 'os user' | 'default'

/** The variable of the base URL. */
const ADDRESS = settings.baseUrl.env

const FROM_VARIABLE = `environment ${ADDRESS}` as const

/** The unnamed profile. */
function madeOfVariables(
  given: string,
  profiles: ProfilesDocument['profiles'],
  settings: EnvironmentSettings,
  place: Place,
): Address {
  const checked = checkBaseUrl(given, settings.set.allowInsecure ?? false)
  if ('problem' in checked) throw badAddress(`${checked.problem}.`)
  const {hostname} = new URL(checked.url)
  const kind = isLoopback(hostname) && !isSocketHost(hostname) ? 'sandbox' : 'live'
  const asked = withEnvironment({kind, baseUrl: checked.url}, settings, place)
  const owner = loosestAt(serviceHosts(asked.profile), profiles)
  const entry = owner && {...rulesOf(owner.raw), kind: 'live', baseUrl: checked.url}
  const {profile, raw} = entry === undefined ? asked : withEnvironment(entry, settings, place)
  if (owner && entry) refuseLooser(owner.name, loosenedRules(entry, raw), settings)
  const hosts = credentialHosts(profile)
  return {name: AD_HOC_PROFILE, profile, raw, from: FROM_VARIABLE, credentialHosts: hosts, isOwn: true}
}

/** @throws Failure INPUT_INVALID */
function refuseLooser(
  owner: string,
  [change]: readonly SettingChange[],
  {variables}: EnvironmentSettings,
): void {
  if (change === undefined) return
  const {setting, from = 'not set'} = change
  throw new Failure('INPUT_INVALID', {
    message: `${variables.get(setting) ?? setting} permits more than the live profile ${owner}, which names this host: its ${setting} is ${from}.`,
    hint: `What is permitted at this host is for the person to decide who looks after the profile ${owner}.`,
    effect: 'none',
    refuses: true,
  })
}

/** A profile of the file, led elsewhere. */
function overridden(
  {name, profile: stored, ownHosts}: Named,
  given: string,
  profiles: ProfilesDocument['profiles'],
  {set: {auth}}: EnvironmentSettings,
): Address {
  const checked = checkBaseUrl(given, stored.allowInsecure)
  if ('problem' in checked) throw badAddress(`${checked.problem}.`)
  const baseUrl = checked.url
  const host = hostOf(baseUrl)
  const groups = Object.fromEntries(
    Object.entries(stored.groups).map(([group, {prefix}]) => [group, prefix === undefined ? {} : {prefix}]),
  )
  const isOwn = ownHosts.includes(host)
  // Its further hosts may get its credentials, and have the rules of the profile that leads there.
  const isService = serviceHosts(stored).includes(host)
  const owner = isService || stored.kind !== 'live' ? undefined : loosestAt([host], profiles)
  const ruled = owner === undefined ? stored : stricterRules(name, stored, owner)
  const tokenHosts = auth && stored.auth.type === 'oauth2' ? [hostOf(stored.auth.tokenUrl)] : []
  return {
    name,
    profile: {...ruled, baseUrl, groups},
    from: FROM_VARIABLE,
    credentialHosts: isOwn ? [...new Set([...ownHosts, ...tokenHosts])] : [host, ...tokenHosts],
    isOwn,
  }
}

/** @param problem ends a sentence that begins with the variable. */
function badAddress(problem: string): Failure {
  return new Failure('INPUT_INVALID', {
    message: `The environment variable ${ADDRESS} ${problem}`,
    hint: `Correct or unset ${ADDRESS}.`,
    effect: 'none',
  })
}

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
  throw badAddress(describeProblem(conflict).slice(conflict.member.length + 1)).with({refuses: true})
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
