import type {Stored} from '../store/store.ts'

/** What one account has in one currency. `id` is `ACCOUNT/CURRENCY`. Sums are minor units as decimal text: they outgrow 2^53. */
export interface Balance extends Stored {
  readonly accountId: string
  readonly currency: string
  /** Sum of all postings; negative when the account owes. */
  readonly booked: string
  /** Sum of the open holds of authorisations, never negative. */
  readonly held: string
}

/** One side of a double entry. The postings of one `entryId` add up to zero in each currency. */
export interface Posting extends Stored {
  readonly entryId: string
  readonly accountId: string
  readonly currency: string
  /** Minor units as decimal text, negative for a debit. */
  readonly minor: string
  /** Why: `opening`, `transfer`, `clearing`, `write-off` … */
  readonly kind: string
  /** Epoch milliseconds by the sandbox clock. */
  readonly at: number
}
