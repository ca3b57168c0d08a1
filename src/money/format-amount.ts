import {findExponent} from './exponents.ts'
import {decimalText} from './parse-amount.ts'

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
