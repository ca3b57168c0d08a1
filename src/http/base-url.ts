import {getCACertificates} from 'node:tls'
import {Failure} from '../errors/failure.ts'
import type {TargetTls} from '../profiles/target.ts'
import {isLoopback} from '../sensitive/loopback.ts'

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

const reject = (what: string, why: string): never => {
  throw new Failure('PROFILE_INVALID', {message: `${what} ${why}`, effect: 'none'})
}

function checkUrl(text: string, what: string, allowInsecure: boolean): URL {
  // The parser drops line breaks and turns \ into /: what is shown would not be what is called.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) {
    return reject(what, 'is not an absolute URL, such as https://api.example.')
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') {
    return reject(what, 'holds a user or password; put them in the authentication of the profile.')
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return reject(what, `has the scheme ${url.protocol} but only https: and http: can be used.`)
  }
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname)) {
    return reject(
      what,
      `is http: to ${url.host}, which others can read and change on the way. Use https:, or allow it in the profile (allowInsecure).`,
    )
  }
  return url
}

/**
 * Checks a base URL of the profile and takes it apart. `what` names it in errors, e.g. "The base URL"; the URL itself
 * is not printed where it may hold a password.
 *
 * @throws Failure PROFILE_INVALID: not absolute, not http(s), with user, query or fragment, or `http:` to another
 * host than loopback without `allowInsecure`.
 */
export function parseBase(text: string, what: string, allowInsecure: boolean): Base {
  const url = checkUrl(text, what, allowInsecure)
  if (/[?#]/.test(text)) {
    return reject(what, 'has a query or fragment; only scheme, host, port and path are used.')
  }
  return {origin: url.origin, host: url.host, path: url.pathname.replace(/\/+$/, '')}
}

/** The same for an address that is called as it is, such as a token endpoint: its path keeps slash and query. */
export function parseEndpoint(text: string, what: string, allowInsecure: boolean): Base {
  const url = checkUrl(text, what, allowInsecure)
  return {origin: url.origin, host: url.host, path: url.pathname + url.search}
}
