import {getCACertificates} from 'node:tls'
import {Failure} from '../errors/failure.ts'
import {checkBaseUrl, checkUrl} from '../network/check-url.ts'
import type {TargetTls} from '../profiles/target.ts'

/** Whom requests of a target trust; Node's own list where this is undefined. */
export const authoritiesOf = ({ca}: TargetTls): string[] | undefined =>
  // Node takes `ca` instead of its own list, NODE_EXTRA_CA_CERTS included; a private CA comes beside them.
  ca === undefined ? undefined : [...getCACertificates('default'), ca]

/** The parts of a base URL that requests are built from. */
export interface Base {
  /** Scheme, host and port. */
  readonly origin: string
  /** `host` or `host:port`, the port only if it isn't the scheme's own. */
  readonly host: string
  /** '' or '/path' without a trailing slash, as it goes over the wire. */
  readonly path: string
}

/** @throws Failure PROFILE_INVALID for an address that was refused. */
function accepted(what: string, checked: ReturnType<typeof checkUrl>): URL {
  if ('url' in checked) return checked.url
  throw new Failure('PROFILE_INVALID', {message: `${what} ${checked.problem}.`, effect: 'none'})
}

/**
 * Checks a base URL of the profile and takes it apart. `what` names it in errors, e.g. "The base URL"; the URL itself
 * is not printed where it may hold a password.
 *
 * @throws Failure PROFILE_INVALID: not absolute, not http(s), with user, query or fragment, or `http:` to another
 * host than loopback without `allowInsecure`.
 */
export function parseBase(text: string, what: string, allowInsecure: boolean): Base {
  const url = accepted(what, checkBaseUrl(text, allowInsecure))
  return {origin: url.origin, host: url.host, path: url.pathname.replace(/\/+$/, '')}
}

/** The same for an address that is called as it is, such as a token endpoint: its path keeps slash and query. */
export function parseEndpoint(text: string, what: string, allowInsecure: boolean): Base {
  const url = accepted(what, checkUrl(text, allowInsecure))
  return {origin: url.origin, host: url.host, path: url.pathname + url.search}
}
