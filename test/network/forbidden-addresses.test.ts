import {networkInterfaces} from 'node:os'
import {describe, expect, test} from 'vitest'
import {checkHost, ForbiddenAddress, isForbidden, safeLookup} from '../../src/network/forbidden-addresses.ts'

const own = Object.values(networkInterfaces()).flatMap(each => each ?? [])

/** The two groups of digits in which IPv6 has an IPv4 address. */
const inHex = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

describe('what a server must not call for its users', () => {
  test.each(own.map(({address}) => address))('its own address %s, in any form', address => {
    expect(isForbidden(address)).toBe(true)
    if (address.includes(':')) return
    for (const form of [
      `::ffff:${address}`,
      `::${address}`,
      `::ffff:0:${address}`,
      `2002:${inHex(address)}::1`,
      `64:ff9b::${address}`,
    ]) {
      expect(isForbidden(form), form).toBe(true)
    }
  })

  test.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::ffff:0:127.0.0.1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2001:0:4136:e378:8000:63bf:80ff:fffe',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a9fe:a9fe',
    '169.254.169.254',
    '100.100.100.200',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    '224.0.0.1',
    '255.255.255.255',
    'ff02::1',
  ])('%s', address => expect(isForbidden(address)).toBe(true))

  test.each([
    '10.255.254.253',
    '192.168.255.254',
    '93.184.216.34',
    'fd12:3456::9',
    '2a00:1450::1',
    '::ffff:93.184.216.34',
  ])('but %s', address => expect(isForbidden(address)).toBe(false))

  test.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://127.1/',
  ])('an address that a URL writes in its own way: %s', url =>
    expect(() => checkHost(new URL(url).hostname)).toThrow(ForbiddenAddress),
  )

  test('a name that leads to one', async () => {
    const error = await new Promise(resolve => safeLookup('localhost', {}, resolve))
    expect(error).toBeInstanceOf(ForbiddenAddress)
  })
})
