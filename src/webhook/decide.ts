import type {WebhookReply} from '../contract/types.ts'
import {type AuthCall, kindOf} from './call-kind.ts'
import {codeNumber} from './response-codes.ts'

export type AuthReply = WebhookReply<'webhook.auth'>

/** What is answered, and who or what decided so ("approve", "forward"). */
export interface Decision {
  readonly reply: AuthReply
  readonly by: string
}

/** A call as it came: read for rules, and in its own bytes for whoever decides elsewhere. */
export interface DecisionRequest {
  readonly call: AuthCall
  readonly bytes: Buffer
  /** Aborted at the deadline. */
  readonly signal: AbortSignal
}

export interface Decider {
  /** @throws DecisionFault when there is no usable decision. */
  decide(request: DecisionRequest): Promise<Decision> | Decision
  /** Opens what the first real call will need; must have no effect. */
  warmUp?(bytes: Buffer): void
  close?(): void
}

/** Whoever should decide gave no usable answer. The message quotes nothing that came. */
export class DecisionFault extends Error {
  override readonly name = 'DecisionFault'
}

/** Approves everything; a balance inquiry is told the balance that came with it. */
export const approveAll: Decider = {decide: ({call}) => ({reply: approval(call), by: 'approve'})}

/** They speak of money that is to leave the account, and of nothing else. */
const ABOUT_SPENDING: ReadonlySet<string> = new Set(['51', '61', '65'])

/**
 * Declines with one code, where it can mean something: a reversal tells of what has happened, so it is always approved;
 * 51, 61 and 65 decline payments only.
 */
export function declineAll(code: string): Decider {
  const declines = (call: AuthCall) => {
    const kind = kindOf(call)
    return kind !== 'reversal' && (kind === 'payment' || !ABOUT_SPENDING.has(codeNumber(code)))
  }
  return {
    decide: ({call}) => ({
      reply: declines(call) ? {transactionData: {authResponseCode: {code}}} : approval(call),
      by: 'decline',
    }),
  }
}

function approval(call: AuthCall): AuthReply {
  const {availableAmount} = call.account
  const told = kindOf(call) === 'balance-inquiry' && availableAmount !== undefined
  return {transactionData: {authResponseCode: {code: '00'}, ...(told ? {availableAmount} : {})}}
}
