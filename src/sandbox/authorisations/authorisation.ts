import type {AuthCall} from '../../contract/auth-call.ts'
import type {Scenario} from '../../contract/scenarios.ts'
import type {Stored} from '../store/store.ts'
import type {Purchase} from './purchase.ts'

export type HoldStatus = 'HELD' | 'CLEARED' | 'REVERSED' | 'RELEASED'

/**
 * The hold of a transaction on its account, shared by its increments. `id` is the id of the transaction. Until the
 * endpoint answers, the amount is reserved by a separate hold with the id of the authorisation. Sums are minor units of
 * the account's currency as decimal text.
 */
export interface Hold extends Stored {
  readonly cardId: string
  readonly accountId: string
  /** Of the account. */
  readonly currency: string
  readonly minor: string
  /** In the currency of the purchases; absent if they have several. */
  readonly asked?: StoredAmount | undefined
  readonly status: HoldStatus
  /** When it is released, epoch ms by the sandbox clock; null if it holds nothing. */
  readonly until: number | null
}

/** A call to the endpoint that one process has taken. */
export interface Asking {
  readonly call: AuthCall
  /** Until then, no other process sends it. Epoch ms, real clock. */
  readonly until: number
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
  readonly asked: StoredAmount
  /** What the endpoint answered, in words; null without an endpoint. */
  readonly clientAnswer?: string | null
  /** Present until the endpoint has answered. */
  readonly asking?: Asking
}

/** Data of a purchase that its reversal repeats. */
export interface PurchaseData {
  readonly data: Scenario['transactionData']
  readonly merchant: Scenario['merchantData']
  readonly token?: Scenario['token']
  /** In percent of the amount. */
  readonly fee?: number
}

export interface Clearing extends Stored {
  readonly authorisationId: string | null
  readonly cardId: string
  readonly accountId: string
  readonly status: 'POSTED' | 'REFUSED'
  readonly reason: string | null
  readonly amount: StoredAmount
  /** In the account's currency; null if refused. */
  readonly posted: StoredAmount | null
  readonly merchantName: string | null
  /** The available amount after it. */
  readonly available: StoredAmount
  readonly createdAt: number
}

/** What the endpoint was asked, and what it said; card numbers masked. */
export interface StoredWebhookCall {
  readonly call: AuthCall
  readonly status: number | null
  readonly answer: unknown
  readonly why: string | null
}

/** One decision about a purchase. */
export interface Authorisation extends Stored {
  readonly transactionId: string
  /** Random. Tells it from an authorisation with the same id before a reset. */
  readonly mark: string
  readonly cardId: string
  readonly accountId: string
  /** `PENDING` until the endpoint answers. */
  readonly status: 'PENDING' | 'APPROVED' | 'DECLINED' | 'PARTIALLY_APPROVED'
  /** ISO 8583 data element 39; null while pending. */
  readonly responseCode: string | null
  readonly decidedBy: 'service' | 'client' | 'fallback' | null
  readonly reason: string
  readonly durationMs: number
  readonly clientDurationMs: number | null
  readonly scenario: string | null
  readonly messageCategory: string
  readonly transactionType: string
  readonly merchantName: string | null
  readonly purchase: PurchaseData
  /** Requested, in the currency of the purchase. */
  readonly amount: StoredAmount
  readonly approved: StoredAmount | null
  /** What counts against limits, approved or reserved, in the account's currency; less after a reversal. */
  readonly billed: StoredAmount
  readonly isIncrement: boolean
  /** The available amount after it. */
  readonly available: StoredAmount
  readonly createdAt: number
  readonly reversals: readonly Reversal[]
  /** Present until the endpoint has answered. */
  readonly asking?: Asking
  /** Absent if the endpoint wasn't asked. */
  readonly webhookCall?: StoredWebhookCall
}

/** The purchase of an authorisation, as far as it is kept. */
export const purchaseOf = ({
  cardId,
  transactionId,
  scenario,
  messageCategory,
  isIncrement,
  amount: {minor, currency},
  purchase: {data, merchant, token, fee},
}: Authorisation): Purchase => ({
  cardId,
  scenario,
  messageCategory,
  minor: BigInt(minor),
  currency,
  data,
  percent: fee === undefined ? undefined : {fee},
  merchant,
  token,
  wrongPin: false,
  transactionId: isIncrement ? transactionId : undefined,
})
