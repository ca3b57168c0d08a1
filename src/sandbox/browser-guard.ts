import {isAllowedHost, isCrossSite} from '../network/browser-guard.ts'
import type {SandboxOptions} from './options.ts'
import type {PlainRequest} from './plain-http.ts'
import {Problem} from './problems.ts'

/**
 * Keeps pages of other sites from calling a served sandbox through the browser of somebody on this machine. The pages
 * under `/pages/` are made to be called by a client's own page, and open with a token or control id only.
 *
 * @throws Problem 403
 */
export function guardBrowsers(
  {origin = 'embedded', method, headers}: PlainRequest,
  path: string,
  {auth, allowedHosts = [], baseUrl}: SandboxOptions,
): void {
  if (origin === 'embedded') return
  const allowed = baseUrl === undefined ? allowedHosts : [...allowedHosts, new URL(baseUrl).hostname]
  // With credentials a page under a name of its own gets nowhere: the browser has none for it.
  if (auth === undefined && !isAllowedHost(headers.host, allowed)) {
    throw new Problem(
      403,
      'host-not-allowed',
      'Not permitted',
      'This sandbox is not served under that host name. Allow the name with --allow-host, or ask for credentials with --auth.',
    )
  }
  if (!path.startsWith('/pages/') && isCrossSite(method, headers)) {
    throw new Problem(403, 'cross-site', 'Not permitted', 'Pages of other sites may not call this sandbox.')
  }
}
