import fc from 'fast-check'
import {expect, it} from 'vitest'
import {readColumn} from '../../src/money/column-numbers.ts'

const euros = (...texts: string[]) => readColumn(texts.map(text => ({text, decimals: 2})))
const numbers = (...texts: string[]) =>
  euros(...texts).map(read =>
    read === undefined ? undefined : 'number' in read ? read.number : read.readings,
  )

it('a column proves the sign before its decimals', () => {
  expect(numbers('12,50', '1.234')).toEqual(['12.50', '1234'])
  expect(numbers('12.50', '1,234')).toEqual(['12.50', '1234'])
  expect(numbers('1.234.567', '6.000')).toEqual(['1234567', '6000'])
  expect(numbers('12,34,567.00')).toEqual(['1234567.00'])
})

it('what has two readings and no proof keeps both', () => {
  expect(numbers('6.000')).toEqual([['6', '6000']])
  expect(numbers('6,000', '5')).toEqual([['6', '6000'], '5'])
  // The rest of the column is not grouped, so this one comes from elsewhere.
  expect(numbers('1500,50', '6.000')).toEqual(['1500.50', ['6', '6000']])
  // Three decimals are no euros.
  expect(numbers('12.50', '6.000')).toEqual(['12.50', ['6', '6000']])
})

it('a sign is never lost', () => {
  for (const text of ['-12.50', '12.50-', '(12.50)', '−12.50', '- 12.50'])
    expect(euros(text)).toEqual([{number: '12.50', isNegative: true}])
  expect(euros('12,-', '12.–')).toMatchObject([
    {number: '12', isNegative: false},
    {number: '12', isNegative: false},
  ])
})

/** How ten locales write numbers. */
const LOCALES = ['en-US', 'en-IN', 'de-DE', 'de-CH', 'sv-SE', 'fi-FI', 'fr-FR', 'es-ES', 'da-DK', 'nb-NO']

it('amounts as a locale writes them are read back, or keep both readings', () => {
  const cents = fc.integer({min: 0, max: 10_000_000_000})
  fc.assert(
    fc.property(
      fc.constantFrom(...LOCALES),
      fc.array(cents, {minLength: 1, maxLength: 8}),
      (locale, amounts) => {
        const format = new Intl.NumberFormat(locale, {minimumFractionDigits: 2, useGrouping: 'always'})
        const read = euros(...amounts.map(amount => format.format(amount / 100)))
        expect(
          read.map(each => (each && 'number' in each ? Math.round(Number(each.number) * 100) : each)),
        ).toEqual(amounts)
      },
    ),
  )
})

it('a whole column without decimals is read as it was written, or not at all', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...LOCALES),
      fc.array(fc.nat(5_000_000), {minLength: 1}),
      (locale, amounts) => {
        const format = new Intl.NumberFormat(locale, {maximumFractionDigits: 0, useGrouping: 'always'})
        const read = euros(...amounts.map(amount => format.format(amount)))
        for (const [at, each] of read.entries()) {
          if (each !== undefined && 'number' in each) expect(Number(each.number)).toBe(amounts[at])
          else expect(each?.readings).toContain(String(amounts[at]))
        }
      },
    ),
  )
})
