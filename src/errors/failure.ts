import {Advice, advice, type Hint} from './advice.ts'
import type {Blame} from './blame.ts'
import {duration} from './duration.ts'
import {type ErrorCode, errorRegistry, exitOf} from './registry.ts'
import type {SuggestedCommand} from './suggested-command.ts'
import {remedyOf} from './system-reason.ts'

/** Whether a failed request had an effect. */
export type EffectOutcome = 'none' | 'done' | 'unknown'

/** RFC 9457 problem details as the service sent them, with unknown fields. */
export type ProblemDetails = Readonly<Record<string, unknown>>

export interface FailureDetails {
  /** What happened and where, in one sentence without secrets. */
  readonly message: string
  /** What to do. The default is the hint of the registry. */
  readonly hint?: Hint | undefined
  /** Who or what is to blame, where that is known. */
  readonly blame?: Blame | undefined
  /** A rule of a live profile refused it, whatever its code: the audit trail has an entry. */
  readonly refuses?: true | undefined
  /** HTTP status of the response, if there was one. */
  readonly status?: number | undefined
  /** In how many seconds the service asks to send the request again. */
  readonly retryAfter?: number | undefined
  /** Id of the request in the journal. */
  readonly requestId?: string | undefined
  readonly effect?: EffectOutcome | undefined
  /** False if certainly no byte of the request has left this machine. */
  readonly left?: boolean | undefined
  /** The effect of all that the command has sent, for a failure that doesn't know its own. Only for programs. */
  readonly commandEffect?: EffectOutcome | undefined
  /** The command has sent no request at all, and people want to know. */
  readonly sentNothing?: true | undefined
  /** Whether it is safe to send the same request again with the same key. */
  readonly repeatable?: boolean | undefined
  readonly idempotencyKey?: string | undefined
  /** The message says of each part whether it had an effect, so people read nothing about the whole. */
  readonly saysEffect?: true | undefined
  readonly problem?: ProblemDetails | undefined
  /** The response was an HTML page, so it came from something in front of the service. */
  readonly isPage?: true | undefined
  /**
   * The body of a success that could not be recognised, for stdout: it may be the only place with the new id. Never in
   * a message.
   */
  readonly reply?: unknown
  /** More plain data for the JSON form, for example the bad rows of a file. */
  readonly data?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
}

/** What waiting helps with. */
const MAY_PASS: ReadonlySet<ErrorCode> = new Set(['RATE_LIMITED', 'SERVICE_FAULT'])

/** An expected failure, thrown anywhere in src. Only `src/cli/main.ts` prints it and decides the exit code. */
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
    return exitOf(this.code)
  }

  /** What to do, as text. */
  get hint(): string {
    return this.advice.toString()
  }

  /** What to do. The commands in it are data. */
  get advice(): Advice {
    const {hint, retryAfter} = this.details
    if (hint === undefined && retryAfter !== undefined && MAY_PASS.has(this.code))
      return advice`Wait ${duration(retryAfter * 1000)}, as the service asks, and send the request again.`
    const given: Hint = hint ?? remedyOf(this.cause) ?? errorRegistry[this.code].hint
    return given instanceof Advice ? given : advice`${given}`
  }

  /** A copy of the failure whose hint has other commands, for example with the profile of the command. */
  withCommands(change: (command: SuggestedCommand) => SuggestedCommand): Failure {
    const {advice: before} = this
    return before.commands.length === 0 ? this : this.with({hint: before.map(change)})
  }

  /** A copy of the failure with more details, for example the id of the request in the journal. */
  with(more: Partial<FailureDetails>): Failure {
    return new Failure(this.code, {...this.details, ...more})
  }
}

/** Whether a store can't be used for a reason outside of it, which may be gone later. */
export const isStoreAway = (error: unknown): error is Failure =>
  error instanceof Failure && STORE_AWAY.has(error.code)

const STORE_AWAY: ReadonlySet<ErrorCode> = new Set(['STORE_UNAVAILABLE', 'FILE_LOCKED', 'DISK_FULL'])
