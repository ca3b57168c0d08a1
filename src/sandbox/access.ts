import {isAllowedHost, isCrossSite} from '../network/browser-guard.ts'
import type {Secret} from '../sensitive/secret.ts'
import {nodeCrypto} from './ids.ts'
import type {SandboxOptions} from './options.ts'
import type {PlainRequest} from './plain-http.ts'
import {Problem} from './problems.ts'

/** The credentials that callers need. */
export type SandboxAuth =
  | {readonly type: 'basic'; readonly user: string; readonly password: Secret}
  | {readonly type: 'bearer'; readonly token: Secret}

const digest = (text: string) => nodeCrypto().createHash('sha256').update(text).digest()

/**
 * Identifies the caller, without revealing the secret.
 * @returns undefined if credentials are required and are missing or wrong.
 */
export function authenticate(
  auth: SandboxAuth | undefined,
  authorization: string | undefined,
): string | undefined {
  if (auth === undefined) {
    // No credentials are required, but idempotency keys tell callers apart by their credentials.
    return authorization === undefined ? 'anyone' : digest(authorization).toString('base64url')
  }
  if (authorization === undefined) return undefined
  // Digests have the same length, so the comparison takes the same time for every wrong value.
  return nodeCrypto().timingSafeEqual(digest(normalised(authorization)), digest(expected(auth)))
    ? nameOf(auth)
    : undefined
}

export function challenge(auth: SandboxAuth): string {
  return auth.type === 'basic' ? 'Basic realm="sandbox", charset="UTF-8"' : 'Bearer realm="sandbox"'
}

function expected(auth: SandboxAuth): string {
  if (auth.type === 'bearer') return `bearer ${auth.token.open()}`
  return `basic ${Buffer.from(`${auth.user}:${auth.password.open()}`, 'utf8').toString('base64')}`
}

/** The name of the scheme is case-insensitive (RFC 9110, 11.1). */
function normalised(authorization: string): string {
  const space = authorization.indexOf(' ')
  return space < 0 ? authorization : authorization.slice(0, space).toLowerCase() + authorization.slice(space)
}

const nameOf = (auth: SandboxAuth) => (auth.type === 'basic' ? `basic:${auth.user}` : 'bearer')

interface GuardOptions extends Pick<SandboxOptions, 'allowedHosts' | 'baseUrl'> {
  /** Whether callers need credentials. */
  readonly isGuarded: boolean
}

/**
 * Refuses requests that a page of another site sends through a browser on this machine. The pages under `/pages/` are
 * exempt: the client's own page embeds them, and they require a token or control id.
 *
 * @throws Problem 403
 */
export function guardBrowsers(
  {origin = 'embedded', method, headers}: PlainRequest,
  path: string,
  {isGuarded, allowedHosts = [], baseUrl}: GuardOptions,
): void {
  if (origin === 'embedded') return
  const allowed = baseUrl === undefined ? allowedHosts : [...allowedHosts, new URL(baseUrl).hostname]
  // If credentials are required, DNS rebinding is harmless: the browser has none for that name.
  if (!isGuarded && !isAllowedHost(headers.host, allowed)) {
    throw new Problem(
      403,
      'host-not-allowed',
      'Not allowed',
      'This sandbox does not accept requests for this host name. Allow the name with --allow-host, or require credentials with --auth.',
    )
  }
  if (!path.startsWith('/pages/') && isCrossSite(method, headers)) {
    throw new Problem(403, 'cross-site', 'Not allowed', 'Pages of other sites may not call this sandbox.')
  }
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Restricts the control operations to programs on this machine and to callers with credentials. Refuses pages in a
 * browser on this machine, whatever their host name and origin.
 *
 * @param authenticated whether the request had valid credentials.
 * @throws Problem 403
 */
export function guardControl(request: PlainRequest, authenticated: boolean): void {
  const {origin = 'embedded', headers} = request
  if (origin === 'embedded' || authenticated) return
  if (origin === 'network')
    throw forbidden('From other machines the control operations require authentication.')
  if (!LOOPBACK_HOST.test(headers.host ?? ''))
    throw forbidden('The control operations are not available under this host name.')
  const site = headers['sec-fetch-site']
  if (headers.origin !== undefined || (site !== undefined && site !== 'none')) {
    throw forbidden('Pages in a browser may not call the control operations.')
  }
}

const forbidden = (detail: string) => new Problem(403, 'control-forbidden', 'Not allowed', detail)
