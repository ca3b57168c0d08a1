import {type Account, available} from '../accounts/account.ts'
import {minorOf} from '../amounts.ts'
import {clockOffset} from '../clock.ts'
import {type Leg, post} from '../ledger.ts'
import type {Store, Transaction} from '../store/store.ts'
import type {Batch, BatchStatus, TransferItem, TransferSide} from './batch.ts'

/** Works through what is open in the background, a piece at a time, so that requests are answered in between. */
export class Settler {
  readonly #settleSome: () => Promise<boolean>
  readonly #onError: (error: unknown) => void
  #running: Promise<void> | undefined
  #kicked = false
  #stopped = false

  constructor(settleSome: () => Promise<boolean>, onError: (error: unknown) => void) {
    this.#settleSome = settleSome
    this.#onError = onError
  }

  /** There may be something to do: starts, or looks once more when it is done with what it is at. */
  kick(): void {
    if (this.#stopped) return
    this.#kicked = true
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined
    })
  }

  /** Finishes the piece at hand; the rest is for the next process on the store. */
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

/** Money between its debit and its credit. */
const TRANSIT = 'system:transit'

/**
 * Moves the money of one item: a debit, then a credit; a credit that fails is followed by the reversal of its debit.
 * All of it is in the caller's transaction, so nobody ever sees money in transit.
 */
async function settleItem(tx: Transaction, item: TransferItem, now: number): Promise<TransferItem> {
  const minor = minorOf(item.amount, item.currency, '/amount')
  const move = async (step: string, from: string, to: string): Promise<TransferSide> => {
    const id = `${item.id}-${step}`
    const legs: Leg[] = [
      {accountId: from, currency: item.currency, minor: -minor},
      {accountId: to, currency: item.currency, minor},
    ]
    await post(tx, {id, kind: 'transfer', at: now, legs})
    return {id, errorMessage: null}
  }
  const source = await tx.accounts.get(item.fromId)
  const refusal = whyNotDebit(item, source) ?? (await whyNoFunds(tx, item, source, minor))
  if (refusal !== undefined) return {...item, status: 'FAILED', debit: failed(refusal)}
  const debit = await move('debit', item.fromId, TRANSIT)
  const trouble = whyNotBook(item, await tx.accounts.get(item.toId))
  if (trouble !== undefined) {
    const reversal = await move('reversal', TRANSIT, item.fromId)
    return {...item, status: 'FAILED', debit, credit: failed(trouble), reversal}
  }
  const credit = await move('credit', TRANSIT, item.toId)
  return {...item, status: 'COMPLETED', debit, credit}
}

const failed = (errorMessage: string): TransferSide => ({id: null, errorMessage})

function whyNotDebit(item: TransferItem, account: Account | undefined): string | undefined {
  if (item.fromId === item.toId) return 'Both accounts are the same'
  return whyNotBook(item, account)
}

function whyNotBook(item: TransferItem, account: Account | undefined): string | undefined {
  if (account === undefined) return 'Account not found'
  if (account.status === 'ACCOUNT_CLOSED') return 'Account is closed'
  if (!account.currencies.includes(item.currency)) return 'Account has another currency'
  return undefined
}

async function whyNoFunds(
  tx: Transaction,
  item: TransferItem,
  account: Account | undefined,
  minor: bigint,
): Promise<string | undefined> {
  const enough = account !== undefined && (await available(tx, account, item.currency)) >= minor
  return enough ? undefined : 'Insufficient funds'
}

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
