import {Failure} from '../errors/failure.ts'
import {Secret} from '../sensitive/secret.ts'

/** Bytes as a caller has them: bare, or wrapped because they must not surface. The functions here never keep them. */
export type BytesLike = Uint8Array | Secret<Buffer>

/** A card number as a caller has it. */
export type PanLike = string | Secret

/** Where random bytes come from; `crypto.randomBytes` unless a test needs the same ones every time. */
export type RandomSource = (size: number) => Uint8Array

/**
 * The bytes behind a value. `what` names it in the failure.
 * @throws Failure INPUT_INVALID if a caller without types passes anything else, e.g. a string.
 */
export function openBytes(value: BytesLike, what: string): Uint8Array {
  const bytes: unknown = value instanceof Secret ? value.open() : value
  if (bytes instanceof Uint8Array) return bytes
  throw new Failure('INPUT_INVALID', {message: `${what} must be given as bytes.`})
}

/** @throws Failure INPUT_INVALID if it isn't text. */
export function openText(value: PanLike, what: string): string {
  const text: unknown = value instanceof Secret ? value.open() : value
  if (typeof text === 'string') return text
  throw new Failure('INPUT_INVALID', {message: `${what} must be given as text.`})
}
