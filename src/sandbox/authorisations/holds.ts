import {convert} from '../../money/example-rates.ts'
import {available} from '../accounts/account.ts'
import {hold as holdOnAccount} from '../ledger.ts'
import type {Store, Transaction} from '../store/store.ts'
import type {Authorisation, Hold, HoldStatus, StoredAmount} from './authorisation.ts'

/** How long a hold lasts without a clearing, by the sandbox clock. */
export const HOLD_MS = 7 * 24 * 60 * 60 * 1000
/** How long a reservation lasts, if the process ends before the decision. */
export const PENDING_MS = 5 * 60 * 1000

type HoldKey = Omit<Hold, 'minor' | 'status' | 'until'>

/** Sets the hold of a transaction, and the sum held on its account. Zero ends the hold with the given status. */
export async function setHold(
  tx: Transaction,
  hold: HoldKey,
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

/** Raises the hold of a transaction. It then lasts for another 7 days. */
export async function raiseHold(
  tx: Transaction,
  hold: HoldKey,
  {minor, asked}: {readonly minor: bigint; readonly asked: StoredAmount},
  now: number,
): Promise<void> {
  const before = await tx.holds.get(hold.id)
  const isFirst = before === undefined || before.minor === '0'
  const whole = isFirst ? asked : sumOf(before.asked, asked)
  const end = {until: now + HOLD_MS, statusAtZero: 'RELEASED'} as const
  await setHold(tx, {...hold, asked: whole}, BigInt(before?.minor ?? 0) + minor, end)
}

function sumOf(one: StoredAmount | undefined, other: StoredAmount): StoredAmount | undefined {
  if (one?.currency !== other.currency) return undefined
  return {minor: String(BigInt(one.minor) + BigInt(other.minor)), currency: one.currency}
}

/** The hold in the currency of a purchase. Prefers the requested amount, because two conversions lose hundredths. */
export function heldIn({minor, currency, asked}: Hold, wanted: string): bigint | undefined {
  return asked?.currency === wanted ? BigInt(asked.minor) : convert(BigInt(minor), currency, wanted)
}

/**
 * Reserves money until the endpoint answers, apart from the hold of the transaction. A call that moves no money
 * reserves zero, so that it times out too.
 */
export async function reserve(tx: Transaction, hold: HoldKey, minor: bigint, now: number): Promise<void> {
  await holdOnAccount(tx, {accountId: hold.accountId, currency: hold.currency, minor})
  await tx.holds.put({...hold, minor: String(minor), status: 'HELD', until: now + PENDING_MS})
}

/** Releases the reservation of an authorisation, if there is one. */
export async function dropReservation(tx: Transaction, id: string): Promise<void> {
  const reservation = await tx.holds.get(id)
  if (reservation === undefined) return
  await setHold(tx, reservation, 0n, {until: 0, statusAtZero: 'RELEASED'})
  await tx.holds.delete(id)
}

/**
 * Releases holds that are due. Declines authorisations that were pending for too long: their process may have ended.
 */
export function releaseDueHolds(store: Store, now: number): Promise<void> {
  return store.transaction(async tx => {
    for (const hold of await tx.holds.list({upTo: {member: 'until', value: now}})) {
      const [id = '', reversal] = hold.id.split('/')
      const asked = await tx.authorisations.get(id)
      // The endpoint was not told of a reversal. That changes nothing.
      if (reversal !== undefined) await tx.holds.delete(hold.id)
      else if (asked === undefined) await setHold(tx, hold, 0n, {until: now, statusAtZero: 'RELEASED'})
      else await giveUp(tx, asked)
    }
  })
}

async function giveUp(tx: Transaction, {asking: _, ...asked}: Authorisation): Promise<void> {
  await dropReservation(tx, asked.id)
  const account = await tx.accounts.get(asked.accountId)
  const {currency} = asked.available
  const left = account && String(await available(tx, account, currency))
  await tx.authorisations.put({
    ...asked,
    status: 'DECLINED',
    responseCode: '96',
    decidedBy: 'service',
    reason: 'no answer of the endpoint within five minutes of the sandbox clock',
    billed: {...asked.billed, minor: '0'},
    available: {minor: left ?? asked.available.minor, currency},
  })
}
