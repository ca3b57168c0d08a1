import {getCACertificates} from 'node:tls'
import {Failure} from '../errors/failure.ts'
import {checkBaseUrl, checkUrl} from '../network/check-url.ts'
import type {TargetTls} from '../profiles/target.ts'

/** Certificate authorities that requests of a target trust; Node's own list if undefined. */
export const authoritiesOf = ({ca}: TargetTls): string[] | undefined =>
  // Node uses `ca` instead of its own list and NODE_EXTRA_CA_CERTS, so add a private CA to them.
  ca === undefined ? undefined : [...getCACertificates('default'), ca]

/** The parts of a base URL that requests are built from. */
export interface Base {
  /** Scheme, host and port. */
  readonly origin: string
  /** `host` or `host:port`, the port only if it isn't the scheme's own. */
  readonly host: string
  /** '' or '/path' without a trailing slash, as sent. */
  readonly path: string
}

/** @throws Failure PROFILE_INVALID for an unusable URL. */
function accepted(what: string, checked: ReturnType<typeof checkUrl>): URL {
  if ('url' in checked) return checked.url
  throw new Failure('PROFILE_INVALID', {message: `${what} ${checked.problem}.`, effect: 'none'})
}

/**
 * Checks a base URL of the profile and splits it. `what` names it in errors, for example "The base URL". The URL itself
 * is not printed where it may hold a password.
 *
 * @throws Failure PROFILE_INVALID: not absolute, not http(s), with user, query or fragment, or `http:` to another host
 * than loopback without `allowInsecure`.
 */
export function parseBase(text: string, what: string, allowInsecure: boolean): Base {
  const url = accepted(what, checkBaseUrl(text, allowInsecure))
  return {origin: url.origin, host: url.host, path: url.pathname.replace(/\/+$/, '')}
}

/** The same for a URL that is called as it is, such as a token endpoint: its path keeps slash and query. */
export function parseEndpoint(text: string, what: string, allowInsecure: boolean): Base {
  const url = accepted(what, checkUrl(text, allowInsecure))
  return {origin: url.origin, host: url.host, path: url.pathname + url.search}
}
