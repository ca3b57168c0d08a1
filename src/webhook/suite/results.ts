import type {Position} from '../../user-files/index.ts'
import type {Verdict} from '../send/caller.ts'
import type {Basis, Verb} from './suite-file.ts'

/** One thing that was expected, and what came. */
export interface Check {
  /**
   * `decision`, `code`, `amount`, `time`, `status`, `same`, `schema`, `query`, `step` for one that can't be run, or
   * `endpoint` if it is gone.
   */
  readonly what: string
  readonly expected: string
  /** Of the first call that failed; otherwise of the first call. */
  readonly got: string
  readonly passed: boolean
  /** The rule of the contract that was checked, by its id. */
  readonly rule?: string
  /** Absent for an expectation of a suite of one's own. */
  readonly basis?: Basis
  readonly why?: string
  /** The number of calls that failed, if there were several calls. */
  readonly failed?: number
}

/** A call that a step sent. Everything in it is masked. */
export interface SentCall
  extends Pick<Verdict, 'outcome' | 'code' | 'part' | 'status' | 'durationMs' | 'reason' | 'unknown'> {
  /** When it was sent, in ISO 8601: a number of 13 digits may look like that of a card. */
  readonly at: string
  readonly path: '/auth' | '/warm-up'
  /** The body as sent; text if it was sent as text. */
  readonly request: unknown
  readonly reply?: unknown
  /** Whether its answer differs from what was expected. */
  readonly failed?: true
}

/** What a load measured. In ms; null without answers. */
export interface LoadResult {
  readonly calls: number
  readonly late: number
  readonly invalid: number
  /** The share of calls that were answered within the deadline, 0 to 1. */
  readonly inTime: number
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly p999: number | null
  readonly max: number | null
  /** Calls per second that were sent. */
  readonly rate: number
  /** The longest delay of a call because this side was busy, in ms. It counts towards the times above. */
  readonly ownDelayMs: number
}

/**
 * A step that has ended. `skipped`: the run ended before it, or its calls can't be sent. `not checked`: they were sent, but
 * what they are about was never reached, because money was lacking.
 */
export interface StepResult extends Position {
  readonly type: 'step'
  /** From 1. */
  readonly number: number
  readonly name: string
  readonly verb: Verb
  readonly state: 'passed' | 'failed' | 'skipped' | 'not checked'
  /** Why it was skipped, if not because the run ended, or not checked, as a sentence without a full stop. */
  readonly reason?: string
  readonly durationMs: number
  readonly checks: readonly Check[]
  /** At most 100; of more, the first and those that failed. */
  readonly calls: readonly SentCall[]
  readonly load?: LoadResult
}

export interface SuiteSummary {
  readonly type: 'summary'
  readonly suite: string
  readonly steps: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly notChecked: number
  readonly checks: number
  readonly calls: number
  readonly durationMs: number
  /**
   * Why the run ended early. `unreachable`: nobody answered the first call; `gone`: the endpoint answered before, and then
   * nobody did.
   */
  readonly stopped?: {readonly why: 'unreachable' | 'gone' | 'interrupted'; readonly reason: string}
}

/** What a run tells, in this order: its suite, a step each time one ends, a summary. */
export type SuiteEvent =
  | {readonly type: 'suite'; readonly suite: string; readonly steps: number}
  | StepResult
  | SuiteSummary
