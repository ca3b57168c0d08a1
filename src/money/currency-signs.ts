import {findExponent} from './exponents.ts'

/** Signs of currencies and the words that stand beside amounts, and what they may stand for. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  euro: ['EUR'],
  euros: ['EUR'],
  euroa: ['EUR'],
  fr: ['CHF'],
  sfr: ['CHF'],
  franken: ['CHF'],
  kronor: ['SEK'],
  kroner: ['NOK', 'DKK'],
  '£': ['GBP'],
  zł: ['PLN'],
  Kč: ['CZK'],
  '₹': ['INR'],
  '₺': ['TRY'],
  '₩': ['KRW'],
  '¥': ['JPY', 'CNY'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN'],
}

/** The codes that a sign or code beside an amount may stand for; none if it is neither. */
export function currenciesOf(word: string): readonly string[] {
  const given = word.trim().replace(/[.:]$/, '')
  if (findExponent(given.toUpperCase()) !== undefined) return [given.toUpperCase()]
  const [, codes = []] =
    Object.entries(SIGNS).find(([sign]) => sign.toLowerCase() === given.toLowerCase()) ?? []
  return codes
}
