import {type MaskStyle, maskDigitRuns} from './mask-pan.ts'
import {MASK} from './secret.ts'

/** `Bearer …`, `Basic …` and the like, as in a quoted header. */
const SCHEME = /\b(?:Basic|Bearer|DPoP)[ \t]{1,8}/gi
const SHORTEST_TOKEN = 6
/** The characters of a token (RFC 9110, 11.2), by their codes. */
const TOKEN = Uint8Array.from({length: 128}, (_, code) =>
  /[A-Za-z0-9+/._~-]/.test(String.fromCharCode(code)) ? 1 : 0,
)
/** Distinguishes a credential from the next word of a sentence ("Basic authentication is required"). */
const NOT_A_WORD = /[0-9+/_~]|[a-z][A-Z]|=$|^.{24}/
/** A compact JWS or JWE: its header is base64url of `{"`. */
const COMPACT_JOSE = /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){2,4}/g
const PRIVATE_KEY = /-----BEGIN ([A-Z ]{0,32}PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g
/** Linear, because it is only tried after `://`, each time on other characters. */
const USERINFO = /(?<=[a-z0-9+.-]:\/\/)[^\s/?#"'<>]+@/gi

/** The start of any of these. One scan shows that most texts have none. */
const SUSPECT = /-----BEGIN|eyJ|(?:Basic|Bearer|DPoP)[ \t]|:\/\//i

/**
 * Free text that is safe to show. Masks card numbers to 6 + 4 and replaces credentials that messages often quote
 * (schemes with their token, compact JWS and JWE, private keys in PEM, user and password in a URL) by `[masked]`. Other
 * text stays unchanged.
 */
export function maskText(text: string, style: MaskStyle = {}): string {
  return maskDigitRuns(SUSPECT.test(text) ? withoutCredentials(text) : text, style)
}

/** Whether `maskText` would mask a credential in the text. */
export const holdsCredential = (text: string): boolean =>
  SUSPECT.test(text) && withoutCredentials(text) !== text

function withoutCredentials(text: string): string {
  const untold = withoutTokens(text.replace(PRIVATE_KEY, MASK).replace(COMPACT_JOSE, MASK))
  return untold.replace(USERINFO, `${MASK}@`)
}

/** A regular expression would keep a backtracking state for each character and overflow on a long token. */
function withoutTokens(text: string): string {
  let hidden = ''
  let place = 0
  for (const {0: scheme, index} of text.matchAll(SCHEME)) {
    const from = index + scheme.length
    if (from < place) continue
    let to = from
    while (TOKEN[text.charCodeAt(to)] === 1) to++
    if (to - from < SHORTEST_TOKEN) continue
    to += paddingAt(text, to)
    if (!NOT_A_WORD.test(text.slice(from, to))) continue
    hidden += text.slice(place, from) + MASK
    place = to
  }
  return hidden + text.slice(place)
}

/** The number of `=` after a token that belong to it: at most two, and none if a value starts there. */
function paddingAt(text: string, at: number): number {
  const most = text.startsWith('==', at) ? 2 : text.startsWith('=', at) ? 1 : 0
  return most > 0 && /[\w"]/.test(text.charAt(at + most)) ? most - 1 : most
}

/**
 * Masks a text from outside, then cuts it to a number of characters. Always shorten such a text with this function. If
 * you cut it first, it may end with half of a card number or token, which no mask recognises.
 */
export function maskWithin(text: string, longest: number): string {
  const masked = maskText(text)
  return masked.length <= longest ? masked : `${masked.slice(0, longest)} …`
}
