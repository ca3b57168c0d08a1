import {createHash, createPublicKey, generateKeyPair, type KeyObject} from 'node:crypto'
import {promisify} from 'node:util'
import {checkOptions, oneOf} from '../errors/check-options.ts'
import {Failure} from '../errors/failure.ts'
import {decodeBase64} from './bytes.ts'

/** A pair in memory, for one use. It is never written anywhere. */
export interface RsaPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const generate = promisify(generateKeyPair)

/**
 * Generates an RSA pair in memory, 2048 bits (v2: 1024), exponent 65537. A real pair belongs on the cardholder's
 * device; use this one only for sandbox and test profiles.
 */
export function generateRsaPair(use: RsaUse = 'v3'): Promise<RsaPair> {
  rsaUse(use, 'The use of an RSA pair')
  return generate('rsa', {modulusLength: use === 'v2' ? 1024 : 2048, publicExponent: 65_537})
}

/** Smaller exponents allow cube-root attacks, and reveal the message of v2's unpadded RSA. */
const SMALLEST_EXPONENT = 65_537n
/** FIPS 186-5, A.1.1. */
const EXPONENT_LIMIT = 2n ** 256n
/** Longer keys cost time and add no security. */
const MOST_BITS = 8192
/** NIST SP 800-89, 5.3.3: no prime factor below this. */
const FACTOR_LIMIT = 752

/** Why an RSA key must not be used, or undefined (partial validation of NIST SP 800-89, 5.3.3). */
export function rsaKeyWeakness(key: KeyObject, leastBits: number): string | undefined {
  const {modulusLength = 0, publicExponent = 0n} = key.asymmetricKeyDetails ?? {}
  if (modulusLength < leastBits) return `it has ${modulusLength} bits, and ${leastBits} are needed`
  if (modulusLength > MOST_BITS) return `it has more than ${MOST_BITS} bits`
  if (publicExponent < SMALLEST_EXPONENT) return `its exponent is less than ${SMALLEST_EXPONENT}`
  if (publicExponent >= EXPONENT_LIMIT || publicExponent % 2n === 0n) return 'its exponent is unusable'
  return hasSmallFactor(key) ? 'its modulus is not the product of two large primes' : undefined
}

function hasSmallFactor(key: KeyObject): boolean {
  const {n = ''} = key.export({format: 'jwk'})
  const modulus = BigInt(`0x0${Buffer.from(n, 'base64url').toString('hex')}`)
  for (let factor = 2n; factor < FACTOR_LIMIT; factor++) if (modulus % factor === 0n) return true
  return false
}

/** The version of the PIN interface that a key is for. The payment info of a card requires the same as v3. */
export type RsaUse = 'v2' | 'v3'

/** One of `RsaUse`. */
const rsaUse = oneOf('v2', 'v3')

const LEAST_BITS: Record<RsaUse, number> = {v2: 1024, v3: 2048}
const LONGEST_FILE = 16 * 1024

/** Files that users pass by mistake, and how to get the public key from them. */
const OTHER_PEM: readonly {label: RegExp; message: string; hint: string}[] = [
  {
    label: /PRIVATE KEY/,
    message:
      'This is a private key; a public key is needed, and the private one should never leave its device.',
    hint: 'Make the public part on the device: openssl pkey -in KEY -pubout',
  },
  {
    label: /^(?:X509 |TRUSTED )?CERTIFICATE$/,
    message: 'This is a certificate; the public key alone is needed.',
    hint: 'Take it out: openssl x509 -in CERTIFICATE -pubkey -noout',
  },
  {
    label: /^RSA PUBLIC KEY$/,
    message: 'This is a public key in PKCS#1; SubjectPublicKeyInfo is needed.',
    hint: 'Convert it: openssl rsa -RSAPublicKey_in -in KEY -pubout',
  },
]

/**
 * Reads the RSA public key of a cardholder's device: SubjectPublicKeyInfo (RFC 5280, 4.1.2.7) as PEM, as the base64 of
 * its DER without BEGIN and END lines (`publicKey` of the interface), or as DER bytes. Strict: RSA only, canonical DER
 * without trailing bytes, for v3 at least 2048 bits (v2: 1024), exponent at least 65537, no small factor.
 * @throws Failure KEY_INVALID
 */
export function importPublicKey(
  input: string | Uint8Array,
  options: {readonly use?: RsaUse | undefined} = {},
): KeyObject {
  checkOptions<typeof options>('importPublicKey', options, {use: rsaUse})
  const der = typeof input === 'string' ? derOfText(input) : derOfFile(input)
  let key: KeyObject
  try {
    key = createPublicKey({key: der, format: 'der', type: 'spki'})
  } catch {
    throw unreadable()
  }
  if (key.asymmetricKeyType !== 'rsa') {
    throw new Failure('KEY_INVALID', {message: 'The public key is not RSA.'})
  }
  // OpenSSL ignores what it doesn't understand. Accept only what it would write itself.
  if (!key.export({format: 'der', type: 'spki'}).equals(der)) throw unreadable()
  const weakness = rsaKeyWeakness(key, LEAST_BITS[options.use ?? 'v3'])
  if (weakness !== undefined)
    throw new Failure('KEY_INVALID', {message: `The RSA key cannot be used: ${weakness}.`})
  return key
}

/** The key as the interface takes it: base64 of the SubjectPublicKeyInfo DER, one line, no BEGIN and END. */
export function exportPublicKey(key: KeyObject): string {
  return spki(key).toString('base64')
}

/** SHA-256 of the SubjectPublicKeyInfo DER, to compare with what the device shows. */
export function publicKeyFingerprint(key: KeyObject): {readonly hex: string; readonly base64: string} {
  const digest = createHash('sha256').update(spki(key)).digest()
  return {hex: digest.toString('hex'), base64: digest.toString('base64')}
}

function spki(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return publicKey.export({format: 'der', type: 'spki'})
}

/** A file is DER if it begins like an ASN.1 sequence: `0`, then a control or high byte. No text begins like that. */
function derOfFile(file: Uint8Array): Buffer {
  if (file.length > LONGEST_FILE) throw unreadable()
  const [tag, length = 0] = file
  const isDer = tag === 0x30 && (length >= 0x80 || length < 0x20)
  return isDer ? Buffer.from(file) : derOfText(Buffer.from(file).toString('latin1'))
}

function derOfText(text: string): Buffer {
  if (text.length > LONGEST_FILE) throw unreadable()
  const labels = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----/g)].map(([, label = '']) => label)
  for (const {label, message, hint} of OTHER_PEM) {
    if (labels.some(found => label.test(found))) throw new Failure('KEY_INVALID', {message, hint})
  }
  const pem = /^\s*-----BEGIN PUBLIC KEY-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END PUBLIC KEY-----\s*$/.exec(
    text,
  )
  const der = decodeBase64(pem?.[1] ?? text)
  if (der === undefined) throw unreadable()
  return der
}

function unreadable(): Failure {
  return new Failure('KEY_INVALID', {
    message: 'The public key cannot be read: it is neither SubjectPublicKeyInfo in base64 nor PEM nor DER.',
    hint: 'A device writes it with: openssl pkey -in KEY -pubout',
  })
}
