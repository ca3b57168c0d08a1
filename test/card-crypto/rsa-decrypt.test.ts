import {
  constants,
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
} from 'node:crypto'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {emeOaepDecode, emeOaepEncode} from '../../src/card-crypto/eme-oaep.ts'
import {
  exportPublicKey,
  generateRsaPair,
  importPublicKey,
  type RsaPair,
  rsaOaepDecrypt,
  rsaOaepEncrypt,
  rsaUnpaddedDecrypt,
  rsaUnpaddedEncrypt,
  Secret,
} from '../../src/card-crypto/index.ts'
import {runs} from '../helpers/whole.ts'
import {bytes} from './arbitraries.ts'
import {failureOf, outcomeOf} from './failure-of.ts'
import {hasOpenssl, openssl} from './openssl.ts'

interface Recorded {
  by: string
  mgf1: 'sha1' | 'sha256'
  ciphertext: string
}
const recorded = JSON.parse(
  readFileSync(new URL('../fixtures/rsa-ciphertexts.json', import.meta.url), 'utf8'),
) as {
  message: string
  privateKey: Record<string, string>
  oaep: Recorded[]
  labelled: Recorded
  unpadded: Recorded
}
const recordedKey = createPrivateKey({key: recorded.privateKey, format: 'jwk'})
const recordedMessage = Buffer.from(recorded.message, 'hex')
const TZPK = Buffer.from('0123456789ABCDEFFEDCBA9876543210', 'hex')
const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64')

let pair: RsaPair
let pair1024: RsaPair
let folder: string
beforeAll(async () => {
  ;[pair, pair1024] = await Promise.all([generateRsaPair('v3'), generateRsaPair('v2')])
  folder = mkdtempSync(join(tmpdir(), 'cardctl-rsa-'))
})
afterAll(() => rmSync(folder, {recursive: true}))

test('a pair has the size and exponent of its use', () => {
  const details = [pair, pair1024].map(({privateKey}) => privateKey.asymmetricKeyDetails)
  expect(details).toEqual([
    {modulusLength: 2048, publicExponent: 65_537n},
    {modulusLength: 1024, publicExponent: 65_537n},
  ])
  expect(importPublicKey(exportPublicKey(pair.publicKey)).equals(pair.publicKey)).toBe(true)
})

describe('decrypts what other implementations encrypted', () => {
  test.each(recorded.oaep)('$by', ({mgf1, ciphertext}) => {
    const value = fromBase64(ciphertext)
    const other = mgf1 === 'sha1' ? 'sha256' : 'sha1'
    expect(rsaOaepDecrypt(recordedKey, value).open()).toEqual(recordedMessage)
    expect(rsaOaepDecrypt(recordedKey, value, {mgf1}).open()).toEqual(recordedMessage)
    expect(failureOf(() => rsaOaepDecrypt(recordedKey, value, {mgf1: other})).code).toBe('CIPHERTEXT_INVALID')
  })

  test('but not with a label', () => {
    const value = fromBase64(recorded.labelled.ciphertext)
    expect(failureOf(() => rsaOaepDecrypt(recordedKey, value)).code).toBe('CIPHERTEXT_INVALID')
  })

  test('without padding', () => {
    expect(rsaUnpaddedDecrypt(recordedKey, fromBase64(recorded.unpadded.ciphertext)).open()).toEqual(
      recordedMessage,
    )
  })
})

describe.skipIf(!hasOpenssl)('together with openssl in another process', () => {
  const oaep = (mgf1: string): string[] =>
    ['rsa_padding_mode:oaep', 'rsa_oaep_md:sha256', `rsa_mgf1_md:${mgf1}`].flatMap(option => [
      '-pkeyopt',
      option,
    ])
  const file = (name: string, key: KeyObject): string => {
    const path = join(folder, name)
    writeFileSync(path, key.export({format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki'}), {
      mode: 0o600,
    })
    return path
  }

  test.each(['sha1', 'sha256'] as const)('OAEP with MGF1 by %s, both ways', mgf1 => {
    const enciphered = openssl(
      ['pkeyutl', '-encrypt', '-pubin', '-inkey', file('public.pem', pair.publicKey), ...oaep(mgf1)],
      TZPK,
    )
    expect(rsaOaepDecrypt(pair.privateKey, enciphered).open()).toEqual(TZPK)
    expect(rsaOaepDecrypt(pair.privateKey, enciphered, {mgf1}).open()).toEqual(TZPK)
    const ours = rsaOaepEncrypt(pair.publicKey, TZPK, {mgf1})
    const key = file('private.pem', pair.privateKey)
    expect(openssl(['pkeyutl', '-decrypt', '-inkey', key, ...oaep(mgf1)], ours)).toEqual(TZPK)
  })

  test('no padding, both ways', () => {
    const none = ['-pkeyopt', 'rsa_padding_mode:none']
    const block = Buffer.concat([Buffer.alloc(112), TZPK])
    const enciphered = openssl(
      ['pkeyutl', '-encrypt', '-pubin', '-inkey', file('public1024.pem', pair1024.publicKey), ...none],
      block,
    )
    expect(enciphered).toEqual(rsaUnpaddedEncrypt(pair1024.publicKey, TZPK))
    expect(rsaUnpaddedDecrypt(pair1024.privateKey, enciphered).open()).toEqual(TZPK)
  })

  test('a key that openssl wrote is read', () => {
    const spki = openssl(['pkey', '-in', file('private.pem', pair.privateKey), '-pubout'])
    expect(importPublicKey(spki).equals(pair.publicKey)).toBe(true)
  })
})

describe('OAEP for any message', () => {
  const mgf1 = fc.constantFrom('sha1', 'sha256')
  const message = fc.uint8Array({maxLength: 190}).map(array => Buffer.from(array))

  test('comes back, whichever hash MGF1 has', () => {
    fc.assert(
      fc.property(message, mgf1, (plain, hash) => {
        const enciphered = rsaOaepEncrypt(pair.publicKey, new Secret(plain), {mgf1: hash})
        expect(rsaOaepDecrypt(pair.privateKey, enciphered).open()).toEqual(plain)
      }),
      {numRuns: runs(30)},
    )
  })

  test('agrees with node:crypto where it has the algorithm', () => {
    const native = {padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256'}
    fc.assert(
      fc.property(message, plain => {
        const theirs = publicEncrypt({key: pair.publicKey, ...native}, plain)
        expect(rsaOaepDecrypt(pair.privateKey, theirs, {mgf1: 'sha256'}).open()).toEqual(plain)
        expect(
          privateDecrypt({key: pair.privateKey, ...native}, rsaOaepEncrypt(pair.publicKey, plain)),
        ).toEqual(plain)
      }),
      {numRuns: 20},
    )
  })

  test('is encrypted differently every time', () => {
    expect(rsaOaepEncrypt(pair.publicKey, TZPK)).not.toEqual(rsaOaepEncrypt(pair.publicKey, TZPK))
  })

  test('of more bytes than the key takes is refused', () => {
    expect(failureOf(() => rsaOaepEncrypt(pair.publicKey, Buffer.alloc(191))).code).toBe('INPUT_INVALID')
  })
})

describe('EME-OAEP decoding', () => {
  const SIZE = 256
  const encoded = fc.tuple(fc.uint8Array({maxLength: 190}), bytes(32))

  test('refuses a block with any one byte changed', () => {
    fc.assert(
      fc.property(encoded, fc.nat(SIZE - 1), fc.integer({min: 1, max: 255}), ([plain, seed], at, by) => {
        const block = emeOaepEncode(plain, SIZE, seed, 'sha1')
        block[at] = (block[at] ?? 0) ^ by
        expect(emeOaepDecode(block, 'sha1')).toBeUndefined()
      }),
      {numRuns: runs(300)},
    )
  })

  test('refuses data that is wrong below its masks', () => {
    const labelHash = createHash('sha256').digest()
    const zeros = (count: number): Buffer => Buffer.alloc(count)
    const seed = Buffer.alloc(32, 9)
    const decode = (...data: Uint8Array[]): Buffer | undefined => {
      const whole = Buffer.concat(data, SIZE - 33)
      const maskedData = masked(whole, seed)
      return emeOaepDecode(Buffer.concat([zeros(1), masked(seed, maskedData), maskedData]), 'sha256')
    }
    expect(decode(labelHash, zeros(174), Buffer.from([1]), TZPK)).toEqual(TZPK)
    expect(decode(labelHash, zeros(190), Buffer.from([1]))).toEqual(zeros(0))
    expect(decode(labelHash, zeros(173), Buffer.from([2, 1]), TZPK)).toBeUndefined()
    expect(decode(labelHash, Buffer.from([0x80]), zeros(173), Buffer.from([1]), TZPK)).toBeUndefined()
    expect(decode(labelHash, zeros(191))).toBeUndefined()
    expect(decode(zeros(32), zeros(174), Buffer.from([1]), TZPK)).toBeUndefined()
  })
})

/** MGF1 with SHA-256, written a second time. */
function masked(data: Buffer, seed: Buffer): Buffer {
  return data.map((byte, i) => {
    const counter = Buffer.from([0, 0, 0, Math.floor(i / 32)])
    return byte ^ (createHash('sha256').update(seed).update(counter).digest()[i % 32] ?? 0)
  }) as Buffer
}

describe('a JWE that cannot be decrypted', () => {
  test('ends in one and the same failure, whatever was wrong', () => {
    const wrongs = [
      Buffer.alloc(0),
      Buffer.alloc(255, 1),
      Buffer.alloc(256),
      Buffer.alloc(256, 0xff),
      Buffer.alloc(512, 1),
    ]
    const failures = wrongs.map(wrong => failureOf(() => rsaOaepDecrypt(pair.privateKey, wrong)))
    expect(new Set(failures.map(({code, message}) => `${code} ${message}`)).size).toBe(1)
    expect(failures[0]?.code).toBe('CIPHERTEXT_INVALID')
  })

  test('random bytes never open', () => {
    fc.assert(
      fc.property(fc.oneof(bytes(256), fc.uint8Array({maxLength: 300})), garbage => {
        const outcomes = [
          outcomeOf(() => rsaOaepDecrypt(pair.privateKey, garbage)),
          outcomeOf(() => rsaUnpaddedDecrypt(pair.privateKey, garbage)),
        ]
        expect(outcomes).toEqual([{code: 'CIPHERTEXT_INVALID'}, {code: 'CIPHERTEXT_INVALID'}])
      }),
      {numRuns: runs(40)},
    )
  })

  test('a key of another kind is a key failure', () => {
    const ec = generateKeyPairSync('ec', {namedCurve: 'P-256'})
    expect(failureOf(() => rsaOaepDecrypt(ec.privateKey, Buffer.alloc(256))).code).toBe('KEY_INVALID')
    expect(failureOf(() => rsaOaepDecrypt(pair.publicKey, Buffer.alloc(256))).code).toBe('KEY_INVALID')
    expect(failureOf(() => rsaOaepEncrypt(pair.privateKey, TZPK)).code).toBe('KEY_INVALID')
  })
})

describe('without padding (v2)', () => {
  test('any key comes back, and always as the same value', () => {
    fc.assert(
      fc.property(bytes(16), key => {
        fc.pre(key.some(byte => byte !== 0))
        const enciphered = rsaUnpaddedEncrypt(pair1024.publicKey, key)
        expect(enciphered).toEqual(rsaUnpaddedEncrypt(pair1024.publicKey, new Secret(key)))
        expect(rsaUnpaddedDecrypt(pair1024.privateKey, enciphered).open()).toEqual(key)
      }),
      {numRuns: runs(30)},
    )
  })

  test('a small exponent is refused, since the value could be read off', () => {
    const {publicKey} = generateKeyPairSync('rsa', {modulusLength: 1024, publicExponent: 3})
    expect(failureOf(() => rsaUnpaddedEncrypt(publicKey, TZPK)).code).toBe('KEY_INVALID')
  })

  test('a value longer than asked for, or all zero, is no key', () => {
    const longer = rsaUnpaddedEncrypt(pair1024.publicKey, Buffer.alloc(17, 1))
    expect(failureOf(() => rsaUnpaddedDecrypt(pair1024.privateKey, longer)).code).toBe('CIPHERTEXT_INVALID')
    expect(rsaUnpaddedDecrypt(pair1024.privateKey, longer, 17).open()).toEqual(Buffer.alloc(17, 1))
    const zero = rsaUnpaddedEncrypt(pair1024.publicKey, Buffer.alloc(16))
    expect(failureOf(() => rsaUnpaddedDecrypt(pair1024.privateKey, zero)).code).toBe('CIPHERTEXT_INVALID')
    expect(failureOf(() => rsaUnpaddedEncrypt(pair1024.publicKey, Buffer.alloc(128, 1))).code).toBe(
      'INPUT_INVALID',
    )
  })
})
