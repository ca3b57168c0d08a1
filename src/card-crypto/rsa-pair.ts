import {generateKeyPair, type KeyObject} from 'node:crypto'
import {promisify} from 'node:util'
import {type RsaUse, rsaUse} from './rsa-public-key.ts'

/** A pair that lives in memory only: it is made for one use and is never written anywhere. */
export interface RsaPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const generate = promisify(generateKeyPair)

/**
 * A new RSA pair in memory, 2048 bits (v2: 1024), exponent 65537. It belongs on the cardholder's device: elsewhere it
 * is for sandbox and test profiles only.
 */
export function generateRsaPair(use: RsaUse = 'v3'): Promise<RsaPair> {
  rsaUse(use, 'The use of an RSA pair')
  return generate('rsa', {modulusLength: use === 'v2' ? 1024 : 2048, publicExponent: 65_537})
}
