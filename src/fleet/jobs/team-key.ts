import {createHmac, type KeyObject, randomBytes} from 'node:crypto'
import {Failure} from '../../errors/failure.ts'
import {deriveKey} from '../../journal/local-key.ts'
import {decryptText, encryptText} from '../../sensitive/encrypt-text.ts'
import {Secret} from '../../sensitive/secret.ts'

const KEY_BYTES = 32

/** Encrypts what is sensitive in a shared job. The database never gets the key. */
export interface TeamKey {
  /** Names the key without revealing it. */
  readonly id: string
  /** Encrypts a plain JSON value. The place where it is stored is bound to it. */
  seal(place: string, value: unknown): Buffer
  /** @throws Failure STORE_DAMAGED if the value or its place was changed. */
  unseal(place: string, bytes: Uint8Array): unknown
  /** Equal texts of a place have equal digests, and nobody without the key can try texts out. */
  digest(place: string, text: string): Buffer
}

/** @throws Failure PROFILE_INVALID */
export function readTeamKey(secret: Secret): TeamKey {
  const text = secret.open().trim()
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  const bytes = isHex
    ? Buffer.from(text, 'hex')
    : Buffer.from(/^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? text : '', 'base64')
  if (bytes.length !== KEY_BYTES || bytes.every(byte => byte === 0)) {
    throw new Failure('PROFILE_INVALID', {
      message: 'The teamKey of the profile is not 32 bytes as base64 or hex.',
      hint: 'Make one with: openssl rand -base64 32',
      effect: 'none',
    })
  }
  const key = new Secret(bytes)
  const sealing = deriveKey(key, 'shared jobs')
  const digesting = deriveKey(key, 'shared jobs digest')
  return {
    id: hmac(deriveKey(key, 'shared jobs key id'), 'id').toString('hex').slice(0, 12),
    seal: (place, value) => encryptText(sealing, JSON.stringify(value), place, randomBytes(12)),
    unseal(place, sealed) {
      try {
        return JSON.parse(decryptText(sealing, sealed, place))
      } catch {
        throw new Failure('STORE_DAMAGED', {
          message: `What the database has of ${place} is damaged: it can't be decrypted. Nothing of it was sent.`,
          hint: 'Somebody may have changed the database. Restore it from a backup.',
          effect: 'none',
        })
      }
    },
    digest: (place, text) => hmac(digesting, `${place}\0${text}`).subarray(0, 16),
  }
}

const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest()
