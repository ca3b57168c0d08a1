import {checkAnswer, describeAnswerFault, ignoredFields, parseAnswer} from '../../contract/auth-answer.ts'
import {type AuthCall, buildAuthCall, partsOf} from '../../contract/auth-call.ts'
import {codeOf, responseCodes} from '../../contract/response-codes.ts'
import type {WebhookAnswer} from '../../contract/types.ts'
import {describeViolation} from '../../contract/unknown-fields.ts'
import {Failure} from '../../errors/failure.ts'
import {parseAmount} from '../../money/amount.ts'
import {convert} from '../../money/example-rates.ts'
import {amountOf} from '../amounts.ts'
import {type RandomBytes, uuid} from '../ids.ts'
import type {StoredWebhookCall} from './authorisation.ts'
import type {Parties} from './check.ts'
import type {Answer} from './endpoint-client.ts'
import type {Purchase} from './purchase.ts'

/** The decision about a purchase. */
export interface Decision {
  readonly by: 'service' | 'client' | 'fallback'
  readonly code: string
  readonly reason: string
  /** In the transaction's currency, minor units; 0 when it was declined. */
  readonly approved: bigint
  /** In the account's currency. */
  readonly approvedBilling: bigint
  readonly clientMs: number | null
  /** What was asked and answered, if the endpoint was asked. */
  readonly webhookCall?: StoredWebhookCall
}

/** What the endpoint has to decide. */
interface Question {
  readonly purchase: Purchase
  /** In the account's currency, minor units. */
  readonly billing: bigint
  /** Of the account. */
  readonly currency: string
}

const NOTHING = {approved: 0n, approvedBilling: 0n}

/** The endpoint's decision, or the fallback if there was no valid answer before the deadline. */
export async function decisionOf(
  answer: Answer,
  question: Question,
  fallback: 'approve' | 'decline',
): Promise<Decision> {
  const clientMs = answer.durationMs
  const whole = {approved: question.purchase.minor, approvedBilling: question.billing}
  const decideWithoutAnswer = (reason: string): Decision =>
    fallback === 'approve'
      ? {by: 'fallback', code: '00', reason, ...whole, clientMs}
      : {by: 'fallback', code: '96', reason, ...NOTHING, clientMs}
  if (answer.kind === 'none') return decideWithoutAnswer(answer.why)
  if (answer.status !== 200) return decideWithoutAnswer(`the endpoint answered with status ${answer.status}`)
  const reply = parseAnswer(answer.text)
  const [violation] = await checkAnswer(reply)
  if (violation) {
    const fault = describeAnswerFault(violation, ignoredFields(reply))
    return decideWithoutAnswer(`the answer differs from the contract: ${fault}`)
  }
  const {authResponseCode, partialApprovalAmount} = (reply as WebhookAnswer<'webhook.auth'>).transactionData
  const code = codeOf(authResponseCode.code) ?? authResponseCode.code
  const reason = [responseCodes[code], ...ignoredFields(reply).map(describeViolation)].join('; ')
  if (code !== '10') return {by: 'client', code, reason, ...(code === '00' ? whole : NOTHING), clientMs}
  if (!question.purchase.data.partialApprovalCapable) return decideWithoutAnswer(NO_PARTS)
  const part = partOf(partialApprovalAmount, question)
  return part ? {by: 'client', code, reason, ...part, clientMs} : decideWithoutAnswer(NO_PART)
}

const SEE = '(webhook contract --field partialApprovalAmount)'
const NO_PARTS = `the answer is a partial approval, which the merchant does not support: partialApprovalCapable of the call is not true ${SEE}`
const NO_PART = `the partial approval is not a part of the amount ${SEE}`

/** A partial approval is more than zero and less than the amount, in the currency of the purchase or of the account. */
function partOf(
  amount: {readonly amount: number; readonly currency: string} | undefined,
  {purchase, billing, currency}: Question,
): Pick<Decision, 'approved' | 'approvedBilling'> | undefined {
  const isOfPurchase = amount?.currency === purchase.currency
  if (amount === undefined || !(isOfPurchase || amount.currency === currency)) return undefined
  const minor = minorIn(amount.amount, amount.currency)
  const whole = isOfPurchase ? purchase.minor : billing
  if (minor === undefined || minor <= 0n || minor >= whole) return undefined
  return {
    approved: convert(minor, amount.currency, purchase.currency) ?? 0n,
    approvedBilling: convert(minor, amount.currency, currency) ?? 0n,
  }
}

function minorIn(amount: number, currency: string): bigint | undefined {
  try {
    return parseAmount(amount, currency).minor
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Data of a call besides the purchase. */
interface Known {
  readonly parties: Parties
  readonly transactionId: string
  /** Available before this purchase, in the account's currency, minor units. */
  readonly available: bigint
  readonly now: number
  readonly random: RandomBytes
}

/** The body of `POST /auth` for a purchase. */
export function authCall(purchase: Purchase, known: Known): AuthCall {
  const {parties, transactionId, now, random} = known
  const {card, account, currency, billing = 0n} = parties
  const {messageCategory, data, percent, merchant, token} = purchase
  const wholes = {
    asked: {minor: purchase.minor, currency: purchase.currency},
    billing: {minor: billing, currency},
  }
  const parts = partsOf({transactionData: data, percent}, (of, share) => {
    const whole = wholes[of]
    return {amount: amountOf((whole.minor * BigInt(share)) / 100n, whole.currency), currency: whole.currency}
  })
  return buildAuthCall(
    {
      messageCategory,
      transactionData: {...data, ...parts},
      merchantData: merchant,
      ...(token && {token}),
    },
    {
      customerId: card.customerId,
      accountId: account.id,
      available: {amount: amountOf(known.available, currency), currency},
      cardId: card.id,
      expiration: card.expiration,
      transactionId,
      transactionAmount: {amount: amountOf(purchase.minor, purchase.currency), currency: purchase.currency},
      billingAmount: {amount: amountOf(billing, currency), currency},
      now,
      newId: () => uuid(random),
      digits: count => [...random(count)].map(byte => byte % 10).join(''),
    },
  )
}
