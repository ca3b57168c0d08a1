import {constants, type KeyObject, privateDecrypt, publicEncrypt} from 'node:crypto'
import {Failure} from '../errors/failure.ts'

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
    throw new Failure('KEY_INVALID', {message: 'The RSA key cannot encipher this value.'})
  }
}

/** RSADP (RFC 8017, 5.1.2). @throws Failure CIPHERTEXT_INVALID */
export function rsaRawDecrypt(privateKey: KeyObject, ciphertext: Uint8Array): Buffer {
  const size = modulusBytes(privateKey, 'private')
  if (ciphertext.length !== size) throw cannotOpen()
  try {
    return privateDecrypt({key: privateKey, padding: constants.RSA_NO_PADDING}, ciphertext)
  } catch {
    throw cannotOpen()
  }
}

/** The one failure of every decryption: why it failed would help somebody who guesses (RFC 8017, 7.1.2). */
export function cannotOpen(): Failure {
  return new Failure('CIPHERTEXT_INVALID', {message: 'The enciphered value cannot be opened with this key.'})
}
