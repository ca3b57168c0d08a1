import type {KeyObject} from 'node:crypto'
import process from 'node:process'

const NONCE_BYTES = 12
const TAG_BYTES = 16

// Loaded on first use: node:crypto takes 3 ms, and most commands decrypt nothing.
const nodeCrypto = () => process.getBuiltinModule('node:crypto')

/**
 * Encrypts a text with AES-256-GCM (NIST SP 800-38D).
 *
 * @param key 32 bytes. For many texts pass a key object, which is a quarter faster.
 * @param place where the result is stored. The ciphertext is bound to it, so that rows can't be swapped.
 * @param nonce 12 bytes, never used twice with a key.
 * @returns nonce, tag and ciphertext.
 */
export function encryptText(
  key: Uint8Array | KeyObject,
  text: string,
  place = '',
  nonce: Uint8Array = nodeCrypto().randomBytes(NONCE_BYTES),
): Buffer {
  const cipher = nodeCrypto().createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(place))
  // GCM encrypts byte by byte, so final() only computes the tag.
  const encrypted = cipher.update(text, 'utf8')
  cipher.final()
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

/**
 * Decrypts what `encryptText` returned.
 *
 * @throws Error for another key or place, or for changed bytes.
 */
export function decryptText(key: Uint8Array | KeyObject, bytes: Uint8Array, place = ''): string {
  const decipher = nodeCrypto().createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
  // Checks the tag.
  decipher.final()
  return text.toString('utf8')
}
