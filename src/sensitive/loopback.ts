/**
 * Whether a URL's host name is this machine, without asking a resolver: what goes there leaves it never, so that it may
 * travel without TLS and past the proxy. `hostname` as `URL` gives it (IPv6 in brackets).
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
