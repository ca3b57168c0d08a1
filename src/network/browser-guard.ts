import {isIP} from 'node:net'
import {isLoopback} from '../sensitive/loopback.ts'

/** The headers of a request that tell which page sent it, and by which name the server was called. */
export interface BrowserHeaders {
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly 'sec-fetch-site'?: string | undefined
  readonly 'sec-fetch-mode'?: string | undefined
}

/**
 * Whether a page of another site sent this request. Any page can make its visitor's browser post to a server on the
 * visitor's machine; it can't keep the browser from saying so. Programs send none of these headers. Following a link
 * is allowed: what it opens, the other page can't read.
 */
export function isCrossSite(method: string, headers: BrowserHeaders): boolean {
  const {host = '', origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode} = headers
  // A page that hides its address posts forms with Origin: null, to its own server too.
  if (origin !== undefined && origin !== 'null' && hostOf(origin) !== host.toLowerCase()) return true
  if (site === undefined) return origin === 'null'
  if (site === 'same-origin' || site === 'none') return false
  return !(method === 'GET' && mode === 'navigate' && origin === undefined)
}

/** The form of a Host header; undefined for what is no address. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/**
 * Whether a server may be called by this name: this machine's own, any address in digits, or one of `allowed`. A page
 * can let a name of its own lead here (DNS rebinding), which makes its requests look like those of our own site; but
 * then the Host header has its name.
 */
export function isAllowedHost(host: string | undefined, allowed: readonly string[] = []): boolean {
  const [, bracketed, name = ''] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(host ?? '') ?? []
  if (bracketed !== undefined) return isIP(bracketed) !== 0
  if (name === '') return false
  return isIP(name) !== 0 || isLoopback(name) || allowed.some(one => one.toLowerCase() === name.toLowerCase())
}
