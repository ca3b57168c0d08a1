import {openClient} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {isPathId} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import {formatAmount} from '../../../money/amount.ts'
import {CurrencySums} from '../../../money/sum-by-currency.ts'
import {listAt, textAt} from '../../../output/fields.ts'
import {whyFailed} from '../../a2a/shared/batch-views.ts'
import {requestOfBatch, textsOfItems} from '../../a2a/shared/sent-texts.ts'
import {wholeBatch} from '../../a2a/shared/whole-batch.ts'
import {keptOfBatch} from './failed-transfers.ts'
import type {FailedTransfer, TransferSum} from './shift-types.ts'

interface Amount {
  readonly status: string
  readonly currency: string
  readonly amount: string
  /** How many transfers the amount is of; 1 by default. */
  readonly count?: number
}

/** Sums by status and currency. An amount that can't be read is counted under no currency. */
export function sumsByStatus(amounts: readonly Amount[]): TransferSum[] {
  const states = [...new Set(amounts.map(({status}) => status))].sort()
  return states.flatMap(status => {
    const sums = new CurrencySums()
    let unread = 0
    for (const {amount, currency, count = 1} of amounts.filter(one => one.status === status)) {
      try {
        sums.add(amount, currency, count)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        unread += count
      }
    }
    const read = sums.totals().map(({currency, count, text: total}) => ({status, currency, count, total}))
    return unread === 0 ? read : [...read, {status, currency: '', count: unread, total: ''}]
  })
}

/** What became of the transfers of a batch. */
interface BatchRead {
  readonly sums: readonly TransferSum[]
  readonly failedTransfers?: readonly FailedTransfer[]
}

/** Batches of one shift that are read. */
const MOST_BATCHES = 100

/**
 * What became of the transfers of batches, by batch. If the service doesn't respond, of those that were read until then,
 * with a warning.
 */
export async function readSums(
  context: Context,
  batches: readonly string[],
): Promise<ReadonlyMap<string, BatchRead>> {
  const found = new Map<string, BatchRead>()
  if (batches.length === 0) return found
  const client = await openClient(context, await context.service.target())
  try {
    for (const [at, id] of batches.filter(isPathId).slice(0, MOST_BATCHES).entries()) {
      const batch = await wholeBatch(client, id, undefined, {paced: at > 0}).catch(ifKnown)
      if (batch !== undefined) found.set(id, await readOf(context, id, listAt(batch, 'transfers.items')))
    }
  } catch (error) {
    if (isInterruption(error) || !(error instanceof Failure)) throw error
    context.printer.warn(`Could not read what became of the transfers: ${error.message}`)
  } finally {
    await client.close()
  }
  return found
}

async function readOf(context: Context, id: string, items: readonly unknown[]): Promise<BatchRead> {
  const sums = sumsByStatus(items.map(amountOf))
  const failed = items.filter(item => textAt(item, 'status') === 'FAILED')
  if (failed.length === 0) return {sums}
  using journal = await context.stores.journal()
  const texts = textsOfItems(journal, requestOfBatch(journal, id), items)
  const failedTransfers = keptOfBatch(failed).map(item => ({
    from: textAt(item, 'fromId'),
    to: textAt(item, 'toId'),
    amount: formatAmount(textAt(item, 'amount'), textAt(item, 'currency')),
    currency: textAt(item, 'currency'),
    text: texts.get(textAt(item, 'id')) ?? '',
    reason: whyFailed(item, '; '),
  }))
  return {sums, failedTransfers}
}

const amountOf = (item: unknown): Amount => ({
  status: textAt(item, 'status'),
  currency: textAt(item, 'currency'),
  amount: textAt(item, 'amount'),
})

function ifKnown(error: unknown): undefined {
  if (!(error instanceof Failure) || error.code !== 'NOT_FOUND') throw error
}
