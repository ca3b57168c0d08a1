import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {proxyFor, routeTo} from '../../src/http/connections.ts'

const PROXY = 'http://proxy.test:3128'

describe('NO_PROXY', () => {
  it.each([
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://10.1.2.3:8443', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['192.168.4.0/22', 'https://192.168.7.255', true],
    ['192.168.4.0/22', 'https://192.168.8.0', false],
    ['10.1.2.3/32', 'https://10.1.2.3', true],
    ['0.0.0.0/0', 'https://10.1.2.3', true],
    ['0.0.0.0/0', 'https://[fd00::1]', false],
    ['[fd00::]/8', 'https://[fd12::1]', true],
    ['fd00::/8', 'https://[fd12::1]:8443', true],
    ['[fd00::]/8', 'https://[fe12::1]', false],
    ['other.example, 10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/33', 'https://10.1.2.3', false],
    ['10.0.0/8', 'https://10.1.2.3', false],
    ['10.0.0.0/8', 'https://10.example', false],
    ['10.1.2.3', 'https://10.1.2.3', true],
  ])('%s and %s', (list, origin, isDirect) => {
    const {proxy} = routeTo(origin, {HTTPS_PROXY: PROXY, NO_PROXY: list})
    expect(proxy === undefined).toBe(isDirect)
  })

  it('of any range has the addresses with its first bits, and no others', () => {
    const toText = (n: number): string => [24, 16, 8, 0].map(by => (n >>> by) & 255).join('.')
    const address = fc.integer({min: 0, max: 2 ** 32 - 1}).filter(n => n >>> 24 !== 127)
    fc.assert(
      fc.property(address, address, fc.integer({min: 1, max: 32}), (net, host, bits) => {
        const {proxy} = routeTo(`https://${toText(host)}`, {
          https_proxy: PROXY,
          no_proxy: `${toText(net)}/${bits}`,
        })
        expect(proxy === undefined).toBe((net ^ host) >>> (32 - bits) === 0)
      }),
    )
  })
})

describe('ALL_PROXY', () => {
  it.each([
    [{ALL_PROXY: PROXY}, 'proxy.test:3128 (ALL_PROXY)'],
    [{all_proxy: PROXY, ALL_PROXY: 'http://upper.test'}, 'proxy.test:3128 (all_proxy)'],
    [{ALL_PROXY: PROXY, HTTPS_PROXY: 'http://own.test:1'}, 'own.test:1 (HTTPS_PROXY)'],
    [{ALL_PROXY: PROXY, HTTPS_PROXY: ''}, 'proxy.test:3128 (ALL_PROXY)'],
    [{ALL_PROXY: PROXY, HTTP_PROXY: 'http://own.test:1'}, 'proxy.test:3128 (ALL_PROXY)'],
  ])('%j for https: leads to %s', (env, words) => {
    expect(proxyFor('https:', env)?.words).toBe(words)
  })

  it('with SOCKS is refused, so that nothing leaves past the proxy', () => {
    expect(() => proxyFor('https:', {ALL_PROXY: 'socks5://proxy.test'})).toThrow(/ALL_PROXY/)
  })
})
