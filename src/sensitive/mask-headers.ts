import type {MaskStyle} from './mask-style.ts'
import {maskText} from './mask-text.ts'
import {maskUrl} from './mask-url.ts'
import {MASK, Secret} from './secret.ts'
import {isSecretName} from './secret-names.ts'

export interface MaskHeadersOptions extends MaskStyle {
  /** Names of further headers that hold a secret, e.g. the one a profile's authentication uses. */
  readonly sensitive?: readonly string[] | undefined
}

/** `x-api-key`, `ocp-apim-subscription-key`, `x-auth-token`, `x-client-secret`, `x-hub-signature-256` … */
const SECRET_HEADER =
  /(?:^|[-_])(?:auth|authori[sz]ation|cookie2?|credentials?|jwt|passw(?:or)?d|secret|session(?:[-_]?id)?|signature|token|(?:api|access|auth|client|private|secret|signing|subscription)[-_]?key)(?:$|[-_])/i

/** Headers whose value is the tool's or the protocol's own and must stay readable, digits or not. */
const VERBATIM = new Set(['traceparent', 'x-idempotency-key'])
const URLS = new Set(['content-location', 'location', 'origin', 'referer'])

/**
 * Header fields that are safe to show: the values of authorisation, cookies, API keys, tokens and of the names given
 * become `[masked]`, addresses go through `maskUrl`, other values are scanned for card numbers and credentials. The
 * idempotency key stays as it is. Names keep their case and order; several values of a name are joined by a comma.
 */
export function maskHeaders(
  headers: Readonly<Record<string, string | Secret | readonly string[] | undefined>>,
  options: MaskHeadersOptions = {},
): Record<string, string> {
  const shown: [string, string][] = []
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    if (value instanceof Secret || isSecretHeader(name, options.sensitive)) shown.push([name, MASK])
    else shown.push([name, maskValue(name.toLowerCase(), [value].flat().join(', '), options)])
  }
  return Object.fromEntries(shown)
}

/** Whether a header of this name holds a secret, by the common names and the given ones. Case doesn't count. */
function isSecretHeader(name: string, more: readonly string[] = []): boolean {
  return SECRET_HEADER.test(name) || isSecretName(name, more)
}

function maskValue(name: string, value: string, style: MaskStyle): string {
  if (VERBATIM.has(name)) return value
  return URLS.has(name) ? maskUrl(value, style) : maskText(value, style)
}
