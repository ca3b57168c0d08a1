import type {Violation} from '../contract/violation.ts'
import {Failure} from '../errors/failure.ts'
import type {AuthAnswer} from './decide.ts'
import type {ReceivedCall} from './received-call.ts'

/** A call of theirs as ours. */
export interface TranslatedCall {
  readonly ours: unknown
  /** Why it can't be decided: members that are missing or can't be read. */
  readonly unreadable: readonly Violation[]
  /** What the translation doesn't know, and takes as it came. */
  readonly differs: readonly Violation[]
}

/** A decision of theirs as ours; or why it is none, as a sentence without a full stop; or that its status is none. */
export type TranslatedAnswer =
  | {readonly ours: unknown}
  | {readonly fault: string; readonly pointer: string}
  | 'no decision'

/** How a service that was not made for cardctl writes its calls, and reads answers. Everything else here sees ours. */
export interface Translator {
  /** Of whoever speaks like this, for messages. */
  readonly name: string
  /** Below the URL of the endpoint: `/webhooks/authorisation`. */
  readonly path: string
  /** Undefined if the service sends none. */
  readonly warmUp: {readonly path: string; readonly body: unknown} | undefined
  readCall(theirs: unknown): TranslatedCall
  /** @throws Failure NOT_OFFERED for what the service has no place or no value for; the message quotes no value */
  writeCall(ours: unknown): unknown
  /** @param call theirs, whose values an answer may have to repeat. */
  readAnswer(answer: {readonly status: number; readonly body: unknown}, call: unknown): TranslatedAnswer
  /** @throws Failure NOT_OFFERED for what the service has no place or no value for; the message quotes no value */
  writeAnswer(answer: AuthAnswer, call: unknown): {readonly status: number; readonly body: unknown}
}

/** Why a call or an answer can't be put into their words, without a full stop; undefined for any other error. */
export const untranslatable = (error: unknown): string | undefined =>
  error instanceof Failure && error.code === 'NOT_OFFERED' ? error.message.replace(/\.$/, '') : undefined

/** Whether a service has a place and a value for all of a call. */
export function canSend(call: unknown, translator: Translator | undefined): boolean {
  try {
    translator?.writeCall(call)
    return true
  } catch (error) {
    if (untranslatable(error) === undefined) throw error
    return false
  }
}

/** Ids that have a form of their own at such a service. */
const IDS: ReadonlySet<string> = new Set(['/card/cardId', '/account/accountId', '/customer/customerId'])

/** Differences from the contract that count, for calls of a service whose ids need not be digits. */
export const countedViolations = (
  violations: readonly Violation[],
  translator: Translator | undefined,
): readonly Violation[] => (translator ? violations.filter(({pointer}) => !IDS.has(pointer)) : violations)

/** A warm-up of ours, for what decides. */
export const warmUpOf = (now: number): ReceivedCall => ({
  type: 'WARM_UP',
  timestamp: new Date(now).toISOString(),
})
