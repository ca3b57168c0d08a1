import {createPublicKey, generateKeyPairSync} from 'node:crypto'
import fc from 'fast-check'
import {calculateJwkThumbprint, importJWK} from 'jose'
import {beforeAll, describe, expect, test} from 'vitest'
import {
  generateRsaPair,
  jwkThumbprint,
  publicJwk,
  type RsaPair,
  readRecipientKey,
} from '../../src/card-crypto/index.ts'
import {failureOf, outcomeOf} from './failure-of.ts'

let one: RsaPair
let two: RsaPair
beforeAll(async () => {
  ;[one, two] = await Promise.all([generateRsaPair(), generateRsaPair()])
})
const set = (...keys: unknown[]): string => JSON.stringify({keys})

test('the thumbprint of RFC 7638 section 3.1', () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMs' +
    'tn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbI' +
    'SD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw'
  const key = createPublicKey({key: {kty: 'RSA', n, e: 'AQAB'}, format: 'jwk'})
  expect(jwkThumbprint(key)).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
})

test('publishes a JWK that jose reads, with the thumbprint as its default id', async () => {
  const jwk = publicJwk(one.publicKey)
  expect(jwk).toMatchObject({
    kty: 'RSA',
    use: 'enc',
    alg: 'RSA-OAEP-256',
    kid: await calculateJwkThumbprint(jwk),
  })
  expect(jwk).not.toHaveProperty('d')
  expect(await importJWK(jwk)).toBeDefined()
  expect(publicJwk(one.publicKey, 'k1').kid).toBe('k1')
  expect(failureOf(() => publicJwk(one.privateKey)).code).toBe('KEY_INVALID')
})

describe('a recipient is read', () => {
  test('from a set, a single JWK and PEM', () => {
    const thumbprint = jwkThumbprint(one.publicKey)
    const pem = String(one.publicKey.export({format: 'pem', type: 'spki'}))
    expect(readRecipientKey(set(publicJwk(one.publicKey, 'k1')))).toMatchObject({kid: 'k1', thumbprint})
    expect(readRecipientKey(JSON.stringify(publicJwk(one.publicKey, 'k1')))).toMatchObject({
      kid: 'k1',
      thumbprint,
    })
    expect(readRecipientKey(pem)).toMatchObject({kid: thumbprint, thumbprint})
    expect(readRecipientKey(pem, {thumbprint}).publicKey.equals(one.publicKey)).toBe(true)
  })

  test('without an id of its own it has its thumbprint', () => {
    const {kid: _, ...jwk} = publicJwk(one.publicKey)
    expect(readRecipientKey(set(jwk)).kid).toBe(jwkThumbprint(one.publicKey))
  })

  test('by id or thumbprint out of several', () => {
    const text = set(publicJwk(one.publicKey, 'k1'), publicJwk(two.publicKey, 'k2'))
    expect(readRecipientKey(text, {kid: 'k2'}).publicKey.equals(two.publicKey)).toBe(true)
    expect(readRecipientKey(text, {thumbprint: jwkThumbprint(one.publicKey)}).kid).toBe('k1')
    expect(failureOf(() => readRecipientKey(text)).message).toContain('several')
  })

  test('past keys that are for something else', () => {
    const {publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
    const text = set(
      publicKey.export({format: 'jwk'}),
      {...publicJwk(two.publicKey), use: 'sig'},
      {...publicJwk(two.publicKey), alg: 'RS256'},
      {...publicJwk(two.publicKey), key_ops: ['verify']},
      null,
      'k',
      publicJwk(one.publicKey, 'k1'),
    )
    expect(readRecipientKey(text).kid).toBe('k1')
  })
})

describe('refused', () => {
  test.each([
    ['another thumbprint than the pinned one', () => set(publicJwk(two.publicKey)), {thumbprint: 'x'}],
    ['another id', () => set(publicJwk(one.publicKey, 'k1')), {kid: 'k2'}],
    [
      'a PEM with another thumbprint',
      () => String(two.publicKey.export({format: 'pem', type: 'spki'})),
      {thumbprint: 'x'},
    ],
    ['a private JWK', () => set(one.privateKey.export({format: 'jwk'})), {}],
    ['a private key in PEM', () => String(one.privateKey.export({format: 'pem', type: 'pkcs8'})), {}],
    ['an empty set', () => set(), {}],
    ['a key without modulus', () => set({kty: 'RSA', e: 'AQAB'}), {}],
    ['a key of three bytes', () => set({kty: 'RSA', n: 'AQAB', e: 'AQAB'}), {}],
    ['broken JSON', () => '{"keys":[canary', {}],
    ['an empty file', () => '', {}],
    ['a megabyte', () => `{"keys":[${' '.repeat(1_000_000)}]}`, {}],
  ])('%s', (_, text, choice) => {
    const failure = failureOf(() => readRecipientKey(text(), choice))
    expect(failure.code).toBe('KEY_INVALID')
    expect(failure.message).not.toContain('canary')
  })

  test('1024 bits', () => {
    const {publicKey} = generateKeyPairSync('rsa', {modulusLength: 1024})
    expect(failureOf(() => readRecipientKey(set(publicJwk(publicKey)))).message).toContain('1024')
  })

  test('anything else that is JSON or not, typed', () => {
    const member = fc.oneof(fc.string(), fc.base64String(), fc.integer(), fc.constant(null))
    const jwk = fc.record(
      {kty: fc.constantFrom('RSA', 'EC'), n: member, e: member, kid: member},
      {requiredKeys: ['kty']},
    )
    const text = fc.oneof(
      fc.json(),
      fc.string(),
      fc.array(jwk).map(keys => JSON.stringify({keys})),
    )
    fc.assert(
      fc.property(text, file => {
        expect(outcomeOf(() => readRecipientKey(file))).toEqual({code: 'KEY_INVALID'})
      }),
    )
  })
})
