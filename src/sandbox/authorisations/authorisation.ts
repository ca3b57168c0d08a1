import type {Scenario} from '../../contract/scenarios.ts'
import type {Stored} from '../store/store.ts'

export type HoldStatus = 'HELD' | 'CLEARED' | 'REVERSED' | 'RELEASED'

/**
 * What a transaction holds on its account; its increments share it. `id` is the transaction's id; while a client is asked,
 * what its authorisation reserves is a hold of its own, under the authorisation's id. Sums are minor units of the account's
 * currency as decimal text.
 */
export interface Hold extends Stored {
  readonly cardId: string
  readonly accountId: string
  /** Of the account. */
  readonly currency: string
  readonly minor: string
  /** The same as the merchant asked for it; absent where that is in several currencies. */
  readonly asked?: StoredAmount | undefined
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
  /** The same in the currency of the purchase. */
  readonly asked?: StoredAmount
  /** How the client took it, in words; null where there is none to be told. */
  readonly clientAnswer?: string | null
}

/** What a purchase was like, to be told again with its reversal. */
export interface Told {
  readonly data: Scenario['transactionData']
  readonly merchant: Scenario['merchantData']
  readonly token?: Scenario['token']
  /** Of the amount, in percent. */
  readonly fee?: number
}

export interface Clearing extends Stored {
  readonly authorisationId: string | null
  readonly cardId: string
  readonly accountId: string
  readonly status: 'POSTED' | 'REFUSED'
  readonly reason: string | null
  readonly amount: StoredAmount
  /** In the account's currency; null where nothing was. Absent in the state of earlier versions. */
  readonly posted?: StoredAmount | null
  readonly merchantName: string | null
  /** What could be spent after it. */
  readonly available: StoredAmount
  readonly createdAt: number
}

/** One decision about a purchase. */
export interface Authorisation extends Stored {
  readonly transactionId: string
  /** Random: ids begin anew with a reset. Absent in the state of earlier versions. */
  readonly mark?: string
  readonly cardId: string
  readonly accountId: string
  /** `PENDING` while the client is asked. */
  readonly status: 'PENDING' | 'APPROVED' | 'DECLINED' | 'PARTIALLY_APPROVED'
  /** ISO 8583 data element 39; null while the client is asked. */
  readonly responseCode: string | null
  readonly decidedBy: 'service' | 'client' | 'fallback' | null
  readonly reason: string
  readonly durationMs: number
  readonly clientDurationMs: number | null
  readonly scenario: string | null
  readonly messageCategory: string
  readonly transactionType: string
  readonly merchantName: string | null
  /** Absent in the state of earlier versions. */
  readonly told?: Told
  /** What was asked for, in the transaction's currency. */
  readonly amount: StoredAmount
  readonly approved: StoredAmount | null
  /** What of the approved, or the reserved, counts against limits, in the account's currency: less after a reversal. */
  readonly billed: StoredAmount
  readonly isIncrement: boolean
  /** What could be spent after it. */
  readonly available: StoredAmount
  readonly createdAt: number
  readonly reversals: readonly Reversal[]
}
