import {generateKeyPairSync} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import * as entry from '../../src/card-crypto/index.ts'

const {publicKey, privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048})
const pem = String(publicKey.export({type: 'spki', format: 'pem'}))
const pin = Buffer.from('2580')
const pan = '4111111111111111'
const key = Buffer.from('0123456789abcdeffedcba9876543210', 'hex')
const block = Buffer.alloc(8)
const ciphertext = entry.rsaOaepEncrypt(publicKey, pin)

/** As somebody without types calls it. */
const untyped = (name: string, ...args: readonly unknown[]): unknown => {
  const called = Object.entries(entry).find(([each]) => each === name)?.[1]
  return (called as (...given: readonly unknown[]) => unknown)(...args)
}

/** Calls with an option that is unknown, or that cannot be, and what is said of it. */
const wrong: readonly (readonly [keyof typeof entry, readonly unknown[], string])[] = [
  ['encodePinBlock', [{format: 0, pin, pan, kay: key}], 'there is no option kay. Did you mean key?'],
  ['encodePinBlock', [{format: 1, pin, pan}], 'there is no option pan'],
  ['encodePinBlock', [{format: 0, pin, pam: pan}], 'Did you mean pan?'],
  ['encodePinBlock', [{format: 0, pin}], 'pan is missing'],
  ['encodePinBlock', [{format: 0, pin, pan: 4111}], 'pan must be a card number'],
  ['encodePinBlock', [{format: 7, pin, pan}], 'The format of a PIN block must be 0, 1, 2, 3 or 4'],
  ['encodePinBlock', [{format: 1, pin, random: 4}], 'random must be a function'],
  ['encodePinBlock', [{format: 1, pin, key: 'abcd'}], 'key must be bytes'],
  ['encodePinBlock', [undefined], 'The format of a PIN block must be'],
  ['decodePinBlock', [{format: 0, block, pan, kay: key}], 'Did you mean key?'],
  ['keyCheckValue', [key, {method: 'tdes', length: 3}], 'there is no option length'],
  ['keyCheckValue', [key, {method: 'md5'}], "method must be 'tdes', 'aes-cmac' or 'aes-ecb'"],
  ['keyCheckValue', [key, {}], 'method is missing'],
  ['keyCheckValue', [key, {method: 'tdes', bytes: 9}], 'bytes must be a whole number from 2 to 5'],
  ['rsaOaepEncrypt', [publicKey, pin, {mfg1: 'sha1'}], 'Did you mean mgf1?'],
  ['rsaOaepEncrypt', [publicKey, pin, {mgf1: 'md5'}], "mgf1 must be 'sha256' or 'sha1'"],
  ['rsaOaepEncrypt', [publicKey, pin, {random: 1}], 'random must be a function'],
  ['rsaOaepDecrypt', [privateKey, ciphertext, {mgf1: 'any'}], "mgf1 must be 'sha256', 'sha1' or 'either'"],
  ['importPublicKey', [pem, {usage: 'v2'}], 'there is no option usage. The options are use.'],
  ['importPublicKey', [pem, {use: 'v1'}], "use must be 'v2' or 'v3'"],
  ['generateRsaPair', ['v4'], "The use of an RSA pair must be 'v2' or 'v3'"],
  ['readRecipientKey', [pem, {thumbprnt: 'x'}], 'Did you mean thumbprint?'],
  ['readRecipientKey', [pem, {kid: 1}], 'kid must be a non-empty string'],
  ['pinProblem', [pin, {lastfour: '2580'}], 'Did you mean lastFour?'],
  ['pinProblem', [pin, {lastFour: 2580}], 'lastFour must be four digits'],
  ['pinProblem', [pin, {expiry: '12/30'}], 'expiry must be an object'],
  [
    'pinProblem',
    [pin, {expiry: {year: 30, month: 12}}],
    'expiry.year must be a whole number from 2000 to 2099',
  ],
  ['rsaUnpaddedDecrypt', [privateKey, ciphertext, -1], 'The length of the message must be'],
]

describe('options of the functions', () => {
  test.each(wrong)('%s, case %#', async (name, args, message) => {
    const made = async () => untyped(name, ...args)
    await expect(made()).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining(message),
    })
  })

  test('accepts a check value of the right length for each method', () => {
    expect(entry.keyCheckValue(key, {method: 'tdes', bytes: 2})).toHaveLength(4)
    expect(() => entry.keyCheckValue(key, {method: 'tdes', bytes: 5})).toThrow('2 to 3 bytes')
  })
})
