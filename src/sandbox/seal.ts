import {Secret} from '../sensitive/secret.ts'
import {nodeCrypto} from './ids.ts'
import type {Transaction} from './store/store.ts'

/** The key that sensitive values are sealed with. */
const SEAL_KEY = 'seal-key'
/** The RSA key that card numbers are enciphered under on their way in. */
export const SERVICE_KEY = 'service-key'

/** Settings that outlive a reset. */
export const KEPT_SETTINGS = [SEAL_KEY, SERVICE_KEY]

declare const sealedMark: unique symbol

/** A sensitive value as the store keeps it: base64url of nonce, tag and AES-256-GCM ciphertext. */
export type Sealed = string & {readonly [sealedMark]: true}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Keeps card numbers, PINs and keys out of the store in clear. The key lies in the same store: a search through the
 * file finds nothing, but whoever has the file and means it can open everything. The data is made up, that is enough.
 */
export class Sealer {
  readonly #key: Buffer

  /** @param key 32 bytes. */
  constructor(key: Buffer) {
    this.#key = key
  }

  seal(value: Secret): Sealed {
    const nonce = nodeCrypto().randomBytes(NONCE_BYTES)
    const cipher = nodeCrypto().createCipheriv('aes-256-gcm', this.#key, nonce)
    const text = Buffer.concat([cipher.update(value.open(), 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url') as Sealed
  }

  open(sealed: Sealed): Secret {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = nodeCrypto().createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return new Secret(text.toString('utf8'))
  }

  /** A stable name for a value, to find its row by; says nothing about the value without the key. */
  digest(value: Secret): string {
    return nodeCrypto().createHmac('sha256', this.#key).update(value.open()).digest('base64url')
  }
}

/** The store's sealer; its key is made with the store and outlives a reset. */
export async function sealerOf(tx: Transaction): Promise<Sealer> {
  const stored = (await tx.settings.get(SEAL_KEY))?.value
  if (typeof stored === 'string') return new Sealer(Buffer.from(stored, 'base64'))
  const key = nodeCrypto().randomBytes(32)
  await tx.settings.put({id: SEAL_KEY, value: key.toString('base64')})
  return new Sealer(key)
}

/** What the store keeps of a random token: enough to know it again, and nothing to use it with. */
export function tokenDigest(token: string): string {
  return nodeCrypto().hash('sha256', token, 'base64url')
}
