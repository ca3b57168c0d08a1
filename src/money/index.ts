/** Money: decimal text outside, integers of the minor unit inside. Importable by every room. */

export {convert} from './example-rates.ts'
export {exponentOf, findExponent} from './exponents.ts'
export {type FormatAmountOptions, formatAmount} from './format-amount.ts'
export {
  type Amount,
  compareAmounts,
  decimalText,
  MAX_DIGITS,
  minorToText,
  parseAmount,
} from './parse-amount.ts'
export {type CurrencySum, sumByCurrency} from './sum-by-currency.ts'
