import {decimalText, exponentOf, minorToText} from '../../money/index.ts'
import {type AuthCall, kindOf} from '../call-kind.ts'
import {approval, decline, type Outgoing, partialApproval} from '../decide.ts'
import {declineCodesInWords, findDeclineCode} from '../response-codes.ts'
import {isMoney, type Minor, minorOf, readMoney} from './amounts.ts'
import {durationOf} from './durations.ts'
import {inside, type Place} from './place.ts'
import type {DelaySpec, ThenSpec} from './rule-file.ts'

/** What a rule answers; `because` where that is not what it says at first sight. */
export interface Answered {
  readonly answer: Outgoing
  readonly because?: string
}

export interface Action {
  /** Without one the decision is left to what comes after the rules. */
  readonly answer?: (call: AuthCall) => Answered
  /** How long is waited before it, ms. */
  readonly delay?: {readonly min: number; readonly max: number}
}

/** One decision, and a delay. */
export function compileAction(spec: ThenSpec, place: Place): Action {
  if (spec === 'approve') return {answer: call => ({answer: approval(call)})}
  if (spec === 'no answer') return {answer: () => ({answer: {kind: 'none'}})}
  const {delay, ...decision} = spec
  const names = Object.keys(decision)
  if (names.length > 1) {
    place.report(inside(place, names[1] ?? '').pointer, `a rule decides once: ${names.join(', ')}`)
  }
  const answer = compileAnswer(decision, place)
  return {
    ...(answer && {answer}),
    ...(delay !== undefined && {delay: readDelay(delay, inside(place, 'delay'))}),
  }
}

function compileAnswer(
  {approve, decline: code, partial, broken, status}: Exclude<ThenSpec, string>,
  place: Place,
): Action['answer'] {
  if (approve) return call => ({answer: approval(call)})
  if (code !== undefined) {
    const found = findDeclineCode(String(code))
    if (found === undefined) {
      place.report(inside(place, 'decline').pointer, `decline takes ${declineCodesInWords()}`)
    }
    return () => ({answer: decline(found ?? '05')})
  }
  if (partial !== undefined) return compilePartial(partial, inside(place, 'partial'))
  if (broken !== undefined) return () => ({answer: BROKEN[broken]})
  if (status !== undefined) return () => ({answer: {kind: 'raw', status, body: '{}'}})
  return undefined
}

const BROKEN: Readonly<Record<'json' | 'schema', Outgoing>> = {
  json: {kind: 'raw', status: 200, body: '{"transactionData":{"authResponseCode":{"code":"00"'},
  schema: {kind: 'raw', status: 200, body: '{"transactionData":{"code":"00"}}'},
}

function compilePartial(text: string, place: Place): (call: AuthCall) => Answered {
  const share = /^(\d+)(?:\.(\d+))?%$/.exec(text)
  const most = share ? undefined : readMoney(text, place)
  if (share && Number(text.slice(0, -1)) > 100) place.report(place.pointer, 'a share is at most 100%')
  const [, whole = '0', fraction = ''] = share ?? []
  const partOf = ({minor}: Minor): bigint =>
    most ? most.minor : (minor * BigInt(whole + fraction)) / (100n * 10n ** BigInt(fraction.length))
  return call => {
    if (kindOf(call) !== 'payment') return {answer: approval(call), because: 'it is no payment'}
    const {partialApprovalCapable, transactionAmount, billingAmount} = call.transactionData
    const asked = [transactionAmount, billingAmount]
      .filter(isMoney)
      .filter(({currency}) => most === undefined || currency === most.currency)
      .map(minorOf)[0]
    if (!asked) return insufficient('the amount is in another currency')
    const part = partOf(asked)
    if (part >= asked.minor) return {answer: approval(call), because: 'all of it fits'}
    if (partialApprovalCapable !== true) return insufficient('the merchant cannot take a part')
    if (part <= 0n) return insufficient('the part is nothing')
    const {currency} = asked
    return {answer: partialApproval({amount: Number(minorToText(part, exponentOf(currency))), currency})}
  }
}

/** As an issuer answers who has not enough, where a part is no help. */
const insufficient = (because: string): Answered => ({answer: decline('51'), because})

function readDelay(spec: DelaySpec, place: Place): {min: number; max: number} {
  if (typeof spec === 'string') return {min: durationOf(spec), max: durationOf(spec)}
  const [min, max] = [durationOf(spec.min), durationOf(spec.max)]
  if (min > max) place.report(place.pointer, 'the range ends before it begins')
  return {min, max}
}

/** `approve`, `decline 61`, `partial 30 EUR`, `no answer`, `status 503`, `broken answer`. */
export function answerInWords(answer: Outgoing): string {
  if (answer.kind === 'none') return 'no answer'
  if (answer.kind === 'raw') return answer.status === 200 ? 'broken answer' : `status ${answer.status}`
  const {authResponseCode, partialApprovalAmount} = answer.reply.transactionData
  if (partialApprovalAmount) {
    return `partial ${decimalText(partialApprovalAmount.amount)} ${partialApprovalAmount.currency}`
  }
  return authResponseCode.code === '00' ? 'approve' : `decline ${authResponseCode.code}`
}
