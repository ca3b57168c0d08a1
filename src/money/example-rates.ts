import {exponentOf} from './exponents.ts'

/** Made-up, constant exchange rates for tests and trials: units of a currency for one euro. */
const perEuro: ReadonlyMap<string, string> = new Map(
  `AED 4.04, AFN 78, ALL 98, AMD 430, ANG 1.97, AOA 1000, ARS 1100, AUD 1.65, AWG 1.97, AZN 1.87, BAM 1.96, BBD
   2.2, BDT 132, BGN 1.96, BHD 0.41, BIF 3200, BMD 1.1, BND 1.45, BOB 7.6, BOV 7.6, BRL 6, BSD 1.1, BTN 93, BWP
   15, BYN 3.6, BZD 2.2, CAD 1.48, CDF 3100, CHE 0.95, CHF 0.95, CHW 0.95, CLF 0.027, CLP 1030, CNY 7.9, COP
   4500, COU 14, CRC 560, CUP 26, CVE 110, CZK 25, DJF 196, DKK 7.46, DOP 66, DZD 147, EGP 54, ERN 16.5, ETB
   130, EUR 1, FJD 2.45, FKP 0.85, GBP 0.85, GEL 3, GHS 17, GIP 0.85, GMD 77, GNF 9500, GTQ 8.5, GYD 230, HKD
   8.6, HNL 27, HTG 145, HUF 395, IDR 17200, ILS 4.1, INR 93, IQD 1440, IRR 46000, ISK 150, JMD 173, JOD 0.78,
   JPY 160, KES 142, KGS 94, KHR 4500, KMF 492, KPW 990, KRW 1500, KWD 0.34, KYD 0.92, KZT 530, LAK 24000, LBP
   98000, LKR 330, LRD 210, LSL 20, LYD 5.3, MAD 10.8, MDL 19.4, MGA 5000, MKD 61.5, MMK 2310, MNT 3750, MOP
   8.9, MRU 43.5, MUR 51, MVR 17, MWK 1900, MXN 21, MXV 2.6, MYR 4.8, MZN 70, NAD 20, NGN 1750, NIO 40.5, NOK
   11.5, NPR 149, NZD 1.80, OMR 0.42, PAB 1.1, PEN 4.1, PGK 4.3, PHP 63, PKR 306, PLN 4.30, PYG 8400, QAR 4,
   RON 4.97, RSD 117, RUB 105, RWF 1480, SAR 4.13, SBD 9.2, SCR 15, SDG 660, SEK 11.2, SGD 1.45, SHP 0.85, SLE
   25, SOS 630, SRD 33, SSP 2500, STN 24.5, SVC 9.6, SYP 14300, SZL 20, THB 38, TJS 11.8, TMT 3.85, TND 3.4,
   TOP 2.6, TRY 37, TTD 7.5, TWD 35.5, TZS 2950, UAH 45, UGX 4050, USD 1.10, USN 1.1, UYI 44, UYU 44, UYW
   0.007, UZS 14000, VED 41, VES 41, VND 27500, VUV 130, WST 3, XAD 4.04, XAF 656, XCD 2.97, XCG 1.97, XOF 656,
   XPF 119, YER 275, ZAR 20, ZMW 29, ZWG 29`
    .split(/,\s+/)
    .map(pair => pair.split(/\s+/) as [string, string]),
)

/** Number of decimals of a rate, which is stored as an integer. */
const SCALE = 4
const rate = (currency: string): bigint | undefined => {
  const text = perEuro.get(currency)
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
