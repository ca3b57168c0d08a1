import {decryptText, encryptText} from '../sensitive/encrypt-text.ts'
import {Secret} from '../sensitive/secret.ts'
import {nodeCrypto} from './ids.ts'
import type {Transaction} from './store/store.ts'

/** The key that encrypts sensitive values. */
export const SEAL_KEY = 'seal-key'
/** The RSA key that clients encrypt card numbers with. */
export const SERVICE_KEY = 'service-key'

/** The key that encrypts the credentials of a tenant's endpoint, once a loaded snapshot has replaced the one above. */
export const ENDPOINT_KEY = 'endpoint-key'

/** Settings that outlive the load of a snapshot, and are in none. */
export const KEPT_BY_LOADS: readonly string[] = [ENDPOINT_KEY]

/** Settings that outlive a reset. */
export const KEPT_SETTINGS = [SEAL_KEY, SERVICE_KEY, ...KEPT_BY_LOADS]

declare const sealedMark: unique symbol

/** A sensitive value as it is stored: base64url of nonce, tag and AES-256-GCM ciphertext. */
export type Sealed = string & {readonly [sealedMark]: true}

/**
 * Encrypts card numbers, PINs and keys in the store. The key is in the same store: a search through the file
 * finds nothing, but anyone with the file can decrypt everything. That is enough for made-up data.
 */
export class Sealer {
  readonly #key: Buffer

  /** @param key 32 bytes. */
  constructor(key: Buffer) {
    this.#key = key
  }

  seal(value: Secret): Sealed {
    return encryptText(this.#key, value.open()).toString('base64url') as Sealed
  }

  open(sealed: Sealed): Secret {
    return new Secret(decryptText(this.#key, Buffer.from(sealed, 'base64url')))
  }

  /** A stable digest to find the row of a value by. It reveals nothing without the key. */
  digest(value: Secret): string {
    return nodeCrypto().createHmac('sha256', this.#key).update(value.open()).digest('base64url')
  }
}

/** The sealer of the store. Its key is created with the store and outlives a reset. */
export async function sealerOf(tx: Transaction): Promise<Sealer> {
  const stored = (await tx.settings.get(SEAL_KEY))?.value
  if (typeof stored === 'string') return new Sealer(Buffer.from(stored, 'base64'))
  const key = nodeCrypto().randomBytes(32)
  await tx.settings.put({id: SEAL_KEY, value: key.toString('base64')})
  return new Sealer(key)
}

/** The sealer of the credentials of a tenant's endpoint. */
export async function endpointSealerOf(tx: Transaction): Promise<Sealer> {
  const stored = (await tx.settings.get(ENDPOINT_KEY))?.value
  return typeof stored === 'string' ? new Sealer(Buffer.from(stored, 'base64')) : sealerOf(tx)
}

/** What is stored of a random token: its digest can identify the token, but not replace it. */
export function tokenDigest(token: string): string {
  return nodeCrypto().hash('sha256', token, 'base64url')
}
