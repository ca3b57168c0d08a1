import type {FoundAmount} from '../contract/marked-values.ts'
import {decimalText} from '../money/amount.ts'
import {UNSTATED} from './policy-file.ts'

/** More decimals than any currency has. */
const DECIMALS = 6

/** An amount as an exact integer of millionths; undefined for one that has no such form. Its sign doesn't count. */
export function millionths(amount: string | number): bigint | undefined {
  const text = typeof amount === 'number' ? decimalText(amount) : amount
  const [, whole, fraction = ''] = /^-?(\d{1,18})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(DECIMALS, '0'))
}

/** For people: 12500000n is "12.50", 3000000n is "3". */
export function amountText(value: bigint): string {
  const digits = value.toString().padStart(DECIMALS + 1, '0')
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '')
  const whole = digits.slice(0, -DECIMALS)
  return fraction === '' ? whole : `${whole}.${fraction.padEnd(2, '0')}`
}

/** What a request counts as, by currency; undefined for a sum that nothing limits. */
export type Sums = ReadonlyMap<string, bigint | undefined>

/** Adds up the amounts of a request. A limit of 0 that the service takes as none has no bound. */
export function sumsOf(amounts: readonly FoundAmount[]): Sums {
  const sums = new Map<string, bigint | undefined>()
  for (const {value, currency = UNSTATED, unlimited} of amounts) {
    const amount = unlimited === true && value === 0 ? undefined : millionths(value)
    const before = sums.has(currency) ? sums.get(currency) : 0n
    sums.set(currency, amount === undefined || before === undefined ? undefined : before + amount)
  }
  return sums
}
