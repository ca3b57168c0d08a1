import fc from 'fast-check'
import {expect, test} from 'vitest'
import {isLuhnValid} from '../../src/sensitive/luhn-windows.ts'
import {luhnValidDigits} from './luhn-valid-digits.ts'

test.each(['4111111111111111', '5555555555554444', '378282246310005', '4222222222222', '79927398713'])(
  'published number %s is valid',
  digits => {
    expect(isLuhnValid(digits)).toBe(true)
  },
)

test.each(['4111111111111112', '79927398710', '', '4111 1111 1111 1111', '4111111111111111\n', '４１１１'])(
  '%j is not',
  digits => {
    expect(isLuhnValid(digits)).toBe(false)
  },
)

test('any single wrong digit is found', () => {
  fc.assert(
    fc.property(luhnValidDigits(13, 19), fc.nat(), fc.integer({min: 1, max: 9}), (digits, place, by) => {
      const at = place % digits.length
      const wrong = (Number(digits[at]) + by) % 10
      return !isLuhnValid(digits.slice(0, at) + wrong + digits.slice(at + 1))
    }),
  )
})
