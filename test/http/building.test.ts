import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {groupPrefix} from '../../src/http/build-request.ts'
import {
  parseBase,
  renameFields,
  requestPath,
  requestQuery,
  toNeutralNames,
  toServiceNames,
} from '../../src/http/request-parts.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {codePoint} from '../helpers/code-point.ts'
import {failureOf, kinds, openSender, operation, still, target} from './surround.ts'

const code = (act: () => unknown): string | undefined => {
  try {
    act()
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
  return undefined
}

describe('the path', () => {
  it.each([
    ['a/b', '/v4/a%2Fb/x'],
    ['%2f', '/v4/%252f/x'],
    ['..%2f..', '/v4/..%252f../x'],
    ['...', '/v4/.../x'],
    ['ä b?#', '/v4/%C3%A4%20b%3F%23/x'],
    ['\r\nhost: evil', '/v4/%0D%0Ahost%3A%20evil/x'],
    ['-1', '/v4/-1/x'],
  ])('encodes %j whole', (id, path) => {
    expect(requestPath('/v4/{id}/x', {id}, {})).toBe(path)
  })

  it.each(['', '.', '..', '\ud800'])('refuses %j', id => {
    expect(code(() => requestPath('/v4/{id}', {id}, {}))).toBe('INPUT_INVALID')
  })

  it('refuses a missing value, also of a name that every object has', () => {
    expect(code(() => requestPath('/v4/{id}', {}, {}))).toBe('INPUT_INVALID')
    expect(code(() => requestPath('/v4/{constructor}', {}, {}))).toBe('INPUT_INVALID')
  })

  it('any id comes back as one segment, and cannot leave it', () => {
    fc.assert(
      fc.property(fc.string({unit: codePoint, minLength: 1}), id => {
        fc.pre(id !== '.' && id !== '..' && id.isWellFormed())
        const path = requestPath('/v4/{id}/status', {id}, {})
        const url = new URL(`https://api.example${path}`)
        expect(url.pathname.split('/')).toHaveLength(4)
        expect(decodeURIComponent(url.pathname.split('/')[2] ?? '')).toBe(id)
        expect(url.host).toBe('api.example')
        expect(path).toMatch(/^[\x21-\x7e]+$/)
      }),
      {numRuns: 200},
    )
  })

  it('exchanges literal segments by the words of the profile, never values', () => {
    const words = {walleta: 'own pay', NETWORK_A: 'net'}
    expect(requestPath('/v1/{cardId}/provision/walleta', {cardId: 'walleta'}, words)).toBe(
      '/v1/walleta/provision/own%20pay',
    )
    expect(requestPath('/v1/remotecheckout/NETWORK_A/x', {}, words)).toBe('/v1/remotecheckout/net/x')
    expect(requestPath('/v1/constructor', {}, words)).toBe('/v1/constructor')
  })
})

describe('the prefix of a group', () => {
  it.each([
    [undefined, ''],
    ['', ''],
    ['/', ''],
    ['/card', '/card'],
    ['card/', '/card'],
    ['/a/b', '/a/b'],
  ])('%j becomes %j', (given, prefix) => {
    expect(groupPrefix('cards', given)).toBe(prefix)
  })

  it.each(['/..', '/a/../b', '/a b', '/a?x', '/a#x', '//evil.example', '/%2e%2e'])('refuses %j', given => {
    expect(code(() => groupPrefix('cards', given))).toBe('PROFILE_INVALID')
  })
})

describe('the query', () => {
  it('explodes arrays and objects, and leaves out what is absent', () => {
    const start = {batchTransferId: '88', status: 'FAILED', transferId: 'a&b'}
    expect(
      requestQuery({size: 50, page: 0, exclusiveStartKey: start, none: undefined, nil: null, a: [1, 'x y']}),
    ).toBe('?size=50&page=0&batchTransferId=88&status=FAILED&transferId=a%26b&a=1&a=x%20y')
    expect(requestQuery({})).toBe('')
  })

  it('any value comes back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({minLength: 1}), fc.string({unit: 'grapheme'})), values => {
        const url = new URL(`https://api.example/${requestQuery(values)}`)
        expect(Object.fromEntries(url.searchParams)).toEqual({...values})
      }),
      {numRuns: 100},
    )
  })
})

describe('base URLs', () => {
  it.each([
    ['https://api.example', {origin: 'https://api.example', host: 'api.example', path: ''}],
    ['https://API.example:443/base/', {origin: 'https://api.example', host: 'api.example', path: '/base'}],
    ['http://127.0.0.1:8080', {origin: 'http://127.0.0.1:8080', host: '127.0.0.1:8080', path: ''}],
    ['http://[::1]:8080/x', {origin: 'http://[::1]:8080', host: '[::1]:8080', path: '/x'}],
    ['http://localhost', {origin: 'http://localhost', host: 'localhost', path: ''}],
  ])('takes %s', (text, base) => {
    expect(parseBase(text, 'The base URL', false)).toEqual(base)
  })

  it.each([
    'api.example',
    'ftp://api.example',
    'http://api.example',
    'http://127.0.0.1.example',
    'http://localhost.example',
    'https://user:pw@api.example',
    'https://api.example?x=1',
    'https://api.example/#x',
    'https://api.example/?',
    'https://api\n.example',
    'https://api.example\\x',
    '',
  ])('refuses %s', text => {
    expect(code(() => parseBase(text, 'The base URL', false))).toBe('PROFILE_INVALID')
  })

  it('allows http: to other hosts only where the profile says so', () => {
    expect(parseBase('http://api.example', 'The base URL', true).origin).toBe('http://api.example')
    expect(code(() => openSender(target('http://api.example'), still()))).toBe('PROFILE_INVALID')
  })

  it('never prints a password in a URL', () => {
    try {
      parseBase('https://user:hunter2@api.example', 'The base URL', false)
    } catch (error) {
      expect(String(error)).not.toContain('hunter2')
    }
    expect.assertions(1)
  })
})

describe('names of fields', () => {
  const words = {opaquePaymentCard: 'opc', opaquePaymentCardRequested: 'opcWanted'}

  it('are renamed at any depth; values and Secrets stay', () => {
    const secret = new Secret('opaquePaymentCard')
    const out = renameFields(
      {a: [{opaquePaymentCard: 'opaquePaymentCard'}], opaquePaymentCard: secret},
      toServiceNames(words),
    )
    expect(out).toEqual({a: [{opc: 'opaquePaymentCard'}], opc: secret})
    expect((out as {opc: unknown}).opc).toBe(secret)
  })

  it('come back unchanged', () => {
    const member = fc.constantFrom('opaquePaymentCard', 'opaquePaymentCardRequested', 'other', '__proto__')
    const document = fc.letrec(tie => ({
      value: fc.oneof(fc.string(), fc.integer(), fc.dictionary(member, tie('value')), fc.array(tie('value'))),
    })).value
    fc.assert(
      fc.property(document, value => {
        expect(renameFields(renameFields(value, toServiceNames(words)), toNeutralNames(words))).toEqual(value)
      }),
      {numRuns: 100},
    )
  })

  it('lose nothing if both names are present', () => {
    const both = {opc: 1, opaquePaymentCard: 2}
    expect(renameFields(both, toServiceNames(words))).toEqual(both)
  })
})

describe('what would be sent', () => {
  const base = 'https://api.example/base'

  it('has base, prefix, path and audit user', async () => {
    const sender = openSender(
      target(base, {
        groups: {accounts: {prefix: '/account'}, pin: {baseUrl: 'https://pin.example', prefix: '/pin'}},
      }),
      still(),
    )
    const input = {path: {id: '1'}, query: {}}
    expect((await sender.preview({operation: kinds.read, input})).url).toBe(
      'https://api.example/base/account/v4/1?auditUser=aino',
    )
    const pin = operation({group: 'pin', path: '/v3/view', query: []})
    expect((await sender.preview({operation: pin, input})).url).toBe('https://pin.example/pin/v3/view')
    const given = await sender.preview({
      operation: kinds.read,
      input: {path: {id: '1'}, query: {auditUser: 'väinö'}},
    })
    expect(given.url).toBe('https://api.example/base/account/v4/1?auditUser=v%C3%A4in%C3%B6')
  })

  it('has no prefix on the embedded sandbox', async () => {
    const embedded = target('http://sandbox.embedded', {
      embedded: true,
      groups: {accounts: {prefix: '/account'}},
    })
    const {dispatcherFor} = await import('../../src/http/index.ts')
    const dispatcher = dispatcherFor(async () => ({status: 200, headers: {}, body: new Uint8Array()}))
    const sender = openSender(embedded, still({dispatcher: async () => dispatcher}))
    const {url} = await sender.preview({operation: kinds.read, input: {path: {id: '1'}, query: {}}})
    expect(url).toBe('http://sandbox.embedded/v4/1?auditUser=aino')
  })

  it('shows no secret and reads none', async () => {
    let reads = 0
    const auth = {
      type: 'bearer' as const,
      token: async () => {
        reads += 1
        return new Secret('t0ken')
      },
    }
    const sender = openSender(target(base, {auth, words: {pinBlock: 'blk'}}), still())
    const set = operation({
      effect: 'write',
      method: 'POST',
      path: '/v3/set',
      sensitive: {request: ['/pinBlock', '/list/*/pin'], reply: []},
    })
    const body = {controlId: '7', pinBlock: 'q8Jt', list: [{pin: '1234', name: 'x'}]}
    const preview = await sender.preview({operation: set, input: {path: {}, query: {}, body}})
    expect(preview).toMatchObject({
      method: 'POST',
      headers: {
        'x-idempotency-key': 'made-1',
        'content-type': 'application/json',
        'user-agent': 'cardctl/0.0.0',
        'accept-encoding': 'gzip, deflate, br',
      },
    })
    expect(preview.headers.authorization).toBeInstanceOf(Secret)
    expect(JSON.stringify(preview.body)).toBe(
      '{"controlId":"7","blk":"[masked]","list":[{"pin":"[masked]","name":"x"}]}',
    )
    expect(reads).toBe(0)
  })

  it('needs a body where the contract does', async () => {
    const sender = openSender(target(base), still())
    const needy = operation({effect: 'write', method: 'POST', body: 'required'})
    const failure = await failureOf(sender.preview({operation: needy, input: {path: {id: '1'}, query: {}}}))
    expect(failure.code).toBe('CONTRACT_VIOLATION')
  })
})

describe('the idempotency key', () => {
  const sender = openSender(target('https://api.example'), still())
  const preview = (kind: keyof typeof kinds, idempotencyKey?: string) =>
    sender.preview({operation: kinds[kind], input: {path: {id: '1'}, query: {}}, idempotencyKey})

  it('goes with every POST and PATCH that changes something, and with nothing else', async () => {
    const kindsWithKey = []
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
      if ('x-idempotency-key' in (await preview(kind)).headers) kindsWithKey.push(kind)
    }
    expect(kindsWithKey).toEqual(['keyed', 'irreversible', 'unkeyed'])
  })

  it.each(['', ' ', ' a', 'a ', 'ä', 'a\n', 'x'.repeat(65)])('refuses %j', async key => {
    expect((await failureOf(preview('keyed', key))).code).toBe('USAGE')
  })

  it.each(['a', 'a b', '~', 'x'.repeat(64)])('takes %j', async key => {
    expect((await preview('keyed', key)).headers['x-idempotency-key']).toBe(key)
  })

  it('is refused where it would protect nothing', async () => {
    expect((await failureOf(preview('put', 'k'))).code).toBe('USAGE')
    expect((await failureOf(preview('read', 'k'))).code).toBe('USAGE')
  })
})
