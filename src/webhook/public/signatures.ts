import {Failure} from '../../errors/failure.ts'
import {
  type CallHeaders,
  type CallSignature,
  type SignatureFault,
  signatureFault,
  signatureHeaders,
} from '../../network/call-signature.ts'
import {
  keyProblem,
  SIGNATURE_PRESET_NAMES,
  SIGNATURE_PRESETS,
  type SignaturePreset,
  signedProblem,
} from '../../network/signature-defaults.ts'
import {Secret} from '../../sensitive/secret.ts'

export type {SignatureFault}

/** How calls are signed; what is left out is as `cardctl` does it by default. */
export interface SignatureSettings extends Partial<Omit<CallSignature, 'keys'>> {
  /** The key, or several: the first one signs, and a signature by any of them is valid. */
  readonly keys: string | readonly string[]
  /** The form; what else is given here differs from it. */
  readonly preset?: SignaturePreset
  /** Milliseconds since 1970; now by default. */
  readonly now?: number
}

/** A call as an endpoint receives it. */
export interface SignedCall {
  /** Those of node:http, or of a `Request`. */
  readonly headers: CallHeaders | Headers
  /** The bytes as they came. A body that was parsed and written again has another signature. */
  readonly body: Uint8Array | string
}

/**
 * Checks the signature of a call: HMAC-SHA-256 over its time and the bytes of its body. Check it before you parse the
 * body. Undefined if it is valid; otherwise answer with status 401.
 *
 * @throws Failure INPUT_INVALID for settings that can't be used.
 */
export function checkSignature(
  {headers, body}: SignedCall,
  settings: SignatureSettings,
): SignatureFault | undefined {
  const plain = headers instanceof Headers ? Object.fromEntries(headers) : headers
  return signatureFault(plain, bytesOf(body), signatureOf(settings), settings.now ?? Date.now())
}

/** The headers of a signed call, for tests of an endpoint. @throws Failure INPUT_INVALID as checkSignature */
export const signCall = (
  body: Uint8Array | string,
  settings: SignatureSettings,
): Readonly<Record<string, string>> =>
  signatureHeaders(bytesOf(body), signatureOf(settings), settings.now ?? Date.now())

const bytesOf = (body: Uint8Array | string): Uint8Array =>
  typeof body === 'string' ? Buffer.from(body, 'utf8') : body

function signatureOf({keys, preset = 'plain', now: _, ...form}: SignatureSettings): CallSignature {
  const secrets = [keys].flat().map(key => new Secret(key))
  if (!Object.hasOwn(SIGNATURE_PRESETS, preset))
    throw invalid(`preset must be one of ${SIGNATURE_PRESET_NAMES.join(', ')}`)
  const whole = {...SIGNATURE_PRESETS[preset], ...form}
  if (secrets.length === 0) throw invalid('keys must not be empty')
  for (const key of secrets) {
    const fault = keyProblem(key.open(), whole)
    if (fault !== undefined) throw invalid(`keys ${fault}`)
  }
  const problem = signedProblem(whole.signed)
  if (problem !== undefined) throw invalid(`signed ${problem}`)
  return {...whole, keys: secrets}
}

const invalid = (message: string) => new Failure('INPUT_INVALID', {message: `checkSignature: ${message}.`})
