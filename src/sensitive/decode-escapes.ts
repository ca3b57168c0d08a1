/** A text without one layer of escapes, and where each of its characters began in the text it was made of. */
export interface Decoded {
  readonly text: string
  /** One more than there are characters: the last is the end. */
  readonly starts: Uint32Array
}

/** What percent-encoding, JSON and HTML make of characters. A run of percent-encoded bytes is one match. */
const ESCAPE =
  /(?:%[0-9a-f]{2})+|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(["\\/'bfnrt])|&#x([0-9a-f]{1,6});?|&#([0-9]{1,7});?|&([a-z]{2,8});/gi

export const mayHoldEscape = (text: string): boolean => /[%\\&]/.test(text)

const JSON_LETTERS: Readonly<Record<string, string>> = {b: '\b', f: '\f', n: '\n', r: '\r', t: '\t'}

/** HTML's names of the characters of ASCII. */
const NAMED: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'amp& lt< gt> quot" apos\' plus+ equals= sol/ bsol\\ colon: semi; comma, period. excl! num# dollar$ percnt% ' +
    'lpar( rpar) ast* midast* quest? commat@ lsqb[ rsqb] lbrack[ rbrack] hat^ lowbar_ underbar_ grave` lcub{ ' +
    'rcub} lbrace{ rbrace} verbar| vert|'
  )
    .split(' ')
    .map(entry => [entry.slice(0, -1), entry.slice(-1)]),
)

/** Takes one layer of escapes away, of all three kinds at once. What is no escape stays. */
export function decodeEscapes(text: string): Decoded {
  let decoded = ''
  const starts = new Uint32Array(text.length + 1)
  let place = 0
  const copy = (to: number) => {
    for (let at = place; at < to; at++) starts[decoded.length + at - place] = at
    decoded += text.slice(place, to)
    place = to
  }
  for (const match of text.matchAll(ESCAPE)) {
    copy(match.index)
    for (const {character, from} of charactersOf(match)) {
      starts.fill(match.index + from, decoded.length, decoded.length + character.length)
      decoded += character
    }
    place = match.index + match[0].length
  }
  copy(text.length)
  starts[decoded.length] = text.length
  return {text: decoded, starts}
}

interface Part {
  readonly character: string
  readonly from: number
}

function charactersOf([whole, unit, byte, letter, hex, decimal, name]: RegExpMatchArray): readonly Part[] {
  const one = (character: string) => [{character, from: 0}]
  if (unit !== undefined) return one(String.fromCharCode(Number.parseInt(unit, 16)))
  if (byte !== undefined) return one(String.fromCharCode(Number.parseInt(byte, 16)))
  if (letter !== undefined) return one(JSON_LETTERS[letter] ?? letter)
  if (hex !== undefined) return one(characterOf(Number.parseInt(hex, 16)))
  if (decimal !== undefined) return one(characterOf(Number(decimal)))
  if (name !== undefined) return one(NAMED[name.toLowerCase()] ?? whole ?? '')
  return percentCharacters(whole ?? '')
}

const characterOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')

/** UTF-8 where it is that, else a character for each byte (Latin-1). */
function percentCharacters(bytesInPercent: string): readonly Part[] {
  const bytes = Buffer.from(bytesInPercent.replaceAll('%', ''), 'hex')
  const parts: Part[] = []
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0
    const size = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    const character = bytes.toString('utf8', at, at + size)
    const isUtf8 = lead < 0x80 || (size > 1 && !character.includes('\ufffd'))
    parts.push({character: isUtf8 ? character : String.fromCharCode(lead), from: at * 3})
    at += isUtf8 ? size : 1
  }
  return parts
}
