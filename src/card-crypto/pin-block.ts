import {randomBytes} from 'node:crypto'
import {
  aFunction,
  checkOptions,
  isSecret,
  must,
  oneOf,
  type Rule,
  type Rules,
} from '../errors/check-options.ts'
import {Failure} from '../errors/failure.ts'
import {Secret} from '../sensitive/secret.ts'
import {aesDecrypt, aesEncrypt, xor} from './aes.ts'
import {type BytesLike, openBytes, openText, type PanLike, type RandomSource} from './bytes.ts'
import {decodePinField, encodePinField, type PinBlockFormat, pinBlockFailure} from './pin-field.ts'
import {requireDistinctParts, tdesDecrypt, tdesEncrypt} from './tdes.ts'

/** The number of digits of the card number in the block: the rightmost 12 without the check digit. */
const ACCOUNT_DIGITS = 12

/**
 * The PAN field of formats 0 and 3 (ISO 9564-1:2017, 9.3): four zero nibbles and the rightmost 12 digits of the
 * card number without its check digit. Eight bytes.
 * @throws Failure INPUT_INVALID unless the card number has 13 to 19 digits.
 */
function panField(pan: PanLike): Buffer {
  const digits = digitsOf(pan, ACCOUNT_DIGITS + 1)
  return accountNumberField(digits.slice(-ACCOUNT_DIGITS - 1, -1))
}

/** The same field from these 12 digits, for sources that give the number without its check digit. */
export function accountNumberField(twelveDigits: string): Buffer {
  return Buffer.from(twelveDigits.padStart(16, '0'), 'hex')
}

/**
 * The plain text PAN field of format 4 (ISO 9564-1:2017, 9.4), 16 bytes: a nibble with the length of the card number
 * minus 12, the number with its check digit (padded to 12 digits with zeros on the left), and zeros.
 * @throws Failure INPUT_INVALID unless the card number has 1 to 19 digits.
 */
export function panField4(pan: PanLike): Buffer {
  const digits = digitsOf(pan, 1).padStart(ACCOUNT_DIGITS, '0')
  return Buffer.from(`${digits.length - ACCOUNT_DIGITS}${digits}`.padEnd(32, '0'), 'hex')
}

function digitsOf(pan: PanLike, shortest: number): string {
  const digits = openText(pan, 'The card number')
  if (/^[0-9]{1,19}$/.test(digits) && digits.length >= shortest) return digits
  throw new Failure('INPUT_INVALID', {
    message: `The card number of a PIN block must have ${shortest} to 19 digits and nothing else.`,
  })
}

interface TdesKey {
  /** 3DES key of 16 or 24 bytes, for an encrypted block; without it the block is clear. */
  readonly key?: BytesLike | undefined
}

/** What each format needs besides the PIN or the block. */
export type PinBlockOptions =
  | ({readonly format: 0 | 3; readonly pan: PanLike} & TdesKey)
  | ({readonly format: 1} & TdesKey)
  /** Format 2 is only for a PIN that goes to the chip of a card. Confirm that with `chip: true`. */
  | ({readonly format: 2; readonly chip: true} & TdesKey)
  /** Format 4 has no clear form. `key` is AES, 16, 24 or 32 bytes. */
  | {readonly format: 4; readonly pan: PanLike; readonly key: BytesLike}

export type EncodePinBlockInput = PinBlockOptions & {
  /** 4 to 12 ASCII digits. The function keeps no copy; wipe the bytes afterwards. */
  readonly pin: BytesLike
  /** For tests; `crypto.randomBytes` by default. */
  readonly random?: RandomSource | undefined
}

export type DecodePinBlockInput = PinBlockOptions & {
  /** Eight bytes; 16 in format 4. */
  readonly block: BytesLike
}

/**
 * Builds a PIN block of ISO 9564-1:2017. Formats 0 to 3: eight bytes, clear, or encrypted with 3DES in ECB mode if a
 * key is given. Format 4: 16 bytes, encrypted with AES in two steps with the PAN field between them. The fill of
 * formats 1 and 3 and the random half of format 4 are new for every block.
 *
 * @example
 * const block = encodePinBlock({format: 0, pin: Buffer.from('1234'), pan: '4111111111111111', key})
 * send(block.open().toString('base64'))
 *
 * @throws Failure INPUT_INVALID for an invalid PIN, card number or format; KEY_INVALID for a key of the wrong length or
 * with equal parts (3DES would then be single DES).
 */
export function encodePinBlock(input: EncodePinBlockInput): Secret<Buffer> {
  checkInput('encodePinBlock', input, {pin: aKey, random: aFunction})
  const pin = openBytes(input.pin, 'The PIN')
  const field = encodePinField(input.format, pin, input.random ?? randomBytes)
  if (input.format === 4) return new Secret(encryptFormat4(field, panField4(input.pan), input.key))
  const clear = combineWithPan(field, input)
  field.fill(0)
  if (input.key === undefined) return new Secret(clear)
  requireDistinctParts(input.key)
  const encrypted = tdesEncrypt(input.key, clear)
  clear.fill(0)
  return new Secret(encrypted)
}

/**
 * Reads the PIN from a PIN block, as ASCII digits in a `Secret`. Strict: checks the size, the control nibble, the
 * length (4 to 12), the digits and the fill. These checks also detect a wrong key or card number.
 * @throws Failure PIN_BLOCK_INVALID, with `data.fault` one of `size`, `control`, `length`, `digits`, `fill`;
 * INPUT_INVALID or KEY_INVALID like `encodePinBlock`.
 */
export function decodePinBlock(input: DecodePinBlockInput): Secret<Buffer> {
  checkInput('decodePinBlock', input, {block: aKey})
  const block = openBytes(input.block, 'The PIN block')
  const size = input.format === 4 ? 16 : 8
  if (block.length !== size) {
    throw pinBlockFailure(input.format, 'size', `it has ${block.length} bytes, not ${size}`)
  }
  const field = decipherField(input, block)
  try {
    return new Secret(decodePinField(input.format, field))
  } finally {
    field.fill(0)
  }
}

/** ISO 9564-1:2017, 9.4: encrypt the PIN field, add the PAN field, encrypt again. */
function encryptFormat4(field: Buffer, pan: Buffer, key: BytesLike): Buffer {
  const block = aesEncrypt(key, xor(aesEncrypt(key, field), pan))
  field.fill(0)
  return block
}

function decipherFormat4(block: Uint8Array, pan: Buffer, key: BytesLike): Buffer {
  return aesDecrypt(key, xor(aesDecrypt(key, block), pan))
}

function decipherField(input: DecodePinBlockInput, block: Uint8Array): Buffer {
  if (input.format === 4) return decipherFormat4(block, panField4(input.pan), input.key)
  if (input.key === undefined) return combineWithPan(block, input)
  const clear = tdesDecrypt(input.key, block)
  const field = combineWithPan(clear, input)
  clear.fill(0)
  return field
}

/** Returns a copy in any case, so that the caller can wipe it. Combining twice restores the field. */
function combineWithPan(field: Uint8Array, options: Exclude<PinBlockOptions, {format: 4}>): Buffer {
  return 'pan' in options ? xor(field, panField(options.pan)) : Buffer.from(field)
}

const aPan = must(
  'a card number, as text or as a Secret',
  value => typeof value === 'string' || isSecret(value),
)
const aKey = must('bytes, or a Secret of bytes', value => value instanceof Uint8Array || isSecret(value))

/** The options of a format besides its key. */
const RULES: Readonly<Record<PinBlockFormat, Readonly<Record<string, Rule>>>> = {
  0: {pan: aPan},
  1: {},
  2: {chip: oneOf(true)},
  3: {pan: aPan},
  4: {pan: aPan},
}

/** Checks option names for callers without types: if `key` is misspelt, the block would be unencrypted. */
function checkInput(what: string, input: PinBlockOptions, own: Readonly<Record<string, Rule>>): void {
  const {format, key, chip} = (input ?? {}) as {format?: unknown; key?: unknown; chip?: unknown}
  if (format === 2 && chip !== true) {
    throw new Failure('INPUT_INVALID', {
      message: 'PIN block format 2 is only for a PIN that goes to the chip of a card.',
      hint: 'Pass chip: true if it does, or choose another format.',
    })
  }
  if (format === 4 && key === undefined) {
    throw new Failure('KEY_INVALID', {message: 'PIN block format 4 has no clear form; it needs an AES key.'})
  }
  oneOf(0, 1, 2, 3, 4)(format, 'The format of a PIN block')
  const ofFormat = RULES[format as PinBlockFormat]
  const rules: Rules<Record<string, unknown>> = {format: oneOf(0, 1, 2, 3, 4), key: aKey, ...ofFormat, ...own}
  checkOptions(what, input, rules, Object.keys(ofFormat))
}
