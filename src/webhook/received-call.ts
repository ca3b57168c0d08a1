import {isObject} from '../errors/is-object.ts'
import {decimalText, MAX_DIGITS} from '../money/amount.ts'
import {findExponent} from '../money/exponents.ts'

/**
 * A call as received: a JSON object. Don't rely on the contract: any field may be missing, null, or of another type.
 */
export type ReceivedCall = Readonly<Record<string, unknown>>

const NOTHING: ReceivedCall = {}

/** An object inside a call, such as `metadata` or `card`; empty if it is missing. */
export function partOf(call: ReceivedCall, name: string): ReceivedCall {
  const part = call[name]
  return isObject(part) ? part : NOTHING
}

/** Text, or a number that lost no digit on the way; undefined for everything else, and for blank text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return /\S/.test(value) ? value : undefined
  return Number.isSafeInteger(value) ? String(value) : undefined
}

/** `metadata.id`. A call without one is never the same as another. */
export const callIdOf = (call: ReceivedCall): string | undefined => textOf(partOf(call, 'metadata').id)

/** `card.cardId`. */
export const cardIdOf = (call: ReceivedCall): string | undefined => textOf(partOf(call, 'card').cardId)

/** Whether the merchant supports partial approvals. */
export const takesPart = (call: ReceivedCall): boolean =>
  partOf(call, 'transactionData').partialApprovalCapable === true

/** The same call under another `metadata.id`. One without a readable id stays unchanged. */
export const withId = (call: ReceivedCall, id: string): ReceivedCall =>
  callIdOf(call) === undefined ? call : {...call, metadata: {...partOf(call, 'metadata'), id}}

/** The kind of a call, as far as an answer depends on it. */
export type CallKind =
  | 'payment'
  | 'credit'
  | 'reversal'
  | 'balance-inquiry'
  | 'pin-management'
  | 'verification'

const byType: ReadonlyMap<unknown, CallKind> = new Map([
  ['REVERSAL', 'reversal'],
  ['BALANCE_INQUIRY', 'balance-inquiry'],
  ['PIN_CHANGE', 'pin-management'],
  ['PIN_UNBLOCK', 'pin-management'],
  ['CREDIT', 'credit'],
  ['ORIGINAL_CREDIT', 'credit'],
  ['P2P_CREDIT', 'credit'],
])

const byCategory: ReadonlyMap<unknown, CallKind> = new Map([
  ['BALANCE_INQUIRY', 'balance-inquiry'],
  ['PIN_MANAGEMENT', 'pin-management'],
])

/** Unknown or unreadable values count as a payment, the kind with the strictest rules. */
export function kindOf(call: ReceivedCall): CallKind {
  const data = partOf(call, 'transactionData')
  const known = byCategory.get(partOf(call, 'metadata').messageCategory) ?? byType.get(data.transactionType)
  if (known !== undefined) return known
  const {billingAmount, transactionAmount} = data
  const isVerification =
    isOfNothing(billingAmount ?? transactionAmount) && isOfNothing(transactionAmount ?? billingAmount)
  return isVerification ? 'verification' : 'payment'
}

/** Whether a call says its kind. If not, `kindOf` assumes a payment. */
export const namesItsKind = (call: ReceivedCall): boolean =>
  byCategory.has(partOf(call, 'metadata').messageCategory) ||
  isName(partOf(call, 'transactionData').transactionType)

const isName = (value: unknown): boolean => typeof value === 'string' && /\S/.test(value)

/** A readable amount of a call, with the digits as they arrived. */
export interface ReadAmount {
  /** Plain decimal text. */
  readonly text: string
  /** Three capital letters, known as a currency or not. */
  readonly currency: string
}

/** An amount in the minor unit of its currency. */
export interface Minor {
  readonly minor: bigint
  readonly currency: string
}

/** A longer number is not an amount, and calculating with it would take time. */
const MOST_DIGITS = 400
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/
const CURRENCY = /^[A-Z]{3}$/
const NO_AMOUNT = /^-?0+(\.0+)?$/

/** Undefined if it is neither a number nor plain decimal text, in a currency. */
export function readAmount(value: unknown): ReadAmount | undefined {
  if (!isObject(value)) return undefined
  const {amount, currency} = value
  if (typeof currency !== 'string' || !CURRENCY.test(currency)) return undefined
  const text = digitsOf(amount)
  return text === undefined ? undefined : {text, currency}
}

function digitsOf(amount: unknown): string | undefined {
  const text = typeof amount === 'number' ? decimalText(amount) : amount
  return typeof text === 'string' && text.length <= MOST_DIGITS && DECIMAL.test(text) ? text : undefined
}

/**
 * The exact amount. One with more digits than its currency has counts as the next larger amount, so that it can't evade
 * a limit. Undefined if the currency is unknown.
 */
export function minorOf({text, currency}: ReadAmount): Minor | undefined {
  const exponent = findExponent(currency)
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(text) ?? []
  if (exponent === undefined || whole === '') return undefined
  const magnitude = BigInt(whole + fraction.slice(0, exponent).padEnd(exponent, '0'))
  const hasRest = /[1-9]/.test(fraction.slice(exponent))
  if (sign === '-') return {minor: -magnitude, currency}
  return {minor: hasRest ? magnitude + 1n : magnitude, currency}
}

/** An amount to show and to send on: a number. Undefined if a number can't hold its digits. */
export function asNumber({text, currency}: ReadAmount): {amount: number; currency: string} | undefined {
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '')
  return digits.length > MAX_DIGITS ? undefined : {amount: Number(text), currency}
}

/** Whether an amount is zero, in any currency. */
function isOfNothing(value: unknown): boolean {
  const text = isObject(value) ? digitsOf(value.amount) : undefined
  return text !== undefined && NO_AMOUNT.test(text)
}
