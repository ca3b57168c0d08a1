import {createDecipheriv} from 'node:crypto'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  type DecodePinBlockInput,
  decodePinBlock,
  type EncodePinBlockInput,
  encodePinBlock,
  type PinBlockOptions,
  Secret,
} from '../../src/card-crypto/index.ts'
import {aesKey, bytes, pan, pin, tdesKey} from './arbitraries.ts'
import {failureOf, outcomeOf} from './failure-of.ts'

const PIN = Buffer.from('1234')
const PAN = '4111111111111111'
const TDES_KEY = Buffer.from('0123456789ABCDEFFEDCBA9876543210', 'hex')
const AES_KEY = Buffer.from('00112233445566778899AABBCCDDEEFF', 'hex')

/** Options of every format, clear and enciphered. */
const options: fc.Arbitrary<PinBlockOptions> = fc.oneof(
  fc.record({format: fc.constantFrom(0, 3), pan, key: fc.option(tdesKey, {nil: undefined})}),
  fc.record({format: fc.constant(1), key: fc.option(tdesKey, {nil: undefined})}),
  fc.record({format: fc.constant(2), chip: fc.constant(true), key: fc.option(tdesKey, {nil: undefined})}),
  fc.record({format: fc.constant(4), pan: fc.stringMatching(/^[0-9]{1,19}$/), key: aesKey}),
)

describe('for any PIN, card number and key', () => {
  test('decodes what was encoded, also wrapped values', () => {
    fc.assert(
      fc.property(options, pin, (chosen, digits) => {
        const block = encodePinBlock({...chosen, pin: new Secret(Buffer.from(digits))})
        expect(block.open()).toHaveLength(chosen.format === 4 ? 16 : 8)
        expect(
          decodePinBlock({...chosen, block})
            .open()
            .toString(),
        ).toBe(digits)
        expect(
          decodePinBlock({...chosen, block: block.open()})
            .open()
            .toString(),
        ).toBe(digits)
      }),
      {numRuns: 400},
    )
  })

  test('any bytes at all decode to a PIN or to the typed failure', () => {
    fc.assert(
      fc.property(options, fc.uint8Array({maxLength: 20}), (chosen, block) => {
        const outcome = outcomeOf(() =>
          decodePinBlock({...chosen, block})
            .open()
            .toString(),
        )
        if ('value' in outcome) expect(outcome.value).toMatch(/^[0-9]{4,12}$/)
        else expect(outcome.code).toBe('PIN_BLOCK_INVALID')
      }),
      {numRuns: 1000},
    )
  })

  test('a clear block with one changed nibble of control, length or constant fill is refused', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, 2),
        pin,
        fc.integer({min: 1, max: 15}),
        fc.nat(),
        (format, digits, by, where) => {
          const chosen: PinBlockOptions = format === 0 ? {format: 0, pan: PAN} : {format: 2, chip: true}
          const block = Buffer.from(encodePinBlock({...chosen, pin: Buffer.from(digits)}).open())
          const fixed = [0, ...Array.from({length: 14 - digits.length}, (_, i) => 2 + digits.length + i)]
          const place = fixed[where % fixed.length] ?? 0
          const byte = block[place >> 1] ?? 0
          block[place >> 1] = byte ^ (place % 2 === 0 ? by << 4 : by)
          expect(failureOf(() => decodePinBlock({...chosen, block})).code).toBe('PIN_BLOCK_INVALID')
        },
      ),
    )
  })

  test('another card number never decodes the PIN of format 0', () => {
    fc.assert(
      fc.property(pin, pan, pan, (digits, one, other) => {
        fc.pre(one.slice(-13, -1) !== other.slice(-13, -1))
        const block = encodePinBlock({format: 0, pan: one, pin: Buffer.from(digits)})
        const outcome = outcomeOf(() => decodePinBlock({format: 0, pan: other, block}).open().toString())
        if ('value' in outcome) expect(outcome.value).not.toBe(digits)
      }),
    )
  })
})

describe('the fill', () => {
  const blocksOf = (input: EncodePinBlockInput): string[] =>
    Array.from({length: 40}, () => encodePinBlock(input).open().toString('hex'))

  test.each([
    ['of format 1 is new every time', {format: 1, pin: PIN} as const],
    ['of format 3 is new every time', {format: 3, pin: PIN, pan: PAN} as const],
    ['of format 1 stays new under a key', {format: 1, pin: PIN, key: TDES_KEY} as const],
    ['of format 4 is new every time', {format: 4, pin: PIN, pan: PAN, key: AES_KEY} as const],
  ])('%s', (_, input) => {
    expect(new Set(blocksOf(input)).size).toBe(40)
  })

  test('of format 3 uses all of A to F and nothing else', () => {
    const nibbles = blocksOf({format: 3, pin: PIN, pan: '0000000000000'}).flatMap(block => [
      ...block.slice(6),
    ])
    expect(new Set(nibbles)).toEqual(new Set('abcdef'))
  })

  test('of format 3 gives up on a source that has no letters', () => {
    const input = {format: 3, pin: PIN, pan: PAN, random: (size: number) => Buffer.alloc(size)} as const
    expect(failureOf(() => encodePinBlock(input)).code).toBe('INPUT_INVALID')
  })
})

test('format 4 puts the PAN field between two encipherments', () => {
  const random = (size: number): Buffer => Buffer.alloc(size, 0x5a)
  const block = encodePinBlock({format: 4, pin: PIN, pan: PAN, key: AES_KEY, random}).open()
  const decipher = (data: Uint8Array): Buffer =>
    createDecipheriv('aes-128-ecb', AES_KEY, null).setAutoPadding(false).update(data)
  const panField = Buffer.from('44111111111111111000000000000000', 'hex')
  const middle = decipher(block).map((byte, i) => byte ^ (panField[i] ?? 0))
  expect(decipher(middle).toString('hex')).toBe('441234aaaaaaaaaa5a5a5a5a5a5a5a5a')
})

describe('refused with a typed failure that does not quote the PIN', () => {
  const wrong: readonly [string, unknown, string][] = [
    ['a PIN of three digits', {format: 1, pin: Buffer.from('987')}, 'INPUT_INVALID'],
    ['a PIN of 13 digits', {format: 1, pin: Buffer.from('9876543210987')}, 'INPUT_INVALID'],
    ['a PIN with a letter', {format: 1, pin: Buffer.from('98a7')}, 'INPUT_INVALID'],
    ['an empty PIN', {format: 1, pin: Buffer.alloc(0)}, 'INPUT_INVALID'],
    ['a PIN as a string, which cannot be wiped', {format: 1, pin: '9876'}, 'INPUT_INVALID'],
    ['a card number of 12 digits in format 0', {format: 0, pin: PIN, pan: '411111111111'}, 'INPUT_INVALID'],
    ['a card number with spaces', {format: 3, pin: PIN, pan: '4111 1111 1111 1111'}, 'INPUT_INVALID'],
    [
      'a card number of 20 digits in format 4',
      {format: 4, pin: PIN, pan: '1'.repeat(20), key: AES_KEY},
      'INPUT_INVALID',
    ],
    ['a card number as a number', {format: 0, pin: PIN, pan: 4111111111111111}, 'INPUT_INVALID'],
    ['format 2 without the word that it is for a chip', {format: 2, pin: PIN}, 'INPUT_INVALID'],
    ['format 5', {format: 5, pin: PIN}, 'INPUT_INVALID'],
    ['format "0"', {format: '0', pin: PIN, pan: PAN}, 'INPUT_INVALID'],
    ['format 4 without a key', {format: 4, pin: PIN, pan: PAN}, 'KEY_INVALID'],
    [
      'format 4 under a 3DES key of another length',
      {format: 4, pin: PIN, pan: PAN, key: Buffer.alloc(8)},
      'KEY_INVALID',
    ],
    ['a single DES key', {format: 1, pin: PIN, key: Buffer.alloc(8, 1)}, 'KEY_INVALID'],
    ['a 3DES key of equal halves', {format: 1, pin: PIN, key: Buffer.alloc(16, 7)}, 'KEY_INVALID'],
    [
      'halves that differ in parity only',
      {format: 1, pin: PIN, key: Buffer.concat([Buffer.alloc(8, 6), Buffer.alloc(8, 7)])},
      'KEY_INVALID',
    ],
    ['a key as text', {format: 1, pin: PIN, key: '0123456789ABCDEF'}, 'INPUT_INVALID'],
  ]
  test.each(wrong)('%s', (_, input, code) => {
    const failure = failureOf(() => encodePinBlock(input as EncodePinBlockInput))
    expect(failure.code).toBe(code)
    expect(failure.message).not.toMatch(/987|98a7|4111/)
  })

  test.each([
    ['of seven bytes', {format: 1, block: Buffer.alloc(7)}, 'size'],
    ['of eight bytes in format 4', {format: 4, pan: PAN, key: AES_KEY, block: Buffer.alloc(8)}, 'size'],
    ['of another format', {format: 1, block: Buffer.from('041234FFFFFFFFFF', 'hex')}, 'control'],
    ['with length 3', {format: 1, block: Buffer.from('13123FFFFFFFFFFF', 'hex')}, 'length'],
    ['with length 13', {format: 1, block: Buffer.from('1D1234567890123F', 'hex')}, 'length'],
    ['with a letter in the PIN', {format: 1, block: Buffer.from('14123AFFFFFFFFFF', 'hex')}, 'digits'],
    [
      'with a digit in the fill of format 3',
      {format: 3, pan: '0000000000000', block: Buffer.from('341234AAAAAAAAA9', 'hex')},
      'fill',
    ],
  ] as const)('a block %s', (_, input, fault) => {
    const failure = failureOf(() => decodePinBlock(input as DecodePinBlockInput))
    expect(failure).toMatchObject({code: 'PIN_BLOCK_INVALID', details: {data: {fault}}})
    expect(failure.message).not.toMatch(/123/)
  })

  test('a block as text, and a wiped one', () => {
    expect(
      failureOf(() => decodePinBlock({format: 1, block: 'x'} as unknown as DecodePinBlockInput)).code,
    ).toBe('INPUT_INVALID')
    const block = encodePinBlock({format: 1, pin: PIN})
    block.wipe()
    expect(() => decodePinBlock({format: 1, block})).toThrow('wiped')
  })
})

test('inputs stay unchanged, and outputs are new buffers', () => {
  const own = Buffer.from('1234')
  const block = encodePinBlock({format: 1, pin: own}).open()
  const before = Buffer.from(block)
  decodePinBlock({format: 1, block}).wipe()
  expect([own.toString(), block]).toEqual(['1234', before])
})

test('accepts a Uint8Array that is not a Buffer', () => {
  fc.assert(
    fc.property(bytes(16), key => {
      fc.pre(!key.subarray(0, 8).equals(key.subarray(8)))
      const block = new Uint8Array(
        encodePinBlock({format: 4, pan: PAN, pin: new Uint8Array(PIN), key}).open(),
      )
      expect(decodePinBlock({format: 4, pan: PAN, key: new Uint8Array(key), block}).open()).toEqual(PIN)
    }),
    {numRuns: 20},
  )
})
