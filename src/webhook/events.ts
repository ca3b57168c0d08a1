import type {CallKind} from './call-kind.ts'
import type {Outcome} from './response-codes.ts'

interface At {
  /** When the call came, milliseconds since 1970. */
  readonly at: number
  /** From the head of the call to its answer, ms. */
  readonly durationMs: number
}

/** What an authorisation was about, card numbers masked. */
export interface CallSummary {
  /** `metadata.id`. */
  readonly id: string
  readonly kind: CallKind
  readonly messageCategory?: string
  readonly transactionType: string
  readonly merchant: string
  readonly amount?: number
  readonly currency?: string
  readonly cardId: string
  readonly deadlineMs: number
}

export interface WarmUpEvent extends At {
  readonly type: 'warm-up'
}

export interface AuthEvent extends At, CallSummary {
  readonly type: 'auth'
  readonly outcome: Outcome
  /** The response code as it went out. */
  readonly code: string
  /** What decided. */
  readonly by: string
  /** Whether the answer to an earlier call of the same id was given again. */
  readonly repeated: boolean
}

/** A call that got no decision: unreadable, unknown, or nobody gave a usable one. */
export interface RejectedEvent extends At {
  readonly type: 'rejected'
  readonly status: number
  readonly reason: string
  readonly id?: string
}

/** No decision within the deadline: the service has decided by itself. */
export interface LateEvent extends At, CallSummary {
  readonly type: 'late'
}

export type WebhookEvent = WarmUpEvent | AuthEvent | RejectedEvent | LateEvent
