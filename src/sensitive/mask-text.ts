import {type MaskStyle, maskDigitRuns} from './mask-pan.ts'
import {MASK} from './secret.ts'

/** `Bearer …`, `Basic …` and their like, as they stand in a header that someone quoted. */
const SCHEME = /\b(?:Basic|Bearer|DPoP)[ \t]{1,8}/gi
const SHORTEST_TOKEN = 6
/** The characters of a token (RFC 9110, 11.2), by their codes. */
const TOKEN = Uint8Array.from({length: 128}, (_, code) =>
  /[A-Za-z0-9+/._~-]/.test(String.fromCharCode(code)) ? 1 : 0,
)
/** What tells a credential from the next word of a sentence ("Basic authentication is required"). */
const NOT_A_WORD = /[0-9+/_~]|[a-z][A-Z]|=$|^.{24}/
/** A compact JWS or JWE: its header is base64url of `{"`. */
const COMPACT_JOSE = /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){2,4}/g
const PRIVATE_KEY = /-----BEGIN ([A-Z ]{0,32}PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g
/** Tried behind `://` only, and each time on other characters: linear. */
const USERINFO = /(?<=[a-z0-9+.-]:\/\/)[^\s/?#"'<>]+@/gi

/** What any of them begins with: most texts hold none, and are told by one look. */
const SUSPECT = /-----BEGIN|eyJ|(?:Basic|Bearer|DPoP)[ \t]|:\/\//i

/**
 * Free text that is safe to show: card numbers masked to 6 + 4, and credentials that others like to quote (schemes
 * with their token, compact JWS and JWE, private keys in PEM, user and password in a URL) replaced by `[masked]`.
 * Text without any of them stays as it was.
 */
export function maskText(text: string, style: MaskStyle = {}): string {
  return maskDigitRuns(SUSPECT.test(text) ? withoutCredentials(text) : text, style)
}

/** Whether `maskText` would mask a credential in it. */
export const holdsCredential = (text: string): boolean =>
  SUSPECT.test(text) && withoutCredentials(text) !== text

function withoutCredentials(text: string): string {
  const untold = withoutTokens(text.replace(PRIVATE_KEY, MASK).replace(COMPACT_JOSE, MASK))
  return untold.replace(USERINFO, `${MASK}@`)
}

/** An expression would keep a way back for each character of a token, until there is no room for more. */
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

/** How many `=` behind a token belong to it: two at most, and none where a value begins with it. */
function paddingAt(text: string, at: number): number {
  const most = text.startsWith('==', at) ? 2 : text.startsWith('=', at) ? 1 : 0
  return most > 0 && /[\w"]/.test(text.charAt(at + most)) ? most - 1 : most
}

/**
 * Text from outside, masked and then cut to so many characters: the one way to shorten it. Cut first, half of a card number
 * or token would stand at the end and look like neither.
 */
export function maskWithin(text: string, longest: number): string {
  const masked = maskText(text)
  return masked.length <= longest ? masked : `${masked.slice(0, longest)} …`
}
