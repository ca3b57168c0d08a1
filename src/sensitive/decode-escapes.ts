/** A text without one layer of escapes, and where each of its characters began in the text it was made of. */
export interface Decoded {
  readonly text: string
  /** One more than there are characters: the last is the end. */
  readonly starts: Uint32Array
}

export const mayHoldEscape = (text: string): boolean => /[%\\&]/.test(text)

const [PERCENT, BACKSLASH, AMPERSAND] = [0x25, 0x5c, 0x26]

/**
 * Takes one layer of escapes away, of percent-encoding, JSON and HTML at once. What is no escape stays. Unit by unit, with
 * no expression and no object for each: an answer may be escapes from one end to the other.
 */
export function decodeEscapes(text: string): Decoded {
  const units = new Uint16Array(text.length)
  const starts = new Uint32Array(text.length + 1)
  let length = 0
  const put = (code: number, from: number): void => {
    if (code > 0xffff) {
      put(0xd800 + ((code - 0x10000) >> 10), from)
      put(0xdc00 + ((code - 0x10000) & 0x3ff), from)
      return
    }
    units[length] = code
    starts[length++] = from
  }
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    const found =
      code === PERCENT
        ? fromPercent(text, at)
        : code === BACKSLASH
          ? fromJson(text, at)
          : code === AMPERSAND
            ? fromHtml(text, at)
            : 0
    put(found === 0 ? code : Math.floor(found / WIDTH), at)
    at += found === 0 ? 1 : found % WIDTH
  }
  starts[length] = text.length
  return {text: Buffer.from(units.buffer, 0, length * 2).toString('utf16le'), starts}
}

/** A character and how much of the text it takes, as one number; 0 for none. */
const WIDTH = 16
const character = (code: number, width: number): number => code * WIDTH + width

/** UTF-8 where it is that, else a character for a byte (Latin-1). */
function fromPercent(text: string, at: number): number {
  const lead = byteAt(text, at)
  if (lead < 0) return 0
  const more = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3
  let code = more === 0 ? lead : lead & (0x3f >> more)
  for (let nth = 1; nth <= more; nth++) {
    const next = byteAt(text, at + nth * 3)
    if (next >> 6 !== 2) return character(lead, 3)
    code = (code << 6) | (next & 0x3f)
  }
  const least = more === 2 ? 0x800 : more === 3 ? 0x10000 : 0
  const isNone = code < least || code > 0x10ffff || (more > 0 && code >= 0xd800 && code <= 0xdfff)
  return isNone ? character(lead, 3) : character(code, 3 + more * 3)
}

/** The byte of a `%7f`, or -1. */
const byteAt = (text: string, at: number): number =>
  text.charCodeAt(at) === PERCENT ? hexadecimal(text, at + 1, 2) : -1

const LETTERS: ReadonlyMap<string, string> = new Map(
  ['b\b', 'f\f', 'n\n', 'r\r', 't\t', '""', "''", '\\\\', '//', 'BB', 'FF', 'NN', 'RR', 'TT'].map(pair => [
    pair.slice(0, 1),
    pair.slice(1),
  ]),
)

function fromJson(text: string, at: number): number {
  const letter = text.charAt(at + 1)
  const digits = letter === 'u' || letter === 'U' ? 4 : letter === 'x' || letter === 'X' ? 2 : 0
  if (digits > 0) {
    const code = hexadecimal(text, at + 2, digits)
    return code < 0 ? 0 : character(code, 2 + digits)
  }
  const meant = LETTERS.get(letter)
  return meant === undefined ? 0 : character(meant.charCodeAt(0), 2)
}

/** HTML's names of the characters of ASCII. */
const NAMED: ReadonlyMap<string, string> = new Map(
  (
    'amp& lt< gt> quot" apos\' plus+ equals= sol/ bsol\\ colon: semi; comma, period. excl! num# dollar$ percnt% ' +
    'lpar( rpar) ast* midast* quest? commat@ lsqb[ rsqb] lbrack[ rbrack] hat^ lowbar_ underbar_ grave` lcub{ ' +
    'rcub} lbrace{ rbrace} verbar| vert|'
  )
    .split(' ')
    .map(entry => [entry.slice(0, -1), entry.slice(-1)]),
)

const LONGEST_NAME = 8
const SEMICOLON = 0x3b

function fromHtml(text: string, at: number): number {
  if (text.charAt(at + 1) !== '#') {
    let end = at + 1
    while (end <= at + LONGEST_NAME && isLetter(text.charCodeAt(end))) end++
    if (text.charCodeAt(end) !== SEMICOLON) return 0
    const meant = NAMED.get(text.slice(at + 1, end).toLowerCase())
    return meant === undefined ? 0 : character(meant.charCodeAt(0), end + 1 - at)
  }
  const isHex = /x/i.test(text.charAt(at + 2))
  const from = at + (isHex ? 3 : 2)
  const [base, most] = isHex ? [16, 6] : [10, 7]
  let code = 0
  let end = from
  for (; end < from + most; end++) {
    const digit = digitOf(text.charCodeAt(end))
    if (digit < 0 || digit >= base) break
    code = code * base + digit
  }
  if (end === from) return 0
  if (text.charCodeAt(end) === SEMICOLON) end++
  return character(code > 0x10ffff ? 0xfffd : code, end - at)
}

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

/** So many hexadecimal digits as a number; -1 where there are fewer. */
function hexadecimal(text: string, from: number, digits: number): number {
  let value = 0
  for (let at = from; at < from + digits; at++) {
    const digit = digitOf(text.charCodeAt(at))
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

/** -1 for what is no hexadecimal digit, and behind the end. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
