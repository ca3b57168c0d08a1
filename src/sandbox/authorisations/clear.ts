import {available} from '../accounts/account.ts'
import {minorOf} from '../amounts.ts'
import type {Call} from '../handlers.ts'
import {nextId} from '../ids.ts'
import {move, systemAccounts} from '../ledger.ts'
import {badRequest, conflict} from '../problems.ts'
import type {Authorisation, Clearing, Hold, StoredAmount} from './authorisation.ts'
import {refusesClearing} from './card-state.ts'
import {type Parties, partiesOf} from './check.ts'
import {HOLD_MS, heldIn, setHold} from './holds.ts'
import {directionOf, readPurchase} from './purchase.ts'
import {authorisationOf, refuseUnapproved} from './reverse.ts'

/** What to clear. */
interface Claim {
  readonly parties: Parties
  readonly authorisationId: string | null
  readonly merchantName: string | null
  /** In the currency of the purchase, minor units. */
  readonly minor: bigint
  readonly currency: string
  /** In the account's currency. */
  readonly billing: bigint
  readonly isCredit: boolean
}

/**
 * Clears an authorisation, in one or several parts, for more or less than the hold. If the card has expired, nothing is
 * posted and the hold stays; other statuses of the card don't matter.
 *
 * @param final whether to release the rest of the hold.
 * @throws Problem 404; 409 if it was declined, is pending or moves no money, or if there is no hold and no amount.
 */
export async function clear(
  call: Call,
  id: string,
  {amount, final = true}: {readonly amount?: number; readonly final?: boolean},
): Promise<Clearing> {
  const {tx, now} = call
  const authorisation = await authorisationOf(tx, id)
  refuseUnapproved(authorisation)
  const way = directionOf(authorisation)
  if (way === 'none')
    throw conflict('no-money', 'The authorisation moves no money, so there is nothing to clear.')
  const hold = way === 'out' ? await tx.holds.get(authorisation.transactionId) : undefined
  const claim = await claimOn(call, authorisation, hold, amount)
  const clearing = await settle(call, claim)
  if (clearing.status === 'POSTED' && hold?.status === 'HELD') {
    const held = BigInt(hold.minor)
    const left = final || claim.billing >= held ? 0n : held - claim.billing
    const end = {until: hold.until ?? now + HOLD_MS, statusAtZero: 'CLEARED'} as const
    await setHold(tx, {...hold, asked: remainingHold(hold, claim)}, left, end)
  }
  return withAvailable(call, claim, clearing)
}

/** The rest of the hold in the currency of the purchases, if the clearing has that currency. */
function remainingHold({asked}: Hold, {minor, currency}: Claim): StoredAmount | undefined {
  if (asked?.currency !== currency) return undefined
  const left = BigInt(asked.minor) - minor
  return left > 0n ? {minor: String(left), currency} : undefined
}

/** Clears without an authorisation, as for offline purchases. */
export async function clearAlone(
  call: Call,
  request: {
    readonly cardId: string
    readonly amount: number
    readonly currency: string
    readonly merchant?: {readonly name?: string | null}
  },
): Promise<Clearing> {
  const {merchant, ...rest} = request
  const purchase = readPurchase(rest)
  const parties = await partiesOf(call.tx, purchase)
  const billing = parties.billing ?? noRate()
  const claim: Claim = {
    parties,
    authorisationId: null,
    merchantName: merchant?.name ?? null,
    minor: purchase.minor,
    currency: purchase.currency,
    billing,
    isCredit: false,
  }
  return withAvailable(call, claim, await settle(call, claim))
}

async function claimOn(
  {tx}: Call,
  authorisation: Authorisation,
  hold: Hold | undefined,
  amount: number | undefined,
): Promise<Claim> {
  const {currency} = authorisation.amount
  const {cardId, merchantName} = authorisation
  const minor =
    amount === undefined ? await dueMinor(tx, authorisation, hold) : minorOf(amount, currency, '/amount')
  const held = hold?.status === 'HELD' ? hold : undefined
  const parties = await partiesOf(tx, {cardId, currency, minor}, hold)
  return {
    parties,
    authorisationId: authorisation.id,
    merchantName,
    minor,
    currency,
    billing: amount === undefined && held ? BigInt(held.minor) : (parties.billing ?? noRate()),
    isCredit: directionOf(authorisation) === 'in',
  }
}

/** The default amount: the held amount, or without a hold the approved amount. */
async function dueMinor(
  tx: Call['tx'],
  {id, approved, amount}: Authorisation,
  hold: Hold | undefined,
): Promise<bigint> {
  if (hold?.status === 'HELD') return heldIn(hold, amount.currency) ?? noRate()
  const untouched = hold === undefined && (await tx.clearings.count({authorisationId: id})) === 0
  if (untouched && approved !== null && approved.minor !== '0') return BigInt(approved.minor)
  throw conflict('nothing-held', 'The transaction holds nothing. Pass an amount.')
}

function noRate(): never {
  throw badRequest('no-rate', '/currency: the sandbox has no exchange rate for this currency.')
}

async function settle({tx, now}: Call, claim: Claim): Promise<Clearing> {
  const {card, account, currency} = claim.parties
  const id = `c_${await nextId(tx, 'clearing')}`
  const refused = refusesClearing(card, now)
  if (!refused) {
    const minor = claim.isCredit ? -claim.billing : claim.billing
    const entry = {id: `clearing/${id}`, kind: 'clearing', at: now}
    await move(tx, {...entry, from: account.id, to: systemAccounts.network, currency, minor})
  }
  return {
    id,
    authorisationId: claim.authorisationId,
    cardId: card.id,
    accountId: account.id,
    status: refused ? 'REFUSED' : 'POSTED',
    reason: refused ? 'the card has expired' : null,
    amount: {minor: String(claim.minor), currency: claim.currency},
    posted: refused ? null : {minor: String(claim.billing), currency},
    merchantName: claim.merchantName,
    available: {minor: '0', currency},
    createdAt: now,
  }
}

async function withAvailable({tx}: Call, {parties}: Claim, clearing: Clearing): Promise<Clearing> {
  const minor = await available(tx, parties.account, parties.currency)
  const done = {...clearing, available: {minor: String(minor), currency: parties.currency}}
  await tx.clearings.put(done)
  return done
}
