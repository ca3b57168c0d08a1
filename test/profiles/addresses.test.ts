import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {isLoopback} from '../../src/network/check-url.ts'
import {checkBaseUrl, checkHost, hostOf, machineOf} from '../../src/profiles/addresses.ts'
import {codePoint} from '../helpers/code-point.ts'

const problemOf = (text: string, allowInsecure = false): string => {
  const checked = checkBaseUrl(text, allowInsecure)
  return 'problem' in checked ? checked.problem : `(accepted as ${checked.url})`
}

const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,10}[a-z0-9])?$/)
const host = fc.array(label, {minLength: 2, maxLength: 4}).map(labels => `${labels.join('.')}.example`)
const path = fc
  .array(fc.stringMatching(/^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,8}$/), {maxLength: 3})
  .map(segments => segments.map(segment => `/${segment}`).join(''))
const port = fc.option(fc.integer({min: 1024, max: 65_535}), {nil: undefined})
const slashes = fc.stringMatching(/^\/{0,3}$/)

describe('a base URL', () => {
  it('is brought into one form, whatever its slashes and case', () => {
    fc.assert(
      fc.property(host, port, path, slashes, (name, number, below, tail) => {
        const authority = number === undefined ? name : `${name}:${number}`
        const expected = {url: `https://${authority}${below}`}
        expect(checkBaseUrl(`https://${authority}${below}${tail}`, false)).toEqual(expected)
        expect(checkBaseUrl(`HTTPS://${authority.toUpperCase()}${below}`, false)).toEqual(expected)
        expect(checkBaseUrl(expected.url, false)).toEqual(expected)
      }),
      {numRuns: 200},
    )
  })

  it('with a user or password is refused, and neither stands in the reason', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9!$&'()*+,;=%._~-]{6,20}$/)
    fc.assert(
      fc.property(host, word, word, fc.boolean(), (name, user, password, both) => {
        const problem = problemOf(`https://${user}${both ? `:${password}` : ''}@${name}`)
        expect(problem).not.toContain('accepted')
        expect(problem).not.toContain(user)
        expect(problem).not.toContain(password)
      }),
      {numRuns: 200},
    )
  })

  it('gives one result for any text and never throws', () => {
    const nasty = fc.oneof(
      fc.string({unit: codePoint}),
      fc.webUrl({withFragments: true, withQueryParameters: true}),
    )
    fc.assert(
      fc.property(nasty, fc.boolean(), (text, allowInsecure) => {
        const checked = checkBaseUrl(text, allowInsecure)
        if ('problem' in checked) return
        const url = new URL(checked.url)
        expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', ''])
        expect(['http:', 'https:']).toContain(url.protocol)
        expect(allowInsecure || url.protocol === 'https:' || isLoopback(url.hostname)).toBe(true)
      }),
      {numRuns: 500},
    )
  })

  it.each([
    ['', 'absolute'],
    ['api.example', 'absolute'],
    ['//api.example', 'absolute'],
    ['https:api.example', 'absolute'],
    ['https://', 'absolute'],
    ['https://api.example/a b', 'absolute'],
    ['https://api.example\n.evil.example', 'absolute'],
    ['https://api.example\\@evil.example', 'absolute'],
    [`https://api.example/${'a'.repeat(2100)}`, 'absolute'],
    ['https://@api.example', 'user or password'],
    ['ftp://api.example', 'scheme ftp:'],
    ['file:///etc/passwd', 'scheme file:'],
    ['https://api.example?token=x', 'query'],
    ['https://api.example/?', 'query'],
    ['https://api.example#top', 'query'],
    ['http://api.example', 'allowInsecure'],
    ['http://0.0.0.0:80', 'allowInsecure'],
    ['http://localhost.example', 'allowInsecure'],
    ['http://127.0.0.1.example', 'allowInsecure'],
  ])('%j is refused: %s', (text, reason) => {
    expect(problemOf(text)).toContain(reason)
  })

  it.each([
    'http://127.0.0.1:4010',
    'http://localhost',
    'http://[::1]:4010',
    'http://api.localhost',
    'http://127.9.9.9',
  ])('%s needs no TLS: it is this machine', text => {
    expect(checkBaseUrl(text, false)).toEqual({url: text})
  })

  it('may be http: elsewhere where the profile allows it', () => {
    expect(checkBaseUrl('http://api.example', true)).toEqual({url: 'http://api.example'})
  })
})

describe('hosts', () => {
  it.each([
    ['API.Example', 'api.example'],
    ['api.example:443', 'api.example'],
    ['api.example:8443', 'api.example:8443'],
    ['[::1]:4010', '[::1]:4010'],
    ['https://api.example', undefined],
    ['api.example/path', undefined],
    ['user@api.example', undefined],
    ['', undefined],
    ['api example', undefined],
    ['api.example:99999', undefined],
  ])('%j is %j', (text, expected) => {
    expect(checkHost(text)).toBe(expected)
  })

  it('are one machine whatever the port, scheme or final dot, but on loopback the port counts', () => {
    const machine = (url: string): string => machineOf(hostOf(url))
    expect(machine('http://api.example')).toBe(machine('https://API.example.:8443/test'))
    expect(machine('https://api.example')).not.toBe(machine('https://test.api.example'))
    expect(machine('http://127.0.0.1:1')).toBe(machine('http://localhost:1'))
    expect(machine('http://127.0.0.1:1')).not.toBe(machine('http://127.0.0.1:2'))
  })
})
