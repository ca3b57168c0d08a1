import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {
  amount,
  compareAmounts,
  counted,
  decimalText,
  formatAmount,
  minorToText,
  parseAmount,
} from '../../src/money/amount.ts'
import {convert} from '../../src/money/example-rates.ts'
import {findExponent, inCurrency} from '../../src/money/exponents.ts'
import {sumByCurrency} from '../../src/money/sum-by-currency.ts'

const currencies = ['JPY', 'EUR', 'KWD', 'CLF'] as const
const failureOf = (act: () => unknown): Failure => {
  try {
    act()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('expected a failure')
}

describe('what is converted by the example rates', () => {
  it.each([
    ['1.00', 'EUR', 'USD', '1.10'],
    ['1.10', 'USD', 'EUR', '1.00'],
    ['12.34', 'EUR', 'EUR', '12.34'],
    ['100', 'JPY', 'EUR', '0.63'], // 0.625, rounded half up
    ['0.01', 'EUR', 'JPY', '2'], // 1.6
    ['10.00', 'GBP', 'CZK', '294.12'],
  ])('%s %s in %s is %s', (amount, from, to, expected) => {
    const minor = convert(parseAmount(amount, from).minor, from, to)
    expect(minor).toBe(parseAmount(expected, to).minor)
  })

  it('has a rate for every currency of ISO 4217 that amounts can have', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const codes = letters.flatMap(a => letters.flatMap(b => letters.map(c => a + b + c)))
    const known = codes.filter(code => findExponent(code) !== undefined)
    expect(known.length).toBeGreaterThan(160)
    expect(known.filter(code => convert(1000n, 'EUR', code) === undefined)).toEqual([])
    expect(known.filter(code => code !== 'EUR' && convert(10_000_000n, code, 'EUR') === 10_000_000n)).toEqual(
      [],
    )
    expect(convert(1n, 'EUR', 'XAU')).toBeUndefined()
  })

  it('is worth about as much in every currency', () => {
    for (const currency of 'AUD CAD CHF CZK DKK GBP HUF JPY NOK NZD PLN SEK USD'.split(' ')) {
      const there = convert(100_000n, 'EUR', currency) ?? 0n
      const back = Number(convert(there, currency, 'EUR') ?? 0n)
      expect(Math.abs(back - 100_000), currency).toBeLessThanOrEqual(1)
      expect(there, currency).not.toBe(100_000n)
    }
  })
})

describe('exponents', () => {
  it('knows the minor units of ISO 4217', () => {
    expect(['JPY', 'EUR', 'KWD', 'CLF', 'ISK', 'IQD', 'UYW', 'HUF'].map(findExponent)).toEqual([
      0, 2, 3, 4, 0, 3, 4, 2,
    ])
  })

  it('give a number at most two decimals', () => {
    expect(['JPY', 'EUR', 'KWD'].map(currency => inCurrency(4.2, currency))).toEqual(['4', '4.20', '4.20'])
  })

  it('takes no code without a minor unit, no small letters and nothing inherited', () => {
    for (const code of ['XXX', 'XAU', 'XTS', 'eur', '', 'EURO', 'toString', 'ABC']) {
      expect(findExponent(code), code).toBeUndefined()
      expect(failureOf(() => parseAmount('1', code)).exit).toBe(2)
    }
  })

  it('never quotes what may be a card number in the wrong column', () => {
    expect(failureOf(() => parseAmount('1', '4111111111111111')).message).not.toContain('4111')
  })
})

describe('parseAmount', () => {
  it.each([
    ['12.50', 'EUR', 1250n, '12.50'],
    ['12.5', 'EUR', 1250n, '12.5'],
    [0.1, 'EUR', 10n, '0.1'],
    ['007', 'JPY', 7n, '7'],
    ['-3', 'EUR', -300n, '-3'],
    ['-0.00', 'EUR', 0n, '0.00'],
    [-0, 'EUR', 0n, '0'],
    ['1.234', 'KWD', 1234n, '1.234'],
    ['9999999999999.99', 'EUR', 999999999999999n, '9999999999999.99'],
    ['0.0000', 'CLF', 0n, '0.0000'],
  ] as const)('reads %s %s', (text, currency, minor, out) => {
    expect(parseAmount(text, currency)).toEqual({minor, text: out})
  })

  it.each([
    ['12.345', 'EUR'],
    ['1.0', 'JPY'],
    ['1,000.00', 'EUR'],
    ['1e3', 'EUR'],
    ['+1', 'EUR'],
    ['.5', 'EUR'],
    ['5.', 'EUR'],
    ['', 'EUR'],
    [' 1', 'EUR'],
    ['1\n', 'EUR'],
    ['١', 'EUR'],
    ['NaN', 'EUR'],
    [Number.NaN, 'EUR'],
    [Number.POSITIVE_INFINITY, 'EUR'],
    ['1234567890123456', 'JPY'],
    ['10000000000000.00', 'EUR'],
    [1e21, 'JPY'],
  ] as const)('refuses %j %s with exit 2', (text, currency) => {
    const failure = failureOf(() => parseAmount(text, currency))
    expect([failure.code, failure.exit]).toEqual(['INPUT_INVALID', 2])
  })

  it('what it takes goes through a double and back unchanged', () => {
    fc.assert(
      fc.property(
        fc.bigInt({min: -999999999999999n, max: 999999999999999n}),
        fc.constantFrom(...currencies),
        (minor, currency) => {
          const text = minorToText(minor, findExponent(currency) ?? 0)
          expect(parseAmount(text, currency).minor).toBe(minor)
          expect(parseAmount(Number(text), currency).minor).toBe(minor)
          expect(compareAmounts(text, Number(text), currency)).toBe(0)
        },
      ),
      {numRuns: 300},
    )
  })
})

describe('sums', () => {
  it('0.1 and 0.2 are 0.3', () => {
    expect(
      sumByCurrency([
        {amount: 0.1, currency: 'EUR'},
        {amount: '100', currency: 'JPY'},
        {amount: 0.2, currency: 'EUR'},
      ]),
    ).toEqual([
      {currency: 'EUR', count: 2, minor: 30n, text: '0.30'},
      {currency: 'JPY', count: 1, minor: 100n, text: '100'},
    ])
  })

  it('stand in alphabetical order, and count what moves back by its size', () => {
    const moved = [
      {amount: '2.00', currency: 'USD'},
      {amount: '-1.50', currency: 'USD'},
      {amount: 5, currency: 'EUR'},
      {amount: -3, currency: 'EUR'},
      {amount: 1, currency: 'CHF'},
    ]
    expect(sumByCurrency(moved).map(({currency, text}) => `${currency} ${text}`)).toEqual([
      'CHF 1.00',
      'EUR 8.00',
      'USD 3.50',
    ])
  })

  it('compare on integers', () => {
    expect(compareAmounts('0.30', 0.3, 'EUR')).toBe(0)
    expect(compareAmounts('9', '10', 'JPY')).toBe(-1)
    expect(compareAmounts('0', '-1', 'JPY')).toBe(1)
  })
})

describe('formatAmount', () => {
  it.each([
    [148220.5, 'EUR', ',', '148,220.50'],
    ['5000', 'EUR', ',', '5,000.00'],
    [12.345, 'EUR', '', '12.345'],
    [1000, 'JPY', ',', '1,000'],
    ['-1234567.8', undefined, ',', '-1,234,567.8'],
    [7, 'ZZZ', ',', '7'],
    [1e21, undefined, '', '1000000000000000000000'],
    ['not a number', 'EUR', ',', 'not a number'],
  ] as const)('%s %s', (amount, currency, grouping, out) => {
    expect(formatAmount(amount, currency, {grouping})).toBe(out)
  })

  it('keeps every digit', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^-?(0|[1-9]\d{0,17})(\.\d{1,8})?$/),
        fc.constantFrom(...currencies),
        (text, currency) => {
          const shown = formatAmount(text, currency, {grouping: ','}).replaceAll(',', '')
          expect(shown.startsWith(text)).toBe(true)
          expect(shown.slice(text.length)).toMatch(/^\.?0*$/)
        },
      ),
      {numRuns: 200},
    )
  })

  it('writes any double without an exponent and without a change', () => {
    fc.assert(
      fc.property(fc.double({noNaN: true, noDefaultInfinity: true}), value => {
        expect(decimalText(value)).toMatch(/^-?\d+(\.\d+)?$/)
        expect(Number(decimalText(value))).toBe(value === 0 ? 0 : value)
      }),
      {numRuns: 300},
    )
  })

  it('amounts print every digit they have', () => {
    expect([
      amount(148220.5, 'EUR'),
      amount('1200', 'JPY'),
      amount(0.1 + 0.2),
      amount(5, null),
      amount(null, 'EUR'),
    ]).toEqual(['EUR 148\u202f220.50', 'JPY 1\u202f200', '0.30000000000000004', '5', ''])
    expect([counted(1, 'card'), counted(1500, 'card')]).toEqual(['1 card', '1\u202f500 cards'])
  })
})
