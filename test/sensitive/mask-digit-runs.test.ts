import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {digitRuns} from '../../src/sensitive/digit-runs.ts'
import {isLuhnValid, luhnWindows} from '../../src/sensitive/luhn-windows.ts'
import {maskDigitRuns, UUID} from '../../src/sensitive/mask-text.ts'
import {codePoint} from '../helpers/code-point.ts'
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
    ['4111.1111.1111.1111', '4111.11••.••••.1111'],
    ['4111/1111/1111/1111', '4111/11••/••••/1111'],
    ['a_4111_1111_1111_1111_b', 'a_4111_11••_••••_1111_b'],
    ['3782:822463:10005', '3782:82••••:•0005'],
    // With its expiry date, and in a path.
    ['4111/1111/1111/1111/1229', '4111/11••/••••/1111/1229'],
    ['/v4/4111/1111/1111/1111', '/v4/4111/11••/••••/1111'],
    ['4111+1111+1111+1111=', '4111+11••+••••+1111='],
    ['4111  1111  1111  1111', '4111  11••  ••••  1111'],
    ['4111 - 1111 - 1111 - 1111', '4111 - 11•• - •••• - 1111'],
    ['4111\u20091111\u20091111\u20091111', '4111\u200911••\u2009••••\u20091111'],
    ['4111\u20071111\u20071111\u20071111', '4111\u200711••\u2007••••\u20071111'],
    ['4111\u22121111\u22121111\u22121111', '4111\u221211••\u2212••••\u22121111'],
    ['4111\u20141111\u20141111\u20141111', '4111\u201411••\u2014••••\u20141111'],
    ['4111\u200b1111\u200b1111\u200b1111', '4111\u200b11••\u200b••••\u200b1111'],
    ['4\u200d1\u200d1\u2060111\u00ad111111\ufeff1111', '4\u200d1\u200d1\u2060111\u00ad••••••\ufeff1111'],
    ['４１１１１１１１１１１１１１１１', '４１１１１１••••••１１１１'],
    ['٤١١١ ١١١١ ١١١١ ١١١١', '٤١١١ ١١•• •••• ١١١١'],
    ['𝟺𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷', '𝟺𝟷𝟷𝟷𝟷𝟷••••••••••••𝟷𝟷𝟷𝟷'],
    // With its expiry, its code or a counter glued to it.
    ['41111111111111111229', '411111••••••••••1229'],
    ['00004111111111111111', '0000••••••••••••1111'],
    ['7770004111111111111111999', '777000••••••••••••••••999'],
  ])('%s', (text, masked) => {
    expect(maskDigitRuns(text)).toBe(masked)
  })

  test('with asterisks on request', () => {
    expect(maskDigitRuns('4111111111111111', {filler: '*'})).toBe('411111******1111')
  })
})

describe('anything but a card number stays', () => {
  test.each([
    'no digits at all',
    '4111111111111112 fails Luhn',
    '411111111111 has 12 digits',
    '99999999999999999999 has 20, and no network issues numbers that begin so',
    '4111    1111    1111    1111',
    '4111\n1111\n1111\n1111',
    'one dot makes a decimal number: 41111111.11111111',
    'dates 01.01.2024 - 30.01.2025',
    '2024-11-21T10:30:00.000Z',
    // Midnight of 23 November 2026, in milliseconds since 1970, passes Luhn.
    '{"createdAt":1795392000000,"at":"1795392000000"}',
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

/** Every row of whole digit groups, found in a way of its own: cut, then try all rows. */
function cardNumbersIn(text: string): string[] {
  return text.split(/[^0-9 .-]|[ .-]{4,}/).flatMap(part => {
    const groups = [...part.matchAll(/([ .-]*)([0-9]+)/g)].map(([, gap = '', digits = '']) => ({gap, digits}))
    const rows = groups.flatMap((_, from) =>
      groups.slice(from).map((_, to) => groups.slice(from, from + to + 1)),
    )
    return rows
      .filter(row => fitTogether(row.slice(1).map(({gap}) => gap)))
      .map(row => row.map(({digits}) => digits).join(''))
      .filter(digits => digits.length >= 13 && digits.length <= 19 && isLuhnValid(digits))
  })
}

function fitTogether(gaps: readonly string[]): boolean {
  if (gaps.every(gap => /^(?: {1,3}|-)$/.test(gap))) return true
  return gaps.every(gap => gap === gaps[0]) && !(gaps.length === 1 && gaps[0] === '.')
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
      fc.property(fc.oneof(noise, fc.string({unit: codePoint, maxLength: 60})), text => {
        fc.pre(cardNumbersIn(text).length === 0)
        // Separators and digits that the finder above doesn't know, and long groups, in parts of which numbers may stand.
        fc.pre(
          !/[^\P{Nd}0-9]|[^\P{Zs} ]|[^\P{Pd}-]|[\u00b7\t]|\d{17}/u.test(text) || !/\p{Nd}{13}/u.test(text),
        )
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

const WORST = ['4111111111111111 ', '1-', '4', 'eyJ-', '0 0 ', '0', '0.', 'a-1-', '12345678-1234-', '\u0660']

/** Reads of characters, and rows of digits that are looked at, for a text of so many times a unit. */
function stepsOf(unit: string, times: number): number {
  const text = unit.repeat(times)
  let steps = 0
  const counted = {
    length: text.length,
    charCodeAt: (place: number) => {
      steps++
      return text.charCodeAt(place)
    },
  }
  for (const run of digitRuns(counted, 13)) luhnWindows(run, () => steps++)
  return steps
}

test.each(WORST)('twice as much of %j takes twice as many steps', unit => {
  const [once, twice] = [stepsOf(unit, 5000), stepsOf(unit, 10_000)]
  expect(twice).toBeLessThanOrEqual(2 * once + 200)
  expect(once).toBeLessThan(30 * 5000 * unit.length)
})

test.each(WORST)('a megabyte of %j keeps its length', unit => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
  expect(maskDigitRuns(text)).toHaveLength(text.length)
})

const separators = [
  ' ',
  '  ',
  '-',
  '.',
  ' - ',
  '\u00a0',
  '\u2007',
  '\u2009',
  '\u202f',
  '\u2212',
  '\u2014',
  '\u200b',
  '',
]
const zeros = ['0', '\uff10', '\u0660', '\u06f0', '\u0966', '\u{1d7ce}', '\u{1d7f6}']

test('a number is masked in whatever digits and separators it is written', () => {
  fc.assert(
    fc.property(
      luhnValidDigits(16, 16),
      fc.constantFrom(...separators),
      fc.constantFrom(...zeros),
      fc.string({unit: fc.constantFrom('\u200b', '\u200d', '\ufeff'), maxLength: 3}),
      (pan, separator, zero, unseen) => {
        const base = zero.codePointAt(0) ?? 0
        const written = [...pan].map(digit => String.fromCodePoint(base + Number(digit)) + unseen)
        const groups = [0, 4, 8, 12].map(from => written.slice(from, from + 4).join(''))
        const masked = maskDigitRuns(`card ${groups.join(separator)} refused`)
        expect(masked.match(/\p{Nd}/gu)?.length ?? 0).toBeLessThanOrEqual(10)
      },
    ),
    {numRuns: 500},
  )
})

describe('a UUID', () => {
  test('is 8-4-4-4-12 hexadecimal digits with a letter, whatever stands beside it', () => {
    const plain = /(?<![0-9a-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])/gi
    const part = (length: number) =>
      fc.string({unit: fc.constantFrom(...'0123456789aF'), minLength: length, maxLength: length})
    const uuid = fc.tuple(part(8), part(4), part(4), part(4), part(12)).map(parts => parts.join('-'))
    const noise = fc.string({unit: fc.constantFrom(...'0123456789afGz- '), maxLength: 12})
    const digits = uuid.map(text => text.replaceAll(/[aF]/g, '4'))
    fc.assert(
      fc.property(fc.array(fc.oneof(uuid, digits, noise), {maxLength: 6}), all => {
        const text = all.join('')
        const expected = [...text.matchAll(plain)]
          .map(([found]) => found)
          .filter(found => /[a-f]/i.test(found))
        expect(text.match(UUID) ?? []).toEqual(expected)
      }),
      {numRuns: 2000},
    )
  })
})
