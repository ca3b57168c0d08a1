import {decimalText, findExponent, MAX_DIGITS} from '../money/index.ts'
import {isObject} from './received-call.ts'

/** An amount of a call that can be read, in the digits that came. */
export interface ReadAmount {
  /** Plain decimal text. */
  readonly text: string
  /** Three capital letters, of a currency that is known or not. */
  readonly currency: string
}

/** An amount in the minor unit of its currency. */
export interface Minor {
  readonly minor: bigint
  readonly currency: string
}

/** More digits than these are no amount: to calculate with them would cost time. */
const MOST_DIGITS = 400
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/
const CURRENCY = /^[A-Z]{3}$/
const NOTHING = /^-?0+(\.0+)?$/

/** Undefined for what is no number, nor plain decimal text, in a currency. */
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
 * An amount exactly. One with more digits than its currency has counts as the next larger amount, so that it slips past no
 * limit. Undefined where nobody knows the currency.
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

/** An amount as it can be shown and sent on: a number. Undefined for one whose digits a number does not keep. */
export function asNumber({text, currency}: ReadAmount): {amount: number; currency: string} | undefined {
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '')
  return digits.length > MAX_DIGITS ? undefined : {amount: Number(text), currency}
}

/** Whether an amount is zero, in whatever currency. */
export function isOfNothing(value: unknown): boolean {
  const text = isObject(value) ? digitsOf(value.amount) : undefined
  return text !== undefined && NOTHING.test(text)
}
