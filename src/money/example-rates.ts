import {exponentOf} from './exponents.ts'

/** Made-up, constant exchange rates for tests and trials: units of a currency for one euro. */
const perEuro: Readonly<Record<string, string>> = {
  EUR: '1',
  AUD: '1.65',
  CAD: '1.48',
  CHF: '0.95',
  CZK: '25',
  DKK: '7.46',
  GBP: '0.85',
  HUF: '395',
  JPY: '160',
  NOK: '11.5',
  NZD: '1.80',
  PLN: '4.30',
  SEK: '11.2',
  USD: '1.10',
}

/** Number of decimals of a rate, which is stored as an integer. */
const SCALE = 4
const rate = (currency: string): bigint | undefined => {
  const text = perEuro[currency]
  if (text === undefined) return undefined
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(SCALE, '0'))
}

/**
 * Converts minor units of one currency to minor units of another, rounded half up.
 * @returns undefined for a currency without a rate.
 */
export function convert(minor: bigint, from: string, to: string): bigint | undefined {
  if (from === to) return minor
  const [rateFrom, rateTo] = [rate(from), rate(to)]
  if (rateFrom === undefined || rateTo === undefined) return undefined
  const numerator = minor * rateTo * 10n ** BigInt(exponentOf(to))
  const denominator = rateFrom * 10n ** BigInt(exponentOf(from))
  return (2n * numerator + denominator) / (2n * denominator)
}
