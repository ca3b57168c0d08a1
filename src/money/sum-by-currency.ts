import {minorToText, parseAmount} from './amount.ts'
import {exponentOf} from './exponents.ts'

export interface CurrencySum {
  readonly currency: string
  /** The number of amounts in the sum. */
  readonly count: number
  readonly minor: bigint
  /** Decimal text with all decimals of the currency: "148220.50". */
  readonly text: string
}

/** Adds amounts one by one, so that memory use depends on the number of currencies, not of rows. */
export class CurrencySums {
  readonly #sums = new Map<string, {count: number; minor: bigint}>()

  /**
   * @param count how many amounts it is the sum of.
   * @throws Failure INPUT_INVALID like `parseAmount`; earlier amounts stay in the sum.
   */
  add(amount: string | number, currency: string, count = 1): void {
    const {minor} = parseAmount(amount, currency)
    const sum = this.#sums.get(currency) ?? {count: 0, minor: 0n}
    this.#sums.set(currency, {count: sum.count + count, minor: sum.minor + minor})
  }

  /** One sum per currency, in alphabetical order. */
  totals(): CurrencySum[] {
    return [...this.#sums]
      .map(([currency, {count, minor}]) => ({
        currency,
        count,
        minor,
        text: minorToText(minor, exponentOf(currency)),
      }))
      .sort((a, b) => (a.currency < b.currency ? -1 : 1))
  }
}

/**
 * Exact sums per currency, on integers of the minor unit: 0.1 + 0.2 is 0.3. An amount below zero, which only unchecked
 * input has, counts by its size: what moves back doesn't make less of what moves.
 */
export function sumByCurrency(
  amounts: Iterable<{readonly amount: string | number; readonly currency: string}>,
): CurrencySum[] {
  const sums = new CurrencySums()
  for (const {amount, currency} of amounts) sums.add(sizeOf(amount), currency)
  return sums.totals()
}

const sizeOf = (amount: string | number): string | number =>
  typeof amount === 'number' ? Math.abs(amount) : String(amount).replace(/^-/, '')
