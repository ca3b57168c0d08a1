import {createHash} from 'node:crypto'
import {xor} from './aes.ts'

/** The hash of the mask generation function. The hash of OAEP itself is always SHA-256, and the label is empty. */
export type Mgf1Hash = 'sha256' | 'sha1'

const HASH_BYTES = 32
const LABEL_HASH = createHash('sha256').digest()

/** Bytes of a block that the encoding uses. */
export const OAEP_OVERHEAD = 2 * HASH_BYTES + 2
export const OAEP_SEED_BYTES = HASH_BYTES

/** EME-OAEP encoding (RFC 8017, 7.1.1 step 2) of a message of at most `size - OAEP_OVERHEAD` bytes. */
export function emeOaepEncode(message: Uint8Array, size: number, seed: Uint8Array, mgf1: Mgf1Hash): Buffer {
  const data = Buffer.alloc(size - HASH_BYTES - 1)
  data.set(LABEL_HASH)
  data[data.length - message.length - 1] = 1
  data.set(message, data.length - message.length)
  const maskedData = xor(data, mask(seed, data.length, mgf1))
  const maskedSeed = xor(seed, mask(maskedData, HASH_BYTES, mgf1))
  data.fill(0)
  return Buffer.concat([Buffer.alloc(1), maskedSeed, maskedData])
}

/**
 * EME-OAEP decoding (RFC 8017, 7.1.2 step 3); undefined if the block is invalid. Checks every byte before it reports a
 * fault, so that neither the result nor, as far as JavaScript allows, the time shows which check failed (Manger's
 * attack).
 */
export function emeOaepDecode(block: Uint8Array, mgf1: Mgf1Hash): Buffer | undefined {
  const maskedSeed = block.subarray(1, 1 + HASH_BYTES)
  const maskedData = block.subarray(1 + HASH_BYTES)
  const seed = xor(maskedSeed, mask(maskedData, HASH_BYTES, mgf1))
  const data = xor(maskedData, mask(seed, maskedData.length, mgf1))
  let bad = block[0] ?? 1
  for (let i = 0; i < HASH_BYTES; i++) bad |= (data[i] ?? 0) ^ (LABEL_HASH[i] ?? 0)
  let searching = 1
  let messageAt = 0
  for (let i = HASH_BYTES; i < data.length; i++) {
    const byte = data[i] ?? 0
    const isOne = equalBit(byte, 1)
    messageAt |= (i + 1) * (searching & isOne)
    bad |= searching & ~(isOne | equalBit(byte, 0)) & 1
    searching &= ~isOne & 1
  }
  const message = Buffer.from(data.subarray(messageAt))
  data.fill(0)
  return (bad | searching) === 0 ? message : undefined
}

/** 1 if two bytes are equal, else 0, without a branch. */
function equalBit(a: number, b: number): number {
  return (((a ^ b) - 1) >>> 8) & 1
}

/** MGF1 (RFC 8017, B.2.1). */
function mask(seed: Uint8Array, size: number, hash: Mgf1Hash): Buffer {
  const parts: Buffer[] = []
  const counter = Buffer.alloc(4)
  for (let made = 0, count = 0; made < size; count++) {
    counter.writeUInt32BE(count)
    const part = createHash(hash).update(seed).update(counter).digest()
    parts.push(part)
    made += part.length
  }
  return Buffer.concat(parts, size)
}
