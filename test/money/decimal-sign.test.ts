// A number that a person typed is read as one number, or refused with all that it may mean.
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {
  DECIMALS,
  type DecimalSigns,
  decimalPoint,
  readingsOf,
  typedNumber,
  typedPart,
  unmistakable,
} from '../../src/money/decimal-sign.ts'
import {runs} from '../helpers/whole.ts'

/** What a careful person reads: every way to take the separators for thousands or for the decimal sign. */
function meanings(text: string): ReadonlySet<number> {
  const found = new Set<number>()
  for (const sign of ['.', ',', '']) {
    const [whole = '', ...fractions] = sign === '' ? [text] : text.split(sign)
    const [fraction] = fractions
    if (fractions.length > 1 || (fraction !== undefined && !/^\d+$/.test(fraction))) continue
    for (const separator of ['', '.', ',', ' ', "'", '\u202f']) {
      const groups = separator === '' ? [whole] : whole.split(separator)
      const [first = '', ...others] = groups
      const isGrouped = others.length > 0 && /^-?(?:0*[1-9]\d{0,2}|00+)$/.test(first)
      const isRead =
        others.length === 0 ? /^-?\d+$/.test(first) : isGrouped && others.every(one => /^\d{3}$/.test(one))
      if (isRead) found.add(Number(`${groups.join('')}.${fraction ?? 0}`) + 0)
    }
  }
  return found
}

const parts = fc.array(
  fc.oneof(
    {weight: 4, arbitrary: fc.stringMatching(/^\d{1,4}$/)},
    fc.constantFrom('.', ',', ' ', '-', "'", '\u202f', '0', '000'),
  ),
  {maxLength: 6},
)
const text = parts.map(all => all.join(''))
const signs = fc.record(
  {decimal: fc.constantFrom(...DECIMALS), usual: fc.constantFrom(...DECIMALS)},
  {requiredKeys: []},
)

const read = (typed: string, known: DecimalSigns): string | Failure => {
  try {
    return typedNumber(typed, 'It', known)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

describe('what a person types', () => {
  it('is never taken for another number than the only one that it may mean', () => {
    fc.assert(
      fc.property(text, typed => {
        const found = read(typed, {})
        const all = meanings(typed.trim())
        if (typeof found === 'string') expect([...all]).toEqual([Number(found) + 0])
        else if (all.size > 1) expect(found.details.data?.readings).toHaveLength(2)
      }),
      {numRuns: runs(20_000)},
    )
  })

  it('has the readings that a careful person finds', () => {
    fc.assert(
      fc.property(text, typed => {
        expect(new Set(readingsOf(typed).map(one => Number(one) + 0))).toEqual(meanings(typed.trim()))
      }),
      {numRuns: runs(20_000)},
    )
  })

  it('is one of its meanings, whatever is said about the sign', () => {
    fc.assert(
      fc.property(text, signs, (typed, known) => {
        const found = read(typed, known)
        if (typeof found === 'string') expect(meanings(typed.trim())).toContain(Number(found) + 0)
      }),
      {numRuns: runs(20_000)},
    )
  })

  it('is read alike in a file and in a flag', () => {
    fc.assert(
      fc.property(text, signs, (typed, known) => {
        const found = read(typed, known)
        if (typeof found === 'string') expect(Number(decimalPoint(typed, known))).toBe(Number(found))
      }),
    )
  })

  it('keeps a number that everyone reads alike, whatever the profile says', () => {
    fc.assert(
      fc.property(
        fc.nat(999_999),
        fc.integer({min: 0, max: 99}),
        fc.constantFrom(...DECIMALS),
        (whole, cents, usual) => {
          const plain = `${whole}.${String(cents).padStart(2, '0')}`
          expect(typedNumber(plain, 'It', {usual})).toBe(plain)
        },
      ),
    )
  })

  it('is read without asking again as soon as a person has chosen a reading', () => {
    fc.assert(
      fc.property(
        fc.integer({min: 1, max: 999}),
        fc.nat(999),
        fc.constantFrom('.', ','),
        signs,
        (whole, more, sign, known) => {
          for (const reading of readingsOf(`${whole}${sign}${String(more).padStart(3, '0')}`)) {
            const {decimal: _, ...usual} = known
            expect(Number(typedNumber(unmistakable(reading), 'It', usual))).toBe(Number(reading))
          }
        },
      ),
    )
  })
})

it.each([
  ['6.000', '6', '6\u202f000', 'point'],
  ['6,000', '6', '6\u202f000', 'comma'],
  ['6.125', '6.125', '6\u202f125', 'point'],
  ['06.000', '6', '6\u202f000', 'point'],
  ['-999,500', '-999.5', '-999\u202f500', 'comma'],
  ['00.600', '0.6', '600', 'point'],
  ['-000.125', '-0.125', '-125', 'point'],
])('%s is refused with both readings', (typed, least, most, sign) => {
  const refused = read(typed, {})
  if (!(refused instanceof Failure)) throw new Error(refused)
  expect(refused.exit).toBe(2)
  expect(refused.message).toBe(`It may mean ${least} or ${most}: it has a ${sign} before three digits.`)
  const wholly = Number.isInteger(Number(least)) || ['-999.5', '0.6', '-0.125'].includes(least)
  expect(refused.hint).toContain(`For ${least}, ${wholly ? `write ${least} or ` : ''}add --decimal ${sign}.`)
})

it.each(['0.125', '1234.567', '6125e-3', '12.50', '6000', '0', '1.5'])('%s has one reading', typed => {
  expect(Number(typedNumber(typed, 'It', {}))).toBe(Number(typed))
})

it.each([
  ['12,50', '12.50'],
  ['1.234,56', '1234.56'],
  ['1,234.56', '1234.56'],
  ['6 000', '6000'],
  ['6\u202f000', '6000'],
  ['1.234.567', '1234567'],
])('%s is refused, and the number that it means is named', (typed, plain) => {
  expect(read(typed, {})).toMatchObject({message: expect.stringContaining(`write ${plain}.`)})
})

it.each([
  ['6.000', {decimal: 'point'}, 6],
  ['6.000', {usual: 'point'}, 6],
  ['6,000', {decimal: 'comma'}, 6],
  ['6.000', {decimal: 'comma'}, 6000],
  ['6.000', {decimal: 'comma', usual: 'point'}, 6000],
  ['6.000,50', {decimal: 'comma'}, 6000.5],
  ['6 000', {decimal: 'comma'}, 6000],
  ["6'000.5", {decimal: 'point'}, 6000.5],
  ['6,000', {decimal: 'point'}, 6000],
  ['6,000', {usual: 'comma'}, 6],
  ['12,50', {usual: 'comma'}, 12.5],
  ['12.50', {usual: 'comma'}, 12.5],
] as const)('%s with %j is %d', (typed, known, number) => {
  expect(Number(typedNumber(typed, 'It', known))).toBe(number)
})

it.each([
  ['6.000', {usual: 'comma'}],
  ['12.50', {decimal: 'comma'}],
  ['6.0000', {decimal: 'comma'}],
  ['1.23,4', {decimal: 'comma'}],
] as const)('%s with %j is refused', (typed, known) => {
  expect(() => typedNumber(typed, 'It', known)).toThrow(Failure)
})

it('does not quote what may be a card number', () => {
  const refused = read('4 111 111 111 111 111', {})
  expect(refused).toBeInstanceOf(Failure)
  expect(JSON.stringify(refused)).not.toMatch(/4[ ,.]?111/)
})

it.each([
  ['40', 100, 40],
  ['12,50', 100, 12.5],
  ['6.000', 100, 6],
  ['6.000', 10_000, undefined],
  ['00.600', 1000, undefined],
  ['1e3', 10_000, undefined],
  ['0', 100, 0],
  ['500', 100, 500],
  ['', 100, undefined],
])('%s as a part of %d is %d', (typed, amount, part) => {
  expect(typedPart(typed, amount)).toBe(part)
})
