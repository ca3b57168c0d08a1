import {kindOf} from './digit-runs.ts'
import {breaksInNumbers} from './joined-lines.ts'
import {isLuhnValid} from './luhn-windows.ts'
import {networkLengths} from './network-numbers.ts'

/** What people put between the groups of a card number besides spaces, dashes and dots. Commas separate values. */
const BETWEEN = String.raw`[/\\_:|~*+=]`

/** Groups as on a card, 4-4-4-4 or 4-6-5, with the same character between all of them. */
const ODD_GROUPS = new RegExp(
  String.raw`(?<!\d)\d{4}(?:(${BETWEEN})\d{4}\1\d{4}\1\d{4}|(${BETWEEN})\d{6}\2\d{5})(?!\d)`,
  'g',
)

/** Up to four characters that are the same throughout, in one line. */
const SAME = String.raw`([^0-9A-Za-z\n\r]{1,4})`
/** Groups of one length, of which the last may be shorter, and those of American Express and Diners Club. */
const ANY_GROUPS = [
  String.raw`\d${SAME}(?:\d\1){11,17}\d`,
  String.raw`\d\d${SAME}(?:\d\d\1){5,8}\d{1,2}`,
  String.raw`\d{3}${SAME}(?:\d{3}\1){3,5}\d{1,3}`,
  String.raw`\d{4}${SAME}(?:\d{4}\1){2,3}\d{1,4}`,
  String.raw`\d{4}${SAME}\d{6}\1\d{4,5}`,
].map(groups => new RegExp(String.raw`(?<!\d)${groups}(?!\d|\1\d)`, 'g'))

/** What has more than ASCII, such as digits of other scripts. */
const NOT_ASCII = /[^\0-\x7f]/
/** Of one code unit, and of no width. */
const UNSEEN = '\u200b'

/**
 * The text with digits in ASCII, and dashes between groups that belong together, so that they are scanned as one number.
 * Its length stays the same.
 */
export function withDashes(text: string): string {
  let plain = (NOT_ASCII.test(text) ? inAscii(text) : text).replace(ODD_GROUPS, dashed)
  for (const groups of ANY_GROUPS) {
    plain = plain.replace(groups, (number: string, between: string, at: number) =>
      isOfList(plain, number, between, at) || !isNetworkNumber(number.replaceAll(/\D/g, ''))
        ? number
        : dashed(number),
    )
  }
  return plain.includes('\n') ? withoutBreaks(plain) : plain
}

const dashed = (number: string): string =>
  number.replaceAll(/\D+/g, between => `-${UNSEEN.repeat(between.length - 1)}`)

/** It goes on before, columns of a table, or commas that separate values of several digits. */
function isOfList(text: string, number: string, between: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - between.length - 1), at)
  if (between.trim() === '') return true
  return (/^\d/.test(before) && before.endsWith(between)) || (/[,;]/.test(between) && /^\d\d/.test(number))
}

/** Whether digits pass Luhn and have the prefix and length of a card network's numbers. */
export const isNetworkNumber = (digits: string): boolean =>
  isLuhnValid(digits) && networkLengths(Uint8Array.from(digits, Number), 0).includes(digits.length)

/** Each break within a number becomes a dash. */
function withoutBreaks(text: string): string {
  let joined = ''
  let place = 0
  for (const [from, to] of breaksInNumbers(text)) {
    joined += text.slice(place, from) + dashed(text.slice(from, to))
    place = to
  }
  return joined + text.slice(place)
}

function inAscii(text: string): string {
  let plain = ''
  for (const character of text) {
    const kind = kindOf(character.codePointAt(0) ?? 0)
    plain += kind < 10 ? String(kind).padEnd(character.length, UNSEEN) : character
  }
  return plain
}
