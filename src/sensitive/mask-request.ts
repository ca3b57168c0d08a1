import {type MaskStyle, maskText} from './mask-text.ts'
import {isPersonalName} from './personal-names.ts'
import {MASK, Secret} from './secret.ts'
import {isSecretName} from './secret-names.ts'

interface MaskHeadersOptions extends MaskStyle {
  /** Names of further headers that hold a secret, e.g. the one a profile's authentication uses. */
  readonly sensitive?: readonly string[] | undefined
  /** Names, in lower case, of further headers that hold none, e.g. the one that a profile sends idempotency keys in. */
  readonly verbatim?: readonly string[] | undefined
  /** Hides known secrets first: a shape may end before the secret does, and what is left would no longer be known. */
  readonly hide?: ((text: string) => string) | undefined
}

/** `x-api-key`, `ocp-apim-subscription-key`, `x-auth-token`, `x-client-secret`, `x-hub-signature-256` … */
const SECRET_HEADER =
  /(?:^|[-_])(?:auth|authori[sz]ation|cookie2?|credentials?|jwt|passw(?:or)?d|secret|session(?:[-_]?id)?|signature|token|(?:api|access|auth|client|private|secret|signing|subscription)[-_]?key)(?:$|[-_])/i

/** Headers with a value of cardctl or of the protocol, which must stay readable even if it is digits. */
const VERBATIM = new Set(['traceparent', 'x-idempotency-key'])
const URLS = new Set(['content-location', 'location', 'origin', 'referer'])

/**
 * Header fields that are safe to show. The values of authorisation, cookies, API keys, tokens and the given names
 * become `[masked]`. URLs are masked by `maskUrl`. Other values are scanned for card numbers and credentials. The
 * idempotency key stays as it is. Names keep their case and order; several values of a name are joined by a comma.
 */
export function maskHeaders(
  headers: Readonly<Record<string, string | Secret | readonly string[] | undefined>>,
  options: MaskHeadersOptions = {},
): Record<string, string> {
  const shown: [string, string][] = []
  const {hide = text => text} = options
  for (const [name, given] of Object.entries(headers)) {
    if (given === undefined) continue
    const value = given instanceof Secret ? given : [given].flat().map(hide).join(', ')
    if (!(value instanceof Secret) && options.verbatim?.includes(name.toLowerCase()))
      shown.push([name, value])
    else if (value instanceof Secret || isSecretHeader(name, options.sensitive)) shown.push([name, MASK])
    else shown.push([name, maskValue(name.toLowerCase(), value, options)])
  }
  return Object.fromEntries(shown)
}

/** Whether a header with this name holds a secret, by the common names and the given ones. Ignores case. */
function isSecretHeader(name: string, more: readonly string[] = []): boolean {
  return SECRET_HEADER.test(name) || isSecretName(name, more)
}

function maskValue(name: string, value: string, style: MaskStyle): string {
  if (VERBATIM.has(name)) return value
  return URLS.has(name) ? maskUrl(value, style) : maskText(value, style)
}

interface MaskUrlOptions extends MaskStyle {
  /** Names of further query parameters that hold a secret. */
  readonly sensitive?: readonly string[] | undefined
  /** Query parameters that the contract defines as something else: their values stay, even if they are digits. */
  readonly typedQuery?: readonly string[] | undefined
  /** The path belongs to an operation of the contract, so its parameters stay (reference numbers pass Luhn). */
  readonly typedPath?: boolean | undefined
}

/** Most URLs that a server gets: a path of short segments. It has no scheme, host or fragment, and nothing to mask. */
const HARMLESS_PATH = /^(?:\/[A-Za-z0-9]{0,11})+$/
const SHAPE = /^([a-z][a-z0-9+.-]*:)?(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/is

/**
 * A URL that is safe to show; it may be absolute, or only path and query. User and password, the values of secret query
 * parameters and a fragment with parameters become `[masked]`. The rest is scanned for card numbers, including
 * percent-encoded ones, and otherwise stays as it was written.
 */
export function maskUrl(url: string, options: MaskUrlOptions = {}): string {
  const end = url.indexOf('?')
  const start = end < 0 ? url : url.slice(0, end)
  if (!url.startsWith('//') && !url.includes('#') && HARMLESS_PATH.test(start))
    return end < 0 ? url : `${start}?${maskQuery(url.slice(end + 1), options)}`
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = SHAPE.exec(url) ?? []
  return [
    scheme,
    maskAuthority(authority),
    options.typedPath
      ? path
      : path
          .split('/')
          .map(segment => maskPart(segment, options))
          .join('/'),
    query === '' ? '' : `?${maskQuery(query.slice(1), options)}`,
    fragment.includes('=') ? `#${MASK}` : maskPart(fragment, options),
  ].join('')
}

/** The last `@` ends the user information; a password may hold an unescaped one. */
function maskAuthority(authority: string): string {
  const at = authority.lastIndexOf('@')
  return at < 0 ? authority : `//${MASK}${authority.slice(at)}`
}

function maskQuery(query: string, options: MaskUrlOptions): string {
  return query
    .split('&')
    .map(pair => {
      const equals = pair.indexOf('=')
      if (equals < 0) return maskPart(pair, options)
      const name = decode(pair.slice(0, equals))
      const value = pair.slice(equals + 1)
      const shownName = maskPart(pair.slice(0, equals), options)
      if (options.typedQuery?.includes(name)) return `${shownName}=${value}`
      if (isSecretName(name, options.sensitive) || isPersonalName(name)) return `${shownName}=${MASK}`
      return `${shownName}=${maskPart(value, options)}`
    })
    .join('&')
}

/** Matches most parts, and is cheap to test: too short for a card number, without the punctuation of a credential. */
const HARMLESS = /^[A-Za-z0-9]{0,11}$/

/** Only a part with a secret is rewritten (decoded); any other keeps its spelling. */
function maskPart(part: string, style: MaskStyle): string {
  if (HARMLESS.test(part)) return part
  const decoded = decode(part)
  const masked = maskText(decoded, style)
  return masked === decoded ? part : masked.replaceAll(' ', '+')
}

function decode(part: string): string {
  if (HARMLESS.test(part)) return part
  const spaced = part.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    // Broken escapes elsewhere in the part must not hide encoded digits.
    return spaced.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
}
