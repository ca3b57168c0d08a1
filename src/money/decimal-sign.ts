import {Failure} from '../errors/failure.ts'
import {formatAmount, MAX_DIGITS, minorToText, THIN_SPACE} from './amount.ts'

/** The signs that people write before decimals. */
export const DECIMALS = ['point', 'comma'] as const

export type Decimal = (typeof DECIMALS)[number]

/** What is known of the sign before decimals. The locale says nothing: people work for several countries. */
export interface DecimalSigns {
  /** What the user says of this command or file: `--decimal`. */
  readonly decimal?: Decimal | undefined
  /** The profile's setting: it reads only what has two readings, or none, without it. */
  readonly usual?: Decimal | undefined
}

/** A number as spreadsheets write it, with the sign for decimals that the user named. */
const WITH_COMMA = /^-?\d+,\d+$/

/** Half of the spreadsheets of the world write 1500 so, and the other half 1.5. Nobody groups 0.600, but 00.600 may be 600. */
const IN_THOUSANDS = /^-?(?:0*[1-9]\d{0,2}|00+)\.\d{3}$/

/** A number of thousandths, in the only way to write one that nobody reads as thousands. */
const THOUSANDTHS = /^-?\d{1,6}e-3$/

/** As JSON writes it, but for leading zeros. */
const JSON_LIKE = /^-?\d+(?:\.\d+)?$/

/**
 * The same number with a decimal point. `1,500` and `1.500` may mean one and a half or 1500, so they count only if the
 * user said which sign comes before the decimals. Text that has none of it is returned unchanged.
 *
 * @throws Failure INPUT_INVALID, which does not quote it.
 */
export function decimalPoint(text: string, {decimal, usual}: DecimalSigns = {}): string {
  const number = text.trim()
  const sign = decimal ?? (isPlain(number) ? undefined : usual)
  if (sign === 'comma' && WITH_COMMA.test(number)) return number.replace(',', '.')
  const message = problemOf(number, sign)
  if (message === undefined) return number
  throw new Failure('INPUT_INVALID', {message})
}

/** Whether a text can be read without knowing the sign: it has one reading, or is no number. */
export const isPlain = (text: string): boolean => problemOf(text.trim(), undefined) === undefined

function problemOf(number: string, sign: Decimal | undefined): string | undefined {
  if (sign === 'comma' && /[.,]/.test(number))
    return 'With --decimal comma, the number must be written like 1500,50: no point, no thousands separators'
  if (sign === undefined && IN_THOUSANDS.test(number))
    return 'The number has a point before three digits, so it may be meant in thousands. If that is the decimal point, add --decimal point; remove thousands separators'
  if (number.includes(','))
    return 'The number has a comma. If that is the decimal comma, add --decimal comma; remove thousands separators'
  return undefined
}

const SPACES = " '’\u00a0\u2009\u202f"
const WRITTEN: Readonly<Record<Decimal, RegExp>> = {
  point: writtenWith('\\.', ','),
  comma: writtenWith(',', '\\.'),
}

function writtenWith(sign: string, separator: string): RegExp {
  const grouped = `(?:0*[1-9]\\d{0,2}|00+)(?<by>${separator}|[${SPACES}])\\d{3}(?:\\k<by>\\d{3})*`
  return new RegExp(`^(?<minus>-?)(?<whole>\\d+|${grouped})(?:${sign}(?<fraction>\\d+))?$`)
}

/**
 * The numbers that a text may stand for, as plain decimal text, the smallest first: one for `12,50` and `1,234.56`, two
 * for `6.000` and `6,000`, none for what is no number.
 */
export function readingsOf(text: string): readonly string[] {
  const found = DECIMALS.flatMap(sign => {
    const {minus = '', whole = '', fraction = ''} = WRITTEN[sign].exec(text.trim())?.groups ?? {}
    return whole === '' ? [] : [minus + trimmed(whole.replaceAll(/\D/g, ''), fraction)]
  })
  return [...new Set(found)].sort((a, b) => Math.abs(Number(a)) - Math.abs(Number(b)))
}

/**
 * The part of an amount that a person typed; undefined for what may be another part of it, or is no number. What can only be
 * one number is that, even if it is no part.
 */
export function typedPart(text: string, amount: number): number | undefined {
  const readings = readingsOf(text).map(Number)
  const parts = readings.filter(reading => reading > 0 && reading <= amount)
  const [part, other] = parts.length > 0 ? parts : readings
  return other === undefined ? part : undefined
}

/** Without zeros that say nothing. */
function trimmed(whole: string, fraction: string): string {
  const decimals = fraction.replace(/0+$/, '')
  return whole.replace(/^0+(?=\d)/, '') + (decimals === '' ? '' : `.${decimals}`)
}

/** The same number in a way that has no other reading, whatever sign the reader is used to: `6125e-3` for 6.125. */
export const unmistakable = (reading: string): string =>
  IN_THOUSANDS.test(reading) ? `${Number(reading.replace('.', ''))}e-3` : reading

/** A number for a person: `6`, `6 000`, `6.125`. */
export const shownNumber = (reading: string): string =>
  formatAmount(reading, undefined, {grouping: THIN_SPACE})

/**
 * The number that a person typed, as plain decimal text with the decimals as typed.
 *
 * @param what the value in messages: `--amount`.
 * @param decimals of its currency, if it is an amount
 * @throws Failure USAGE for what has two readings or none, and for what is written with separators.
 */
export function typedNumber(text: string, what: string, signs: DecimalSigns, decimals = 3): string {
  const given = text.trim()
  if (THOUSANDTHS.test(given)) return minorToText(BigInt(given.slice(0, -'e-3'.length)), 3)
  const read = signs.decimal === undefined ? withPoint(given, signs) : written(given, signs.decimal)
  if (read !== undefined && JSON_LIKE.test(read)) {
    if (read.replaceAll(/\D/g, '').replace(/^0+/, '').length <= MAX_DIGITS)
      return read.replace(/^(-?)0+(?=\d)/, '$1')
    throw new Failure('USAGE', {
      message: `${what} has more than ${MAX_DIGITS} significant digits, so it would not arrive unchanged.`,
      effect: 'none',
    })
  }
  throw refusal(given, what, signs, decimals)
}

/** The number, with its decimals as they were written, where it is known which sign is before them. */
function written(given: string, sign: Decimal): string | undefined {
  const {minus = '', whole = '', fraction} = WRITTEN[sign].exec(given)?.groups ?? {}
  if (whole === '') return undefined
  return minus + whole.replaceAll(/\D/g, '') + (fraction === undefined ? '' : `.${fraction}`)
}

/** A number with one reading, with its decimals as they were written: `12.50` for `12,50`. Undefined if it is none. */
const asWritten = (text: string): string | undefined =>
  DECIMALS.map(sign => written(text.trim(), sign)).find(number => number !== undefined)

function withPoint(given: string, signs: DecimalSigns): string | undefined {
  try {
    return decimalPoint(given, signs)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Longer ones may be card numbers, and aren't quoted. */
const LONGEST_SHOWN = 12

function refusal(given: string, what: string, {decimal}: DecimalSigns, decimals: number): Failure {
  const readings = readingsOf(given)
  const [least, most] = readings
  if (least === undefined) {
    return new Failure('USAGE', {
      message: `${what} is not a plain number.`,
      hint: PLAINLY,
      effect: 'none',
    })
  }
  if (most !== undefined) {
    const sign = given.includes(',') ? 'comma' : 'point'
    return new Failure('USAGE', {
      message: `${what} may mean ${shownNumber(least)} or ${shownNumber(most)}: it has a ${sign} before three digits.`,
      hint: `For ${shownNumber(most)}, write ${most}.${hintOf(least, sign, decimals)}`,
      effect: 'none',
      data: {readings},
    })
  }
  const isLong = least.replaceAll(/\D/g, '').length > LONGEST_SHOWN
  const one = asWritten(given) ?? least
  const plain = decimal === 'comma' ? one.replace('.', ',') : one
  const sign = decimal === 'comma' && !given.includes(',') ? 'a point' : 'a comma or a thousands separator'
  return new Failure('USAGE', {
    message: `${what} has ${sign}.${isLong ? '' : ` If it means ${shownNumber(one)}, write ${plain}.`}`,
    hint: `${PLAINLY} --decimal comma permits a decimal comma.`,
    effect: 'none',
  })
}

/** How to write the smaller of two readings, if a currency with these decimals has it. */
function hintOf(least: string, sign: Decimal, decimals: number): string {
  const ways = [
    ...(isPlain(least) ? [`write ${least}`] : []),
    ...(decimals >= 3 ? [`add --decimal ${sign}`] : []),
  ]
  const [, fraction = ''] = least.split('.')
  return ways.length === 0 || fraction.length > decimals
    ? ''
    : ` For ${shownNumber(least)}, ${ways.join(' or ')}.`
}

const PLAINLY =
  'Write it with digits and at most one point, for example 5000 or 5000.50. No thousands separators, no currency, no k.'
