import {codeOf, responseCodes} from '../../contract/response-codes.ts'
import type {WebhookReply} from '../../contract/types.ts'
import {checkWebhookReply} from '../../contract/validate.ts'
import {Failure} from '../../errors/failure.ts'
import {parseAmount} from '../../money/index.ts'
import type {Transaction} from './transaction.ts'
import type {Answer} from './webhook-client.ts'

/** What was decided about a purchase. */
export interface Decision {
  readonly by: 'service' | 'client' | 'fallback'
  readonly code: string
  readonly reason: string
  /** In the transaction's currency, minor units; 0 when it was declined. */
  readonly approved: bigint
  readonly clientMs: number | null
}

/** The client's decision, or the fallback when it gave no valid one in time. */
export async function decisionOf(
  answer: Answer,
  purchase: Transaction,
  fallback: 'approve' | 'decline',
): Promise<Decision> {
  const clientMs = answer.durationMs
  const fallBack = (why: string): Decision =>
    fallback === 'approve'
      ? {by: 'fallback', code: '00', reason: why, approved: purchase.minor, clientMs}
      : {by: 'fallback', code: '96', reason: why, approved: 0n, clientMs}
  if (answer.kind === 'none') return fallBack(answer.why)
  if (answer.status !== 200) return fallBack(`the client answered with status ${answer.status}`)
  const reply = parse(answer.text)
  const [violation] = await checkWebhookReply('webhook.auth', reply)
  if (violation) return fallBack(`the answer breaks the contract: ${violation.message}`)
  const {authResponseCode, partialApprovalAmount} = (reply as WebhookReply<'webhook.auth'>).transactionData
  const code = codeOf(authResponseCode.code)
  if (code === undefined) return fallBack('the answer names no known response code')
  if (code === '10') return partial(partialApprovalAmount, purchase, clientMs) ?? fallBack(NO_PART)
  const reason = responseCodes[code] ?? `response code ${code}`
  return {by: 'client', code, reason, approved: code === '00' ? purchase.minor : 0n, clientMs}
}

const NO_PART = 'the answer approves a part that the merchant cannot take, or no true part of the amount'

/** A part is only one if the merchant can take it, in the same currency, above zero and below the whole. */
function partial(
  amount: {readonly amount: number; readonly currency: string} | undefined,
  purchase: Transaction,
  clientMs: number,
): Decision | undefined {
  if (amount === undefined || !purchase.data.partialApprovalCapable) return undefined
  if (amount.currency !== purchase.currency) return undefined
  const approved = minorIn(amount.amount, amount.currency)
  if (approved === undefined || approved <= 0n || approved >= purchase.minor) return undefined
  return {by: 'client', code: '10', reason: responseCodes['10'] ?? '', approved, clientMs}
}

function minorIn(amount: number, currency: string): bigint | undefined {
  try {
    return parseAmount(amount, currency).minor
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Undefined for what isn't JSON; the contract then says what is wrong. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
