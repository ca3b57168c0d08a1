import type {Violation} from '../contract/violation.ts'
import type {Earlier, Found} from './earlier-decisions.ts'
import type {CallKind, ReceivedCall} from './received-call.ts'
import type {Outcome} from './response-codes.ts'

/** One thing that was tried on the way to an answer: who or what (`rules`, `exec`, `forward` …), and what it said. */
export interface Step {
  readonly by: string
  readonly said: string
}

/** A call that waits for its decision. */
export interface Pending {
  /** The id of its later event. */
  readonly event: string
  /** When it came, milliseconds since 1970. */
  readonly at: number
  readonly summary: CallSummary
  /** As received: mask it before you show or keep it. */
  readonly call: ReceivedCall
}

/** A call and its outcome, as recorded and shown. Everything in it is masked. */
export interface Exchange {
  readonly event: WebhookEvent
  readonly request: {
    readonly method: string
    readonly path: string
    /** Parsed; text where it is no JSON; absent where it was not read. */
    readonly body?: unknown
  }
  /** Absent when the connection was closed without an answer. */
  readonly reply?: {readonly status: number; readonly body?: unknown}
  readonly steps: readonly Step[]
}

/** Keeps exchanges. The answer leaves when `record` has resolved, so it decides how much can be lost. */
export interface Recorder {
  /** Never rejects: a recording that fails must not cost an authorisation. */
  record(exchange: Exchange): Promise<void>
  /**
   * What was recorded of calls with that id (`metadata.id`): the decision about the same call, to be answered again, or
   * the event of another one. `masked` is the call as it would be recorded.
   */
  earlier?(id: string, masked: ReceivedCall): Earlier<Found>
  close(): Promise<void>
}

interface At {
  /** Its own id, `e_…`: what `webhook events show` takes. */
  readonly event: string
  /** When the call came, milliseconds since 1970. */
  readonly at: number
  /** From the head of the call to its answer, ms. */
  readonly durationMs: number
}

/** What an authorisation was about, card numbers masked. */
export interface CallSummary {
  /** `metadata.id`; for a call without one a name made of its masked body, `body-…`, under which nothing is remembered. */
  readonly id: string
  readonly kind: CallKind
  readonly messageCategory?: string
  readonly transactionType?: string
  /** Empty where the call names none. */
  readonly merchant: string
  readonly amount?: number
  readonly currency?: string
  readonly cardId?: string
  readonly deadlineMs: number
  /** Where the call holds members or values that the contract doesn't know, as JSON pointers. */
  readonly unknown?: readonly string[]
  /** What the call has in another way than the contract says: at most ten. */
  readonly differs?: readonly Violation[]
  /** The event of another call that had this id: the id is known, and the body is not. */
  readonly reusedId?: string
}

export interface WarmUpEvent extends At {
  readonly type: 'warm-up'
  /** What it has in another way than the contract says. */
  readonly differs?: readonly Violation[]
}

export interface AuthEvent extends At, CallSummary {
  readonly type: 'auth'
  /** `broken`: something that is no answer of the contract, on purpose; `none`: no answer, on purpose. */
  readonly outcome: Outcome | 'broken' | 'none'
  /** The response code as it went out, or the HTTP status of a broken answer. */
  readonly code?: string
  /** The approved amount of a partial approval. */
  readonly part?: {readonly amount: number; readonly currency: string}
  /** The decider. */
  readonly by: string
  /** Why the decider could not decide as usual. */
  readonly because?: string
  /** Fields of the answer that the service ignores, in words. */
  readonly unread?: readonly string[]
  /** Whether it is the answer to an earlier call, the same under the same id, given again. */
  readonly repeated: boolean
}

/** A call without a decision: unreadable, unknown, or no decider had a usable answer. Has its content if it was read. */
export interface RejectedEvent extends At, Partial<CallSummary> {
  readonly type: 'rejected'
  readonly status: number
  readonly reason: string
}

/** No answer within the deadline: the service has decided by itself, and the endpoint must undo any hold. */
export interface LateEvent extends At, CallSummary {
  readonly type: 'late'
  /** There was an answer, but the caller had gone before it. */
  readonly callerGone?: true
}

export type WebhookEvent = WarmUpEvent | AuthEvent | RejectedEvent | LateEvent
