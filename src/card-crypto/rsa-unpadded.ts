import type {KeyObject} from 'node:crypto'
import {wholeNumber} from '../errors/check-options.ts'
import {Failure} from '../errors/failure.ts'
import {Secret} from '../sensitive/secret.ts'
import {type BytesLike, openBytes} from './opened.ts'
import {rsaKeyWeakness} from './rsa-key-strength.ts'
import {cannotOpen, modulusBytes, rsaRawDecrypt, rsaRawEncrypt} from './rsa-raw.ts'

const LEAST_BITS = 1024

/**
 * RSA without padding, as the deprecated v2 PIN calls use it: the bytes of the key to send, left-padded with zeros to
 * the length of the modulus. The same key gives the same value every time, and with a small public exponent it could
 * be read off: less than 65537 is refused.
 * @throws Failure KEY_INVALID, INPUT_INVALID
 */
export function rsaUnpaddedEncrypt(publicKey: KeyObject, message: BytesLike): Buffer {
  const bytes = openBytes(message, 'The message')
  const size = modulusBytes(publicKey, 'public')
  const weakness = rsaKeyWeakness(publicKey, LEAST_BITS)
  if (weakness !== undefined)
    throw new Failure('KEY_INVALID', {message: `The RSA key is unfit: ${weakness}.`})
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
 * The reverse, for a message of a known length (16 bytes for a tzpk): everything before it must be zero.
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
  if (strays !== 0 || message.every(byte => byte === 0)) throw cannotOpen()
  return new Secret(message)
}
