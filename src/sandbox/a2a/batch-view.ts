import {amountOf} from '../amounts.ts'
import {localDateTime} from '../clock.ts'
import type {Batch, TransferItem} from '../state/batch.ts'

/** A batch as it is answered when it is taken. */
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

/** A batch with how far it has come. */
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
