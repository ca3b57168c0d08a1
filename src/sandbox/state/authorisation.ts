import type {Stored} from '../store/store.ts'

export type HoldStatus = 'HELD' | 'CLEARED' | 'REVERSED' | 'RELEASED'

/**
 * What a transaction holds on its account; its increments share it. `id` is the transaction's id. Sums are minor units
 * of the account's currency as decimal text.
 */
export interface Hold extends Stored {
  readonly cardId: string
  readonly accountId: string
  /** Of the account. */
  readonly currency: string
  readonly minor: string
  readonly status: HoldStatus
  /** When it is released by itself, epoch ms by the sandbox clock; null once it holds nothing. */
  readonly until: number | null
}

/** An amount in minor units as decimal text. */
export interface StoredAmount {
  readonly minor: string
  readonly currency: string
}

export interface Reversal {
  readonly at: number
  readonly given: StoredAmount
}

export interface Clearing extends Stored {
  readonly authorisationId: string | null
  readonly cardId: string
  readonly accountId: string
  readonly status: 'POSTED' | 'REFUSED'
  readonly reason: string | null
  readonly amount: StoredAmount
  readonly merchantName: string | null
  /** What could be spent after it. */
  readonly available: StoredAmount
  readonly createdAt: number
}

/** One decision about a purchase. */
export interface Authorisation extends Stored {
  readonly transactionId: string
  readonly cardId: string
  readonly accountId: string
  readonly status: 'APPROVED' | 'DECLINED' | 'PARTIALLY_APPROVED'
  /** ISO 8583 data element 39. */
  readonly responseCode: string
  readonly decidedBy: 'service' | 'client' | 'fallback'
  readonly reason: string
  readonly durationMs: number
  readonly clientDurationMs: number | null
  readonly scenario: string | null
  readonly messageCategory: string
  readonly transactionType: string
  readonly merchantName: string | null
  /** What was asked for, in the transaction's currency. */
  readonly amount: StoredAmount
  readonly approved: StoredAmount | null
  /** What of the approved counts against limits, in the account's currency: less after a reversal. */
  readonly billed: StoredAmount
  readonly isIncrement: boolean
  /** What could be spent after it. */
  readonly available: StoredAmount
  readonly createdAt: number
  readonly reversals: readonly Reversal[]
}
