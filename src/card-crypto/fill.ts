import {Failure} from '../errors/failure.ts'
import {toNibbles} from './nibbles.ts'
import type {RandomSource} from './opened.ts'

/** Bytes drawn at a time, and how often, before a source that gives no usable nibble is called broken. */
const DRAW = 16
const DRAWS = 64

/** Random nibbles, 0 to F (format 1). */
export function randomNibbles(count: number, random: RandomSource): Uint8Array {
  return toNibbles(random(Math.ceil(count / 2))).subarray(0, count)
}

/** Random nibbles, A to F (format 3). Others are thrown away and not folded in, so that all six are equally likely. */
export function randomLetterNibbles(count: number, random: RandomSource): Uint8Array {
  const found: number[] = []
  for (let draw = 0; draw < DRAWS && found.length < count; draw++) {
    found.push(...toNibbles(random(DRAW)).filter(nibble => nibble >= 0x0a))
  }
  if (found.length < count) {
    throw new Failure('INPUT_INVALID', {message: 'The random source gives no nibbles from A to F.'})
  }
  return Uint8Array.from(found.slice(0, count))
}
