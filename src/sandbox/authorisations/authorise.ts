import {maskAnswer} from '../../contract/mask-answer.ts'
import {responseCodes} from '../../contract/response-codes.ts'
import {convert} from '../../money/example-rates.ts'
import {available} from '../accounts/account.ts'
import {sandboxNow} from '../clock.ts'
import type {OuterCall} from '../handlers.ts'
import {nextId, uuid} from '../ids.ts'
import {conflict} from '../problems.ts'
import type {Service} from '../service.ts'
import type {Transaction} from '../store/store.ts'
import {authCall, type Decision, decisionOf} from './ask-client.ts'
import {asking} from './asking.ts'
import type {Authorisation, PurchaseData, StoredWebhookCall} from './authorisation.ts'
import type {Decline} from './card-state.ts'
import {declineOf, holdToRaise, type Parties, partiesOf} from './check.ts'
import type {Answer} from './endpoint-client.ts'
import {dropReservation, raiseHold, reserve} from './holds.ts'
import {type AuthoriseRequest, type Purchase, readPurchase, takesMoney} from './purchase.ts'

/** A checked purchase. Until the endpoint answers, it is listed and its amount is reserved. */
export interface Begun {
  readonly purchase: Purchase
  readonly parties: Parties
  /** With the call, unless the endpoint isn't asked. */
  readonly pending: Authorisation
  readonly declined: Decline | undefined
}

/**
 * Runs an authorisation: first the issuer's own checks, then the endpoint's answer, or the fallback if there is no
 * answer before the deadline. Holds the approved amount. No transaction is open while the endpoint decides.
 *
 * @throws Problem 404 for an unknown card or transaction; 409 if the hold can't be raised or the sandbox was reset.
 */
export async function authorise(call: OuterCall, request: AuthoriseRequest): Promise<Authorisation> {
  const {service, store} = call
  const began = service.monotonic()
  const purchase = readPurchase(request)
  const mark = uuid(call.random)
  const begun = await store.transaction(tx => begin(tx, call, purchase, mark))
  return decideAndEnd(service, begun, {began, now: call.now})
}

/**
 * Asks the endpoint, if it is to be asked, and ends the purchase.
 *
 * @param when when it began, by the monotonic clock, and now by the sandbox clock.
 * @throws Problem 409 if the sandbox was reset.
 */
export async function decideAndEnd(
  service: Service,
  begun: Begun,
  {began, now: askedAt}: {readonly began: number; readonly now: number},
): Promise<Authorisation> {
  const decision = await decide(service, begun, askedAt)
  return service.store.transaction(async tx => {
    const now = await sandboxNow(service, tx)
    return end(tx, begun, decision, {now, durationMs: inTenths(service.monotonic() - began)})
  })
}

async function begin(
  tx: Transaction,
  {service, now, random}: OuterCall,
  purchase: Purchase,
  mark: string,
): Promise<Begun> {
  const hold = await holdToRaise(tx, purchase)
  const parties = await partiesOf(tx, purchase, hold)
  const before = await available(tx, parties.account, parties.currency)
  const declined = await declineOf(tx, purchase, parties, now)
  const reserved = declined === undefined && takesMoney(purchase) ? (parties.billing ?? 0n) : 0n
  const {card, account, currency} = parties
  const id = `a_${await nextId(tx, 'authorisation')}`
  const transactionId = purchase.transactionId ?? `t_${await nextId(tx, 'transaction')}`
  const asks = service.webhook !== undefined && declined === undefined
  const known = {parties, transactionId, available: before, now, random}
  const pending: Authorisation = {
    id,
    transactionId,
    mark,
    cardId: card.id,
    accountId: account.id,
    status: 'PENDING',
    responseCode: null,
    decidedBy: null,
    reason: 'the endpoint is asked',
    durationMs: 0,
    clientDurationMs: null,
    scenario: purchase.scenario,
    messageCategory: purchase.messageCategory,
    transactionType: purchase.data.transactionType,
    merchantName: purchase.merchant.name ?? null,
    purchase: dataOf(purchase),
    amount: {minor: String(purchase.minor), currency: purchase.currency},
    approved: null,
    billed: billedOf(reserved, parties),
    isIncrement: purchase.transactionId !== undefined,
    available: {minor: String(before - reserved), currency},
    createdAt: now,
    reversals: [],
    ...(asks && {asking: asking(service, authCall(purchase, known))}),
  }
  await reserve(tx, holdOf(pending.id, pending, currency), reserved, now)
  await tx.authorisations.put(pending)
  return {purchase, parties, pending, declined}
}

const dataOf = ({data, merchant, token, percent}: Purchase): PurchaseData => ({
  data,
  merchant,
  ...(token && {token}),
  ...(percent?.fee !== undefined && {fee: percent.fee}),
})

async function decide(service: Service, begun: Begun, now: number): Promise<Decision> {
  const {purchase, parties, pending, declined} = begun
  const {billing = 0n, currency} = parties
  if (declined) {
    return {by: 'service', ...declined, approved: 0n, approvedBilling: 0n, clientMs: null}
  }
  const whole = {approved: purchase.minor, approvedBilling: billing}
  const {webhook} = service
  if (webhook === undefined || pending.asking === undefined) {
    return {
      by: 'service',
      code: '00',
      reason: `${responseCodes['00']}, no endpoint is set`,
      ...whole,
      clientMs: null,
    }
  }
  const {call} = pending.asking
  const answer = await webhook.authorise(call, now)
  const decision = await decisionOf(
    answer,
    {purchase, billing, currency},
    webhook.options.fallback ?? 'decline',
  )
  return {...decision, webhookCall: asStored(call, answer)}
}

const asStored = (call: StoredWebhookCall['call'], answer: Answer): StoredWebhookCall =>
  answer.kind === 'none'
    ? {call, status: null, answer: null, why: answer.why}
    : {call, status: answer.status, answer: maskAnswer(answer.text), why: null}

/** @throws Problem 409 if a reset has deleted the purchase. */
async function end(
  tx: Transaction,
  {purchase, parties, pending}: Begun,
  {by, code, reason, approved, approvedBilling, clientMs, webhookCall}: Decision,
  {now, durationMs}: {now: number; durationMs: number},
): Promise<Authorisation> {
  const stored = await tx.authorisations.get(pending.id)
  if (stored === undefined || stored.mark !== pending.mark)
    throw conflict('reset', 'The sandbox was reset while the endpoint was asked.')
  // The answer took too long, so the purchase was declined.
  if (stored.status !== 'PENDING') return stored
  const {account, currency} = parties
  const held = takesMoney(purchase) ? approvedBilling : 0n
  await dropReservation(tx, pending.id)
  const asked = {minor: String(approved), currency: purchase.currency}
  if (held > 0n) {
    await raiseHold(tx, holdOf(pending.transactionId, pending, currency), {minor: held, asked}, now)
  }
  const status = statusOf(code)
  const {asking: _, ...begun} = pending
  const ended: Authorisation = {
    ...begun,
    status,
    responseCode: code,
    decidedBy: by,
    reason,
    durationMs,
    clientDurationMs: clientMs === null ? null : inTenths(clientMs),
    ...(webhookCall && {webhookCall}),
    approved: status === 'DECLINED' ? null : asked,
    billed: billedOf(held, parties),
    available: {minor: String(await available(tx, account, currency)), currency},
  }
  await tx.authorisations.put(ended)
  return ended
}

/** Limits are in the account's first currency. */
function billedOf(minor: bigint, {account, currency}: Parties): Authorisation['billed'] {
  const [first = currency] = account.currencies
  return {minor: String(convert(minor, currency, first) ?? 0n), currency: first}
}

const holdOf = (id: string, {cardId, accountId}: Authorisation, currency: string) => ({
  id,
  cardId,
  accountId,
  currency,
})

function statusOf(code: string): Authorisation['status'] {
  if (code === '00') return 'APPROVED'
  return code === '10' ? 'PARTIALLY_APPROVED' : 'DECLINED'
}

/** Milliseconds with one decimal. */
const inTenths = (ms: number): number => Math.round(ms * 10) / 10
