import {inspect} from 'node:util'

export const MASK = '[masked]'

/**
 * A value that must never surface: it prints, serialises and inspects as a mask. `open()` is the one way in, and is
 * called only where the value leaves on purpose: the wire, a cipher, the reveal door.
 */
export class Secret<T extends string | Buffer = string> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  open(): T {
    return this.#value
  }

  /** Overwrites a Buffer's bytes. A string cannot be wiped in JavaScript; it goes with the garbage collector. */
  wipe(): void {
    if (Buffer.isBuffer(this.#value)) this.#value.fill(0)
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
