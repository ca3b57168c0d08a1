import type {Hint} from '../errors/advice.ts'
import type {ErrorCode} from '../errors/registry.ts'

/** `warning`: commands work, but trouble is ahead. `problem`: commands fail, with the exit code of `code`. */
export type FindingState = 'ok' | 'warning' | 'problem' | 'unchecked'

/** The result of one check. Nothing in it may be secret: people paste reports into tickets. */
export interface Finding {
  /** What was checked, if the step checks several things: `Data folder`. */
  readonly title?: string | undefined
  readonly state: FindingState
  /** The state, without a full stop. */
  readonly message: string
  /** What to do. */
  readonly advice?: Hint | undefined
  /** The error code of a problem. */
  readonly code?: ErrorCode | undefined
  /** The message as data for scripts. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined
}

type More = Pick<Finding, 'title' | 'facts'>

export const fine = (message: string, more: More = {}): Finding => ({state: 'ok', message, ...more})

export const doubtful = (message: string, advice: Hint, more: More = {}): Finding => ({
  state: 'warning',
  message,
  advice,
  ...more,
})

export const broken = (code: ErrorCode, message: string, advice: Hint, more: More = {}): Finding => ({
  state: 'problem',
  code,
  message,
  advice,
  ...more,
})
