import {lookup as systemLookup} from 'node:dns'
import {BlockList, isIP, type LookupFunction} from 'node:net'
import {networkInterfaces} from 'node:os'

/** An address that a server must not call for its users. */
export class ForbiddenAddress extends Error {}

/**
 * Addresses that no other machine of a network has: loopback, link-local ones (where clouds have their metadata, with
 * credentials), unspecified, multicast and broadcast ones. Of the forms of IPv6 that have an IPv4 address in them, all:
 * IPv4-compatible, translated (SIIT), 6to4, Teredo, NAT64. The form `::ffff:127.0.0.1` counts as the IPv4 address itself.
 */
const FORBIDDEN = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.192/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '224.0.0.0/3',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
  'fd00:ec2::254/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

const forbidden = new BlockList()
for (const range of FORBIDDEN) {
  const [net = '', prefix] = range.split('/')
  forbidden.addSubnet(net, Number(prefix), familyOf(net))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** The addresses of the machine itself, as they are now. */
function isOwn(address: string): boolean {
  const own = new BlockList()
  for (const each of Object.values(networkInterfaces()).flat()) {
    if (each) own.addAddress(withoutZone(each.address), familyOf(each.address))
  }
  return own.check(address, familyOf(address))
}

/** `fe80::1%eth0` without the interface. */
const withoutZone = (address: string): string => address.replace(/%.*$/, '')

export function isForbidden(text: string): boolean {
  const address = withoutZone(text)
  return forbidden.check(address, familyOf(address)) || isOwn(address)
}

/**
 * Resolves names like `dns.lookup`, and fails for one with a forbidden address. It is asked when the connection is made,
 * so a name can't change its address in between.
 */
export const safeLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, {...options, all: true}, (error, addresses) => {
    if (error) return callback(error, '')
    if (addresses.some(({address}) => isForbidden(address))) return callback(new ForbiddenAddress(), '')
    if (options.all) return callback(null, addresses)
    callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  })
}

/**
 * An address in a URL is never looked up. @param hostname that of a `URL`: IPv6 in brackets.
 * @throws ForbiddenAddress
 */
export function checkHost(hostname: string): void {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 && isForbidden(host)) throw new ForbiddenAddress()
}
