import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {xor} from '../../src/card-crypto/aes.ts'
import {
  decodePinBlock,
  encodePinBlock,
  type KeyCheckMethod,
  keyCheckValue,
  type PinBlockOptions,
  type RandomSource,
  Secret,
  tdesDecrypt,
  tdesEncrypt,
} from '../../src/card-crypto/index.ts'
import {accountNumberField, panField4} from '../../src/card-crypto/pin-block.ts'
import {decodePinField, encodePinField} from '../../src/card-crypto/pin-field.ts'
import {failureOf} from './failure-of.ts'

interface Vector {
  id: string
  kind: string
  key: Buffer
  pin: Buffer
  pan: string
  fill: string
  block: string
  expected: string
}

const [, ...lines] = readFileSync(new URL('../fixtures/vectors.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const vectors = lines.map((line): Vector => {
  const [id = '', kind = '', key = '', pin = '', pan = '', fill = '', block = '', expected = ''] =
    line.split(',')
  return {id, kind, key: Buffer.from(key, 'hex'), pin: Buffer.from(pin), pan, fill, block, expected}
})

/** Gives the fill of the vector, over and over. */
const filledWith =
  (nibbles: string): RandomSource =>
  size =>
    Buffer.from((nibbles || '0').repeat(2 * size).slice(0, 2 * size), 'hex')

const hex = (bytes: Uint8Array | Secret<Buffer>): string =>
  Buffer.from(bytes instanceof Secret ? bytes.open() : bytes)
    .toString('hex')
    .toUpperCase()

function wholeBlock(format: 0 | 1 | 2 | 3 | 4): (vector: Vector) => void {
  return vector => {
    const options = optionsOf(format, vector)
    const block = encodePinBlock({...options, pin: vector.pin, random: filledWith(vector.fill)})
    expect(hex(block)).toBe(vector.block)
    expect(decodePinBlock({...options, block}).open()).toEqual(vector.pin)
  }
}

function optionsOf(format: 0 | 1 | 2 | 3 | 4, {pan, key}: Vector): PinBlockOptions {
  if (format === 1) return {format}
  if (format === 2) return {format, chip: true}
  return format === 4 ? {format, pan, key} : {format, pan}
}

/** What the vectors say of a refused block, as the fault of ours. */
const FAULTS: readonly [RegExp, string | undefined][] = [
  [/^control nibble/, 'control'],
  [/^PIN length/, 'length'],
  [/^PIN not numeric/, 'digits'],
  [/^(bad filler|filler nibble)/, 'fill'],
  [/^length nibble exceeds digits/, 'fill'],
]

function refused(format: 0 | 2 | 3 | 4): (vector: Vector) => void {
  return vector => {
    const fault = FAULTS.find(([words]) => words.test(vector.expected))?.[1]
    const block = Buffer.from(vector.block, 'hex')
    const failure = failureOf(() => decodePinBlock({...optionsOf(format, vector), block}))
    expect(failure).toMatchObject({code: 'PIN_BLOCK_INVALID', exit: 2, details: {data: {format, fault}}})
    expect(fault).toBeDefined()
  }
}

function checkValue(method: KeyCheckMethod): (vector: Vector) => void {
  return ({key, expected}) => {
    expect(keyCheckValue(key, {method, bytes: expected.length / 2})).toBe(expected)
    expect(keyCheckValue(new Secret(key), {method, bytes: 2})).toBe(expected.slice(0, 4))
  }
}

const checks: Record<string, (vector: Vector) => void> = {
  pb0: wholeBlock(0),
  pb1: wholeBlock(1),
  pb2: wholeBlock(2),
  pb3: wholeBlock(3),
  pb4: wholeBlock(4),
  pb3_pan12: ({pin, pan, fill, block}) => {
    const field = encodePinField(3, pin, filledWith(fill))
    expect(hex(xor(field, accountNumberField(pan)))).toBe(block)
    expect(decodePinField(3, xor(Buffer.from(block, 'hex'), accountNumberField(pan)))).toEqual(pin)
  },
  pb4_pinfield_prefix: ({pin, block}) => {
    const field = encodePinField(4, pin, filledWith('5'))
    expect(hex(field)).toBe(`${block}${'5'.repeat(16)}`)
    expect(decodePinField(4, field)).toEqual(pin)
  },
  pb4_panfield: ({pan, block}) => {
    expect(hex(panField4(pan))).toBe(block)
  },
  pb0_reject: refused(0),
  pb2_reject: refused(2),
  pb3_reject: refused(3),
  pb4_reject: refused(4),
  kcv_tdes: checkValue('tdes'),
  kcv_aes_cmac: checkValue('aes-cmac'),
  kcv_aes_ecb_legacy: checkValue('aes-ecb'),
  tdes_ecb: ({key, block, expected}) => {
    expect(hex(tdesEncrypt(key, Buffer.from(block, 'hex')))).toBe(expected)
    expect(hex(tdesDecrypt(key, Buffer.from(expected, 'hex')))).toBe(block)
  },
}

test('every kind of row has a check, and every check has rows', () => {
  expect(new Set(vectors.map(vector => vector.kind))).toEqual(new Set(Object.keys(checks)))
  expect(new Set(vectors.map(vector => vector.id)).size).toBe(lines.length)
})

describe('published vectors', () => {
  test.each(vectors)('$id ($kind)', vector => {
    expect.hasAssertions()
    checks[vector.kind]?.(vector)
  })
})
