import {isObject} from '../errors/is-object.ts'
import {
  checkUrl as checkAny,
  checkBaseUrl as checkBase,
  isLoopback,
  isSocketHost,
} from '../network/check-url.ts'
import type {ProfileKind, StoredProfile} from './settings.ts'
import type {Problem, Raw} from './value-types.ts'

export type CheckedUrl = {readonly url: string} | {readonly problem: string}

/** Checks the base URL of a service and normalises it, without a trailing slash. */
export function checkBaseUrl(text: string, allowInsecure: boolean): CheckedUrl {
  const checked = checkBase(text, allowInsecure)
  return 'url' in checked ? {url: checked.url.href.replace(/\/+$/, '')} : checked
}

/** The same for a URL that is used unchanged, with its query, such as a token endpoint. */
export function checkUrl(text: string, allowInsecure: boolean): CheckedUrl {
  const checked = checkAny(text, allowInsecure)
  return 'url' in checked ? {url: checked.url.href} : checked
}

/** `host` or `host:port` of a URL; the port only if it isn't the default of the scheme. */
export function hostOf(url: string): string {
  return new URL(url).host
}

/** `host` or `host:port` in normal form, or undefined if the text is something else. */
export function checkHost(text: string): string | undefined {
  const url = /^[^\s/\\?#@%]+$/.test(text) ? URL.parse(`https://${text}`) : null
  return url === null ? undefined : url.host
}

type Addresses = Pick<StoredProfile, 'baseUrl' | 'groups' | 'auth' | 'hosts'>

/** Where requests of the profile go. */
export function serviceHosts({baseUrl, groups}: Pick<Addresses, 'baseUrl' | 'groups'>): readonly string[] {
  const own = Object.values(groups).flatMap(group => group?.baseUrl ?? [])
  return unique([baseUrl, ...own].map(hostOf))
}

/** Where credentials of the profile may go: its services, its token endpoint, and its additional hosts. */
export function credentialHosts(profile: Addresses): readonly string[] {
  const token = profile.auth.type === 'oauth2' ? [hostOf(profile.auth.tokenUrl)] : []
  return unique([...serviceHosts(profile), ...token, ...profile.hosts])
}

/**
 * What identifies the machine of a host, to keep test profiles away from live services: the host name without port and
 * scheme. On this machine, where one name serves everything, the port counts too.
 */
export function machineOf(host: string): string {
  const {hostname, port} = new URL(`https://${host}`)
  if (isSocketHost(hostname)) return hostname
  return isThisMachine(hostname) ? `loopback:${port}` : hostname.replace(/\.$/, '')
}

/** Every address of the loopback, and those that the system takes for it. */
const isThisMachine = (hostname: string): boolean =>
  isLoopback(hostname) || /^(0\.0\.0\.0|\[::\]|\[::ffff:(0:0|7f[\da-f]{2}:[\da-f]{1,4})\])\.?$/.test(hostname)

/** The entries of live profiles, also broken ones, that name one of the hosts. */
export function liveProfilesAt(
  hosts: readonly string[],
  profiles: ReadonlyMap<string, unknown>,
): readonly {readonly name: string; readonly raw: Raw}[] {
  const machines = new Set(hosts.map(machineOf))
  return [...profiles].flatMap(([name, raw]) =>
    isObject(raw) && raw.kind === 'live' && namedHosts(raw).some(host => machines.has(machineOf(host)))
      ? [{name, raw}]
      : [],
  )
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)]
}

/** A profile, or an override of one, and the hosts it leads to. */
export interface Addressed {
  readonly name: string
  readonly kind: ProfileKind
  /** `host` or `host:port`, see serviceHosts. */
  readonly hosts: readonly string[]
}

/**
 * Checks a profile against the others: a live profile and a profile of another kind must not share a machine, because
 * requests to it would need no confirmation with the other profile.
 */
export function checkNeighbours(
  {name, kind, hosts}: Addressed,
  profiles: ReadonlyMap<string, unknown>,
): Problem | undefined {
  const machines = new Set(hosts.map(machineOf))
  for (const [otherName, raw] of profiles) {
    if (otherName === name || !isObject(raw) || (raw.kind === 'live') === (kind === 'live')) continue
    const shared = namedHosts(raw).find(host => machines.has(machineOf(host)))
    if (shared === undefined) continue
    const others = raw.kind === 'live' ? 'live profile' : 'profile'
    return {
      member: 'baseUrl',
      message: `leads to ${shared}, which the ${others} ${otherName} names too: live and other profiles share no host`,
    }
  }
  return undefined
}

/** The hosts of an entry that may be invalid elsewhere. The hosts of a broken live profile stay protected. */
export function namedHosts(raw: Raw): readonly string[] {
  const groups = isObject(raw.groups) ? Object.values(raw.groups) : []
  const urls = [raw.baseUrl, ...groups.map(group => (isObject(group) ? group.baseUrl : undefined))]
  return urls.flatMap(url => {
    const parsed = typeof url === 'string' ? URL.parse(url) : null
    return parsed === null || parsed.host === '' ? [] : parsed.host
  })
}
