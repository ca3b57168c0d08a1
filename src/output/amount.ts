import {formatAmount, THIN_SPACE} from '../money/amount.ts'

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
