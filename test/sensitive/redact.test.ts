import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {redact} from '../../src/sensitive/redact.ts'
import {MASK, Secret} from '../../src/sensitive/secret.ts'
import {luhnValidDigits} from './luhn-valid-digits.ts'

const PAN = '4111111111111111'
const MASKED = '411111••••••1111'

describe('sensitive fields', () => {
  test('are masked whole, whatever they hold', () => {
    const value = {
      pinBlock: 'FRI0',
      tzpk: 12,
      deep: {keys: [{k: 'a'}, {k: {x: 1}}]},
      list: ['a', 'b'],
      other: 'x',
    }
    expect(redact(value, {sensitive: ['/pinBlock', '/tzpk', '/deep/keys/*/k', '/list/*']})).toEqual({
      pinBlock: MASK,
      tzpk: MASK,
      deep: {keys: [{k: MASK}, {k: MASK}]},
      list: [MASK, MASK],
      other: 'x',
    })
  })

  test('stay null where they are null, and win over typed', () => {
    expect(redact({cvv2: null, pan: PAN}, {sensitive: ['/cvv2', '/pan'], typed: ['/pan', '/cvv2']})).toEqual({
      cvv2: null,
      pan: MASK,
    })
  })

  test('may be the whole document, one item, or have a name with a slash', () => {
    expect(redact('x', {sensitive: ['']})).toBe(MASK)
    expect(redact(['a', 'b'], {sensitive: ['/1']})).toEqual(['a', MASK])
    expect(redact([{a: 'x', b: 'y'}], {sensitive: ['/*/a', '/0/b']})).toEqual([{a: MASK, b: MASK}])
    expect(redact({'a/b': 'x', 'c~d': 'y'}, {sensitive: ['/a~1b', '/c~0d']})).toEqual({
      'a/b': MASK,
      'c~d': MASK,
    })
  })

  test('are masked by name where the contract does not know the place', () => {
    const echo = {
      detail: 'bad',
      errors: [{PinBlock: 'FRI0', walletNonce: 'n'}],
      password: 'p',
      pin: null,
      tzpk: {a: 1},
    }
    expect(redact(echo, {sensitive: ['/walletNonce']})).toEqual({
      detail: 'bad',
      errors: [{PinBlock: MASK, walletNonce: MASK}],
      password: MASK,
      pin: null,
      tzpk: MASK,
    })
  })

  test('not by name where it does', () => {
    const value = {token: {id: 't1', walletIdentifier: 'W'}}
    expect(redact(value, {sensitive: [], typed: ['/token/id', '/token/walletIdentifier']})).toEqual(value)
  })
})

describe('unknown fields and free text', () => {
  test('are scanned: strings, integers, names', () => {
    expect(
      redact({note: `card ${PAN}`, n: Number(PAN), big: BigInt(PAN), [PAN]: {x: PAN}}, {sensitive: []}),
    ).toEqual({
      note: `card ${MASKED}`,
      n: MASKED,
      big: MASKED,
      [MASKED]: {x: MASKED},
    })
    expect(redact(PAN, {sensitive: []})).toBe(MASKED)
    expect(redact(PAN, {sensitive: [], filler: '*'})).toBe('411111******1111')
  })

  test('keep every entry when several numbers as names have one mask', () => {
    const copy = redact(
      {'4111111111111111': 1, '4111110000091111': 2, '4111110000171111': 3},
      {sensitive: []},
    )
    expect(copy).toEqual({[MASKED]: 1, [`${MASKED} (2)`]: 2, [`${MASKED} (3)`]: 3})
  })

  test('under a typed container that the contract does not list are scanned too', () => {
    expect(redact({address: {city: PAN, extra: PAN}}, {sensitive: [], typed: ['/address/city']})).toEqual({
      address: {city: PAN, extra: MASKED},
    })
    expect(redact({address: PAN}, {sensitive: [], typed: ['/address/city']})).toEqual({address: MASKED})
  })
})

test('typed fields stay unchanged even if they pass Luhn', () => {
  const typed = ['/paymentReference/number', '/items/*/referenceNumber', '/id']
  fc.assert(
    fc.property(luhnValidDigits(13, 19), reference => {
      const value = {
        id: Number(reference.slice(0, 15)),
        paymentReference: {type: 'MOD10', number: reference},
        items: [{referenceNumber: reference}],
      }
      expect(redact(value, {sensitive: [], typed})).toEqual(value)
      expect(JSON.stringify(redact(value, {sensitive: []}))).not.toContain(reference)
    }),
  )
})

test('values that JSON cannot hold are masked, not looked into', () => {
  const value = {
    a: new Secret('s'),
    b: Buffer.from('1234'),
    c: new Map([['k', PAN]]),
    d: () => PAN,
    e: Symbol(PAN),
    f: undefined,
  }
  expect(redact(value, {sensitive: [], typed: ['/a', '/b']})).toEqual({
    a: MASK,
    b: MASK,
    c: MASK,
    d: MASK,
    e: MASK,
    f: undefined,
  })
})

test('the value itself is never changed, and plain JSON comes back equal', () => {
  fc.assert(
    fc.property(fc.jsonValue({maxDepth: 4}), value => {
      const before = structuredClone(value)
      const copy = redact(value, {sensitive: ['/nothing/here']})
      expect(value).toEqual(before)
      fc.pre(!/[0-9]{13}/.test(JSON.stringify(value)))
      expect(JSON.stringify(copy)).toBe(JSON.stringify(before))
    }),
  )
})

test('a member named __proto__ stays a member', () => {
  const copy = redact(JSON.parse(`{"__proto__": {"polluted": "${PAN}"}}`), {sensitive: []})
  expect(JSON.stringify(copy)).toBe(`{"__proto__":{"polluted":"${MASKED}"}}`)
  expect(({} as {polluted?: string}).polluted).toBeUndefined()
})

test('a document with endless nesting is cut, without a crash', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}"${PAN}"${']'.repeat(100_000)}`)
  expect(JSON.stringify(redact(deep, {sensitive: []}))).toContain(MASK)
})
