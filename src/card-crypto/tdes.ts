import {createCipheriv, createDecipheriv, randomBytes} from 'node:crypto'
import {Failure} from '../errors/failure.ts'
import {Secret} from '../sensitive/secret.ts'
import {type BytesLike, openBytes, type RandomSource} from './bytes.ts'

const BLOCK = 8
const PART = 8

/**
 * Extends a 3DES key to 24 bytes: a double-length key (16 bytes) becomes K1 | K2 | K1, keying option 2 of ISO/IEC
 * 18033-3; a triple-length key is copied. Refuses single DES (8 bytes).
 * @throws Failure KEY_INVALID
 */
export function widenKey(key: BytesLike): Secret<Buffer> {
  const bytes = openBytes(key, 'The 3DES key')
  if (bytes.length === 3 * PART) return new Secret(Buffer.from(bytes))
  if (bytes.length === 2 * PART) return new Secret(Buffer.concat([bytes, bytes.subarray(0, PART)]))
  throw new Failure('KEY_INVALID', {message: `A 3DES key has 16 or 24 bytes; this one has ${bytes.length}.`})
}

/** 3DES in ECB mode without padding, for whole blocks of eight bytes. @throws Failure KEY_INVALID, INPUT_INVALID */
export function tdesEncrypt(key: BytesLike, data: BytesLike): Buffer {
  return run(createCipheriv, key, data)
}

/** The reverse of `tdesEncrypt`. */
export function tdesDecrypt(key: BytesLike, data: BytesLike): Buffer {
  return run(createDecipheriv, key, data)
}

/** A new double-length key with odd parity, e.g. a TZPK. */
export function generateTdesKey(random: RandomSource = randomBytes): Secret<Buffer> {
  const key = Buffer.from(random(2 * PART).map(withOddParity))
  requireDistinctParts(key)
  return new Secret(key)
}

/**
 * Refuses keys with neighbouring parts that are equal except for parity bits: two of the three steps would cancel out,
 * which leaves single DES (NIST SP 800-67). @throws Failure KEY_INVALID
 */
export function requireDistinctParts(key: BytesLike): void {
  using widened = widenKey(key)
  const [first, second, third] = [0, 1, 2].map(part =>
    widened
      .open()
      .subarray(part * PART, (part + 1) * PART)
      .map(byte => byte & 0xfe)
      .join(),
  )
  if (first !== second && second !== third) return
  throw new Failure('KEY_INVALID', {
    message: 'The parts of the 3DES key are equal, which makes it single DES.',
  })
}

/** Sets the lowest bit so that the number of ones is odd. */
function withOddParity(byte: number): number {
  let ones = 0
  for (let bits = byte >> 1; bits > 0; bits >>= 1) ones += bits & 1
  return (byte & 0xfe) | (ones % 2 === 0 ? 1 : 0)
}

function run(
  create: typeof createCipheriv | typeof createDecipheriv,
  key: BytesLike,
  data: BytesLike,
): Buffer {
  using widened = widenKey(key)
  const bytes = openBytes(data, 'The data')
  if (bytes.length % BLOCK !== 0) {
    throw new Failure('INPUT_INVALID', {message: '3DES without padding takes whole blocks of 8 bytes.'})
  }
  const cipher = create('des-ede3-ecb', widened.open(), null).setAutoPadding(false)
  return Buffer.concat([cipher.update(bytes), cipher.final()])
}
