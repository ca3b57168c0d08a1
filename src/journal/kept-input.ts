import {createCipheriv, createDecipheriv} from 'node:crypto'
import type {AnyInput} from '../contract/operation.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM (NIST SP 800-38D): nonce, tag, ciphertext. Where it lies is bound to it, so that rows can't be swapped. */
export function seal(key: Buffer, place: string, value: unknown, nonce: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(place))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** The value as it was sealed, or undefined when another key sealed it or somebody changed it. */
export function unseal(key: Buffer, place: string, bytes: Uint8Array): unknown {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(place))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8')
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the members of a request that were written down are bound to. */
export const sentPlace = (id: string): string => `sent ${id}`

/** The input of a request, bound to the request's id. */
export const sealInput = (key: Buffer, id: string, input: AnyInput, nonce: Uint8Array): Buffer =>
  seal(key, id, input, nonce)

export const openInput = (key: Buffer, id: string, bytes: Uint8Array): AnyInput | undefined =>
  unseal(key, id, bytes) as AnyInput | undefined
