import {Failure} from '../errors/failure.ts'
import {
  DECIMALS,
  type Decimal,
  type DecimalSigns,
  decimalPoint,
  isPlain,
  shownNumber,
} from './decimal-sign.ts'

/** An amount in a cell of a spreadsheet. */
export interface WrittenNumber {
  readonly text: string
  /** The decimals of its currency; undefined if that isn't known. */
  readonly decimals: number | undefined
}

/** What a cell says: one number, as plain decimal text, or what it may be. Undefined if it is no number. */
export type ReadNumber =
  | {readonly number: string; readonly isNegative: boolean}
  | {readonly readings: readonly string[]}
  | undefined

const SPACES = " '’\u00a0\u2009\u202f"
/** `100,-`, `100.–` and `100:-` are whole amounts. */
const DASHES = '-–—'
const MINUS = /^[-−–﹣－]\s*|\s*[-−–﹣－]$|^\(|\)$/g

interface Parts {
  readonly whole: string
  readonly fraction: string
  /** The sign between thousands; empty if there is none. */
  readonly by: string
}

const PATTERNS: Readonly<Record<Decimal, RegExp>> = {
  point: patternOf('\\.', ','),
  comma: patternOf(',', '\\.'),
}

function patternOf(sign: string, separator: string): RegExp {
  const grouped = `\\d{1,3}(?<by>${separator}|[${SPACES}])\\d{3}(?:\\k<by>\\d{3})*`
  // Lakhs and crores: 12,34,567.00.
  const indian = `\\d{1,2}(?:${separator}\\d{2})+${separator}\\d{3}`
  return new RegExp(
    `^(?<whole>\\d+|${grouped}|${indian})(?:${sign}(?:(?<fraction>\\d+)|[${DASHES}]{1,2})|:[${DASHES}])?$`,
  )
}

function partsOf(text: string, decimal: Decimal): Parts | undefined {
  const {whole, fraction = '', by = ''} = PATTERNS[decimal].exec(text)?.groups ?? {}
  return whole === undefined ? undefined : {whole: whole.replaceAll(/\D/g, ''), fraction, by}
}

const plain = ({whole, fraction}: Parts): string =>
  whole.replace(/^0+(?=\d)/, '') + (fraction === '' ? '' : `.${fraction}`)

const withoutEndZeros = (number: string): string => number.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')

/** Without a minus before or after it, or the brackets of bookkeeping. */
function unsigned(text: string): {readonly digits: string; readonly isNegative: boolean} {
  const given = text.trim().replace(/^\+\s*/, '')
  if (new RegExp(`[.,:][${DASHES}]{1,2}$`).test(given)) return {digits: given, isNegative: false}
  const digits = given.replaceAll(MINUS, '').trim()
  return {digits, isNegative: digits !== given}
}

/**
 * Reads the amounts of one column together: what one of them proves about the sign before decimals holds for all. A
 * number that has two readings, such as 1.500, is read only if another number of the column has the other sign
 * before its decimals, and if its own thousands are separated as they are elsewhere in the column. Otherwise it keeps
 * both readings.
 *
 * @param signs what the user said; `usual` counts where the column proves nothing.
 */
export function readColumn(
  column: readonly WrittenNumber[],
  signs: DecimalSigns = {},
): readonly ReadNumber[] {
  const cells = column.map(({text, decimals}) => ({...unsigned(text), decimals}))
  const proven = DECIMALS.filter(decimal =>
    // The other sign can't read one of them.
    cells.some(({digits}) => partsOf(digits, decimal) && !partsOf(digits, other(decimal))),
  )
  const [only] = proven
  const decimal = signs.decimal ?? (proven.length === 1 ? only : undefined)
  const assumed = proven.length === 0 ? signs.usual : undefined
  const isContradicted = signs.usual !== undefined && decimal !== undefined && decimal !== signs.usual
  const isGroupedBy = groupingOf(cells, decimal)
  return cells.map(({digits, isNegative, decimals}) => {
    const readings = DECIMALS.flatMap(sign => {
      const parts = partsOf(digits, sign)
      return parts ? [{sign, parts, number: plain(parts)}] : []
    })
    const [first, second] = readings
    if (first === undefined) return undefined
    const isOne = second === undefined || Number(first.number) === Number(second.number)
    if (isOne) {
      // Said otherwise: a point in a file with commas.
      if (signs.decimal !== undefined && second === undefined && first.sign !== signs.decimal)
        return undefined
      return {number: first.number, isNegative}
    }
    const chosen = readings.find(({sign}) => sign === (decimal ?? assumed))
    const isDecimal = chosen !== undefined && chosen.parts.fraction !== ''
    const isProven = (): boolean => {
      if (chosen === undefined || isContradicted) return false
      // What is usual reads decimals; that nobody usually groups by points, it doesn't say.
      if (decimal === undefined) return isDecimal
      return isDecimal ? chosen.parts.fraction.length <= (decimals ?? 0) : isGroupedBy(chosen.parts.by)
    }
    const isSafe = chosen !== undefined && (signs.decimal !== undefined || isProven())
    if (isSafe) return {number: chosen.number, isNegative}
    return {
      readings: [first.number, second.number].map(withoutEndZeros).sort((a, b) => Number(a) - Number(b)),
    }
  })
}

/**
 * The refusal of a number with two readings, the smaller first. Its kind is the same for all that have the sign.
 *
 * @param decimals of its currency, if it is an amount: with fewer than three it has no thousandths.
 */
export function ambiguousNumber(
  text: string,
  [least = '', most = '']: readonly string[],
  decimals = 3,
): Failure {
  const sign = text.includes(',') ? 'comma' : 'point'
  const thousands = `is ${shownNumber(most)}, add --decimal ${other(sign)}`
  const message =
    decimals < 3
      ? `The number has a ${sign} before three digits, so it may be meant in thousands: its currency has ${decimals === 0 ? 'no' : decimals} decimals. If it ${thousands}, for all rows; otherwise correct it`
      : `The number has a ${sign} before three digits, so it may be meant in thousands. If it is ${shownNumber(least)}, add --decimal ${sign}; if it ${thousands}; either is for all rows`
  return new Failure('INPUT_INVALID', {message, data: {kind: `thousands by ${sign}, ${decimals < 3}`}})
}

/** `CR` of `20.00 CR`. */
const BESIDE = /^(?:(?<before>\p{L}{1,4}\.?)\s*)?[-−]?\d[\d\s.,'’]*(?<after>\p{L}{1,4}\.?)?$/u

/**
 * The text of a number that no column could read, with a decimal point.
 *
 * @throws Failure INPUT_INVALID, which names no sign that doesn't help
 */
export function unreadNumber(text: string, signs: DecimalSigns): string {
  const {before, after} = BESIDE.exec(text.trim())?.groups ?? {}
  const word = before ?? after
  if (word !== undefined) {
    throw new Failure('INPUT_INVALID', {
      message: `The number has ${word} beside it, which is no currency; write the number alone`,
    })
  }
  if (signs.decimal === undefined && /\d/.test(text) && !isPlain(text)) {
    throw new Failure('INPUT_INVALID', {
      message: 'The number cannot be read; write it with digits and one sign before the decimals',
    })
  }
  return decimalPoint(text, signs)
}

const other = (decimal: Decimal): Decimal => (decimal === 'point' ? 'comma' : 'point')

/** Whether all numbers of four digits and more, of those with one reading, have this sign between thousands. */
function groupingOf(
  cells: readonly {readonly digits: string}[],
  decimal: Decimal | undefined,
): (by: string) => boolean {
  if (decimal === undefined) return () => false
  const used = new Set<string>()
  for (const {digits} of cells) {
    const parts = partsOf(digits, decimal)
    if (parts === undefined || partsOf(digits, other(decimal))) continue
    if (parts.whole.length > 3) used.add(parts.by)
  }
  return by => [...used].every(each => each === by)
}
