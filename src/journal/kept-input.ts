import type {AnyInput} from '../contract/operation.ts'
import {decryptText, encryptText} from '../sensitive/encrypt-text.ts'

/** Encrypts a value. The place where it is stored is bound to it, so that rows can't be swapped. */
export const seal = (key: Buffer, place: string, value: unknown, nonce: Uint8Array): Buffer =>
  encryptText(key, JSON.stringify(value), place, nonce)

/** The value, or undefined if another key encrypted it or its bytes changed. */
export function unseal(key: Buffer, place: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decryptText(key, bytes, place))
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
