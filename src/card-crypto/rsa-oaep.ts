import {type KeyObject, randomBytes} from 'node:crypto'
import {aFunction, checkOptions, oneOf} from '../errors/check-options.ts'
import {Failure} from '../errors/failure.ts'
import {Secret} from '../sensitive/secret.ts'
import {type BytesLike, openBytes, type RandomSource} from './bytes.ts'
import {emeOaepDecode, emeOaepEncode, type Mgf1Hash, OAEP_OVERHEAD, OAEP_SEED_BYTES} from './eme-oaep.ts'
import {decryptionFailure, modulusBytes, rsaRawDecrypt, rsaRawEncrypt} from './rsa-unpadded.ts'

export interface OaepEncryptOptions {
  /** `sha256` by default; `sha1` is what a stock Java client means by `OAEPWithSHA-256AndMGF1Padding`. */
  readonly mgf1?: Mgf1Hash | undefined
  /** For tests; `crypto.randomBytes` by default. */
  readonly random?: RandomSource | undefined
}

/**
 * RSAES-OAEP (RFC 8017, 7.1.1) with SHA-256 and an empty label. The encoding is our own, because node:crypto can't use
 * another hash for MGF1.
 * @throws Failure KEY_INVALID, INPUT_INVALID if the message is too long for the key.
 */
export function rsaOaepEncrypt(
  publicKey: KeyObject,
  message: BytesLike,
  options: OaepEncryptOptions = {},
): Buffer {
  checkOptions<OaepEncryptOptions>('rsaOaepEncrypt', options, {
    mgf1: oneOf('sha256', 'sha1'),
    random: aFunction,
  })
  const bytes = openBytes(message, 'The message')
  const size = modulusBytes(publicKey, 'public')
  if (bytes.length > size - OAEP_OVERHEAD) {
    throw new Failure('INPUT_INVALID', {
      message: `The message has ${bytes.length} bytes, and this RSA key can encrypt at most ${Math.max(0, size - OAEP_OVERHEAD)}.`,
    })
  }
  const seed = (options.random ?? randomBytes)(OAEP_SEED_BYTES)
  const block = emeOaepEncode(bytes, size, seed, options.mgf1 ?? 'sha256')
  try {
    return rsaRawEncrypt(publicKey, block)
  } finally {
    block.fill(0)
  }
}

export interface OaepDecryptOptions {
  /** `either` by default. */
  readonly mgf1?: Mgf1Hash | 'either' | undefined
}

/**
 * Decrypts RSAES-OAEP (RFC 8017, 7.1.2). Accepts either hash of MGF1 by default: senders differ, and decoding with the
 * wrong hash fails. `mgf1` requires one of them.
 * @throws Failure CIPHERTEXT_INVALID, the same for every cause; KEY_INVALID
 */
export function rsaOaepDecrypt(
  privateKey: KeyObject,
  ciphertext: Uint8Array,
  options: OaepDecryptOptions = {},
): Secret<Buffer> {
  checkOptions<OaepDecryptOptions>('rsaOaepDecrypt', options, {mgf1: oneOf('sha256', 'sha1', 'either')})
  const block = rsaRawDecrypt(privateKey, ciphertext)
  if (block.length < OAEP_OVERHEAD) throw decryptionFailure()
  const accepted = options.mgf1 ?? 'either'
  const messages = (['sha256', 'sha1'] as const)
    .filter(hash => accepted === 'either' || accepted === hash)
    .map(hash => emeOaepDecode(block, hash))
  block.fill(0)
  const message = messages.find(found => found !== undefined)
  if (message === undefined) throw decryptionFailure()
  return new Secret(message)
}
