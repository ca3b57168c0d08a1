import type {Stored} from '../store/store.ts'

/** A planted fault: which requests it meets, and what becomes of them. */
export interface Fault extends Stored {
  /** An operation's id, a prefix ending in `*`, or null for every operation but the control ones. */
  readonly operation: string | null
  /** Values that members of the request must have, by `path:id`, `query:size` or JSON pointer into the body. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Answer with this status instead of doing anything. */
  readonly status: number | null
  readonly delayMs: number
  /** Close the connection: before the effect, or after it. */
  readonly drop: 'before' | 'after' | null
  /** 0 to 1. */
  readonly probability: number
  /** How many times it may still strike; null for no end. */
  readonly remaining: number | null
  /** How many times it struck. */
  readonly struck: number
}
