import type {Violation} from '../contract/violation.ts'
import type {CallKind, ReceivedCall} from './received-call.ts'
import type {RecordedHeaders} from './recorded-headers.ts'
import type {Outcome} from './response-codes.ts'

/** One step towards an answer: who was asked (`rules`, `exec`, `forward` …), and the result. */
export interface Step {
  readonly by: string
  readonly said: string
  /** Those of the endpoint's answer. */
  readonly headers?: RecordedHeaders
}

/** A call that waits for its decision. */
export interface Pending {
  /** The id of its later event. */
  readonly event: string
  /** When it arrived, milliseconds since 1970. */
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
    /** Absent in older recordings, and for what is not HTTP. */
    readonly headers?: RecordedHeaders
    /** Parsed; text if it is not JSON; absent if it was not read. */
    readonly body?: unknown
  }
  /** Absent if the connection was closed without an answer. */
  readonly reply?: {
    readonly status: number
    /** Without those that describe the connection or the length. Absent in older recordings. */
    readonly headers?: RecordedHeaders
    readonly body?: unknown
  }
  readonly steps: readonly Step[]
}

interface At {
  /** Its own id, `e_…`: what `webhook events show` takes. */
  readonly event: string
  /** When the call arrived, milliseconds since 1970. */
  readonly at: number
  /** From the head of the call to its answer, ms. */
  readonly durationMs: number
}

/** What an authorisation was about, card numbers masked. */
export interface CallSummary {
  /** `metadata.id`. For a call without one, a name made of its masked body, `body-…`, which is not remembered. */
  readonly id: string
  readonly kind: CallKind
  readonly messageCategory?: string
  readonly transactionType?: string
  /** Empty if the call names none. */
  readonly merchant: string
  readonly amount?: number
  readonly currency?: string
  readonly cardId?: string
  readonly deadlineMs: number
  /** Fields and values of the call that the contract doesn't know, as JSON pointers. */
  readonly unknown?: readonly string[]
  /** Where the call differs from the contract: at most ten. */
  readonly differs?: readonly Violation[]
  /** The event of another call with the same id and another body. */
  readonly reusedId?: string
}

export interface WarmUpEvent extends At {
  readonly type: 'warm-up'
  /** Where it differs from the contract. */
  readonly differs?: readonly Violation[]
}

export interface AuthEvent extends At, CallSummary {
  readonly type: 'auth'
  /** `broken`: deliberately not an answer of the contract; `none`: deliberately no answer. */
  readonly outcome: Outcome | 'broken' | 'none'
  /** The response code as sent, or the HTTP status of a broken answer. */
  readonly code?: string
  /** The approved amount of a partial approval. */
  readonly part?: {readonly amount: number; readonly currency: string}
  /** The decider. */
  readonly by: string
  /** Why the decider could not decide as usual. */
  readonly because?: string
  /** Fields of the answer that the service ignores, in words. */
  readonly unread?: readonly string[]
  /** Whether it is the repeated answer to an earlier call, the same under the same id. */
  readonly repeated: boolean
}

/** A call without a decision: unreadable, unknown, or no decider had a usable answer. Has its content if it was read. */
export interface RejectedEvent extends At, Partial<CallSummary> {
  readonly type: 'rejected'
  readonly status: number
  readonly reason: string
}

/** No answer within the deadline. The service has decided itself, and the endpoint must undo any hold. */
export interface LateEvent extends At, CallSummary {
  readonly type: 'late'
  /** There was an answer, but the caller had disconnected before it. */
  readonly callerGone?: true
}

export type WebhookEvent = WarmUpEvent | AuthEvent | RejectedEvent | LateEvent
