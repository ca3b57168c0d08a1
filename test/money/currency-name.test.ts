import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {readCurrency} from '../../src/money/currency-name.ts'
import {currencyCodes} from '../../src/money/exponents.ts'

describe('a currency', () => {
  it.each([
    ['eur', 'EUR'],
    [' Sek ', 'SEK'],
    ['€', 'EUR'],
    ['zł', 'PLN'],
    ['Euro', 'EUR'],
    ['euros', 'EUR'],
    ['US dollars', 'USD'],
    ['swedish kronas', 'SEK'],
    ['Icelandic krona', 'ISK'],
    ['Polish Zloty', 'PLN'],
    ['yen', 'JPY'],
  ])('%s is %s', (text, code) => {
    expect(readCurrency(text)).toBe(code)
  })

  it('is any code, in any case', () => {
    fc.assert(
      fc.property(fc.constantFrom(...currencyCodes()), fc.boolean(), (code, isLower) => {
        expect(readCurrency(isLower ? code.toLowerCase() : code)).toBe(code)
      }),
    )
  })

  it('is never chosen among several', () => {
    expect(() => readCurrency('krona')).toThrow(/krona may be ISK \(.*\) or SEK/)
    expect(() => readCurrency('dollar')).toThrow(/AUD .* or another currency/)
    expect(() => readCurrency('$')).toThrow(/USD .* or another currency/)
    expect(() => readCurrency('kr')).toThrow(/kr may be SEK \(.*\), NOK .* or ISK/)
  })

  it('is nothing else, and a card number in its place is not shown', () => {
    for (const text of ['', 'EURO!', 'XYZ', 'XXX', 'XAU', '978', '4111111111111111', 'x'.repeat(100_000)])
      expect(() => readCurrency(text)).toThrow(/not a currency/)
    expect(() => readCurrency('4111111111111111')).not.toThrow(/4111/)
  })
})
