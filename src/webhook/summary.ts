import {createHash} from 'node:crypto'
import type {Violation} from '../contract/violation.ts'
import {isObject} from '../errors/is-object.ts'
import type {CallSummary} from './exchange.ts'
import {
  asNumber,
  callIdOf,
  cardIdOf,
  kindOf,
  partOf,
  type ReceivedCall,
  readAmount,
  textOf,
} from './received-call.ts'

/** What was noticed about a call, in addition to its content. */
export interface Noticed {
  readonly unknown?: readonly string[]
  readonly differs?: readonly Violation[]
  readonly reusedId?: string | undefined
}

/** What a line shows of a masked call. */
export function summaryOf(
  body: unknown,
  deadlineMs: number,
  {unknown = [], differs = [], reusedId}: Noticed = {},
): CallSummary {
  const call: ReceivedCall = isObject(body) ? body : {}
  const messageCategory = textOf(partOf(call, 'metadata').messageCategory)
  const data = partOf(call, 'transactionData')
  const transactionType = textOf(data.transactionType)
  const amount = readAmount(data.transactionAmount ?? data.billingAmount)
  const merchant = partOf(call, 'merchantData')
  const cardId = cardIdOf(call)
  return {
    id: callIdOf(call) ?? digestOf(body),
    kind: kindOf(call),
    ...(messageCategory !== undefined && {messageCategory}),
    ...(transactionType !== undefined && {transactionType}),
    merchant: merchant.name === '' ? '' : (textOf(merchant.name) ?? textOf(merchant.id) ?? ''),
    ...(amount && asNumber(amount)),
    ...(cardId !== undefined && {cardId}),
    deadlineMs,
    ...(unknown.length > 0 && {unknown}),
    ...(differs.length > 0 && {differs}),
    ...(reusedId !== undefined && {reusedId}),
  }
}

const DIGITS = 16

/** A name for a call without an id, the same for the same masked body. */
function digestOf(body: unknown): string {
  const text = JSON.stringify(body) ?? ''
  return `body-${createHash('sha256').update(text).digest('hex').slice(0, DIGITS)}`
}
