import type {IncomingMessage} from 'node:http'
import type {WebhookAnswer} from '../contract/types.ts'
import {maskText} from '../sensitive/mask-text.ts'
import type {Deadline} from './deadline.ts'
import type {CallSummary, Pending, Step} from './exchange.ts'
import {asNumber, kindOf, partOf, type ReceivedCall, readAmount} from './received-call.ts'
import {headerMasker} from './recorded-headers.ts'
import {codeNumber} from './response-codes.ts'

export type AuthAnswer = WebhookAnswer<'webhook.auth'>

/** What to send: an answer of the contract, a deliberately broken one, or nothing. */
export type Outgoing =
  | {readonly kind: 'reply'; readonly reply: AuthAnswer}
  | {readonly kind: 'raw'; readonly status: number; readonly body: string}
  | {readonly kind: 'none'}

/** An answer of the contract. */
export type DeciderAnswer = Extract<Outgoing, {kind: 'reply'}>

/** An answer and its decider: "approve", "forward" … */
export interface Decision {
  readonly answer: Outgoing
  readonly by: string
  /** Why the decider could not decide as usual: a few words that quote nothing of the call. */
  readonly because?: string
  /** Fields of the answer that the contract doesn't know, in words; the service ignores them. */
  readonly unread?: readonly string[]
}

/** A step with the headers as the endpoint sent them. */
export type ReceivedStep = Omit<Step, 'headers'> & {readonly headers?: Readonly<NodeJS.Dict<string[]>>}

/** A call as received: parsed for rules, and as bytes for a decider outside this process. */
export interface DecisionRequest extends Pending {
  readonly bytes: Buffer
  /** The headers of the call, with names in lower case. */
  readonly headers: Readonly<NodeJS.Dict<string[]>>
  /** Aborted at the deadline. */
  readonly signal: AbortSignal
  /** Records a step. It stays with the call, even if no decider has an answer in the end. */
  note(step: ReceivedStep): void
}

/** A warm-up as received. */
export type WarmUpRequest = Pick<DecisionRequest, 'bytes' | 'headers' | 'signal' | 'note'>

/** A call until its decision. A class, because a getter in an object literal would cost a hidden class for each call. */
export class CallToDecide implements DecisionRequest {
  readonly event: string
  readonly at: number
  readonly summary: CallSummary
  readonly call: ReceivedCall
  readonly bytes: Buffer
  readonly note: (step: ReceivedStep) => void
  readonly #deadline: Deadline
  readonly #message: Pick<IncomingMessage, 'headersDistinct'>

  constructor(
    {event, at, summary, call}: Pending,
    bytes: Buffer,
    message: Pick<IncomingMessage, 'headersDistinct'>,
    deadline: Deadline,
    steps: Step[],
  ) {
    this.event = event
    this.at = at
    this.summary = summary
    this.call = call
    this.bytes = bytes
    this.note = noteMaskedSteps(steps)
    this.#deadline = deadline
    this.#message = message
  }

  get headers(): DecisionRequest['headers'] {
    return this.#message.headersDistinct
  }

  get signal(): AbortSignal {
    return this.#deadline.signal
  }
}

/** Writes steps down, masked. */
export const noteMaskedSteps =
  (steps: Step[]) =>
  ({by, said, headers}: ReceivedStep): void =>
    void steps.push({by, said: maskText(said), ...(headers && {headers: maskStepHeaders(headers)})})

const maskStepHeaders = headerMasker({})

export interface Decider {
  /**
   * Undefined leaves it to the next decider.
   * @throws DecisionFault when there is no usable decision.
   */
  decide(request: DecisionRequest): Promise<Decision | undefined> | Decision | undefined
  /** Prepares for the first real call; must have no effect. @throws DecisionFault if that fails. */
  warmUp?(request: WarmUpRequest): Promise<void>
  /** Ends what it started, in its own time. */
  close?(): void | Promise<void>
  /** Ends it at once, because this process ends; `close` if absent. */
  kill?(): void
}

/** A decider gave no usable answer. The message quotes nothing of it. */
export class DecisionFault extends Error {
  override readonly name = 'DecisionFault'
}

/** The first decider that has a decision decides; the last one must have one. */
export function firstDecision(deciders: readonly Decider[]): Decider {
  const [only] = deciders
  if (only && deciders.length === 1) return only
  return {
    decide: async request => {
      for (const decider of deciders) {
        const decision = await decider.decide(request)
        if (decision) return decision
      }
      throw new DecisionFault('no rule or decider decides this call')
    },
    warmUp: async request => {
      for (const decider of deciders) await decider.warmUp?.(request)
    },
    close: async () => {
      await Promise.all(deciders.map(decider => decider.close?.()))
    },
    kill: () => {
      for (const decider of deciders) killDecider(decider)
    },
  }
}

/** Ends what a decider started, at once. */
export function killDecider(decider: Decider): void {
  if (decider.kill) decider.kill()
  else void decider.close?.()
}

/** Approves everything. */
export const approveAll: Decider = {decide: ({call}) => ({answer: approval(call), by: 'approve'})}

/** Codes that only make sense if money would leave the account. */
const ABOUT_SPENDING: ReadonlySet<string> = new Set(['51', '61', '65'])

/**
 * Declines with one code where the code makes sense. A reversal reports what has happened, so it is always approved; 51,
 * 61 and 65 decline payments only.
 */
export function declineAll(code: string): Decider {
  const declines = (call: ReceivedCall) => {
    const kind = kindOf(call)
    return kind !== 'reversal' && (kind === 'payment' || !ABOUT_SPENDING.has(codeNumber(code)))
  }
  const declined = decline(code)
  return {decide: ({call}) => ({answer: declines(call) ? declined : approval(call), by: 'decline'})}
}

/** The answer that declines with a code. */
export const decline = (code: string): DeciderAnswer => ({
  kind: 'reply',
  reply: {transactionData: {authResponseCode: {code}}},
})

/** The answer that approves a part. Whether that can be is for `answerFault` to say. */
export const partialApproval = (partialApprovalAmount: {
  amount: number
  currency: string
}): DeciderAnswer => ({
  kind: 'reply',
  reply: {transactionData: {authResponseCode: {code: '10'}, partialApprovalAmount}},
})

/** The answer that approves a call. For a balance inquiry it has the balance of the call: nothing if the call has none. */
export function approval(call: ReceivedCall): DeciderAnswer {
  if (kindOf(call) !== 'balance-inquiry') return APPROVED
  const {availableAmount: given} = partOf(call, 'account')
  const asked = readAmount(partOf(call, 'transactionData').transactionAmount)
  const balance = given == null ? {text: '0', currency: asked?.currency ?? 'EUR'} : readAmount(given)
  const availableAmount = balance && asNumber(balance)
  return availableAmount
    ? {kind: 'reply', reply: {transactionData: {authResponseCode: {code: '00'}, availableAmount}}}
    : APPROVED
}

/** Shared, because thousands of answers are kept in memory. */
const APPROVED: DeciderAnswer = {kind: 'reply', reply: {transactionData: {authResponseCode: {code: '00'}}}}
