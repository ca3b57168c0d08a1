// Card numbers whose groups people write in odd ways, and what only looks like them.
import {describe, expect, it} from 'vitest'
import {maskText} from '../../src/sensitive/mask-text.ts'

const PAN = '4111111111111111'
const DIGITS = [...PAN]
const inGroups = (size: number, between: string) =>
  (PAN.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(between)
const inScript = (zero: number, between = '') =>
  DIGITS.map(digit => String.fromCodePoint(zero + Number(digit))).join(between)

const written: Readonly<Record<string, string>> = {
  'a slash between all digits': inGroups(1, '/'),
  'commas between all digits': inGroups(1, ', '),
  'pairs with colons': inGroups(2, ':'),
  'threes with bars': inGroups(3, '|'),
  'fours with arrows': inGroups(4, ' -> '),
  'fours with a slash and spaces': inGroups(4, ' / '),
  'as American Express, with slashes': '3782/822463/10005',
  'as Diners Club, with equals signs': '3056=930902=5904',
  'zero-width spaces': inGroups(1, '\u200b'),
  dots: inGroups(1, '.'),
  'middle dots': inGroups(4, '\u00b7'),
  'blanks of braille': inGroups(4, '\u2800'),
  'full width': inScript(0xff10),
  'full width, with slashes of that width': inScript(0xff10, '\uff0f'),
  'mathematical digits with slashes': inScript(0x1d7d8, '/'),
  'digits of Arabic with colons in pairs': inScript(0x660).replaceAll(/(..)(?=.)/g, '$1:'),
  superscripts: DIGITS.map(digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join(''),
  circled: `④${'①'.repeat(15)}`,
  'in black circles': `❹${'❶'.repeat(15)}`,
  'with full stops of their own': `⒋${'⒈'.repeat(15)}`,
  keycaps: inGroups(1, '\ufe0f\u20e3'),
  'struck through': inGroups(1, '\u0336'),
  Chinese: `四${'一'.repeat(15)}`,
  'over two lines': '4111 1111\n1111 1111',
  'over two lines of Windows, indented': '41111111\r\n    11111111',
  'over two lines of a quotation': '> 4111-1111-\n> 1111-1111',
  'over two lines, behind another number': 'item 12 4111 1111\n1111 1111',
}

describe('a card number', () => {
  it.each(Object.keys(written))('with %s is masked', name => {
    const text = `card ${written[name]} was refused`
    const masked = maskText(text)
    expect(masked.match(/•/g)?.length).toBeGreaterThanOrEqual(4)
    expect(masked).toMatch(/^card .* was refused$/s)
    expect(maskText(masked)).toBe(masked)
  })
})

it.each([
  ['the check digit is wrong', '4/1/1/1/1/1/1/1/1/1/1/1/1/1/1/2'],
  ['no network has it', '9/9/9/9/9/9/0/0/0/0/0/0/0/0/0/0/0/0'],
  ['it goes on', `${inGroups(1, '/')}/7`],
  ['it began before', `7/${inGroups(1, '/')}`],
  ['the characters differ', '41:11:11/11:11:11:11:11'],
  ['commas separate values', '4111,1111,1111,1111'],
  ['times and dates', '2024/11/29 12:30:15, 2024/11/30 08:15:00'],
  ['an address', '40:00:00:56:65:5e'],
  ['lines of a list', '4111\n1111\n1111\n1111'],
  ['lines that are no number together', '4111 1111\n1111 1112'],
  ['lines with letters between', '41111111 of\n11111111'],
  ['Chinese words', '二〇二四年十一月二十九日,四月一日,三月一日'],
])('is none if %s: %s', (_, text) => {
  expect(maskText(text)).toBe(text)
})

it('takes as long for a megabyte as its length says', () => {
  for (const unit of [
    '4/1/1/',
    '41:11:',
    '4111 1111\n',
    '④/',
    '1\u0336',
    '4111 -> ',
    '3431',
    '4 1 1 1 1 1 1 1 1 1 1\n',
  ]) {
    /** Processor time in ms: other programs don't disturb it. */
    const took = (length: number): number => {
      const text = unit.repeat(length / unit.length)
      const before = process.threadCpuUsage()
      maskText(text)
      return process.threadCpuUsage(before).user / 1000
    }
    took(25_000)
    expect(took(400_000)).toBeLessThan(Math.max(took(100_000), 100) * 20)
  }
})
