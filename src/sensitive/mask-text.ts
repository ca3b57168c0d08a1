import {maskDigitRuns} from './mask-digit-runs.ts'
import type {MaskStyle} from './mask-style.ts'
import {MASK} from './secret.ts'

/** `Bearer …`, `Basic …` and their like, as they stand in a header that someone quoted. */
const CREDENTIAL = /\b(Basic|Bearer|DPoP)([ \t]{1,8})([A-Za-z0-9+/._~-]{6,}(?:={1,2}(?![\w"]))?)/gi
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
  return text
    .replace(PRIVATE_KEY, MASK)
    .replace(COMPACT_JOSE, MASK)
    .replace(CREDENTIAL, (quoted, scheme: string, space: string, token: string) =>
      NOT_A_WORD.test(token) ? `${scheme}${space}${MASK}` : quoted,
    )
    .replace(USERINFO, `${MASK}@`)
}
