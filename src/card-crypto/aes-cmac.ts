import {AES_BLOCK, aesEncrypt, xor} from './aes.ts'
import type {BytesLike} from './opened.ts'

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
