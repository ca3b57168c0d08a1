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
