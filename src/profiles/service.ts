import {createHash} from 'node:crypto'
import {parseObject} from '../errors/is-object.ts'
import {nameWords} from '../sensitive/secret-names.ts'
import type {StoredAuth} from './auth-settings.ts'
import type {Chosen} from './choose.ts'
import {EMBEDDED_PROFILE} from './profile-name.ts'
import {storedReference} from './reference.ts'

/**
 * The service that a profile leads to. Journal, bulk jobs, idempotency keys and the rate belong to a service: two
 * profiles of one service share them, and a profile never takes them to another service.
 */
export interface Service {
  /** For file names: a readable host, and a digest of the identity. */
  readonly id: string
  /** The identity as text, to compare services. */
  readonly identity: string
  /** For people: `https://api.example/card as client portal`. */
  readonly words: string
}

export const EMBEDDED = 'embedded'
export const EMBEDDED_WORDS = 'the embedded sandbox'

/**
 * Host, port and path of every base URL, the user that the service sees, and the tenant. No secret and no audit user,
 * because they change. Always the user of the profile, even if CARDCTL_TOKEN replaces its credentials for a run.
 */
export function serviceOf({profile, embedded}: Pick<Chosen, 'profile' | 'embedded'>): Service {
  // An embedded sandbox is identified by its data folder, which holds both its state and its journal.
  if (embedded) return {id: EMBEDDED_PROFILE, identity: EMBEDDED, words: EMBEDDED_WORDS}
  const {baseUrl, groups, auth} = profile
  const elsewhere = Object.entries(groups)
    .map(([group, address]) => [group, below(address?.baseUrl ?? baseUrl, address?.prefix)] as const)
    .filter(([, url]) => addressOf(url) !== addressOf(baseUrl))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const principal = principalOf(auth)
  const tenant = tenantOf(profile.service?.headers)
  const identity = JSON.stringify({
    address: addressOf(baseUrl),
    groups: Object.fromEntries(elsewhere.map(([group, url]) => [group, addressOf(url)])),
    principal,
    ...(tenant.length > 0 && {tenant: Object.fromEntries(tenant)}),
  })
  const {hostname, port} = new URL(baseUrl)
  const words = [
    baseUrl,
    ...(elsewhere.length === 0
      ? []
      : [`(${elsewhere.map(([group, url]) => `${group} at ${url}`).join(', ')})`]),
    ...(principal === undefined ? [] : [`as ${principal}`]),
    ...tenant.map(([name, value]) => `with ${name} ${value}`),
  ]
  return {id: idOf(identity, hostname, port), identity, words: words.join(' ')}
}

/** Identifies the service without the user who signs in, so that it is the same for all colleagues. */
export function placeOf({identity}: Pick<Service, 'identity'>): string {
  const {principal: _, ...place} = parseObject(identity) ?? {}
  return Object.keys(place).length === 0 ? identity : JSON.stringify(place)
}

function idOf(identity: string, hostname: string, port: string): string {
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 12)
  const host = [plainHost(hostname), ...(port === '' ? [] : [port])].join('_').replace(/[^a-z0-9.-]+/g, '_')
  return `${host.slice(0, 80)}-${digest}`
}

/** Whether a service with this identity has this id. The identity is without the scheme, which may imply the port. */
export function isIdOf(identity: string, id: string): boolean {
  if (identity === EMBEDDED || id === EMBEDDED_PROFILE)
    return identity === EMBEDDED && id === EMBEDDED_PROFILE
  const address = parseObject(identity)?.address
  const url = URL.parse(`http://${String(address)}`)
  return url !== null && ['', url.port || '80'].some(port => idOf(identity, url.hostname, port) === id)
}

/** The stored prefix may have slashes at its ends or not. */
const below = (url: string, prefix = ''): string =>
  `${url}/${prefix}`.replace(/([^:/])\/+/g, '$1/').replace(/\/+$/, '')

/** Host, port and path of a URL in normal form. */
export function addressOf(text: string): string {
  const {protocol, hostname, port, pathname} = new URL(text)
  const path = pathname.replace(/\/+$/, '')
  return `${plainHost(hostname)}:${port || (protocol === 'http:' ? 80 : 443)}${path}`
}

const plainHost = (hostname: string): string => hostname.replace(/\.$/, '')

function principalOf(auth: StoredAuth): string | undefined {
  if (auth.type === 'basic') return `user ${auth.user}`
  return auth.type === 'oauth2' ? `client ${auth.clientId}` : undefined
}

/** Words of headers that say how to talk, and not to whom. */
const MANNERS =
  /\b(?:version|accept|content|language|locale|format|encoding|agent|sdk|trace\w*|correlation|debug|prefer|cache|timeout)\b/
const TENANT =
  /\b(?:tenant|organi[sz]ation|org|programme?|issuer|institution|bank|merchant|partner|company|entity|brand|workspace|realm)\b/

/** Whether a header names whose data a request is about, also if its value is a secret. */
export const isTenantHeader = (name: string): boolean => TENANT.test(nameWords(name).join(' '))

/**
 * What of the profile's headers may lead to other data behind the same URL. Secrets change and are mostly credentials:
 * of one that is a tenant's, the reference counts here, and its value with each request (`Target.tenant`).
 */
function tenantOf(headers: Readonly<Record<string, string>> = {}): readonly (readonly [string, string])[] {
  return Object.entries(headers)
    .filter(([name, value]) => {
      if (storedReference(value) !== undefined) return isTenantHeader(name)
      return !MANNERS.test(nameWords(name).join(' '))
    })
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}
