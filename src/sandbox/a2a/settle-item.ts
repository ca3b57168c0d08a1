import {minorOf} from '../amounts.ts'
import {available} from '../available.ts'
import {type Leg, post} from '../ledger.ts'
import type {Account} from '../state/account.ts'
import type {TransferItem, TransferSide} from '../state/batch.ts'
import type {Transaction} from '../store/store.ts'

/** Money between its debit and its credit. */
const TRANSIT = 'system:transit'

/**
 * Moves the money of one item: a debit, then a credit; a credit that fails is followed by the reversal of its debit.
 * All of it is in the caller's transaction, so nobody ever sees money in transit.
 */
export async function settleItem(tx: Transaction, item: TransferItem, now: number): Promise<TransferItem> {
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
