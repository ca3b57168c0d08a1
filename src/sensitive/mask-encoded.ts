import {decodedLayers} from './hide-known.ts'
import {type MaskStyle, maskDigitRuns, maskText, namesVariable} from './mask-text.ts'
import {MASK} from './secret.ts'
import {isSecretName} from './secret-names.ts'

/** An escape, what is long enough for a card number in base64, a list of bytes, or a name with its value. */
const ENCODED =
  /%[0-9A-Fa-f]{2}|&#|\\[ux]|[A-Za-z0-9+/_-]{18}|[\w"][ \t]?[=:]|(?:[0-9A-Fa-f]{2}[^0-9A-Za-z]{1,4}(?:0x)?){12}/

/**
 * `maskText`, and what a service may have encoded: card numbers that are percent-encoded, escaped as in HTML or JSON, in
 * base64, or in bytes as hexadecimal or decimal digits, and values after the name of a secret.
 */
export const maskSaid = (text: string, style: MaskStyle = {}): string =>
  maskText(ENCODED.test(text) ? maskPairs(withoutBase64(withoutBytes(withoutEscaped(text)))) : text, style)

/** Of 13 and more, with the same between them: `34 31`, `0x34, 0x31`, `52,49`. */
const BYTE_LIST =
  /(?<![0-9A-Za-z])(?:0x)?[0-9A-Fa-f]{2}([^0-9A-Za-z]{1,4}(?:0x)?)(?:[0-9A-Fa-f]{2}\1){11,2000}[0-9A-Fa-f]{2}(?![0-9A-Za-z])/g

/** Of 13 bytes and more. A longer one is read in parts, as below. */
const HEX = /[0-9A-Fa-f]{26,4000}/g

function withoutBytes(text: string): string {
  const untold = text.replace(BYTE_LIST, list => {
    const pairs = list.replaceAll('0x', '').match(/[0-9A-Fa-f]{2}/g) ?? []
    return [16, 10].some(base => holdsNumber(Buffer.from(pairs.map(pair => Number.parseInt(pair, base)))))
      ? MASK
      : list
  })
  return untold.replace(HEX, token =>
    // A byte may begin at the first sign or the second.
    [0, 1].some(from =>
      holdsNumber(Buffer.from(token.slice(from, token.length - ((token.length - from) % 2)), 'hex')),
    )
      ? MASK
      : token,
  )
}

/** Whether bytes hold a card number, in ASCII, UTF-16 or EBCDIC. */
export function holdsNumber(bytes: Uint8Array): boolean {
  // Of a mainframe: the digits are F0 to F9, a space is 40.
  const ebcdic = bytes.map(byte => (byte >= 0xf0 && byte <= 0xf9 ? byte - 0xc0 : byte === 0x40 ? 0x20 : 0x3b))
  return [bytes, ebcdic].some(each => {
    const text = Buffer.from(each).toString('latin1')
    return maskDigitRuns(text) !== text
  })
}

const FILLER = '•'

function withoutEscaped(text: string): string {
  const hidden = new Map<number, number>()
  for (const {layer, toSource} of decodedLayers(text)) {
    const masked = maskDigitRuns(layer)
    if (masked === layer) continue
    for (let at = 0; at < layer.length; at++)
      if (masked[at] !== layer[at]) hidden.set(toSource(at), toSource(at + 1))
  }
  if (hidden.size === 0) return text
  let shown = ''
  let place = 0
  for (const [from, to] of [...hidden].sort(([a], [b]) => a - b)) {
    if (from < place) continue
    shown += text.slice(place, from) + FILLER
    place = to
  }
  return shown + text.slice(place)
}

/** Of 13 digits and more. A longer one is read in parts: a regular expression would overflow. */
const BASE64 = /[A-Za-z0-9+/_-]{18,4000}={0,2}/g

const withoutBase64 = (text: string): string =>
  text.replace(BASE64, token => {
    let decoded = token
    // Twice, as a token within a token.
    for (let layer = 0; layer < 2; layer++) {
      decoded = Buffer.from(decoded, 'base64').toString('latin1')
      if (maskDigitRuns(decoded) !== decoded) return MASK
      if (!/^[A-Za-z0-9+/_-]{18,4000}={0,2}$/.test(decoded)) break
    }
    return token
  })

/** A field of JSON, which may be cut off, and a field of a form. A value has any length: what is behind a limit would be shown. */
const MEMBER =
  /\\?"((?:[^"\\]|\\[^"]){1,64})\\?"(\s{0,9}:\s{0,9}\[?\s{0,9})(\\"[^"\\]*\\"|"(?:[^"\\]+|\\[\s\S])*"?|[^\s,}\]{["][^\s,}\]]*)/g
const FIELD = /(?<![\w.-])([\w.-]{1,64})\s{0,9}=\s{0,9}/g
const VALUE = /[^&\s]+/y

/** The values of fields with a secret's name, in JSON or a form that is part of a text. */
export function maskPairs(text: string): string {
  const hide = (whole: string, name: string, between: string, value: string) => {
    const [, quote = '', content] = /^(\\?")([\s\S]*?)\1$/.exec(value) ?? [undefined, '', value]
    if (content === MASK || !isSecretName(name)) return whole
    const before = whole.slice(0, whole.length - between.length - value.length)
    return `${before}${between}${quote}${MASK}${quote}`
  }
  return maskFields(text.replace(MEMBER, hide))
}

/** The value of another field may be a form of its own: `url=/pay?pin=1234`. */
function maskFields(text: string): string {
  let shown = ''
  let place = 0
  for (const {0: field, 1: name = '', index} of text.matchAll(FIELD)) {
    if (index < place || !isSecretName(name) || namesVariable(text, index)) continue
    const from = index + field.length
    VALUE.lastIndex = from
    const [value] = VALUE.exec(text) ?? []
    if (value === undefined || value === MASK) continue
    shown += text.slice(place, from) + MASK
    place = from + value.length
  }
  return shown + text.slice(place)
}
