import {createCipheriv, createDecipheriv} from 'node:crypto'
import {Failure} from '../errors/failure.ts'
import {type BytesLike, openBytes} from './bytes.ts'

/** The constant of subkey generation for 128-bit blocks (RFC 4493, 2.3). */
const RB = 0x87

/**
 * AES-CMAC (NIST SP 800-38B; RFC 4493), 16 bytes. The key has 16, 24 or 32 bytes, the message any length.
 * @throws Failure KEY_INVALID
 */
export function aesCmac(key: BytesLike, message: Uint8Array): Buffer {
  const k1 = double(aesEncrypt(key, Buffer.alloc(AES_BLOCK)))
  const lastAt = Math.max(0, Math.ceil(message.length / AES_BLOCK) - 1) * AES_BLOCK
  const last = message.subarray(lastAt)
  const isWhole = last.length === AES_BLOCK
  const padded = Buffer.alloc(AES_BLOCK)
  padded.set(last)
  if (!isWhole) padded[last.length] = 0x80
  let mac: Buffer = Buffer.alloc(AES_BLOCK)
  for (let at = 0; at < lastAt; at += AES_BLOCK) {
    mac = aesEncrypt(key, xor(mac, message.subarray(at, at + AES_BLOCK)))
  }
  return aesEncrypt(key, xor(mac, xor(padded, isWhole ? k1 : double(k1))))
}

/** Doubling in GF(2^128): shift left by one bit, and reduce if a bit fell out. */
function double(block: Uint8Array): Buffer {
  const doubled = Buffer.from(block.map((byte, i) => (byte << 1) | ((block[i + 1] ?? 0) >> 7)))
  const carried = (block[0] ?? 0) >> 7
  doubled[AES_BLOCK - 1] = (doubled[AES_BLOCK - 1] ?? 0) ^ (carried * RB)
  return doubled
}

export const AES_BLOCK = 16

/** AES in ECB mode without padding, for whole blocks. @throws Failure KEY_INVALID, INPUT_INVALID */
export function aesEncrypt(key: BytesLike, data: Uint8Array): Buffer {
  return run(createCipheriv, key, data)
}

/** The reverse of `aesEncrypt`. */
export function aesDecrypt(key: BytesLike, data: Uint8Array): Buffer {
  return run(createDecipheriv, key, data)
}

/** @throws Failure KEY_INVALID unless it has 16, 24 or 32 bytes. */
function openAesKey(key: BytesLike): Uint8Array {
  const bytes = openBytes(key, 'The AES key')
  if ([16, 24, 32].includes(bytes.length)) return bytes
  throw new Failure('KEY_INVALID', {
    message: `An AES key has 16, 24 or 32 bytes; this one has ${bytes.length}.`,
  })
}

function run(
  create: typeof createCipheriv | typeof createDecipheriv,
  key: BytesLike,
  data: Uint8Array,
): Buffer {
  const bytes = openAesKey(key)
  if (data.length % AES_BLOCK !== 0) {
    throw new Failure('INPUT_INVALID', {message: 'AES without padding takes whole blocks of 16 bytes.'})
  }
  const cipher = create(`aes-${bytes.length * 8}-ecb`, bytes, null).setAutoPadding(false)
  return Buffer.concat([cipher.update(data), cipher.final()])
}

/** The exclusive or of two byte strings of one length. */
export function xor(a: Uint8Array, b: Uint8Array): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0)))
}
