import {lookup as systemLookup} from 'node:dns'
import {BlockList, isIP, type LookupFunction} from 'node:net'

/** An address that a server must not call for its users. */
export class ForbiddenAddress extends Error {}

/**
 * Addresses of the machine itself, and those that no other machine of a network has: link-local ones (where clouds have
 * their metadata, with credentials), unspecified, multicast and broadcast ones.
 */
const FORBIDDEN = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.192/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '224.0.0.0/3',
  '::/127',
  '64:ff9b::/96',
  'fd00:ec2::254/128',
  'fe80::/10',
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

export const isForbidden = (address: string): boolean => forbidden.check(address, familyOf(address))

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
