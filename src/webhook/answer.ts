import type {ServerResponse} from 'node:http'
import {maskByShape} from '../contract/mask-by-shape.ts'
import {webhookShapes} from '../contract/webhook-shapes.gen.ts'
import {maskText} from '../sensitive/mask-text.ts'
import type {AuthReply, Outgoing} from './decide.ts'
import type {AuthEvent} from './events.ts'
import type {Exchange} from './exchange.ts'
import {sendText} from './respond.ts'
import {outcomeOf} from './response-codes.ts'

/** What an event tells of an answer. */
export function outcomeOfAnswer(answer: Outgoing): Pick<AuthEvent, 'outcome' | 'code' | 'part'> {
  if (answer.kind === 'none') return {outcome: 'none'}
  if (answer.kind === 'raw') return {outcome: 'broken', code: String(answer.status)}
  const {authResponseCode, partialApprovalAmount} = answer.reply.transactionData
  const {code} = authResponseCode
  const outcome = outcomeOf(code)
  if (outcome !== 'partial' || !partialApprovalAmount) return {outcome, code}
  const {amount, currency} = partialApprovalAmount
  return {outcome, code, part: {amount, currency}}
}

/** What an exchange keeps of an answer, masked. */
export function replyOf(answer: Outgoing): Pick<Exchange, 'reply'> {
  if (answer.kind === 'none') return {}
  if (answer.kind === 'raw') return {reply: {status: answer.status, body: maskText(answer.body)}}
  return {reply: {status: 200, body: formsOf(answer.reply).masked}}
}

export function sendAnswer(response: ServerResponse, answer: Outgoing): void {
  if (answer.kind === 'none') response.destroy()
  else if (answer.kind === 'raw') sendText(response, answer.status, answer.body)
  else sendText(response, 200, formsOf(answer.reply).text)
}

/** A reply as it is shown and as it is sent. */
interface Forms {
  readonly reply: AuthReply
  readonly masked: unknown
  readonly text: string
}

let newest: Forms | undefined

/** Most answers are the same as the one before. */
function formsOf(reply: AuthReply): Forms {
  if (newest?.reply !== reply) {
    const {masked} = maskByShape(webhookShapes['webhook.auth'].reply, reply)
    newest = {reply, masked, text: JSON.stringify(reply)}
  }
  return newest
}
