import {amountOf} from '../amounts.ts'
import {localDateTime} from '../clock.ts'
import type {Stored} from '../store/store.ts'

export type BatchStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'COMPLETED_WITH_ERRORS'
type ItemStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED'

/** A batch of account-to-account transfers. Times are epoch milliseconds by the sandbox clock. */
export interface Batch extends Stored {
  readonly status: BatchStatus
  readonly description: string | null
  readonly startTime: number
  readonly completionTime: number | null
  readonly itemCount: number
  readonly successful: number
  readonly failed: number
  /** The last settled transfer. Transfers are settled in order. */
  readonly settledThrough: string | null
  /** Not settled before, by the sandbox clock; absent for at once. */
  readonly settlesFrom?: number
  /** Sums by currency, in minor units as decimal text. */
  readonly totals: Readonly<Record<string, string>>
}

/** One side of a transfer: the id of its entry, or why there is none. */
export interface TransferSide {
  readonly id: string | null
  readonly errorMessage: string | null
}

export interface TransferItem extends Stored {
  readonly batchId: string
  readonly status: ItemStatus
  readonly fromId: string
  readonly toId: string
  /** As the client sent it. */
  readonly amount: number
  readonly currency: string
  readonly text: string | null
  readonly debit: TransferSide | null
  readonly credit: TransferSide | null
  /** Present if the credit failed after the debit. */
  readonly reversal: TransferSide | null
}

/** A batch as `a2a create` returns it. */
export function batchView(batch: Batch) {
  return {
    id: batch.id,
    status: batch.status,
    startTime: localDateTime(batch.startTime),
    transferItemCount: batch.itemCount,
    description: batch.description,
    totalAmount: Object.fromEntries(
      Object.entries(batch.totals).map(([currency, minor]) => [currency, amountOf(BigInt(minor), currency)]),
    ),
  }
}

/** A batch with its progress. */
export function statusView(batch: Batch) {
  return {
    ...batchView(batch),
    completionTime: batch.completionTime === null ? null : localDateTime(batch.completionTime),
    successfulTransferItems: batch.successful,
    failedTransferItems: batch.failed,
  }
}

export function itemView(item: TransferItem) {
  return {
    id: item.id,
    status: item.status,
    type: 'A2A' as const,
    fromId: item.fromId,
    toId: item.toId,
    amount: item.amount,
    currency: item.currency,
    creditTransaction: item.credit,
    debitTransaction: item.debit,
    reversalTransaction: item.reversal,
  }
}
