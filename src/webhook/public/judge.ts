import {ignoredFields, parseAnswer} from '../../contract/auth-answer.ts'
import {checkWebhookCallStrict} from '../../contract/validate.ts'
import type {Violation} from '../../contract/violation.ts'
import {isObject} from '../../errors/is-object.ts'
import {checkAnswerTo} from '../check-answer.ts'
import type {AuthAnswer} from '../decide.ts'
import {codeNumber, type Outcome, outcomeOf} from '../response-codes.ts'

/** What an answer means to the service. */
export interface Judgement {
  /** `invalid`: the service decides by its fallback. */
  readonly outcome: Outcome | 'invalid'
  /** The response code as two digits, also if the answer has its name. Absent if it is invalid. */
  readonly code?: string
  /** The approved part, with outcome `partial`. */
  readonly part?: {readonly amount: number; readonly currency: string}
  /** Why it is invalid: empty if it isn't. */
  readonly faults: readonly Violation[]
  /** Fields that the service ignores, mostly typing mistakes. */
  readonly ignored: readonly Violation[]
}

/**
 * Judges the body of an answer with status 200 as the service does.
 *
 * @param call the call that was answered. Its amount and `partialApprovalCapable` matter for a partial approval.
 * @param answer parsed JSON, or the text of the body.
 */
export async function judgeAnswer(call: unknown, answer: unknown): Promise<Judgement> {
  const body = typeof answer === 'string' ? parseAnswer(answer) : answer
  const faults = await checkAnswerTo(isObject(call) ? call : {}, body)
  const ignored = ignoredFields(body)
  if (faults.length > 0) return {outcome: 'invalid', faults, ignored}
  const {authResponseCode, partialApprovalAmount} = (body as AuthAnswer).transactionData
  const outcome = outcomeOf(authResponseCode.code)
  return {
    outcome,
    code: codeNumber(authResponseCode.code),
    ...(outcome === 'partial' && partialApprovalAmount && {part: partialApprovalAmount}),
    faults,
    ignored,
  }
}

/**
 * How a call differs from the contract, also by fields and values that the contract doesn't know. Empty if it matches.
 */
export const checkCall = (call: unknown): Promise<readonly Violation[]> =>
  checkWebhookCallStrict('webhook.auth', call)
