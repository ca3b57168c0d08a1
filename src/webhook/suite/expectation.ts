import type {Verdict} from '../send/caller.ts'
import type {Basis} from './suite-file.ts'

/** A call that was sent, and its outcome. Unmasked: mask it before you show it. */
export interface Sent {
  readonly call: unknown
  readonly verdict: Verdict
}

/** The result for one call. */
export interface Tested {
  readonly passed: boolean
  /** What came, in a few words. */
  readonly got: string
}

/** One thing that is expected of an answer. */
export interface Expectation {
  /** `decision`, `code`, `amount` … */
  readonly what: string
  /** In words: `approved or partial`, `within 500 ms`. */
  readonly expected: string
  readonly rule?: string
  readonly basis?: Basis
  readonly why?: string
  test(sent: Sent, earlier: (step: string) => Sent | undefined): Tested
}
