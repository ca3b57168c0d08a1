import {isIP} from 'node:net'
import {isLoopback} from './check-url.ts'

/** The headers of a request that show which page sent it, and by which name the server was called. */
export interface BrowserHeaders {
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly 'sec-fetch-site'?: string | undefined
  readonly 'sec-fetch-mode'?: string | undefined
}

/**
 * Whether a page of another site sent this request. Any page can make its visitor's browser post to a server on the
 * visitor's machine, but it can't prevent the browser from saying so. Other programs send none of these headers.
 * Following a link is allowed, because the other page can't read the result.
 */
export function isCrossSite(method: string, headers: BrowserHeaders): boolean {
  const {host = '', origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode} = headers
  // A page that hides its origin posts forms with Origin: null, to its own server too.
  if (origin !== undefined && origin !== 'null' && hostOf(origin) !== host.toLowerCase()) return true
  if (site === undefined) return origin === 'null'
  if (site === 'same-origin' || site === 'none') return false
  return !(method === 'GET' && mode === 'navigate' && origin === undefined)
}

/** Parses a Host header; undefined for invalid text. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/**
 * Whether a server may be called by this name: a name of this machine, any IP address, or one of `allowed`. A page can
 * point a name of its own to this machine (DNS rebinding), so that its requests look like requests of our own page; but
 * then the Host header has that name.
 */
export function isAllowedHost(host: string | undefined, allowed: readonly string[] = []): boolean {
  const [, bracketed, name = ''] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(host ?? '') ?? []
  if (bracketed !== undefined) return isIP(bracketed) !== 0
  if (name === '') return false
  return isIP(name) !== 0 || isLoopback(name) || allowed.some(one => one.toLowerCase() === name.toLowerCase())
}
