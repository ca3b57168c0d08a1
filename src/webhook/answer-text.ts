import type {AuthCall} from './call-kind.ts'
import {faultOf} from './check-decision.ts'
import {type AuthReply, approval, DecisionFault, decline, partialApproval, type Reply} from './decide.ts'
import {findDeclineCode} from './response-codes.ts'

/**
 * An answer as a program writes it: JSON of the contract, or in short `approve`, `decline 51`, `partial 30 EUR`.
 * @throws DecisionFault for anything else, and for an answer that the call cannot have. The text is never quoted.
 */
export async function readAnswer(text: string, call: AuthCall): Promise<Reply> {
  const trimmed = text.trim()
  if (trimmed === '') throw new DecisionFault('it answered nothing')
  const answer = trimmed.startsWith('{') ? parsed(trimmed) : short(trimmed, call)
  if (!answer) {
    throw new DecisionFault('its answer is not approve, decline CODE, partial AMOUNT CURRENCY or JSON')
  }
  const fault = await faultOf(call, answer.reply)
  if (fault !== undefined) throw new DecisionFault(`its answer is invalid: ${fault}`)
  return answer
}

function parsed(text: string): Reply | undefined {
  try {
    return {kind: 'reply', reply: JSON.parse(text) as AuthReply}
  } catch {
    return undefined
  }
}

function short(text: string, call: AuthCall): Reply | undefined {
  const [word, first = '', second = '', ...more] = text.split(/\s+/)
  if (word === 'approve' && first === '') return approval(call)
  if (word === 'decline' && second === '') {
    const code = findDeclineCode(first)
    return code === undefined ? undefined : decline(code)
  }
  const isPart = word === 'partial' && /^\d+(\.\d+)?$/.test(first) && /^[A-Z]{3}$/.test(second)
  return isPart && more.length === 0 ? partialApproval({amount: Number(first), currency: second}) : undefined
}
