import type {Stored} from '../store/store.ts'

export type BatchStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'COMPLETED_WITH_ERRORS'
export type ItemStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED'

/** A batch of account-to-account transfers. Times are epoch milliseconds by the sandbox clock. */
export interface Batch extends Stored {
  readonly status: BatchStatus
  readonly description: string | null
  readonly startTime: number
  readonly completionTime: number | null
  readonly itemCount: number
  readonly successful: number
  readonly failed: number
  /** The last item that has been settled; they are settled in their order. */
  readonly settledThrough: string | null
  /** Sums by currency, in minor units as decimal text. */
  readonly totals: Readonly<Record<string, string>>
}

/** One side of a transfer: the booking's id, or why there is none. */
export interface TransferSide {
  readonly id: string | null
  readonly errorMessage: string | null
}

export interface TransferItem extends Stored {
  readonly batchId: string
  readonly status: ItemStatus
  readonly fromId: string
  readonly toId: string
  /** As it came. */
  readonly amount: number
  readonly currency: string
  readonly text: string | null
  readonly debit: TransferSide | null
  readonly credit: TransferSide | null
  /** Present when the credit failed after its debit was booked. */
  readonly reversal: TransferSide | null
}
