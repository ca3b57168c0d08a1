import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {maskPan} from '../../src/sensitive/mask-text.ts'

test.each([
  ['4111111111111111', '411111••••••1111'],
  ['4111 1111 1111 1111', '4111 11•• •••• 1111'],
  ['4111-1111-1111-1111', '4111-11••-••••-1111'],
  ['378282246310005', '378282•••••0005'],
  ['4222222222222', '422222•••2222'],
  ['6011000990139424123', '601100•••••••••4123'],
  // Masking doesn't ask for a right check digit: a mistyped number is nobody's business either.
  ['4111111111111112', '411111••••••1112'],
])('%s becomes %s', (pan, masked) => {
  expect(maskPan(pan)).toBe(masked)
})

test('asterisks where only ASCII is safe', () => {
  expect(maskPan('4111111111111111', {filler: '*'})).toBe('411111******1111')
})

describe('a number that is masked already', () => {
  test.each([
    '41111111____1111',
    '411111••••••1111',
    '411111******1111',
    '4111 11XX XXXX 1111',
    '************1111',
  ])('%s passes unchanged', masked => {
    expect(maskPan(masked)).toBe(masked)
  })

  test('is masked again where it still shows a whole number', () => {
    expect(maskPan('4111111111111111*')).toBe('411111••••••1111*')
  })
})

test.each(['', '1234', '411111111111', '41111111111111111111', 'hello', '4111.1111.1111.1111'])(
  '%j is no card number and is hidden whole',
  text => {
    expect(maskPan(text)).toBe('[masked]')
  },
)

test('never more than ten digits of a number stay readable', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{13,19}$/), pan => {
      const masked = maskPan(pan)
      expect(masked).toHaveLength(pan.length)
      expect(masked.replace(/[^0-9]/g, '')).toBe(pan.slice(0, 6) + pan.slice(-4))
      expect(maskPan(masked)).toBe(masked)
    }),
  )
})
