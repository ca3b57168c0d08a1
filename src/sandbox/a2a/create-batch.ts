import {exponentOf, MAX_DIGITS, minorToText} from '../../money/index.ts'
import {minorOf} from '../amounts.ts'
import type {Call} from '../call.ts'
import {nextId} from '../ids.ts'
import {badRequest} from '../problems.ts'
import type {Batch} from '../state/batch.ts'

/** No limit is published; a batch of more is refused whole. */
export const MAX_ITEMS = 10_000

interface TransferRequest {
  readonly fromAccountId: string
  readonly toAccountId: string
  readonly amount: number
  readonly currency: string
  readonly text?: string
}

export interface BatchRequest {
  readonly description?: string
  readonly transfers: readonly TransferRequest[]
}

/** Takes a batch and its items; nothing is moved yet. */
export async function createBatch({tx, now}: Call, request: BatchRequest): Promise<Batch> {
  const {transfers} = request
  if (transfers.length > MAX_ITEMS) {
    throw badRequest('too-many-transfers', `/transfers: at most ${MAX_ITEMS} are taken at once.`)
  }
  const totals = totalsOf(transfers)
  const id = await nextId(tx, 'batch')
  const batch: Batch = {
    id,
    status: 'IN_PROGRESS',
    description: request.description ?? null,
    startTime: now,
    completionTime: null,
    itemCount: transfers.length,
    successful: 0,
    failed: 0,
    settledThrough: null,
    totals,
  }
  await tx.batches.put(batch)
  for (const [index, transfer] of transfers.entries()) {
    await tx.transferItems.put({
      id: `${id}-${index + 1}`,
      batchId: id,
      status: 'IN_PROGRESS',
      fromId: transfer.fromAccountId,
      toId: transfer.toAccountId,
      amount: transfer.amount,
      currency: transfer.currency,
      text: transfer.text ?? null,
      debit: null,
      credit: null,
      reversal: null,
    })
  }
  return batch
}

/** Sums by currency, in minor units. */
function totalsOf(transfers: readonly TransferRequest[]): Record<string, string> {
  const sums = new Map<string, bigint>()
  for (const [index, {amount, currency}] of transfers.entries()) {
    const minor = minorOf(amount, currency, `/transfers/${index}/amount`)
    sums.set(currency, (sums.get(currency) ?? 0n) + minor)
  }
  for (const [currency, minor] of sums) {
    const digits = minorToText(minor, exponentOf(currency)).replace(/^0\.0*|\.?0*$|\./g, '')
    if (digits.length > MAX_DIGITS) {
      throw badRequest(
        'total-too-large',
        `/transfers: the total in ${currency} has more than ${MAX_DIGITS} digits.`,
      )
    }
  }
  return Object.fromEntries([...sums].map(([currency, minor]) => [currency, String(minor)]))
}
