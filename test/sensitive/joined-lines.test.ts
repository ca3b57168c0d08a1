// Card numbers that go on in the next line: which line breaks are in one, and in how many steps they are found.
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {breaksInNumbers} from '../../src/sensitive/joined-lines.ts'
import {maskText} from '../../src/sensitive/mask-text.ts'
import {isNetworkNumber} from '../../src/sensitive/odd-groups.ts'

const found = (text: string) => [...breaksInNumbers(text)].map(String)

/** The same by trying all groups before and after a break with all others, which takes a hundred times as long. */
function foundByTrying(text: string): string[] {
  const wrapped = /(?<!\d)(\d[\d -]{1,22})([ \t]{0,8}\r?\n[ \t>|*#]{0,8})(?=(\d[\d -]{1,22}\d)(?!\d))/g
  return [...text.matchAll(wrapped)].flatMap(({0: whole, 1: first = '', 3: second = '', index}) => {
    const [before = [], after = []] = [first, second].map(part => part.split(/[ -]+/).filter(Boolean))
    const isNumber = before.some((_, from) =>
      after.some((__, to) => isNetworkNumber([...before.slice(from), ...after.slice(0, to + 1)].join(''))),
    )
    const digits = first.replace(/[ -]+$/, '').length
    return isNumber ? [String([index + digits, index + whole.length])] : []
  })
}

const PIECES = ['4', '1', '41', '4111', '1111', ' 1111', '11111111', ' ', '-', '  ', '\t', '> ', 'x', '| ']
const MORE = [
  '\n',
  '\n',
  '\n',
  '\r\n',
  '5555 5555',
  '5555 4444',
  ' 1 1 1 1 1 1 1',
  '3056',
  '930902',
  '5904',
  '        ',
]

describe('a card number over two lines', () => {
  it('is found wherever trying all groups finds it, and nowhere else', () => {
    const text = fc.array(fc.constantFrom(...PIECES, ...MORE), {maxLength: 16}).map(pieces => pieces.join(''))
    fc.assert(
      fc.property(text, said => {
        expect(found(said)).toEqual(foundByTrying(said))
      }),
      {numRuns: 5000},
    )
  })

  it('is masked wherever its line breaks, in groups of any length', () => {
    const isGroup = fc.array(fc.boolean(), {minLength: 16, maxLength: 16})
    fc.assert(
      fc.property(fc.integer({min: 3, max: 12}), isGroup, fc.constantFrom('', '17 '), (at, gaps, before) => {
        const grouped = (digits: string, from: number) =>
          [...digits].map((digit, place) => (place > 0 && gaps[from + place] ? ` ${digit}` : digit)).join('')
        const pan = '4111111111111111'
        const text = `${before}${grouped(pan.slice(0, at), 0)}\n${grouped(pan.slice(at), at)}`
        expect(maskText(text)).toContain('•')
      }),
    )
  })

  it.each([
    '4 1 1 1 1 1 1 1 1 1 1\n',
    '4 4 4 4 4 4 4 4 4 4 4\n',
    '4 1\n',
    '44\n',
    '\n',
    '>>>>>>>>\n',
    `1${' '.repeat(22)}\n`,
    '4444444444444444',
    '> 5-5-5-5-5-5-5-5-5-5-5-5 \r\n',
  ])('reads each character of %j at most ten times', unit => {
    const text = unit.repeat(2000)
    let read = 0
    const counted = {
      length: text.length,
      charCodeAt(place: number) {
        read++
        return text.charCodeAt(place)
      },
    }
    expect([...breaksInNumbers(counted)].length).toBeLessThanOrEqual(2000)
    expect(read).toBeLessThan(text.length * 10)
  })
})
