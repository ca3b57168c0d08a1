import {type ErrorCode, errorRegistry} from './registry.ts'

/** What became of the effect of a request that failed. */
export type EffectOutcome = 'none' | 'done' | 'unknown'

/** RFC 9457 problem details as the service sent them, unknown members included. */
export type ProblemDetails = Readonly<Record<string, unknown>>

export interface FailureDetails {
  /** What is wrong, and where. One sentence, no secrets. */
  readonly message: string
  /** What to do; without it, the registry's. */
  readonly hint?: string | undefined
  /** HTTP status of the answer, if there was one. */
  readonly status?: number | undefined
  /** The journal's id of the request. */
  readonly requestId?: string | undefined
  readonly effect?: EffectOutcome | undefined
  /** Whether the same request with the same key may safely be sent again. */
  readonly repeatable?: boolean | undefined
  readonly idempotencyKey?: string | undefined
  readonly problem?: ProblemDetails | undefined
  /** The answer was an HTML page, so it came from something in front of the service. */
  readonly isPage?: true | undefined
  /** What a success that proves nothing held, for stdout: it may be all that names what was made. Never in a message. */
  readonly reply?: unknown
  /** Further plain data for the JSON form, e.g. the bad rows of a file. */
  readonly data?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
}

/**
 * An expected failure. Every room throws this; the base command alone prints it and sets the exit code.
 */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly details: FailureDetails

  constructor(code: ErrorCode, details: FailureDetails) {
    super(details.message, details.cause === undefined ? undefined : {cause: details.cause})
    this.name = 'Failure'
    this.code = code
    this.details = details
  }

  get exit(): number {
    return errorRegistry[this.code].exit
  }

  get hint(): string {
    return this.details.hint ?? errorRegistry[this.code].hint
  }

  /** The same failure with more details, e.g. the journal's id added on its way out. */
  with(more: Partial<FailureDetails>): Failure {
    return new Failure(this.code, {...this.details, ...more})
  }
}
