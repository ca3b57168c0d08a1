import {createCipheriv, createDecipheriv} from 'node:crypto'
import type {AnyInput} from '../contract/operation.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM (NIST SP 800-38D): nonce, tag, ciphertext. The request's id is bound to it, so that rows can't be swapped. */
export function sealInput(key: Buffer, id: string, input: AnyInput, nonce: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(id))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(input), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** The input as it was asked, or undefined when another key sealed it or somebody changed it. */
export function openInput(key: Buffer, id: string, bytes: Uint8Array): AnyInput | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(id))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8')
    return JSON.parse(text) as AnyInput
  } catch {
    return undefined
  }
}
