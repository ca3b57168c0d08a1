import {decimalText, minorToText} from '../../money/amount.ts'
import {exponentOf} from '../../money/exponents.ts'
import {approval, decline, type Outgoing, partialApproval} from '../decide.ts'
import {
  asNumber,
  kindOf,
  type Minor,
  minorOf,
  partOf,
  type ReadAmount,
  type ReceivedCall,
  readAmount,
  takesPart,
} from '../received-call.ts'
import {declineCodesInWords, findDeclineCode} from '../response-codes.ts'
import {readMoney} from './amounts.ts'
import {
  type Broken,
  type Decisions,
  type DelaySpec,
  durationOf,
  type FallbackSpec,
  inside,
  type Place,
  type ThenSpec,
} from './rule-file.ts'

/** The answer of a rule; `because` if that differs from what the rule says. */
export interface Answered {
  readonly answer: Outgoing
  readonly because?: string
}

export interface Action {
  /** Without one, the next decider decides. */
  readonly answer?: (call: ReceivedCall) => Answered
  /** Delay before it, in ms. */
  readonly delay?: {readonly min: number; readonly max: number}
}

/** The answer if a rule that would not have approved everything cannot be evaluated. Never an approval. */
export function compileFallback(spec: FallbackSpec | undefined, place: Place): Outgoing {
  const action = compileAction(spec ?? {decline: '05'}, place)
  return action.answer?.(NO_CALL).answer ?? decline('05')
}

/** An answer that approves nothing is the same for every call. */
const NO_CALL: ReceivedCall = {}

/** Whether a rule lets a call pass, by approving it or by leaving it to the next decider. */
export const letsPass = (spec: ThenSpec): boolean =>
  typeof spec === 'string' ? spec === 'approve' : spec.approve === true || Object.keys(spec).every(isDelay)

const isDelay = (name: string): boolean => name === 'delay'

/** One decision, and a delay. */
export function compileAction(spec: ThenSpec, place: Place): Action {
  if (spec === 'approve') return {answer: call => ({answer: approval(call)})}
  if (spec === 'no answer') return {answer: () => ({answer: {kind: 'none'}})}
  const {delay, ...decision} = spec
  const [decided, second] = Object.entries(decision)
  if (second) {
    const names = Object.keys(decision).join(', ')
    place.report(inside(place, second[0]).pointer, `a rule has one decision, found ${names}`)
  }
  const answer = decided && compileAnswer(decided, place)
  return {
    ...(answer && {answer}),
    ...(delay !== undefined && {delay: readDelay(delay, inside(place, 'delay'))}),
  }
}

function compileAnswer([name, written]: [string, unknown], place: Place): Answer {
  return ANSWERS[name as keyof Decisions](written as never, inside(place, name))
}

type Answer = NonNullable<Action['answer']>

/** The answer of each decision. */
const ANSWERS: {
  readonly [Name in keyof Decisions]: (written: Decisions[Name], place: Place) => Answer
} = {
  approve: () => call => ({answer: approval(call)}),
  decline: (code, place) => {
    const found = findDeclineCode(String(code))
    if (found === undefined) place.report(place.pointer, `decline takes ${declineCodesInWords()}`)
    return () => ({answer: decline(found ?? '05')})
  },
  partial: compilePartial,
  broken: what => call => ({answer: {kind: 'raw', status: 200, body: BROKEN[what](call)}}),
  status: status => () => ({answer: {kind: 'raw', status, body: '{}'}}),
}

/** The bodies that are no answer to the call. */
const BROKEN: Readonly<Record<Broken, (call: ReceivedCall) => string>> = {
  json: (_: ReceivedCall) => '{"transactionData":{"authResponseCode":{"code":"00"',
  schema: (_: ReceivedCall) => '{"transactionData":{"code":"00"}}',
  /** A partial approval of more than was asked: in the contract, and still no answer to this call. */
  amount: (call: ReceivedCall) => {
    const asked = readAmount(partOf(call, 'transactionData').transactionAmount)
    const {minor, currency} = (asked && minorOf(asked)) ?? {minor: 0n, currency: 'EUR'}
    const amount = Number(minorToText(minor + 1n, exponentOf(currency)))
    return JSON.stringify(partialApproval({amount, currency}).reply)
  },
}

function compilePartial(text: string, place: Place): (call: ReceivedCall) => Answered {
  const share = /^(\d+)(?:\.(\d+))?%$/.exec(text)
  const most = share ? undefined : readMoney(text, place)
  if (share && Number(text.slice(0, -1)) > 100) place.report(place.pointer, 'a percentage is at most 100%')
  const [, whole = '0', fraction = ''] = share ?? []
  const shareOf = ({minor}: Minor): bigint =>
    most ? most.minor : (minor * BigInt(whole + fraction)) / (100n * 10n ** BigInt(fraction.length))
  return call => {
    if (kindOf(call) !== 'payment') return {answer: approval(call), because: 'it is not a payment'}
    const {transactionAmount, billingAmount} = partOf(call, 'transactionData')
    const amounts = [transactionAmount, billingAmount].filter(amount => amount != null).map(readAmount)
    if (!amounts.every(isAsked)) return insufficient('the amount is unreadable')
    const asked = amounts
      .filter(({currency}) => most === undefined || currency === most.currency)
      .map(minorOf)
      .find(amount => amount !== undefined && amount.minor > 0n)
    if (!asked) return insufficient('the amount is in another currency')
    const part = shareOf(asked)
    if (part >= asked.minor) return {answer: approval(call), because: 'the part covers the whole amount'}
    if (!takesPart(call)) return insufficient('the merchant does not support partial approvals')
    if (part <= 0n) return insufficient('the part is zero')
    const {currency} = asked
    return {answer: partialApproval({amount: Number(minorToText(part, exponentOf(currency))), currency})}
  }
}

/** An amount below zero has no part, and one with more digits than these would become another amount. */
const isAsked = (amount: ReadAmount | undefined): amount is ReadAmount =>
  amount !== undefined && !amount.text.startsWith('-') && asNumber(amount) !== undefined

/** Like an issuer without enough funds, where a partial approval isn't possible. */
const insufficient = (because: string): Answered => ({answer: decline('51'), because})

function readDelay(spec: DelaySpec, place: Place): {min: number; max: number} {
  if (typeof spec === 'string') return {min: durationOf(spec), max: durationOf(spec)}
  const [min, max] = [durationOf(spec.min), durationOf(spec.max)]
  if (min > max) place.report(place.pointer, 'the range ends before it starts')
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
