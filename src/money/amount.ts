import {Failure} from '../errors/failure.ts'
import {exponentOf, findExponent} from './exponents.ts'

/** Number of digits that a double always keeps (IEEE 754: DBL_DIG). */
export const MAX_DIGITS = 15

/** An exact amount: the integer of the currency's minor unit, and the decimal text that came. */
export interface Amount {
  readonly minor: bigint
  /** Plain decimal text, the digits as they came, without leading zeros: "12.50". Valid as a JSON number. */
  readonly text: string
}

const refuse = (message: string, hint: string) => new Failure('INPUT_INVALID', {message, hint})

/**
 * Reads an amount exactly. Takes plain decimal text ("1234.50", "-3") or a number from JSON; no grouping, no exponent,
 * no sign but a minus. Refuses more decimals than the currency has, so that "1.000" is never read as a thousand or one.
 * @throws Failure INPUT_INVALID (exit 2), never quoting the input.
 */
export function parseAmount(input: string | number, currency: string): Amount {
  const exponent = exponentOf(currency)
  const given = typeof input === 'number' ? decimalText(input) : input
  const match = /^(-?)0*(\d+)(?:\.(\d+))?$/.exec(given)
  if (match === null) {
    throw refuse(
      'The amount is not a decimal number',
      'Write it plainly, such as 1234.50: no grouping, a point.',
    )
  }
  const [, minus = '', whole = '0', fraction = ''] = match
  if (fraction.length > exponent) {
    throw refuse(
      `The amount has ${fraction.length} decimals, ${currency} has ${exponent}`,
      exponent === 0 ? `Write ${currency} without a point.` : `Write at most ${exponent} decimals.`,
    )
  }
  if (significantDigits(whole + fraction) > MAX_DIGITS) {
    throw refuse(
      `The amount has more than ${MAX_DIGITS} significant digits`,
      'Split it: a longer number would not travel unchanged.',
    )
  }
  const magnitude = BigInt(whole + fraction.padEnd(exponent, '0'))
  const sign = magnitude === 0n ? '' : minus
  return {
    minor: sign === '-' ? -magnitude : magnitude,
    text: sign + whole + (fraction === '' ? '' : `.${fraction}`),
  }
}

const significantDigits = (digits: string) => digits.replace(/^0+/, '').length

/** Minus one, zero or one: amounts of one currency compared on their minor units. */
export function compareAmounts(a: string | number, b: string | number, currency: string): -1 | 0 | 1 {
  const [left, right] = [parseAmount(a, currency).minor, parseAmount(b, currency).minor]
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * A number's shortest decimal text without an exponent: 1e21 becomes "1000000000000000000000", 1e-7 "0.0000001".
 * What isn't finite comes back as `String` gives it ("NaN"), which no amount parser takes.
 */
export function decimalText(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (match === null) return Object.is(value, -0) ? '0' : text
  const [, sign = '', whole = '', fraction = '', power = '0'] = match
  const digits = whole + fraction
  const point = whole.length + Number(power)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return sign + digits.padEnd(point, '0')
}

/** The decimal text of an integer of minor units: 1250n with exponent 2 is "12.50". */
export function minorToText(minor: bigint, exponent: number): string {
  const sign = minor < 0n ? '-' : ''
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0')
  if (exponent === 0) return sign + digits
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

export interface FormatAmountOptions {
  /** What stands between groups of three digits; '' (the default) for none. */
  readonly grouping?: string
}

/**
 * An amount for a person: the digits that came, never rounded, filled with zeros up to the currency's decimals
 * ("5000" EUR is "5000.00", 12.345 EUR stays "12.345"). Replies are shown with it, so it refuses nothing: an unknown or
 * absent currency leaves the digits alone, and text that isn't a number comes back as it is.
 */
export function formatAmount(
  amount: string | number,
  currency?: string | undefined,
  options: FormatAmountOptions = {},
): string {
  const given = typeof amount === 'number' ? decimalText(amount) : amount
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(given)
  if (match === null) return given
  const [, sign = '', whole = '', fraction = ''] = match
  const filled = fraction.padEnd((currency === undefined ? undefined : findExponent(currency)) ?? 0, '0')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, options.grouping ?? '')
  return sign + grouped + (filled === '' ? '' : `.${filled}`)
}
