import {checkAnswer, describeAnswerFault, ignoredFields} from '../contract/auth-answer.ts'
import {describeViolation} from '../contract/unknown-fields.ts'
import type {Violation} from '../contract/violation.ts'
import {parseAmount} from '../money/amount.ts'
import {findExponent} from '../money/exponents.ts'
import type {AuthAnswer} from './decide.ts'
import {kindOf, minorOf, partOf, type ReceivedCall, readAmount, takesPart} from './received-call.ts'
import {outcomeOf} from './response-codes.ts'

/**
 * What is wrong with an answer to a call. In addition to the fields of the contract, its rules: a partial approval needs
 * a merchant that supports it, and an amount between zero and the requested one; the answer to a reversal is 00; an
 * approved balance inquiry has the balance.
 */
export async function checkAnswerTo(call: ReceivedCall, body: unknown): Promise<readonly Violation[]> {
  const violations = await checkAnswer(body)
  if (violations.length > 0) return violations
  const {authResponseCode, partialApprovalAmount, availableAmount} = (body as AuthAnswer).transactionData
  const outcome = outcomeOf(authResponseCode.code)
  const kind = kindOf(call)
  if (kind === 'reversal' && outcome !== 'approved') {
    const message = 'a reversal reports what has happened, so its answer is 00'
    return [{pointer: '/transactionData/authResponseCode/code', message}]
  }
  if (kind === 'balance-inquiry' && outcome === 'approved' && availableAmount === undefined) {
    const message = 'the approval of a balance inquiry has availableAmount'
    return [{pointer: '/transactionData/availableAmount', message}]
  }
  if (outcome !== 'partial') return []
  if (!takesPart(call)) {
    const pointer = '/transactionData/authResponseCode/code'
    return [
      {
        pointer,
        message:
          'the merchant does not support partial approvals: partialApprovalCapable of the call is not true',
      },
    ]
  }
  const message = partFault(call, partialApprovalAmount)
  return message === undefined ? [] : [{pointer: '/transactionData/partialApprovalAmount', message}]
}

/** The first thing that is wrong with a person's answer, as a sentence without a full stop; undefined if it is valid. */
export async function answerFault(call: ReceivedCall, body: unknown): Promise<string | undefined> {
  const [first] = await checkAnswerTo(call, body)
  return first && describeViolation(first)
}

/** The same for a program's answer, with the command that explains it. */
export async function programFault(call: ReceivedCall, body: unknown): Promise<string | undefined> {
  const [first] = await checkAnswerTo(call, body)
  return first && describeAnswerFault(first, ignoredFields(body))
}

function partFault(
  call: ReceivedCall,
  partial: AuthAnswer['transactionData']['partialApprovalAmount'],
): string | undefined {
  const {transactionAmount, billingAmount} = partOf(call, 'transactionData')
  const amounts = [transactionAmount, billingAmount].filter(amount => amount != null)
  const read = amounts.map(readAmount)
  const asked = read.find(amount => amount?.currency === partial?.currency)
  if (!partial || findExponent(partial.currency) === undefined || (!asked && read.every(Boolean))) {
    return 'the currency of the partial amount differs from that of the call'
  }
  try {
    const {amount, currency} = partial
    const part = parseAmount(amount, currency).minor
    const most = asked && minorOf(asked)
    // If the amount can't be read, only the answering side knows what is a part of it.
    const isPart = most === undefined || part < most.minor
    return part > 0n && isPart ? undefined : 'the partial amount is not between zero and the requested amount'
  } catch {
    return 'the partial amount has more digits than its currency'
  }
}
