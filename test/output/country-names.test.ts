// A country is named where its code is shown back, so that AUS isn't taken for Austria.
import {afterEach, beforeEach, expect, it} from 'vitest'
import {countryOf} from '../../src/contract/countries.ts'
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

const patch = (country: string) =>
  home.run([
    ...['accounts', 'patch', '2001', '--type', 'credit', '-p', 'sandbox', '-F', `address.country=${country}`],
    ...['-F', 'address.city=Perth', '-F', 'address.zipCode=6000', '-F', 'address.address1=Main 1'],
  ])

it('a change shows the country that it sent', async () => {
  expect((await patch('AUS')).stdout).toMatch(/address country +AUS \(Australia\)/)
})

it.each([
  ['at', 'three capital letters, such as AUT for Austria'],
  ['DE', 'three capital letters, such as DEU for Germany'],
  ['Tyskland', 'three capital letters, such as DEU for Germany'],
  ['Oesterreich', 'three capital letters, such as AUT for Austria'],
  ['qqqq', 'three capital letters, such as AUT for Austria'],
  ['GER', 'a code of ISO 3166-1, such as DEU for Germany'],
  ['SUI', 'a code of ISO 3166-1, such as CHE for Switzerland'],
  ['HOL', 'a code of ISO 3166-1, such as NLD for Netherlands'],
  ['XXQ', 'a code of ISO 3166-1, such as AUT for Austria'],
])('%s is refused before it is sent, with the code that is meant', async (country, words) => {
  const {code, stderr} = await patch(country)
  expect(code).not.toBe(0)
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`address.country must be ${words}`)
  expect((await home.run(['requests', 'list', '-p', 'sandbox', '-o', 'ndjson'])).stdout).toBe('')
})

it.each([
  ['Tyskland', 'DEU'],
  ['Deutschland', 'DEU'],
  ['Allemagne', 'DEU'],
  ['de', 'DEU'],
  ['deu', 'DEU'],
  ['Österreich', 'AUT'],
  ['Suisse', 'CHE'],
  ['UK', 'GBR'],
  ['Turkey', 'TUR'],
  ['Kosovo', 'XKX'],
  ['Congo', undefined],
  ['GER', undefined],
  ['null', undefined],
  [' ', undefined],
])('%s is understood as %s', (text, code) => {
  expect(countryOf(text)).toBe(code)
})
it('a question for a country takes its name and shows the code; a code that ISO lacks is asked again', async () => {
  const {stderr} = await home.run(
    ['accounts', 'patch', '2001', '--type', 'credit', '-p', 'sandbox', '--dry-run', '-i'],
    {
      columns: 80,
      typed: [
        ['What do you want to change?', `${'\u001b[B'.repeat(9)} `],
        ['? Address / country', 'GER'],
        ['DEU for Germany', '\u0015Tyskland'],
        ['What else?', ''],
      ],
    },
  )
  expect(stderr).toContain('Tyskland is DEU (Germany).')
})
