// A country is named where its code is shown back, so that AUS isn't taken for Austria.
import {afterEach, beforeEach, expect, it} from 'vitest'
import {countryWords} from '../../src/output/country-name.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

it.each([
  ['AUS', 'AUS (Australia)'],
  ['AUT', 'AUT (Austria)'],
  ['SWE', 'SWE (Sweden)'],
  ['CHE', 'CHE (Switzerland)'],
  ['ZWE', 'ZWE (Zimbabwe)'],
  ['XXX', 'XXX'],
  ['aus', 'aus'],
])('%s', (code, words) => {
  expect(countryWords(code)).toBe(words)
})

it('a change shows the country that it sent, and one that is refused an example', async () => {
  const patch = (country: string) =>
    home.run([
      ...[
        'accounts',
        'patch',
        '2001',
        '--type',
        'credit',
        '-p',
        'sandbox',
        '-F',
        `address.country=${country}`,
      ],
      ...['-F', 'address.city=Perth', '-F', 'address.zipCode=6000', '-F', 'address.address1=Main 1'],
    ])
  expect((await patch('AUS')).stdout).toMatch(/address country +AUS \(Australia\)/)
  expect((await patch('at')).stderr).toContain(
    'address.country must be three capital letters, such as AUT for Austria',
  )
})
