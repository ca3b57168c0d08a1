import {checkAnswer} from '../contract/auth-answer.ts'
import {inWords} from '../contract/unknown-members.ts'
import type {Violation} from '../contract/violation.ts'
import {compareAmounts, findExponent} from '../money/index.ts'
import type {AuthCall} from './call-kind.ts'
import type {AuthReply} from './decide.ts'
import {outcomeOf} from './response-codes.ts'

/**
 * What is wrong with an answer to a call: beyond what every answer has to be, a partial approval needs a merchant who can
 * take it, and an amount between nothing and what was asked for.
 */
export async function checkDecision(call: AuthCall, body: unknown): Promise<readonly Violation[]> {
  const violations = await checkAnswer(body)
  if (violations.length > 0) return violations
  const {authResponseCode, partialApprovalAmount} = (body as AuthReply).transactionData
  if (outcomeOf(authResponseCode.code) !== 'partial') return []
  const {partialApprovalCapable} = call.transactionData
  if (partialApprovalCapable !== true) {
    const pointer = '/transactionData/authResponseCode/code'
    return [{pointer, message: 'the merchant cannot take a partial approval'}]
  }
  const message = partFault(call, partialApprovalAmount)
  return message === undefined ? [] : [{pointer: '/transactionData/partialApprovalAmount', message}]
}

/** The first thing that is wrong with an answer, as a sentence without a full stop; undefined for nothing. */
export async function faultOf(call: AuthCall, body: unknown): Promise<string | undefined> {
  const [first] = await checkDecision(call, body)
  return first && inWords(first)
}

function partFault(
  {transactionData: {transactionAmount, billingAmount}}: AuthCall,
  partial: AuthReply['transactionData']['partialApprovalAmount'],
): string | undefined {
  const asked = [transactionAmount, billingAmount].find(amount => amount?.currency === partial?.currency)
  if (!partial || !asked || findExponent(asked.currency) === undefined) {
    return 'the partial amount is in another currency than the call'
  }
  try {
    const {currency} = asked
    const between =
      compareAmounts(partial.amount, 0, currency) > 0 &&
      compareAmounts(partial.amount, asked.amount, currency) < 0
    return between ? undefined : 'the partial amount is not between nothing and what was asked for'
  } catch {
    return 'the partial amount has more digits than its currency'
  }
}
