import {createCipheriv, createDecipheriv} from 'node:crypto'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  aesCmac,
  generateTdesKey,
  type KeyCheckOptions,
  keyCheckValue,
  tdesDecrypt,
  tdesEncrypt,
  widenKey,
} from '../../src/card-crypto/index.ts'
import {aesKey, bytes} from './arbitraries.ts'
import {failureOf} from './failure-of.ts'

const fromHex = (text: string): Buffer => Buffer.from(text, 'hex')

describe('AES-CMAC, RFC 4493 section 4 and NIST SP 800-38B annex D', () => {
  const message =
    '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51' +
    '30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710'
  const key128 = '2b7e151628aed2a6abf7158809cf4f3c'
  const key192 = '8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b'
  const key256 = '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4'
  test.each([
    [key128, 0, 'bb1d6929e95937287fa37d129b756746'],
    [key128, 16, '070a16b46b4d4144f79bdd9dd04a287c'],
    [key128, 40, 'dfa66747de9ae63030ca32611497c827'],
    [key128, 64, '51f0bebf7e3b9d92fc49741779363cfe'],
    [key192, 0, 'd17ddf46adaacde531cac483de7a9367'],
    [key192, 16, '9e99a7bf31e710900662f65e617c5184'],
    [key192, 40, '8a1de5be2eb31aad089a82e6ee908b0e'],
    [key192, 64, 'a1d5df0eed790f794d77589659f39a11'],
    [key256, 0, '028962f61b7bf89efc6b551f4667d983'],
    [key256, 16, '28a7023f452e8f82bd4bf28d8c37c35c'],
    [key256, 40, 'aaf3d8f1de5640c232f5b169b9c911e6'],
    [key256, 64, 'e1992190549f6ed5696a2c056c315410'],
  ])('key %s, %i bytes', (key, length, mac) => {
    expect(aesCmac(fromHex(key), fromHex(message).subarray(0, length)).toString('hex')).toBe(mac)
  })

  test('differs for any two messages of which one is the other with its padding written out', () => {
    fc.assert(
      fc.property(aesKey, fc.uint8Array({maxLength: 15}), (key, start) => {
        const padded = Buffer.alloc(16)
        padded.set(start)
        padded[start.length] = 0x80
        expect(aesCmac(key, start)).not.toEqual(aesCmac(key, padded))
      }),
    )
  })
})

describe('3DES', () => {
  const key = fromHex('0123456789ABCDEFFEDCBA9876543210')

  test('a double-length key widens to K1 K2 K1, a triple-length one stays', () => {
    expect(widenKey(key).open().toString('hex')).toBe('0123456789abcdeffedcba98765432100123456789abcdef')
    const triple = Buffer.concat([key, Buffer.alloc(8, 1)])
    expect(widenKey(triple).open()).toEqual(triple)
    expect(failureOf(() => widenKey(Buffer.alloc(8))).code).toBe('KEY_INVALID')
  })

  test('agrees with single DES thrice, and is undone', () => {
    const des = (
      create: typeof createCipheriv | typeof createDecipheriv,
      part: Buffer,
      data: Buffer,
    ): Buffer =>
      // Two equal first parts cancel out, which leaves single DES: node:crypto has no DES of its own any more.
      create('des-ede3-ecb', Buffer.concat([part, part, part]), null)
        .setAutoPadding(false)
        .update(data)
    fc.assert(
      fc.property(bytes(24), bytes(16), (triple, data) => {
        const [k1, k2, k3] = [0, 8, 16].map(at => triple.subarray(at, at + 8)) as [Buffer, Buffer, Buffer]
        const enciphered = tdesEncrypt(triple, data)
        expect(enciphered).toEqual(
          des(createCipheriv, k3, des(createDecipheriv, k2, des(createCipheriv, k1, data))),
        )
        expect(tdesDecrypt(triple, enciphered)).toEqual(data)
      }),
    )
  })

  test('takes whole blocks only', () => {
    expect(failureOf(() => tdesEncrypt(key, Buffer.alloc(7))).code).toBe('INPUT_INVALID')
    expect(failureOf(() => tdesDecrypt(key, Buffer.alloc(12))).code).toBe('INPUT_INVALID')
  })

  test('a generated key has 16 bytes of odd parity and is new every time', () => {
    const keys = Array.from({length: 20}, () => generateTdesKey().open())
    expect(new Set(keys.map(one => one.toString('hex'))).size).toBe(20)
    for (const byte of keys.flatMap(one => [...one])) {
      expect([...byte.toString(2)].filter(bit => bit === '1').length % 2).toBe(1)
    }
    expect(keys.every(one => one.length === 16)).toBe(true)
    expect(failureOf(() => generateTdesKey(size => Buffer.alloc(size))).code).toBe('KEY_INVALID')
  })
})

describe('key check values', () => {
  const key = fromHex('3F419E1CB7079442AA37474C2EFBF8B8')

  test('have the usual length by default', () => {
    expect(keyCheckValue(key, {method: 'tdes'})).toBe('57C409')
    expect(keyCheckValue(key, {method: 'aes-cmac'})).toBe('08793E25AB')
    expect(keyCheckValue(key, {method: 'aes-ecb'})).toBe('E5E07C')
  })

  test.each([
    {method: 'tdes', bytes: 4},
    {method: 'tdes', bytes: 1},
    {method: 'aes-cmac', bytes: 6},
    {method: 'aes-ecb', bytes: 2.5},
    {method: 'md5'},
    {method: 'toString'},
  ])('%j is refused', options => {
    expect(failureOf(() => keyCheckValue(key, options as KeyCheckOptions)).code).toBe('INPUT_INVALID')
  })

  test('a key of the wrong length is refused', () => {
    expect(failureOf(() => keyCheckValue(Buffer.alloc(8), {method: 'tdes'})).code).toBe('KEY_INVALID')
    expect(failureOf(() => keyCheckValue(Buffer.alloc(20), {method: 'aes-cmac'})).code).toBe('KEY_INVALID')
  })
})
