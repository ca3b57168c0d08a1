import {type Account, available} from '../accounts/account.ts'
import {minorOf} from '../amounts.ts'
import {sandboxNow} from '../clock.ts'
import {move, systemAccounts} from '../ledger.ts'
import type {Store, Transaction} from '../store/store.ts'
import type {Batch, BatchStatus, TransferItem, TransferSide} from './batch.ts'
import {openBatches} from './open-batches.ts'

/** Settles open batches in the background, in chunks, so that requests can run in between. */
export class Settler {
  readonly #settleSome: () => Promise<boolean>
  readonly #onError: (error: unknown) => void
  #running: Promise<void> | undefined
  #kicked = false
  #stopped = false

  constructor(settleNextTransfers: () => Promise<boolean>, onError: (error: unknown) => void) {
    this.#settleSome = settleNextTransfers
    this.#onError = onError
  }

  /** Starts a round of settlement, or another one after the current one. */
  kick(): void {
    if (this.#stopped) return
    this.#kicked = true
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined
    })
  }

  /** Finishes the current chunk. The next process that opens the store settles the rest. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  async #work(): Promise<void> {
    try {
      while (this.#kicked && !this.#stopped) {
        this.#kicked = false
        do await new Promise(resolve => setImmediate(resolve))
        while (!this.#stopped && (await this.#settleSome()))
      }
    } catch (error) {
      this.#onError(error)
    }
  }
}

/**
 * Settles one transfer: debits, then credits. If the credit fails, reverses the debit. Everything happens in the
 * caller's transaction, so nobody sees money in transit.
 */
async function settleItem(tx: Transaction, item: TransferItem, now: number): Promise<TransferItem> {
  const minor = minorOf(item.amount, item.currency, '/amount')
  const book = async (step: string, from: string, to: string): Promise<TransferSide> => {
    const id = `${item.id}-${step}`
    await move(tx, {id, kind: 'transfer', at: now, from, to, currency: item.currency, minor})
    return {id, errorMessage: null}
  }
  const source = await tx.accounts.get(item.fromId)
  const problem = item.fromId === item.toId ? 'Both accounts are the same' : whyNotBook(item, source)
  const hasFunds = source !== undefined && (await available(tx, source, item.currency)) >= minor
  if (problem !== undefined || !hasFunds) {
    return {...item, status: 'FAILED', debit: failed(problem ?? 'Insufficient funds')}
  }
  const debit = await book('debit', item.fromId, systemAccounts.transit)
  const failure = whyNotBook(item, await tx.accounts.get(item.toId))
  if (failure !== undefined) {
    const reversal = await book('reversal', systemAccounts.transit, item.fromId)
    return {...item, status: 'FAILED', debit, credit: failed(failure), reversal}
  }
  const credit = await book('credit', systemAccounts.transit, item.toId)
  return {...item, status: 'COMPLETED', debit, credit}
}

const failed = (errorMessage: string): TransferSide => ({id: null, errorMessage})

function whyNotBook(item: TransferItem, account: Account | undefined): string | undefined {
  if (account === undefined) return 'Account not found'
  if (account.status === 'ACCOUNT_CLOSED') return 'Account is closed'
  if (!account.currencies.includes(item.currency)) return 'Account has another currency'
  return undefined
}

/** Transfers per transaction: few enough not to delay other requests, enough to settle 10,000 transfers quickly. */
const CHUNK = 200

/**
 * Settles some transfers of the oldest open batches in one transaction, so any process that shares the store can do it.
 *
 * @param realNow the real clock, epoch ms.
 * @returns whether there was one to settle.
 */
export function settleNextTransfers(store: Store, realNow: () => number): Promise<boolean> {
  return store.transaction(async tx => {
    const now = await sandboxNow({now: realNow}, tx)
    const due = (await openBatches(tx, CHUNK)).filter(({settlesFrom = 0}) => settlesFrom <= now)
    const parts = partsOfChunk(due)
    // Read before anything is written, and all at once: a database server then gets the questions together.
    const items = await Promise.all(parts.map(part => nextItems(tx, part)))
    for (const [at, {batch}] of parts.entries()) {
      await tx.batches.put(await settleItems(tx, batch, items[at] ?? [], now))
    }
    return parts.length > 0
  })
}

/** What a chunk settles of a batch. */
interface Part {
  readonly batch: Batch
  /** Number of transfers. */
  readonly size: number
}

function partsOfChunk(batches: readonly Batch[]): readonly Part[] {
  let room = CHUNK
  return batches.flatMap(batch => {
    if (room === 0) return []
    const size = Math.min(room, batch.itemCount - batch.successful - batch.failed)
    room -= size
    return [{batch, size}]
  })
}

const nextItems = (tx: Transaction, {batch, size}: Part): Promise<readonly TransferItem[]> =>
  tx.transferItems.list({
    where: {batchId: batch.id},
    limit: size,
    ...(batch.settledThrough === null ? {} : {after: batch.settledThrough}),
  })

async function settleItems(
  tx: Transaction,
  batch: Batch,
  items: readonly TransferItem[],
  now: number,
): Promise<Batch> {
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
