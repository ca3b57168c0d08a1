import type {ErrorCode} from '../errors/registry.ts'

/** `warning`: commands work, but something will hurt. `problem`: commands fail, with the exit code of `code`. */
export type FindingState = 'ok' | 'warning' | 'problem' | 'unchecked'

/** What one look has found. Nothing in it may be secret: reports are pasted into tickets. */
export interface Finding {
  /** What was looked at, if the step looks at several things: `Data folder`. */
  readonly title?: string | undefined
  readonly state: FindingState
  /** How it is, without a full stop. */
  readonly message: string
  /** What to do about it. */
  readonly advice?: string | undefined
  /** Of a problem. */
  readonly code?: ErrorCode | undefined
  /** The same for scripts. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined
}

type More = Pick<Finding, 'title' | 'facts'>

export const fine = (message: string, more: More = {}): Finding => ({state: 'ok', message, ...more})

export const doubtful = (message: string, advice: string, more: More = {}): Finding => ({
  state: 'warning',
  message,
  advice,
  ...more,
})

export const broken = (code: ErrorCode, message: string, advice: string, more: More = {}): Finding => ({
  state: 'problem',
  code,
  message,
  advice,
  ...more,
})
