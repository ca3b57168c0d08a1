import {createHash, generateKeyPairSync, type KeyObject} from 'node:crypto'
import fc from 'fast-check'
import {beforeAll, describe, expect, test} from 'vitest'
import {
  exportPublicKey,
  generateRsaPair,
  importPublicKey,
  publicKeyFingerprint,
  type RsaPair,
} from '../../src/card-crypto/index.ts'
import {codePoint} from '../helpers/code-point.ts'
import {failureOf, outcomeOf} from './failure-of.ts'

let pair: RsaPair
let pair1024: RsaPair
let der: Buffer
let pem: string
beforeAll(async () => {
  ;[pair, pair1024] = await Promise.all([generateRsaPair('v3'), generateRsaPair('v2')])
  der = pair.publicKey.export({format: 'der', type: 'spki'})
  pem = String(pair.publicKey.export({format: 'pem', type: 'spki'}))
})

const pemOf = (key: KeyObject): string => String(key.export({format: 'pem', type: 'spki'}))

describe('a public key is read', () => {
  test.each([
    ['as base64', () => der.toString('base64')],
    ['as base64 with line breaks', () => `${der.toString('base64').replace(/.{64}/g, '$&\n')}\n`],
    ['as PEM', () => pem],
    ['as PEM with Windows line ends', () => `\r\n${pem.replaceAll('\n', '\r\n')}`],
    ['as DER bytes', () => der],
    ['as the bytes of a PEM file', () => Buffer.from(pem)],
    ['as the bytes of a base64 file', () => Buffer.from(der.toString('base64'))],
  ])('%s', (_, input) => {
    expect(importPublicKey(input()).equals(pair.publicKey)).toBe(true)
  })

  test('and written as base64 of its SubjectPublicKeyInfo, the private key by its public part', () => {
    expect(exportPublicKey(pair.publicKey)).toBe(der.toString('base64'))
    expect(exportPublicKey(pair.privateKey)).toBe(der.toString('base64'))
  })

  test('with the fingerprint that others compute', () => {
    const digest = createHash('sha256').update(der)
    const hex = digest.copy().digest('hex')
    expect(publicKeyFingerprint(pair.publicKey)).toEqual({hex, base64: digest.digest('base64')})
  })
})

describe('size and exponent', () => {
  test('1024 bits are enough for v2 only', () => {
    expect(importPublicKey(pemOf(pair1024.publicKey), {use: 'v2'}).equals(pair1024.publicKey)).toBe(true)
    expect(failureOf(() => importPublicKey(pemOf(pair1024.publicKey))).message).toContain('1024 bits')
    expect(failureOf(() => importPublicKey(pemOf(pair1024.publicKey), {use: 'v3'})).code).toBe('KEY_INVALID')
  })

  test('less than 1024 bits never', () => {
    const {publicKey} = generateKeyPairSync('rsa', {modulusLength: 768})
    expect(failureOf(() => importPublicKey(pemOf(publicKey), {use: 'v2'})).message).toContain('768 bits')
  })

  test.each([3, 17, 257])('exponent %i never', publicExponent => {
    const {publicKey} = generateKeyPairSync('rsa', {modulusLength: 1024, publicExponent})
    expect(failureOf(() => importPublicKey(pemOf(publicKey), {use: 'v2'})).message).toContain('exponent')
  })

  test('a modulus with a small factor never', () => {
    // An odd exponent and 2048 bits, but divisible by 3: DER put together by hand around the real one.
    const modulus = BigInt(
      `0x${Buffer.from(pair.publicKey.export({format: 'jwk'}).n ?? '', 'base64url').toString('hex')}`,
    )
    const hex = (modulus - (modulus % 6n) + 3n).toString(16)
    const at = der.indexOf(Buffer.from(modulus.toString(16), 'hex'))
    const forged = Buffer.concat([der.subarray(0, at), Buffer.from(hex, 'hex'), der.subarray(at + 256)])
    expect(failureOf(() => importPublicKey(forged)).message).toContain('primes')
  })
})

describe('refused with a way out', () => {
  const other = (type: 'ec' | 'ed25519' | 'rsa-pss'): string =>
    pemOf(
      type === 'ec'
        ? generateKeyPairSync('ec', {namedCurve: 'P-256'}).publicKey
        : type === 'ed25519'
          ? generateKeyPairSync('ed25519').publicKey
          : generateKeyPairSync('rsa-pss', {modulusLength: 2048}).publicKey,
    )
  test.each([
    ['an elliptic key', () => other('ec'), 'not RSA'],
    ['an Ed25519 key', () => other('ed25519'), 'not RSA'],
    ['a key for PSS signatures', () => other('rsa-pss'), 'not RSA'],
    [
      'a private key (PKCS#8)',
      () => String(pair.privateKey.export({format: 'pem', type: 'pkcs8'})),
      'private key',
    ],
    [
      'a private key (PKCS#1)',
      () => String(pair.privateKey.export({format: 'pem', type: 'pkcs1'})),
      'private key',
    ],
    [
      'a private key behind a public one',
      () => `${pem}${String(pair.privateKey.export({format: 'pem', type: 'pkcs8'}))}`,
      'private key',
    ],
    ['a private key in DER', () => pair.privateKey.export({format: 'der', type: 'pkcs8'}), 'cannot be read'],
    [
      'a private key in base64',
      () => pair.privateKey.export({format: 'der', type: 'pkcs8'}).toString('base64'),
      'cannot be read',
    ],
    ['PKCS#1', () => String(pair.publicKey.export({format: 'pem', type: 'pkcs1'})), 'PKCS#1'],
    ['a certificate', () => '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', 'certificate'],
    ['two keys', () => pem + pem, 'cannot be read'],
    ['bytes behind the key', () => Buffer.concat([der, Buffer.alloc(1)]), 'cannot be read'],
    ['a cut key', () => der.subarray(0, -1), 'cannot be read'],
    [
      'base64 in the alphabet of URLs',
      () => der.toString('base64').replaceAll('+', '-').replaceAll('/', '_').replace(/=*$/, ''),
      'cannot be read',
    ],
    ['words', () => 'my public key', 'cannot be read'],
    ['nothing', () => '', 'cannot be read'],
    ['an empty file', () => Buffer.alloc(0), 'cannot be read'],
    ['a megabyte', () => 'A'.repeat(1_000_000), 'cannot be read'],
    ['a modulus of 16,384 bits', () => hugeKey(2048), 'more than 8192 bits'],
  ])('%s', (_, input, words) => {
    const failure = failureOf(() => importPublicKey(input()))
    expect(failure).toMatchObject({code: 'KEY_INVALID', exit: 2})
    expect(failure.message).toContain(words)
    expect(failure.hint).not.toBe('')
  })
})

/** SubjectPublicKeyInfo around a modulus of so many bytes, exponent 65537. */
function hugeKey(bytes: number): Buffer {
  const item = (tag: number, body: Uint8Array): Buffer => {
    const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
    return Buffer.concat([Buffer.from([tag, ...length]), body])
  }
  const modulus = item(2, Buffer.concat([Buffer.alloc(1), Buffer.alloc(bytes, 0xff)]))
  const rsa = item(0x30, Buffer.concat([modulus, item(2, Buffer.from([1, 0, 1]))]))
  const algorithm = Buffer.from('300d06092a864886f70d0101010500', 'hex')
  return item(0x30, Buffer.concat([algorithm, item(3, Buffer.concat([Buffer.alloc(1), rsa]))]))
}

describe('garbage', () => {
  test('text and bytes end in the typed failure', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({unit: codePoint}), fc.uint8Array(), fc.base64String()), input => {
        expect(failureOf(() => importPublicKey(input)).code).toBe('KEY_INVALID')
      }),
    )
    fc.assert(
      fc.property(fc.string(), fc.base64String(), (label, body) => {
        const text = `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`
        expect(failureOf(() => importPublicKey(text)).code).toBe('KEY_INVALID')
      }),
    )
  })

  test('a changed or cut key is another key or the typed failure', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({min: 1, max: 255}), fc.boolean(), (where, by, cut) => {
        const changed = Buffer.from(der)
        const at = where % der.length
        changed[at] = (changed[at] ?? 0) ^ by
        const outcome = outcomeOf(() => importPublicKey(cut ? changed.subarray(0, at) : changed))
        if ('value' in outcome) expect(outcome.value.equals(pair.publicKey)).toBe(false)
        else expect(outcome.code).toBe('KEY_INVALID')
      }),
      {numRuns: 300},
    )
  })
})
