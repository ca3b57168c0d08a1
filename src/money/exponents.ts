import {Failure} from '../errors/failure.ts'

/**
 * Decimal places of the ISO 4217 codes whose minor unit isn't 2 (list one of the maintenance agency). Not from `Intl`,
 * whose data reflects prices in shops (0 for several currencies that ISO 4217 gives 2 or 3).
 */
const otherExponents: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
}

/** Codes with two decimals. Metals, test codes and XDR have no minor unit in ISO 4217, so amounts can't use them. */
const twoDecimals = new Set(
  `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
   CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS
   INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN
   NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC
   SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`.split(
    /\s+/,
  ),
)

/** All ISO 4217 codes of currencies that amounts can be in, in order. */
export const currencyCodes = (): readonly string[] =>
  [...Object.keys(otherExponents), ...twoDecimals].toSorted()

/** The decimal places of an ISO 4217 code, or undefined for a code that isn't a currency with a minor unit. */
export function findExponent(currency: string): number | undefined {
  if (Object.hasOwn(otherExponents, currency)) return otherExponents[currency]
  return twoDecimals.has(currency) ? 2 : undefined
}

/**
 * The decimal places of an ISO 4217 code.
 * @throws Failure INPUT_INVALID for anything else. Doesn't quote the text: a misplaced column may hold a card number.
 */
export function exponentOf(currency: string): number {
  const exponent = findExponent(currency)
  if (exponent !== undefined) return exponent
  const shown = /^[A-Za-z]{3}$/.test(currency) ? `${currency} is` : 'This is'
  throw new Failure('INPUT_INVALID', {
    message: `${shown} not a currency code that amounts can have here`,
    hint: 'Give its three capital letters, such as EUR or SEK.',
  })
}

/** A number as decimal text with the decimals of a currency, at most 2. */
export const inCurrency = (amount: number, currency: string): string =>
  amount.toFixed(Math.min(exponentOf(currency), 2))
