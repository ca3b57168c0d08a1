import {Failure} from '../errors/failure.ts'
import {exponentOf, findExponent} from './exponents.ts'

/** Number of digits that a double always keeps (IEEE 754: DBL_DIG). */
export const MAX_DIGITS = 15

/** An exact amount: an integer in the currency's minor unit, and the decimal text as received. */
interface Amount {
  readonly minor: bigint
  /** Plain decimal text with the digits as received, without leading zeros: "12.50". Valid as a JSON number. */
  readonly text: string
}

const refuse = (message: string, hint: string) => new Failure('INPUT_INVALID', {message, hint})

/**
 * Reads an amount exactly. Takes plain decimal text ("1234.50", "-3") or a number from JSON: no thousands separators,
 * no exponent, no sign but a minus. Refuses more decimals than the currency has, because "1.000" could mean one or one
 * thousand.
 * @throws Failure INPUT_INVALID, which never quotes the input.
 */
export function parseAmount(input: string | number, currency: string): Amount {
  const exponent = exponentOf(currency)
  const given = typeof input === 'number' ? decimalText(input) : input
  const match = /^(-?)0*(\d+)(?:\.(\d+))?$/.exec(given)
  if (match === null) {
    throw refuse(
      'The amount is not a decimal number',
      'Write it plainly, such as 1234.50: a point, no grouping, no currency.',
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

/** Compares amounts of one currency by their minor units: -1, 0 or 1. */
export function compareAmounts(a: string | number, b: string | number, currency: string): -1 | 0 | 1 {
  const [left, right] = [parseAmount(a, currency).minor, parseAmount(b, currency).minor]
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * The shortest decimal text of a number, without an exponent: 1e21 becomes "1000000000000000000000", 1e-7 becomes
 * "0.0000001". NaN and infinities stay as `String` writes them, and no amount parser accepts them.
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

/** The decimal text of an integer in minor units: 1250n with exponent 2 is "12.50". */
export function minorToText(minor: bigint, exponent: number): string {
  const sign = minor < 0n ? '-' : ''
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0')
  if (exponent === 0) return sign + digits
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

/** A narrow space that doesn't break (U+202F): groups digits where a comma or a point could be taken for decimals. */
export const THIN_SPACE = '\u202f'

interface FormatAmountOptions {
  /** The thousands separator; '' (the default) for none. */
  readonly grouping?: string
}

/**
 * An amount for a person: the digits as received, never rounded, padded with zeros to the currency's decimals ("5000"
 * EUR is "5000.00", 12.345 EUR stays "12.345"). Never throws, because it shows responses: for an unknown or absent
 * currency the digits don't change, and text that isn't a number is returned unchanged.
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

/** "EUR 148 220.50": the digits as received, in groups of three. Without a currency, only the number. */
export function amount(value: unknown, currency?: unknown): string {
  if (typeof value !== 'number' && typeof value !== 'string') return ''
  const code = typeof currency === 'string' && currency !== '' ? currency : undefined
  const digits = formatAmount(value, code, {grouping: THIN_SPACE})
  return code === undefined ? digits : `${code} ${digits}`
}

/** A count in groups of three: "50 000". */
export const count = (value: number): string => formatAmount(value, undefined, {grouping: THIN_SPACE})

/** "1 card", "2 cards". */
export const counted = (value: number, one: string): string =>
  `${count(value)} ${one}${value === 1 ? '' : 's'}`
