import {createCipheriv, createDecipheriv} from 'node:crypto'
import {Failure} from '../errors/failure.ts'
import {type BytesLike, openBytes} from './opened.ts'

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
