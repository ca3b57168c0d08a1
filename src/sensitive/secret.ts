import {inspect} from 'node:util'

export const MASK = '[masked]'

/**
 * A value that must never be shown: it prints, serialises, clones and inspects as a mask or as nothing. Only `open()`
 * returns it. Call `open()` only where the value must leave: to the wire, to a cipher, or because of `--reveal`.
 */
export class Secret<T extends string | Buffer = string> {
  // A private field, so that spreading, Object.entries, structuredClone and v8.serialize find nothing to copy.
  readonly #value: T
  #wiped = false

  constructor(value: T) {
    this.#value = value
  }

  /** The value itself. Throws after a Buffer was wiped: a PIN or key of zero bytes must never be sent by mistake. */
  open(): T {
    if (this.#wiped) throw new Error('A secret was opened after it had been wiped')
    return this.#value
  }

  /** Overwrites a Buffer's bytes. JavaScript can't wipe a string; it stays until garbage collection. */
  wipe(): void {
    if (!Buffer.isBuffer(this.#value)) return
    this.#value.fill(0)
    this.#wiped = true
  }

  /** Wipes at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.wipe()
  }

  /** Every implicit conversion (templates, `+`, `Number()`, comparison) sees the mask. */
  [Symbol.toPrimitive](): string {
    return MASK
  }

  toString(): string {
    return MASK
  }

  toJSON(): string {
    return MASK
  }

  [inspect.custom](): string {
    return MASK
  }
}

/**
 * A JSON value with its secrets unmasked, for the wire and for the check against the contract. Don't keep or print it.
 */
export function openSecrets(value: unknown): unknown {
  if (value instanceof Secret) {
    const open: unknown = value.open()
    return Buffer.isBuffer(open) ? open.toString('utf8') : open
  }
  if (Array.isArray(value)) return value.map(openSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, openSecrets(item)]))
}
