import {hold as holdOnAccount} from '../ledger.ts'
import type {Hold, HoldStatus} from '../state/authorisation.ts'
import type {Store, Transaction as StoreTransaction} from '../store/store.ts'

/** An unmatched hold is released after this, by the sandbox clock. */
export const HOLD_MS = 7 * 24 * 60 * 60 * 1000

/** Sets what a transaction holds, and with it what the account has held. Zero ends the hold with the status given. */
export async function setHold(
  tx: StoreTransaction,
  hold: Omit<Hold, 'minor' | 'status' | 'until'>,
  minor: bigint,
  end: {readonly until: number; readonly statusAtZero: HoldStatus},
): Promise<Hold> {
  const before = BigInt((await tx.holds.get(hold.id))?.minor ?? 0)
  await holdOnAccount(tx, {accountId: hold.accountId, currency: hold.currency, minor: minor - before})
  const next: Hold = {
    ...hold,
    minor: String(minor),
    status: minor === 0n ? end.statusAtZero : 'HELD',
    until: minor === 0n ? null : end.until,
  }
  await tx.holds.put(next)
  return next
}

/** Releases the holds whose time has come. */
export function releaseDueHolds(store: Store, now: number): Promise<void> {
  return store.transaction(async tx => {
    for (const hold of await tx.holds.list({upTo: {member: 'until', value: now}})) {
      await setHold(tx, hold, 0n, {until: now, statusAtZero: 'RELEASED'})
    }
  })
}
