import {createHash, createPublicKey, type KeyObject} from 'node:crypto'
import {aText, checkOptions} from '../errors/check-options.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {importPublicKey, rsaKeyWeakness} from './rsa-key.ts'

/** The recipient of a JWE. */
export interface JweRecipient {
  readonly publicKey: KeyObject
  /** The key id for the header; the thumbprint if the source has none. */
  readonly kid: string
  /** RFC 7638 with SHA-256, base64url: what a profile pins. */
  readonly thumbprint: string
}

export interface RecipientChoice {
  /** Selects a key of a set by its id … */
  readonly kid?: string | undefined
  /** … or by its thumbprint, which a profile pins. A single key must have this thumbprint too. */
  readonly thumbprint?: string | undefined
}

const LEAST_BITS = 2048
const LONGEST_FILE = 256 * 1024
const BASE64URL = /^[A-Za-z0-9_-]+$/

/** JWK thumbprint (RFC 7638) of an RSA key, SHA-256, base64url. */
export function jwkThumbprint(key: KeyObject): string {
  const {e, n} = publicMembers(key)
  return createHash('sha256')
    .update(JSON.stringify({e, kty: 'RSA', n}))
    .digest('base64url')
}

/** The JWK to publish for a recipient, as an item of a JWKS (RFC 7517). */
export function publicJwk(
  key: KeyObject,
  kid: string = jwkThumbprint(key),
): Readonly<Record<string, string>> {
  return {kty: 'RSA', ...publicMembers(key), kid, use: 'enc', alg: 'RSA-OAEP-256'}
}

/**
 * Reads the recipient's key from a JWKS, a single JWK or a PEM public key. Ignores keys for signing, for other
 * algorithms and of other types. Refuses a private key.
 * @throws Failure KEY_INVALID if no key is suitable, if several are and none is selected, or if none has the pinned
 * thumbprint.
 */
export function readRecipientKey(text: string, choice: RecipientChoice = {}): JweRecipient {
  // With a misspelt option, the key would not be pinned.
  checkOptions<RecipientChoice>('readRecipientKey', choice, {kid: aText, thumbprint: aText})
  if (text.length > LONGEST_FILE) throw keyFailure('The file with the public key is too large.')
  const found = text.trimStart().startsWith('{') ? recipientsOf(text) : [recipient(importPublicKey(text))]
  if (found.length === 0) throw keyFailure('The key set has no RSA key for RSA-OAEP-256.')
  const fit = found.filter(
    one =>
      (choice.kid === undefined || one.kid === choice.kid) &&
      (choice.thumbprint === undefined || one.thumbprint === choice.thumbprint),
  )
  const [first, ...others] = fit
  if (first === undefined) throw keyFailure('No key there has the id and thumbprint that were asked for.')
  if (others.some(other => other.thumbprint !== first.thumbprint)) {
    throw keyFailure('The key set has several fit keys: say which by its id or thumbprint.')
  }
  return first
}

function recipientsOf(text: string): JweRecipient[] {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw keyFailure('The file with the public key begins like JSON and cannot be read as such.')
  }
  const keys = isObject(document) && Array.isArray(document.keys) ? document.keys : [document]
  return keys.filter(isObject).flatMap(jwk => {
    if (jwk.d !== undefined)
      throw keyFailure('The key set holds a private key; only public keys belong there.')
    if (!isForEncryption(jwk)) return []
    const key = importJwk(jwk)
    return [recipient(key, typeof jwk.kid === 'string' && jwk.kid !== '' ? jwk.kid : undefined)]
  })
}

/** RFC 7517, 4.2 to 4.4: absent members restrict nothing. */
function isForEncryption(jwk: Record<string, unknown>): boolean {
  const operations = Array.isArray(jwk.key_ops) ? jwk.key_ops : ['wrapKey']
  return (
    jwk.kty === 'RSA' &&
    (jwk.use ?? 'enc') === 'enc' &&
    (jwk.alg ?? 'RSA-OAEP-256') === 'RSA-OAEP-256' &&
    (operations.includes('wrapKey') || operations.includes('encrypt'))
  )
}

function importJwk({n, e}: Record<string, unknown>): KeyObject {
  if (typeof n !== 'string' || typeof e !== 'string' || !BASE64URL.test(n) || !BASE64URL.test(e)) {
    throw keyFailure('A key of the key set lacks its modulus or exponent.')
  }
  try {
    return createPublicKey({key: {kty: 'RSA', n, e}, format: 'jwk'})
  } catch {
    throw keyFailure('A key of the key set cannot be read.')
  }
}

function recipient(publicKey: KeyObject, kid?: string): JweRecipient {
  const weakness = rsaKeyWeakness(publicKey, LEAST_BITS)
  if (weakness !== undefined) throw keyFailure(`The RSA key cannot be used: ${weakness}.`)
  const thumbprint = jwkThumbprint(publicKey)
  return {publicKey, kid: kid ?? thumbprint, thumbprint}
}

function publicMembers(key: KeyObject): {n: string; e: string} {
  if (key.type !== 'public' || key.asymmetricKeyType !== 'rsa')
    throw keyFailure('An RSA public key is needed.')
  const {n = '', e = ''} = key.export({format: 'jwk'})
  return {n, e}
}

function keyFailure(message: string): Failure {
  return new Failure('KEY_INVALID', {message})
}
