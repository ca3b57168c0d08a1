import type {Input} from '../../contract/types.ts'
import {MAX_DIGITS, minorToText} from '../../money/amount.ts'
import {exponentOf} from '../../money/exponents.ts'
import {minorOf} from '../amounts.ts'
import {localDateTime} from '../clock.ts'
import type {Call, Handlers} from '../handlers.ts'
import {nextId} from '../ids.ts'
import {badRequest, existing} from '../problems.ts'
import type {Transaction} from '../store/store.ts'
import {type Batch, batchView, itemView, statusView, type TransferItem} from './batch.ts'

/** Default page size. */
const DEFAULT_SIZE = 25
/** The one issuer in the sandbox. */
const INSTITUTION = '1'

/** One page of rows, with the key of the next page if there is one. */
interface Page<Row, Key> {
  readonly rows: readonly Row[]
  readonly next: Key | undefined
}

async function batchOf(tx: Transaction, id: string): Promise<Batch> {
  return existing(await tx.batches.get(id), 'batch')
}

/** One page of batches, newest first. `startKey` is the `lastEvaluatedKey` of the previous page. */
async function batchPage(
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

/** One page of the transfers of a batch, in order. */
async function itemPage(
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

/** Refuses an unknown key, which would give an empty page. @throws Problem 400 */
async function known(rows: {get(id: string): Promise<unknown>}, id: unknown): Promise<string> {
  const text = String(id)
  if (id === undefined || (await rows.get(text)) === undefined) {
    throw badRequest(
      'invalid-start-key',
      'query:exclusiveStartKey: pass the lastEvaluatedKey of the previous page.',
    )
  }
  return text
}

function page<Row, Key>(found: readonly Row[], size: number, keyOf: (last: Row) => Key): Page<Row, Key> {
  const rows = found.slice(0, size)
  const last = rows.at(-1)
  return {rows, next: found.length > size && last !== undefined ? keyOf(last) : undefined}
}

/** A limit of the sandbox: the service publishes none. */
const MAX_ITEMS = 10_000

type BatchRequest = Input<'a2a.create.v1'>['body']

/** Stores a batch and its transfers. Settlement moves the money later. */
async function createBatch({tx, now}: Call, request: BatchRequest): Promise<Batch> {
  const {transfers} = request
  if (transfers.length > MAX_ITEMS) {
    throw badRequest('too-many-transfers', `/transfers: a batch has at most ${MAX_ITEMS} transfers.`)
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
function totalsOf(transfers: BatchRequest['transfers']): Record<string, string> {
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

export const a2a: Handlers<'a2a'> = {
  'a2a.create.v1': async (call, {body}) => batchView(await createBatch(call, body)),

  'a2a.list.v1': async ({tx}, {query}) => {
    const {rows, next} = await batchPage(tx, query.size, query.exclusiveStartKey)
    return {size: rows.length, items: rows.map(statusView), ...(next && {lastEvaluatedKey: next})}
  },

  'a2a.get.v1': async ({tx}, {path, query}) => {
    const batch = await batchOf(tx, path.id)
    const {rows, next} = await itemPage(tx, batch, query.size, query.exclusiveStartKey)
    const transfers = {
      items: rows.map(itemView),
      size: rows.length,
      ...(next && {lastEvaluatedKey: next}),
    }
    return {...statusView(batch), transfers}
  },

  'a2a.status.v1': async ({tx}, {path}) => statusView(await batchOf(tx, path.id)),
}
