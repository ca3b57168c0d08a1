import {decodedLayers} from './hide-known.ts'
import {type MaskStyle, maskDigitRuns, maskText} from './mask-text.ts'
import {MASK} from './secret.ts'
import {isSecretName} from './secret-names.ts'

/** An escape, what is long enough for a card number in base64, or a name with its value. */
const ENCODED = /%[0-9A-Fa-f]{2}|&#|\\[ux]|[A-Za-z0-9+/_-]{18}|[\w"][ \t]?[=:]/

/**
 * `maskText`, and what a service may have encoded: card numbers that are percent-encoded, escaped as in HTML or JSON, or in
 * base64, and values after the name of a secret.
 */
export const maskSaid = (text: string, style: MaskStyle = {}): string =>
  maskText(ENCODED.test(text) ? maskPairs(withoutBase64(withoutEscaped(text))) : text, style)

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
    if (index < place || !isSecretName(name)) continue
    const from = index + field.length
    VALUE.lastIndex = from
    const [value] = VALUE.exec(text) ?? []
    if (value === undefined || value === MASK) continue
    shown += text.slice(place, from) + MASK
    place = from + value.length
  }
  return shown + text.slice(place)
}
