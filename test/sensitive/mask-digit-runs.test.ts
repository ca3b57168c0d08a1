import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {isLuhnValid} from '../../src/sensitive/luhn.ts'
import {maskDigitRuns} from '../../src/sensitive/mask-digit-runs.ts'
import {luhnValidDigits} from './luhn-valid-digits.ts'

describe('card numbers in free text', () => {
  test.each([
    ['card 4111111111111111 refused', 'card 411111••••••1111 refused'],
    ['4111 1111 1111 1111', '4111 11•• •••• 1111'],
    ['4111-1111-1111-1111.', '4111-11••-••••-1111.'],
    ['3782 822463 10005', '3782 82•••• •0005'],
    ['pan=4111111111111111;cvv', 'pan=411111••••••1111;cvv'],
    ['card_4111111111111111x', 'card_411111••••••1111x'],
    ['{"n":4222222222222}', '{"n":422222•••2222}'],
    ['4111\u00a01111\u00a01111\u00a01111', '4111\u00a011••\u00a0••••\u00a01111'],
    ['4111\u20111111\u20111111\u20111111', '4111\u201111••\u2011••••\u20111111'],
    ['4111111111111111/5555555555554444', '411111••••••1111/555555••••••4444'],
    // Beside further digits the end that touches them is hidden as well.
    ['4111111111111111 12 2029 123', '411111•••••••••• 12 2029 123'],
    ['3001 4111111111111111', '3001 ••••••••••••1111'],
    ['4111111111111111 5555555555554444', '411111•••••••••• ••••••••••••4444'],
    ['track ;4111111111111111=29121010000000000?', 'track ;411111••••••1111=29121010000000000?'],
  ])('%s', (text, masked) => {
    expect(maskDigitRuns(text)).toBe(masked)
  })

  test('with asterisks on request', () => {
    expect(maskDigitRuns('4111111111111111', {filler: '*'})).toBe('411111******1111')
  })
})

describe('what is no card number stays', () => {
  test.each([
    'no digits at all',
    '4111111111111112 fails Luhn',
    '411111111111 has 12 digits',
    '41111111111111111111 has 20',
    '4111  1111  1111  1111',
    '2024-11-21T10:30:00.000Z',
    '41111111____1111',
    'r_01JD8ZC4T0Y5Y3Q2J7M4V6K9XA',
    // Its digits pass Luhn as 4111-1111-1111-1111 would; the letter makes it a UUID.
    '41111111-1111-1111-a111-111111111111',
  ])('%s', text => {
    expect(maskDigitRuns(text)).toBe(text)
  })

  test('but a card number beside a UUID, or in its shape without a letter, does not', () => {
    expect(maskDigitRuns('4111111111111111 7f0c2a4e-1b2c-4d3e-8f4a-5b6c7d8e9f0a')).toBe(
      '411111••••••1111 7f0c2a4e-1b2c-4d3e-8f4a-5b6c7d8e9f0a',
    )
    expect(maskDigitRuns('4111111111111111-1111-a111')).toMatch(/^411111•{10}-1111-a111$/)
    expect(maskDigitRuns('41111111-1111-1111-0000-000000000000')).not.toContain('41111111-1111-1111')
  })
})

const noise = fc.string({unit: fc.constantFrom(...'0123456789 -ab.,\n'), maxLength: 60})

/** Every row of whole digit groups with single separators, found in a way of its own: cut, then try all rows. */
function cardNumbersIn(text: string): string[] {
  return text.split(/[^0-9 -]|[ -]{2,}/).flatMap(part => {
    const groups = part.split(/[ -]/).filter(group => group !== '')
    return groups
      .flatMap((_, from) => groups.slice(from).map((_, to) => groups.slice(from, from + to + 1).join('')))
      .filter(digits => digits.length >= 13 && digits.length <= 19 && isLuhnValid(digits))
  })
}

describe('for any text', () => {
  test('no Luhn-valid run survives', () => {
    fc.assert(
      fc.property(noise, luhnValidDigits(13, 19), noise, fc.constantFrom('', ' ', '-'), (a, pan, b, gap) => {
        expect(cardNumbersIn(maskDigitRuns(a + gap + pan + gap + b))).toEqual([])
      }),
      {numRuns: 500},
    )
  })

  test('a number in groups of any size never stays whole', () => {
    fc.assert(
      fc.property(luhnValidDigits(13, 19), fc.array(fc.integer({min: 1, max: 8})), (pan, sizes) => {
        let rest = pan
        const groups: string[] = []
        for (const size of sizes) {
          groups.push(rest.slice(0, size))
          rest = rest.slice(size)
        }
        const text = [...groups, rest].filter(group => group !== '').join(' ')
        const shown = maskDigitRuns(text).replace(/[^0-9]/g, '')
        expect(shown.length).toBeLessThanOrEqual(10)
      }),
    )
  })

  test('text without a card number stays as it is, to the character', () => {
    fc.assert(
      fc.property(fc.oneof(noise, fc.string({unit: 'binary', maxLength: 60})), text => {
        fc.pre(cardNumbersIn(text).length === 0)
        // Other separators than the two that the finder above knows.
        fc.pre(!/[\u00a0\u202f\u2010\u2011\u2013]/.test(text))
        expect(maskDigitRuns(text)).toBe(text)
      }),
      {numRuns: 500},
    )
  })

  test('masking twice changes nothing, and the length stays', () => {
    fc.assert(
      fc.property(noise, luhnValidDigits(13, 19), noise, (a, pan, b) => {
        const masked = maskDigitRuns(`${a} ${pan} ${b}`)
        expect(maskDigitRuns(masked)).toBe(masked)
        expect(masked).toHaveLength(`${a} ${pan} ${b}`.length)
      }),
    )
  })
})

test('a megabyte of the worst text ends', () => {
  const worst = ['4111111111111111 ', '1-', '4', 'eyJ-', '0 0 ', 'a-1-', '12345678-1234-'].map(unit =>
    unit.repeat(Math.ceil(1_000_000 / unit.length)),
  )
  for (const text of worst) expect(maskDigitRuns(text)).toHaveLength(text.length)
})
