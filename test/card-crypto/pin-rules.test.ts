import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {pinProblem, Secret} from '../../src/card-crypto/index.ts'

const card = {lastFour: '1119', expiry: {year: 2029, month: 12}}
const reasonOf = (pin: string): string | undefined => pinProblem(Buffer.from(pin), card)?.reason

test.each([
  ['123', 'length'],
  ['1234567890123', 'length'],
  ['', 'length'],
  ['12a4', 'digits'],
  ['12 4', 'digits'],
  ['１２３４', 'digits'],
  ['0000', 'all-equal'],
  ['777777777777', 'all-equal'],
  ['1234', 'ascending'],
  ['7890', 'ascending'],
  ['890123', 'ascending'],
  ['4321', 'descending'],
  ['2109', 'descending'],
  ['1119', 'card-number'],
  ['1229', 'expiry'],
  ['2912', 'expiry'],
  ['122029', 'expiry'],
  ['202912', 'expiry'],
])('%s is refused: %s', (pin, reason) => {
  expect(reasonOf(pin)).toBe(reason)
})

test.each(['7294', '1235', '1121', '9913', '112233', '11191', '0129'])('%s is fine', pin => {
  expect(reasonOf(pin)).toBeUndefined()
})

test('without a card only form and series count', () => {
  expect(pinProblem(new Secret(Buffer.from('1229')))).toBeUndefined()
  expect(pinProblem(new Secret(Buffer.from('1234')))?.reason).toBe('ascending')
})

test('a month below ten is written with its zero', () => {
  expect(pinProblem(Buffer.from('0331'), {expiry: {year: 2031, month: 3}})?.reason).toBe('expiry')
})

describe('any bytes', () => {
  test('are judged without a crash, and the sentence never holds the PIN', () => {
    fc.assert(
      fc.property(fc.uint8Array({maxLength: 16}), bytes => {
        const problem = pinProblem(bytes, card)
        const isForm =
          bytes.length >= 4 && bytes.length <= 12 && bytes.every(byte => byte >= 48 && byte <= 57)
        expect(problem?.kind === 'malformed').toBe(!isForm)
      }),
    )
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{4,12}$/), pin => {
        expect(pinProblem(Buffer.from(pin), card)?.message ?? '').not.toContain(pin)
      }),
    )
  })
})
