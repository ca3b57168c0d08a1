import {clockOffset} from '../clock.ts'
import type {Batch, BatchStatus} from '../state/batch.ts'
import type {Store, Transaction} from '../store/store.ts'
import {settleItem} from './settle-item.ts'

/** Items per transaction: so few that other requests get in between, so many that ten thousand don't take long. */
const CHUNK = 200

/**
 * Settles some items of the oldest open batch, in one transaction. Any process on the store may do it: what is still
 * open is read inside the transaction.
 *
 * @param realNow the real clock, epoch ms.
 * @returns whether there was something to do.
 */
export function settleSome(store: Store, realNow: () => number): Promise<boolean> {
  return store.transaction(async tx => {
    const [batch] = await tx.batches.list({where: {status: 'IN_PROGRESS'}, limit: 1})
    if (batch === undefined) return false
    await tx.batches.put(await settleChunk(tx, batch, realNow() + (await clockOffset(tx))))
    return true
  })
}

async function settleChunk(tx: Transaction, batch: Batch, now: number): Promise<Batch> {
  const items = await tx.transferItems.list({
    where: {batchId: batch.id},
    limit: CHUNK,
    ...(batch.settledThrough === null ? {} : {after: batch.settledThrough}),
  })
  let {successful, failed, settledThrough} = batch
  for (const item of items) {
    const settled = await settleItem(tx, item, now)
    await tx.transferItems.put(settled)
    if (settled.status === 'COMPLETED') successful += 1
    else failed += 1
    settledThrough = item.id
  }
  const done = successful + failed === batch.itemCount
  return {
    ...batch,
    successful,
    failed,
    settledThrough,
    status: done ? endStatus(successful, failed) : 'IN_PROGRESS',
    completionTime: done ? now : null,
  }
}

function endStatus(successful: number, failed: number): BatchStatus {
  if (failed === 0) return 'COMPLETED'
  return successful === 0 ? 'FAILED' : 'COMPLETED_WITH_ERRORS'
}
