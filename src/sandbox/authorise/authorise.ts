import {responseCodes} from '../../contract/response-codes.ts'
import {convert} from '../../money/index.ts'
import {available} from '../available.ts'
import type {OuterCall} from '../call.ts'
import {clockOffset} from '../clock.ts'
import {nextId} from '../ids.ts'
import type {Authorisation} from '../state/authorisation.ts'
import type {Transaction as StoreTransaction} from '../store/store.ts'
import {authCall} from './auth-call.ts'
import type {Refusal} from './card-state.ts'
import {type Parties, partiesOf, refusal} from './check.ts'
import {type Decision, decisionOf} from './decision.ts'
import {HOLD_MS, setHold} from './holds.ts'
import {type AuthoriseRequest, readTransaction, type Transaction, takesMoney} from './transaction.ts'

/** A reservation outlives its question by this, should the process die in between. */
const PENDING_MS = 5 * 60 * 1000

/** A purchase that was checked; its money is reserved while the client is asked. */
interface Begun {
  readonly purchase: Transaction
  readonly parties: Parties
  readonly transactionId: string
  /** Before this purchase, in the account's currency. */
  readonly available: bigint
  readonly refused: Refusal | undefined
}

/**
 * Runs an authorisation: the service's own checks, then the client's decision within its deadline, else the fallback;
 * what was approved is held. The store is free while the client thinks.
 *
 * @throws Problem 404 for an unknown card or transaction.
 */
export async function authorise(call: OuterCall, request: AuthoriseRequest): Promise<Authorisation> {
  const {service, store} = call
  const began = service.monotonic()
  const purchase = readTransaction(request)
  const begun = await store.transaction(tx => begin(tx, purchase, call.now))
  const decision = await decide(call, begun)
  return store.transaction(async tx => {
    const now = service.now() + (await clockOffset(tx))
    return end(tx, begun, decision, {now, durationMs: inTenths(service.monotonic() - began)})
  })
}

async function begin(tx: StoreTransaction, purchase: Transaction, now: number): Promise<Begun> {
  const parties = await partiesOf(tx, purchase)
  const before = await available(tx, parties.account, parties.currency)
  const refused = await refusal(tx, purchase, parties, now)
  const transactionId = purchase.transactionId ?? `t_${await nextId(tx, 'transaction')}`
  if (refused === undefined && takesMoney(purchase)) {
    const minor = BigInt(parties.hold?.minor ?? 0) + (parties.billing ?? 0n)
    const until = parties.hold?.until ?? now + PENDING_MS
    await setHold(tx, holdKey(transactionId, parties), minor, {until, statusAtZero: 'RELEASED'})
  }
  return {purchase, parties, transactionId, available: before, refused}
}

async function decide({service, random, now}: OuterCall, begun: Begun): Promise<Decision> {
  const {purchase, refused} = begun
  if (refused)
    return {by: 'service', code: refused.code, reason: refused.reason, approved: 0n, clientMs: null}
  const {webhook} = service
  if (webhook === undefined) {
    const reason = `${responseCodes['00']}, no webhook is set`
    return {by: 'service', code: '00', reason, approved: purchase.minor, clientMs: null}
  }
  const answer = await webhook.authorise(authCall(purchase, {...begun, now, random}), now)
  return decisionOf(answer, purchase, webhook.options.fallback ?? 'decline')
}

async function end(
  tx: StoreTransaction,
  {purchase, parties, transactionId, refused}: Begun,
  decision: Decision,
  {now, durationMs}: {now: number; durationMs: number},
): Promise<Authorisation> {
  const {card, account, currency, billing = 0n} = parties
  const [first = currency] = account.currencies
  const holds = refused === undefined && takesMoney(purchase)
  const approvedBilling = convert(decision.approved, purchase.currency, currency) ?? 0n
  if (holds) await keepApproved(tx, holdKey(transactionId, parties), billing - approvedBilling, now)
  const left = await available(tx, account, currency)
  const authorisation: Authorisation = {
    id: `a_${await nextId(tx, 'authorisation')}`,
    transactionId,
    cardId: card.id,
    accountId: account.id,
    status: statusOf(decision.code),
    responseCode: decision.code,
    decidedBy: decision.by,
    reason: decision.reason,
    durationMs,
    clientDurationMs: decision.clientMs,
    scenario: purchase.scenario,
    messageCategory: purchase.messageCategory,
    transactionType: purchase.data.transactionType,
    merchantName: purchase.merchant.name ?? null,
    amount: {minor: String(purchase.minor), currency: purchase.currency},
    approved:
      statusOf(decision.code) === 'DECLINED'
        ? null
        : {minor: String(decision.approved), currency: purchase.currency},
    billed: {minor: String(holds ? (convert(approvedBilling, currency, first) ?? 0n) : 0n), currency: first},
    isIncrement: purchase.transactionId !== undefined,
    available: {minor: String(left), currency},
    createdAt: now,
    reversals: [],
  }
  await tx.authorisations.put(authorisation)
  return authorisation
}

/** Gives back what was reserved and not approved; a hold that was never approved leaves nothing. */
async function keepApproved(
  tx: StoreTransaction,
  key: ReturnType<typeof holdKey>,
  notApproved: bigint,
  now: number,
): Promise<void> {
  const reserved = BigInt((await tx.holds.get(key.id))?.minor ?? 0)
  const minor = reserved > notApproved ? reserved - notApproved : 0n
  const hold = await setHold(tx, key, minor, {until: now + HOLD_MS, statusAtZero: 'RELEASED'})
  const approvedBefore = await tx.authorisations.count({transactionId: key.id})
  if (hold.status !== 'HELD' && approvedBefore === 0) await tx.holds.delete(key.id)
}

const holdKey = (id: string, {card, account, currency}: Parties) => ({
  id,
  cardId: card.id,
  accountId: account.id,
  currency,
})

function statusOf(code: string): Authorisation['status'] {
  if (code === '00') return 'APPROVED'
  return code === '10' ? 'PARTIALLY_APPROVED' : 'DECLINED'
}

/** Milliseconds to a tenth: more digits are noise. */
const inTenths = (ms: number): number => Math.round(ms * 10) / 10
