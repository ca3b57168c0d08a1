import type {Card} from '../state/card.ts'
import type {Transaction as StoreTransaction} from '../store/store.ts'
import type {Refusal} from './card-state.ts'
import {type Transaction, usesPin} from './transaction.ts'

/** Counts a wrong PIN, forgets the count after a right one, and refuses once the tries are used up. */
export async function refusedByPin(
  tx: StoreTransaction,
  card: Card,
  purchase: Transaction,
): Promise<Refusal | undefined> {
  if (purchase.data.transactionType === 'PIN_UNBLOCK') {
    await setCounter(tx, card, 0)
    return undefined
  }
  if (!usesPin(purchase)) return undefined
  const {counter, max} = card.pinAttempts
  if (counter >= max) return {code: '75', reason: 'the tries of the PIN are used up'}
  if (!purchase.wrongPin) {
    if (counter > 0) await setCounter(tx, card, 0)
    return undefined
  }
  await setCounter(tx, card, counter + 1)
  return {code: '55', reason: `the PIN was wrong, ${counter + 1} of ${max} tries`}
}

async function setCounter(tx: StoreTransaction, card: Card, counter: number): Promise<void> {
  await tx.cards.put({...card, pinAttempts: {...card.pinAttempts, counter}})
}
