import {Failure} from '../errors/failure.ts'
import {Secret} from '../sensitive/secret.ts'

/** More than any key, block or token needs. */
const LONGEST = 64 * 1024

/**
 * The bytes of base64 text (RFC 4648, 4), or undefined. Strict: requires the standard alphabet, correct padding and no
 * stray bits. Accepts line breaks, and white space at the ends.
 */
export function decodeBase64(text: string): Buffer | undefined {
  if (text.length > LONGEST) return undefined
  const compact = text.trim().replace(/\r?\n/g, '')
  const bytes = Buffer.from(compact, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === compact ? bytes : undefined
}

/** Bytes, bare or as a `Secret`. The functions here never keep them. */
export type BytesLike = Uint8Array | Secret<Buffer>

/** A card number, bare or as a `Secret`. */
export type PanLike = string | Secret

/** The source of random bytes: `crypto.randomBytes`, or a fixed one in tests. */
export type RandomSource = (size: number) => Uint8Array

/**
 * The bytes of a value. `what` names it in the failure.
 * @throws Failure INPUT_INVALID if a caller without types passes anything else, e.g. a string.
 */
export function openBytes(value: BytesLike, what: string): Uint8Array {
  const bytes: unknown = value instanceof Secret ? value.open() : value
  if (bytes instanceof Uint8Array) return bytes
  throw new Failure('INPUT_INVALID', {message: `${what} must be given as bytes.`})
}

/** @throws Failure INPUT_INVALID if it isn't text. */
export function openText(value: PanLike, what: string): string {
  const text: unknown = value instanceof Secret ? value.open() : value
  if (typeof text === 'string') return text
  throw new Failure('INPUT_INVALID', {message: `${what} must be given as text.`})
}

/** The high and low halves of each byte, in order. */
export function toNibbles(bytes: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(bytes.length * 2)
  bytes.forEach((byte, i) => {
    nibbles[2 * i] = byte >> 4
    nibbles[2 * i + 1] = byte & 0x0f
  })
  return nibbles
}

/** Joins pairs of nibbles into bytes. The number of nibbles must be even. */
export function fromNibbles(nibbles: Uint8Array): Buffer {
  const bytes = Buffer.alloc(nibbles.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = ((nibbles[2 * i] ?? 0) << 4) | (nibbles[2 * i + 1] ?? 0)
  return bytes
}
