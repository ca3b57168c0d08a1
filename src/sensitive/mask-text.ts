import {type DigitRun, digitRuns} from './digit-runs.ts'
import {luhnWindows, SHORTEST} from './luhn-windows.ts'
import {withDashes} from './odd-groups.ts'
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
/** Of a command to paste. */
const NAMED_VARIABLE = /(CARDCTL_[A-Z0-9_]{1,64})="\$\{\1:\?\}"/y
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
    if (to - from < SHORTEST_TOKEN || namesVariable(text, from)) continue
    to += paddingAt(text, to)
    if (!NOT_A_WORD.test(text.slice(from, to))) continue
    hidden += text.slice(place, from) + MASK
    place = to
  }
  return hidden + text.slice(place)
}

/** Whether `CARDCTL_SECRET="${CARDCTL_SECRET:?}"` is there: it says which variable is needed, and not its value. */
export function namesVariable(text: string, at: number): boolean {
  NAMED_VARIABLE.lastIndex = at
  return NAMED_VARIABLE.test(text)
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

/** A UUID with at least one letter. One with digits only may be a card number in groups. */
export const UUID =
  /(?<![0-9a-z])(?=[0-9a-f]{8}-)(?=[0-9-]{0,35}[a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])/gi

/**
 * Masks every card number that `luhnWindows` finds, with any separators and in digits of any script. The first 6 and
 * last 4 digits stay readable, except at an end with more digits beside it: together they could form another card
 * number. All other text stays unchanged, UUIDs too. Masking twice changes nothing; the time is linear in the length of
 * the text.
 *
 * For free text and unknown fields only: payment references pass Luhn by construction, so fields that the contract
 * types as something else must not come here.
 */
export function maskDigitRuns(text: string, style: MaskStyle = {}): string {
  if (!mayHoldRun(text)) return text
  const filler = style.filler ?? '•'
  let result = ''
  let place = 0
  for (const uuid of text.matchAll(UUID)) {
    result += maskPlain(text.slice(place, uuid.index), filler) + uuid[0]
    place = uuid.index + uuid[0].length
  }
  return result + maskPlain(text.slice(place), filler)
}

/** Most texts have too few digits, which one scan shows. Characters beyond ASCII may be digits. */
export function mayHoldRun(text: string): boolean {
  let digits = 0
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place)
    if (((code >= 0x30 && code <= 0x39) || code > 0x7f) && ++digits === SHORTEST) return true
  }
  return false
}

/** Works on the code units in place: joining a string per digit would take many times as long. */
function maskPlain(text: string, filler: string): string {
  let units: Uint16Array | undefined
  for (const run of digitRuns(withDashes(text), SHORTEST)) {
    const hidden = hiddenOf(run)
    if (hidden === undefined) continue
    units ??= unitsOf(text)
    let depth = 0
    for (let at = 0; at < run.count; at++) {
      depth += hidden[at] ?? 0
      if (depth === 0) continue
      const place = run.places[at] ?? 0
      const width = (text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1
      units.fill(filler.charCodeAt(0), place, place + width)
    }
  }
  return units === undefined ? text : Buffer.from(units.buffer).toString('utf16le')
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  for (let place = 0; place < text.length; place++) units[place] = text.charCodeAt(place)
  return units
}

/**
 * The number of hidden ranges that begin at each digit, minus those that end there. Where two candidates overlap, a
 * digit stays readable only if both would show it.
 */
function hiddenOf(run: DigitRun): Int16Array | undefined {
  let hidden: Int16Array | undefined
  luhnWindows(run, (first, end) => {
    hidden ??= new Int16Array(run.count + 1)
    const from = first === 0 ? SHOWN_FIRST : first
    const to = end === run.count ? end - SHOWN_LAST : end
    hidden[from] = (hidden[from] ?? 0) + 1
    hidden[to] = (hidden[to] ?? 0) - 1
  })
  return hidden
}

export interface MaskStyle {
  /** The character for a hidden digit: the bullet, or an asterisk if only ASCII is safe. */
  readonly filler?: '•' | '*' | undefined
}

/** How many digits of a card number stay readable at each end (PCI DSS 4.0, requirement 3.4.1). */
const SHOWN_FIRST = 6
const SHOWN_LAST = 4

/** A number that is masked already, for example by the service: `41111111____1111`. */
const MASKED_ALREADY = /^(?=.*[_*•Xx#])[0-9_*•Xx# -]{8,}$/

/**
 * A masked card number: `411111••••••1111`, with its spaces and dashes. A number that is already masked doesn't change.
 * Anything other than 13 to 19 digits becomes `[masked]`, so that a mistake of the caller hides too much rather than
 * too little.
 */
export function maskPan(pan: string, style: MaskStyle = {}): string {
  // The service's mask may still show a whole number, so it is scanned.
  if (MASKED_ALREADY.test(pan)) return maskDigitRuns(pan, style)
  const digits = pan.replace(/[ -]/g, '')
  if (!/^[0-9]{13,19}$/.test(digits)) return MASK
  const filler = style.filler ?? '•'
  let place = 0
  return pan.replace(/[0-9]/g, digit => {
    place += 1
    return place <= SHOWN_FIRST || place > digits.length - SHOWN_LAST ? digit : filler
  })
}
