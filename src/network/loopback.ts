import {basename} from 'node:path'
import process from 'node:process'

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
