import {basename} from 'node:path'
import process from 'node:process'

/**
 * Checks a URL that requests with credentials go to: absolute, http(s), without user and password, and with TLS unless
 * it leads to this machine. A problem continues a sentence that begins with the name of the URL. It quotes no part that
 * may hold a password.
 */
export function checkUrl(
  text: string,
  allowInsecure: boolean,
): {readonly url: URL} | {readonly problem: string} {
  // The URL parser drops line breaks and turns \ into /, so the shown URL would differ from the called one.
  const isPlain = text.length <= 2048 && !/[\s\\\p{Cc}]/u.test(text) && /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  const url = isPlain ? URL.parse(text) : null
  if (url === null) return {problem: 'is not an absolute URL, such as https://api.example'}
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text)) {
    return {problem: 'holds a user or password; put them in the authentication of the profile'}
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return {problem: `has the scheme ${url.protocol} but only https: and http: can be used`}
  }
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname)) {
    return {
      problem: `is http: to ${url.host}, which others can read and change on the way: use https:, unless who looks after the profile allows it (allowInsecure)`,
    }
  }
  return {url}
}

/** The same for a base URL, to which paths are added. */
export function checkBaseUrl(text: string, allowInsecure: boolean): ReturnType<typeof checkUrl> {
  const checked = checkUrl(text, allowInsecure)
  return 'url' in checked && /[?#]/.test(text)
    ? {problem: 'has a query or fragment; only scheme, host, port and path are used'}
    : checked
}

/**
 * Whether a URL's host name is this machine, without a resolver. Traffic to it never leaves the machine, so it needs
 * neither TLS nor the proxy. `hostname` is that of a `URL` (IPv6 in brackets).
 */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(name)
  )
}

const SOCKET_HOSTS = '.socket.localhost'

/** Whether a host name stands for a Unix socket, and for no port of this machine. */
export const isSocketHost = (hostname: string): boolean => hostname.toLowerCase().endsWith(SOCKET_HOSTS)

/**
 * The base URL that stands for a Unix socket. No other socket has it, so journal, rules and credentials belong to this
 * one.
 */
export function socketUrl(path: string): string {
  const {createHash} = process.getBuiltinModule('node:crypto')
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 12)
  const name = basename(path, '.sock')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  return `http://${name.slice(0, 40).replace(/^-/, '')}-${digest}${SOCKET_HOSTS}`
}
