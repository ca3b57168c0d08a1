import type {KeyObject} from 'node:crypto'
import {Failure} from '../errors/failure.ts'
import {Secret} from '../sensitive/secret.ts'
import {type BytesLike, openBytes, openText, type PanLike} from './bytes.ts'
import type {JweRecipient} from './jwk.ts'
import {decryptionFailure} from './rsa-unpadded.ts'

const ALG = 'RSA-OAEP-256'
const ENC = 'A256GCM'
const LONGEST = 64 * 1024
/** Header, key, nonce, ciphertext (empty for an empty payload), tag. */
const COMPACT = /^(?:[A-Za-z0-9_-]+\.){3}[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+$/

/** Returns the private key for the key id of a header, if there is one. */
export type PrivateKeyFinder = (kid: string | undefined) => KeyObject | undefined

/**
 * A compact JWE (RFC 7516) with RSA-OAEP-256 and A256GCM (RFC 7518, 4.3 and 5.3). The header has `kid`.
 * @throws Failure KEY_INVALID
 */
export async function encryptJwe(
  payload: BytesLike,
  to: Pick<JweRecipient, 'publicKey' | 'kid'>,
): Promise<string> {
  const bytes = openBytes(payload, 'The payload')
  // Loaded on first use: few commands need jose.
  const {CompactEncrypt} = await import('jose')
  try {
    return await new CompactEncrypt(bytes)
      .setProtectedHeader({alg: ALG, enc: ENC, kid: to.kid})
      .encrypt(to.publicKey)
  } catch {
    throw new Failure('KEY_INVALID', {
      message: 'The key cannot encrypt a JWE: it must be RSA with 2048 bits or more.',
    })
  }
}

/**
 * Decrypts a JWE of `encryptJwe`. Refuses other algorithms, compression and critical extensions before it decrypts.
 * @throws Failure CIPHERTEXT_INVALID
 */
export async function decryptJwe(token: string, find: PrivateKeyFinder): Promise<Secret<Buffer>> {
  if (token.length > LONGEST || !COMPACT.test(token)) {
    throw new Failure('CIPHERTEXT_INVALID', {message: 'This is not a compact JWE.'})
  }
  const {compactDecrypt} = await import('jose')
  try {
    const {plaintext} = await compactDecrypt(
      token,
      header => {
        const key = find(header.kid)
        if (key === undefined)
          throw new Failure('CIPHERTEXT_INVALID', {message: 'The JWE is for another key.'})
        return key
      },
      {keyManagementAlgorithms: [ALG], contentEncryptionAlgorithms: [ENC], maxDecompressedLength: 0},
    )
    return new Secret(Buffer.from(plaintext))
  } catch (error) {
    throw error instanceof Failure ? error : decryptionFailure()
  }
}

/**
 * The body of a search by card number: `{cardNumber}` in a JWE.
 *
 * @param member the service's name for this field.
 * @throws Failure KEY_INVALID
 */
export async function encryptCardNumber(
  pan: PanLike,
  to: Pick<JweRecipient, 'publicKey' | 'kid'>,
  member = 'cardNumber',
): Promise<string> {
  const payload = Buffer.from(JSON.stringify({[member]: openText(pan, 'The card number')}))
  try {
    return await encryptJwe(payload, to)
  } finally {
    payload.fill(0)
  }
}

/** Decrypts the card number in such a body. @throws Failure CIPHERTEXT_INVALID, also if the body has other content. */
export async function decryptCardNumber(token: string, find: PrivateKeyFinder): Promise<Secret> {
  using payload = await decryptJwe(token, find)
  let body: unknown
  try {
    body = JSON.parse(payload.open().toString('utf8'))
  } catch {
    body = undefined
  }
  if (
    typeof body === 'object' &&
    body !== null &&
    'cardNumber' in body &&
    typeof body.cardNumber === 'string'
  ) {
    return new Secret(body.cardNumber)
  }
  throw new Failure('CIPHERTEXT_INVALID', {message: 'The JWE holds no card number.'})
}
