import {constants, type KeyObject, privateDecrypt, publicEncrypt} from 'node:crypto'
import {wholeNumber} from '../errors/check-options.ts'
import {Failure} from '../errors/failure.ts'
import {Secret} from '../sensitive/secret.ts'
import {type BytesLike, openBytes} from './bytes.ts'
import {rsaKeyWeakness} from './rsa-key.ts'

const LEAST_BITS = 1024

/**
 * RSA without padding, for the deprecated v2 PIN operations. The message is a key, padded with zeros on the left to the
 * length of the modulus. The same key always gives the same ciphertext. Refuses public exponents below 65537, because a
 * small one would reveal the key.
 * @throws Failure KEY_INVALID, INPUT_INVALID
 */
export function rsaUnpaddedEncrypt(publicKey: KeyObject, message: BytesLike): Buffer {
  const bytes = openBytes(message, 'The message')
  const size = modulusBytes(publicKey, 'public')
  const weakness = rsaKeyWeakness(publicKey, LEAST_BITS)
  if (weakness !== undefined)
    throw new Failure('KEY_INVALID', {message: `The RSA key cannot be used: ${weakness}.`})
  if (bytes.length >= size) {
    throw new Failure('INPUT_INVALID', {message: 'The message is too long for the RSA key.'})
  }
  const block = Buffer.alloc(size)
  block.set(bytes, size - bytes.length)
  try {
    return rsaRawEncrypt(publicKey, block)
  } finally {
    block.fill(0)
  }
}

/**
 * Decrypts a message of a known length (16 bytes for a tzpk). Everything before it must be zero.
 * @throws Failure CIPHERTEXT_INVALID, KEY_INVALID
 */
export function rsaUnpaddedDecrypt(
  privateKey: KeyObject,
  ciphertext: Uint8Array,
  length = 16,
): Secret<Buffer> {
  wholeNumber(1, 1024)(length, 'The length of the message')
  const block = rsaRawDecrypt(privateKey, ciphertext)
  const messageAt = Math.max(0, block.length - length)
  const strays = block.subarray(0, messageAt).reduce((seen, byte) => seen | byte, 0)
  const message = Buffer.from(block.subarray(messageAt))
  block.fill(0)
  if (strays !== 0 || message.every(byte => byte === 0)) throw decryptionFailure()
  return new Secret(message)
}

/** Length of the modulus in bytes. @throws Failure KEY_INVALID if it isn't an RSA key of that type. */
export function modulusBytes(key: KeyObject, type: 'public' | 'private'): number {
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (key.type === type && key.asymmetricKeyType === 'rsa' && bits !== undefined) return Math.ceil(bits / 8)
  throw new Failure('KEY_INVALID', {message: `An RSA ${type} key is needed.`})
}

/** RSAEP (RFC 8017, 5.1.1) on a block as long as the modulus. */
export function rsaRawEncrypt(publicKey: KeyObject, block: Uint8Array): Buffer {
  try {
    return publicEncrypt({key: publicKey, padding: constants.RSA_NO_PADDING}, block)
  } catch {
    throw new Failure('KEY_INVALID', {message: 'The RSA key cannot encrypt this value.'})
  }
}

/** RSADP (RFC 8017, 5.1.2). @throws Failure CIPHERTEXT_INVALID */
export function rsaRawDecrypt(privateKey: KeyObject, ciphertext: Uint8Array): Buffer {
  const size = modulusBytes(privateKey, 'private')
  if (ciphertext.length !== size) throw decryptionFailure()
  try {
    return privateDecrypt({key: privateKey, padding: constants.RSA_NO_PADDING}, ciphertext)
  } catch {
    throw decryptionFailure()
  }
}

/** The same failure for every cause, because the cause would help an attacker (RFC 8017, 7.1.2). */
export function decryptionFailure(): Failure {
  return new Failure('CIPHERTEXT_INVALID', {
    message: 'The encrypted value cannot be decrypted with this key.',
  })
}
