import {createHash} from 'node:crypto'
import type {StoredAuth} from './auth-settings.ts'
import type {Chosen} from './choose.ts'
import {EMBEDDED_PROFILE} from './profile-name.ts'

/**
 * What a profile leads to. The journal, bulk jobs, idempotency keys and the pace belong to a service, so that two
 * profiles of one service share them, and no profile carries them to another.
 */
export interface Service {
  /** For file names: a readable host and a digest of the identity. */
  readonly id: string
  /** What makes it this service and no other, as text to compare. */
  readonly identity: string
  /** For people: `https://api.example/card as client portal`. */
  readonly words: string
}

/**
 * Host, port and path of every address, and whom the service knows the caller as. No secret and no audit user, which
 * rotate; and the principal of the profile also where CARDCTL_TOKEN replaces its credentials for a run.
 */
export function serviceOf({profile, embedded}: Pick<Chosen, 'profile' | 'embedded'>): Service {
  // Its state and its journal lie in the same data folder, which is what tells one embedded sandbox from another.
  if (embedded) return {id: EMBEDDED_PROFILE, identity: 'embedded', words: 'the embedded sandbox'}
  const {baseUrl, groups, auth} = profile
  const elsewhere = Object.entries(groups)
    .map(([group, address]) => [group, below(address?.baseUrl ?? baseUrl, address?.prefix)] as const)
    .filter(([, url]) => addressOf(url) !== addressOf(baseUrl))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const principal = principalOf(auth)
  const identity = JSON.stringify({
    address: addressOf(baseUrl),
    groups: Object.fromEntries(elsewhere.map(([group, url]) => [group, addressOf(url)])),
    principal,
  })
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 12)
  const {hostname, port} = new URL(baseUrl)
  const host = [plainHost(hostname), ...(port === '' ? [] : [port])].join('_').replace(/[^a-z0-9.-]+/g, '_')
  const words = [
    baseUrl,
    ...(elsewhere.length === 0
      ? []
      : [`(${elsewhere.map(([group, url]) => `${group} at ${url}`).join(', ')})`]),
    ...(principal === undefined ? [] : [`as ${principal}`]),
  ]
  return {id: `${host.slice(0, 80)}-${digest}`, identity, words: words.join(' ')}
}

/** A prefix may be stored with or without its slashes. */
const below = (url: string, prefix = ''): string =>
  `${url}/${prefix}`.replace(/([^:/])\/+/g, '$1/').replace(/\/+$/, '')

/** Host, port and path, in one form whatever way it is written. */
function addressOf(text: string): string {
  const {protocol, hostname, port, pathname} = new URL(text)
  const path = pathname.replace(/\/+$/, '')
  return `${plainHost(hostname)}:${port || (protocol === 'http:' ? 80 : 443)}${path}`
}

const plainHost = (hostname: string): string => hostname.replace(/\.$/, '')

function principalOf(auth: StoredAuth): string | undefined {
  if (auth.type === 'basic') return `user ${auth.user}`
  return auth.type === 'oauth2' ? `client ${auth.clientId}` : undefined
}
