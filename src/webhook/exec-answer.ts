import {ignoredFields, parseAnswer} from '../contract/auth-answer.ts'
import {describeViolation} from '../contract/unknown-fields.ts'
import {programFault} from './check-answer.ts'
import {
  type AuthAnswer,
  approval,
  type DeciderAnswer,
  DecisionFault,
  decline,
  partialApproval,
} from './decide.ts'
import type {ReceivedCall} from './received-call.ts'
import {declineCodesInWords, findDeclineCode} from './response-codes.ts'

/**
 * An answer as a program writes it: JSON of the contract, or in short `approve`, `decline 51`, `partial 30 EUR`.
 *
 * @throws DecisionFault for anything else, and for an answer that the call can't have. The text is never quoted.
 */
export async function readAnswer(
  text: string,
  call: ReceivedCall,
): Promise<{readonly answer: DeciderAnswer; readonly unread: readonly string[]}> {
  const trimmed = text.trim()
  if (trimmed === '') throw new DecisionFault('it wrote no answer')
  const answer = trimmed.startsWith('{') ? jsonAnswer(trimmed) : short(trimmed, call)
  const fault = await programFault(call, answer.reply)
  if (fault !== undefined) throw new DecisionFault(`its answer is invalid: ${fault}`)
  return {answer, unread: ignoredFields(answer.reply).map(describeViolation)}
}

function jsonAnswer(text: string): DeciderAnswer {
  const reply = parseAnswer(text)
  if (typeof reply === 'string') throw new DecisionFault('its answer is invalid JSON')
  return {kind: 'reply', reply: reply as AuthAnswer}
}

const FORMS = 'approve, decline CODE, partial AMOUNT CURRENCY, or the JSON of an answer'

function short(text: string, call: ReceivedCall): DeciderAnswer {
  const [word, first = '', second = '', ...more] = text.split(/\s+/)
  if (word === 'approve' && first === '') return approval(call)
  if (word === 'decline' && second === '') {
    const code = findDeclineCode(first)
    if (code === undefined) throw new DecisionFault(`its decline needs a code: ${declineCodesInWords()}`)
    return decline(code)
  }
  const isPart = word === 'partial' && /^\d+(\.\d+)?$/.test(first) && /^[A-Z]{3}$/.test(second)
  if (isPart && more.length === 0) return partialApproval({amount: Number(first), currency: second})
  throw new DecisionFault(`its answer is none of: ${FORMS}`)
}
