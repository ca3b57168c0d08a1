import {localDateTime} from '../clock.ts'
import {badRequest, notFound} from '../problems.ts'
import type {Batch, TransferItem} from '../state/batch.ts'
import type {Transaction} from '../store/store.ts'

/** Batches or items per page when the request doesn't say. */
const DEFAULT_SIZE = 25
/** The one issuer that the sandbox serves. */
const INSTITUTION = '1'

/** Rows of a page, and the key of the next one unless it is the last. */
interface Page<Row, Key> {
  readonly rows: readonly Row[]
  readonly next: Key | undefined
}

export async function batchOf(tx: Transaction, id: string): Promise<Batch> {
  const batch = await tx.batches.get(id)
  if (batch === undefined) throw notFound('batch')
  return batch
}

/** One page of batches, the newest first. `startKey` is the `lastEvaluatedKey` of the page before. */
export async function batchPage(
  tx: Transaction,
  size = DEFAULT_SIZE,
  startKey: {readonly id?: unknown} | undefined,
): Promise<Page<Batch, {institutionId: string; startTime: string; id: string}>> {
  const after = startKey === undefined ? undefined : await known(tx.batches, startKey.id)
  const rows = await tx.batches.list({order: 'newest', limit: size + 1, ...(after && {after})})
  return page(rows, size, last => ({
    institutionId: INSTITUTION,
    startTime: localDateTime(last.startTime),
    id: last.id,
  }))
}

/** One page of a batch's items, in their order. */
export async function itemPage(
  tx: Transaction,
  batch: Batch,
  size = DEFAULT_SIZE,
  startKey: {readonly transferId?: unknown} | undefined,
): Promise<Page<TransferItem, {batchTransferId: string; status: string; transferId: string}>> {
  const after = startKey === undefined ? undefined : await known(tx.transferItems, startKey.transferId)
  const where = {batchId: batch.id}
  const rows = await tx.transferItems.list({where, limit: size + 1, ...(after && {after})})
  return page(rows, size, last => ({batchTransferId: batch.id, status: last.status, transferId: last.id}))
}

/** A key that was made up would silently give nothing. */
async function known(rows: {get(id: string): Promise<unknown>}, id: unknown): Promise<string> {
  const text = String(id)
  if (id === undefined || (await rows.get(text)) === undefined) {
    throw badRequest(
      'invalid-start-key',
      'query:exclusiveStartKey: it is not the lastEvaluatedKey of a page.',
    )
  }
  return text
}

function page<Row, Key>(found: readonly Row[], size: number, keyOf: (last: Row) => Key): Page<Row, Key> {
  const rows = found.slice(0, size)
  const last = rows.at(-1)
  return {rows, next: found.length > size && last !== undefined ? keyOf(last) : undefined}
}
