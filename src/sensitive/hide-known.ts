import {MASK} from './secret.ts'

/** A text without one layer of escapes, and where each of its characters begins in the original text. */
interface Decoded {
  readonly text: string
  /** One entry per character, and one for the end. */
  readonly starts: Uint32Array
}

const mayHoldEscape = (text: string): boolean => /[%\\&]/.test(text)

const [PERCENT, BACKSLASH, AMPERSAND] = [0x25, 0x5c, 0x26]

/**
 * Decodes one layer of escapes: percent-encoding, JSON and HTML at once. Everything else stays. Reads code units,
 * without a regular expression or an object for each: a response may consist of nothing but escapes.
 */
function decodeEscapes(text: string): Decoded {
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

/** A character and its length in the text, as one number; 0 for none. */
const WIDTH = 16
const character = (code: number, width: number): number => code * WIDTH + width

/** UTF-8 if the bytes are valid, else one character per byte (Latin-1). */
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

/** HTML names of the ASCII characters. */
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

/** Reads exactly this number of hexadecimal digits; -1 if there are fewer. */
function hexadecimal(text: string, from: number, digits: number): number {
  let value = 0
  for (let at = from; at < from + digits; at++) {
    const digit = digitOf(text.charCodeAt(at))
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

/** -1 if there is no hexadecimal digit or the text has ended. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/** Shorter secrets occur in texts by chance, and a mask there would reveal them. */
const SHORTEST = 6

/** How often a text may have been escaped: for example, JSON in a form in a page. */
const LAYERS = 3

interface Needle {
  readonly length: number
  /** A form writes a space as a plus, so it matches both. */
  readonly anywhere: RegExp
  /** A part of base64. The base64 characters next to it are hidden too. */
  readonly isBase64: boolean
}

/** A range of a text: start, and end (exclusive). */
type Stretch = readonly [from: number, to: number]

/**
 * Returns a function that replaces the given secrets in a text: plain, percent-encoded (also as in forms), escaped as
 * in JSON or HTML, in up to three layers of these, and in base64, alone or after other bytes. For texts from programs
 * that received the secrets: a service may quote a credential in a way that no rule about names or patterns covers.
 */
export function hideKnown(secrets: readonly string[], shortest = SHORTEST): (text: string) => string {
  const needles = [...new Set(secrets)]
    .filter(secret => secret.length >= shortest)
    .flatMap(piecesOf)
    .flatMap(needlesOf)
  if (needles.length === 0) return text => text
  const least = Math.min(...needles.map(({length}) => length))
  return text => {
    if (text.length < least) return text
    const found = stretchesIn(text, needles)
    return found.length === 0 ? text : without(text, found)
  }
}

/** Applies `hide` to every string of a JSON value, including field names and numbers. */
export function hideIn(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value)
  if (typeof value === 'number') return hide(String(value)) === String(value) ? value : MASK
  if (Array.isArray(value)) return value.map(item => hideIn(item, hide))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [hide(name), hideIn(item, hide)]))
}

/** No regular expression takes the text of a whole file. */
const LONGEST_PIECE = 8_000

function piecesOf(secret: string): readonly string[] {
  const count = Math.max(1, Math.floor(secret.length / LONGEST_PIECE))
  return Array.from({length: count}, (_, at) =>
    secret.slice(at * LONGEST_PIECE, at === count - 1 ? undefined : (at + 1) * LONGEST_PIECE),
  )
}

const spaced = (text: string): string => text.replaceAll('+', ' ')

/** The forms of a secret without escapes. Decoding a text also decodes escapes that are part of the secret itself. */
function needlesOf(secret: string): readonly Needle[] {
  const plain = new Set<string>()
  let text = secret
  for (let layer = 0; layer <= LAYERS; layer++) {
    plain.add(spaced(text))
    text = decodeEscapes(text).text
  }
  const base64 = new Set([0, 1, 2].flatMap(before => base64Parts(secret, before)))
  return [
    ...[...plain].filter(each => each.length >= SHORTEST).map(each => needle(each, false)),
    ...[...base64].map(each => needle(each, true)),
  ]
}

const needle = (text: string, isBase64: boolean): Needle => ({
  length: text.length,
  anywhere: new RegExp(
    spaced(text)
      .replace(/[\\^$.*?()[\]{}|]/g, '\\$&')
      .replaceAll(' ', '[ +]'),
    'g',
  ),
  isBase64,
})

/** The base64 characters that depend on the secret alone, for a number of bytes (modulo 3) before it. */
function base64Parts(secret: string, before: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret, 'utf8')])
  const from = Math.ceil((before * 8) / 6)
  const to = Math.floor((bytes.length * 8) / 6)
  if (to - from < SHORTEST) return []
  return (['base64', 'base64url'] as const).map(form => bytes.toString(form).slice(from, to))
}

/** Searches the text itself, and the text after each decoded layer of escapes. */
function stretchesIn(text: string, needles: readonly Needle[]): readonly Stretch[] {
  const found: Stretch[] = [...occurrences(text, needles)]
  for (const {layer, toSource} of decodedLayers(text))
    for (const [from, to] of occurrences(layer, needles)) found.push([toSource(from), toSource(to)])
  return found
}

/** The text after each decoded layer of escapes, and where its characters begin in the text. */
export function* decodedLayers(
  text: string,
): Generator<{readonly layer: string; readonly toSource: (place: number) => number}> {
  let layer = text
  let toSource = (place: number): number => place
  for (let count = 0; count < LAYERS && mayHoldEscape(layer); count++) {
    const [before, source] = [layer, toSource]
    const decoded = decodeEscapes(before)
    if (decoded.text.length === before.length) return
    toSource = place => source(decoded.starts[place] ?? before.length)
    layer = decoded.text
    yield {layer, toSource}
  }
}

function* occurrences(text: string, needles: readonly Needle[]): Generator<Stretch> {
  for (const {anywhere, isBase64} of needles) {
    anywhere.lastIndex = 0
    for (let match = anywhere.exec(text); match !== null; match = anywhere.exec(text)) {
      let from = match.index
      let to = anywhere.lastIndex
      if (isBase64) {
        while (from > 0 && BASE64[text.charCodeAt(from - 1)] === 1) from--
        while (to < text.length && BASE64[text.charCodeAt(to)] === 1) to++
      }
      yield [from, to]
      anywhere.lastIndex = to
    }
  }
}

/** Indexed by character code. */
const BASE64 = Uint8Array.from({length: 128}, (_, code) =>
  /[A-Za-z0-9+/=_-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

function without(text: string, found: readonly Stretch[]): string {
  let hidden = ''
  let place = 0
  let end = -1
  for (const [from, to] of [...found].sort(([a], [b]) => a - b)) {
    if (from >= end) {
      hidden += text.slice(place, from) + MASK
      end = to
    } else end = Math.max(end, to)
    place = end
  }
  return hidden + text.slice(place)
}
