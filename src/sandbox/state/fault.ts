import type {Stored} from '../store/store.ts'

/** A planted fault: which requests it meets, and what becomes of them. */
export interface Fault extends Stored {
  /** An operation's id, a beginning of some with a star at its end, or null for all but the control operations. */
  readonly operation: string | null
  /** Values that members of the request must have, by `path:id`, `query:size` or JSON pointer into the body. */
  readonly match: Readonly<Record<string, string | number | boolean | null>>
  /** Answer with this status instead of the effect. */
  readonly status: number | null
  /** Members in place of those of the problem that goes with the status. */
  readonly problem: Readonly<Record<string, unknown>> | null
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
