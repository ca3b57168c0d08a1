import {Failure} from '../errors/failure.ts'
import {fromNibbles, type RandomSource, toNibbles} from './bytes.ts'
import {LONGEST_PIN, pinFormProblem, SHORTEST_PIN} from './pin-rules.ts'

/** Number of bytes per draw, and number of draws after which a source without a usable nibble counts as broken. */
const DRAW = 16
const DRAWS = 64

/** Random nibbles, 0 to F (format 1). */
function randomNibbles(count: number, random: RandomSource): Uint8Array {
  return toNibbles(random(Math.ceil(count / 2))).subarray(0, count)
}

/** Random nibbles, A to F (format 3). Others are discarded, not mapped, so that all six are equally likely. */
function randomLetterNibbles(count: number, random: RandomSource): Uint8Array {
  const found: number[] = []
  for (let draw = 0; draw < DRAWS && found.length < count; draw++) {
    found.push(...toNibbles(random(DRAW)).filter(nibble => nibble >= 0x0a))
  }
  if (found.length < count) {
    throw new Failure('INPUT_INVALID', {message: 'The random source never gives a nibble from A to F.'})
  }
  return Uint8Array.from(found.slice(0, count))
}

/** The PIN block formats of ISO 9564-1:2017 (0 to 3 in 9.3, 4 in 9.4). */
export type PinBlockFormat = 0 | 1 | 2 | 3 | 4

/** Control, length and at most 14 nibbles of PIN and fill: eight bytes, in every format. */
const NIBBLES = 16
/** Format 4 adds eight random bytes. */
const RANDOM_TAIL = 8

type FillRule = (count: number, random: RandomSource) => Uint8Array
const constantFill =
  (nibble: number): FillRule =>
  count =>
    new Uint8Array(count).fill(nibble)

const FILL: Record<PinBlockFormat, FillRule> = {
  0: constantFill(0x0f),
  1: randomNibbles,
  2: constantFill(0x0f),
  3: randomLetterNibbles,
  4: constantFill(0x0a),
}

const isFill: Record<PinBlockFormat, (nibble: number) => boolean> = {
  0: nibble => nibble === 0x0f,
  1: () => true,
  2: nibble => nibble === 0x0f,
  3: nibble => nibble >= 0x0a,
  4: nibble => nibble === 0x0a,
}

/**
 * The plain text PIN field: `control nibble | length nibble | PIN | fill`, eight bytes. In format 4, eight random bytes
 * follow. In formats 0 and 3, the caller must combine the field with the PAN field.
 * @throws Failure INPUT_INVALID if the PIN isn't 4 to 12 ASCII digits.
 */
export function encodePinField(format: PinBlockFormat, pin: Uint8Array, random: RandomSource): Buffer {
  const problem = pinFormProblem(pin)
  if (problem !== undefined) throw new Failure('INPUT_INVALID', {message: problem.message})
  const nibbles = new Uint8Array(NIBBLES)
  nibbles[0] = format
  nibbles[1] = pin.length
  pin.forEach((digit, i) => {
    nibbles[2 + i] = digit - 0x30
  })
  nibbles.set(FILL[format](NIBBLES - 2 - pin.length, random), 2 + pin.length)
  const field = fromNibbles(nibbles)
  nibbles.fill(0)
  if (format !== 4) return field
  const whole = Buffer.concat([field, random(RANDOM_TAIL)], field.length + RANDOM_TAIL)
  field.fill(0)
  return whole
}

/** Why a PIN block is refused, in the order of the checks. */
export type PinBlockFault = 'size' | 'control' | 'length' | 'digits' | 'fill'

/**
 * Reads the PIN, as ASCII digits, from a plain text PIN field.
 * @throws Failure PIN_BLOCK_INVALID, whose `data.fault` says which part is wrong; the message never quotes the block.
 */
export function decodePinField(format: PinBlockFormat, field: Uint8Array): Buffer {
  const nibbles = toNibbles(field.subarray(0, NIBBLES / 2))
  try {
    const [control, length = 0] = nibbles
    if (control !== format) throw pinBlockFailure(format, 'control', `its control nibble is not ${format}`)
    if (length < SHORTEST_PIN || length > LONGEST_PIN) {
      throw pinBlockFailure(format, 'length', `its length nibble is not ${SHORTEST_PIN} to ${LONGEST_PIN}`)
    }
    const digits = nibbles.subarray(2, 2 + length)
    if (digits.some(digit => digit > 9)) {
      throw pinBlockFailure(format, 'digits', 'its PIN has something other than digits')
    }
    if (!nibbles.subarray(2 + length).every(isFill[format])) {
      throw pinBlockFailure(format, 'fill', 'its fill is wrong')
    }
    const pin = Buffer.alloc(length)
    digits.forEach((digit, i) => {
      pin[i] = 0x30 + digit
    })
    return pin
  } finally {
    nibbles.fill(0)
  }
}

export function pinBlockFailure(format: PinBlockFormat, fault: PinBlockFault, why: string): Failure {
  return new Failure('PIN_BLOCK_INVALID', {
    message: `This is not a PIN block of format ${format}: ${why}.`,
    data: {format, fault},
  })
}
