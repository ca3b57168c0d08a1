import {globSync, readFileSync} from 'node:fs'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {maskWithin} from '../../src/sensitive/mask-text.ts'
import {luhnValidDigits} from './luhn-valid-digits.ts'

test('wherever it is cut, no more of a card number is left than a mask leaves', () => {
  const before = fc.integer({min: 0, max: 60})
  fc.assert(
    fc.property(luhnValidDigits(13, 19), before, fc.integer({min: 1, max: 80}), (pan, spaces, longest) => {
      const shown = maskWithin(`${'x'.repeat(spaces)} ${pan} yyy`, longest)
      expect(shown.replace(/\D/g, '').length).toBeLessThanOrEqual(10)
      expect(shown.length).toBeLessThanOrEqual(longest + 2)
    }),
  )
})

test('a token that is cut is hidden whole', () => {
  const text = 'refused: Bearer abcdefghij0123456789 was sent'
  for (let longest = 1; longest < text.length; longest++) {
    expect(maskWithin(text, longest)).not.toContain('abc')
  }
})

/** What it shortens is written by whoever calls the public entries: the name of an option. */
const OWN_WORDS = 'src/errors/check-options.ts'

test('text from outside is shortened with an ellipsis nowhere else', () => {
  const cutting = globSync('src/**/*.ts')
    .toSorted()
    .filter(file => !file.includes('/client/'))
    .filter(file => /\.(?:slice|substring)\(0, [^(),]*\)\} ?…/.test(readFileSync(file, 'utf8')))
  expect(cutting).toEqual([OWN_WORDS, 'src/sensitive/mask-text.ts'])
})
