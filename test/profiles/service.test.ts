import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {serviceOf} from '../../src/profiles/index.ts'
import {embeddedProfile} from '../../src/profiles/read-profile.ts'
import {parseReference} from '../../src/profiles/reference.ts'
import {isIdOf} from '../../src/profiles/service.ts'
import type {StoredProfile} from '../../src/profiles/settings.ts'

const secret = (name: string) => parseReference(`env:${name}`, {homedir: '/home/aino'})
const leadsTo = (baseUrl: string, more: Partial<StoredProfile> = {}) =>
  serviceOf({profile: {...embeddedProfile, kind: 'test', baseUrl, ...more}, embedded: false})

describe('the service that a profile leads to', () => {
  it('has an id that its identity gives, and no other', () => {
    const urls = [
      'https://api.example/card',
      'http://127.0.0.1:8443',
      'http://[::1]:80/a:9/b',
      'https://h:80',
    ]
    const services = urls.map(url => leadsTo(url))
    for (const {id} of services)
      expect(services.filter(({identity}) => isIdOf(identity, id)).map(each => each.id)).toEqual([id])
    expect(isIdOf('embedded', 'sandbox')).toBe(true)
    for (const id of ['..', 'local']) expect(isIdOf('embedded', id)).toBe(false)
  })

  it('is the same however its address is written', () => {
    const {id} = leadsTo('https://api.example/card')
    const same: Parameters<typeof leadsTo>[] = [
      ['https://api.example:443/card'],
      ['https://api.example./card'],
      ['https://api.example/card', {groups: {accounts: {}, pin: {prefix: ''}}}],
      ['https://api.example/card', {groups: {accounts: {baseUrl: 'https://api.example/card'}}}],
    ]
    for (const [url, more] of same) expect(leadsTo(url, more).id).toBe(id)
    const prefixed = leadsTo('https://api.example', {groups: {accounts: {prefix: '/card'}}}).id
    expect(leadsTo('https://api.example', {groups: {accounts: {prefix: 'card/'}}}).id).toBe(prefixed)
    const own = {accounts: {baseUrl: 'https://api.example/card'}}
    expect(leadsTo('https://api.example', {groups: own}).id).toBe(prefixed)
  })

  it('is another one at another host, port, path or prefix, or for another principal', () => {
    const oauth = (clientId: string): Partial<StoredProfile> => ({
      auth: {type: 'oauth2', tokenUrl: 'https://id.example', clientId, clientSecret: secret('A')},
    })
    const basic = (user: string): Partial<StoredProfile> => ({
      auth: {type: 'basic', user, password: secret('A')},
    })
    const services = [
      leadsTo('https://api.example'),
      leadsTo('https://other.example'),
      leadsTo('https://api.example:8443'),
      leadsTo('http://api.example'),
      leadsTo('https://api.example/card'),
      leadsTo('https://api.example', {groups: {accounts: {prefix: '/card'}}}),
      leadsTo('https://api.example', {groups: {pin: {prefix: '/card'}}}),
      leadsTo('https://api.example', {groups: {pin: {baseUrl: 'https://pin.example'}}}),
      leadsTo('https://api.example', basic('one')),
      leadsTo('https://api.example', basic('two')),
      leadsTo('https://api.example', oauth('one')),
      serviceOf({profile: embeddedProfile, embedded: true}),
    ]
    expect(new Set(services.map(({id}) => id)).size).toBe(services.length)
    expect(new Set(services.map(({words}) => words)).size).toBe(services.length)
  })

  it('stays the same when secrets, kind, audit user or pace change', () => {
    const {id} = leadsTo('https://api.example', {auth: {type: 'bearer', token: secret('A')}})
    const other: Partial<StoredProfile> = {
      auth: {type: 'header', name: 'x-key', value: secret('B')},
      kind: 'live',
      auditUser: 'aino',
      bid: 'B1',
      readOnly: true,
      rate: {perSecond: 1, perMinute: 1, share: 1},
    }
    expect(leadsTo('https://api.example', other).id).toBe(id)
  })

  it('has a name for files that no disk mistakes', () => {
    fc.assert(
      fc.property(fc.webUrl({validSchemes: ['https']}), fc.string(), (url, user) => {
        const {id} = leadsTo(url, {auth: {type: 'basic', user, password: secret('A')}})
        expect(id).toMatch(/^[a-z0-9._-]+-[0-9a-f]{12}$/)
        expect(id.length).toBeLessThan(100)
      }),
    )
  })
})
