import {amountIn, readMinor, readMoney, type Values} from './amounts.ts'
import {inside, type Place, type RangeSpec, type Scalar, type ValueSpec} from './rule-file.ts'

/**
 * Whether the values of a field meet a condition; undefined if that is unknown, because one is missing or can't be read
 * as the right type.
 */
export type Test = (values: Values) => boolean | undefined

/** The result for one value; undefined if it can't be read as the right type. */
type Look = (value: unknown) => boolean | undefined

/**
 * One value that meets the condition is enough. `careful` is for rules that approve: if a value is unreadable or
 * missing, their condition is in doubt, whatever the others are.
 */
const some =
  (look: Look, careful: boolean): Test =>
  ({found, lacking}) => {
    let holds = false
    let isDoubtful = lacking
    for (const value of found) {
      const seen = look(value)
      if (seen === true) holds = true
      else if (seen === undefined) isDoubtful = true
    }
    if (isDoubtful && (careful || !holds)) return undefined
    return holds
  }

/** A value in doubt: a rule that declines takes it for a different one, and a rule that approves doesn't know. */
const negated =
  (test: Test, careful: boolean): Test =>
  values => {
    const holds = test(values)
    if (holds === undefined) return careful ? undefined : true
    return !holds
  }

/** A value, a list of which one must match, a range, or `not` with a value or list. */
export function compileValue(spec: ValueSpec, careful: boolean, place: Place): Test {
  if (isList(spec)) return anyOf(spec.map((item, at) => compileScalar(item, careful, inside(place, at))))
  if (typeof spec !== 'object' || spec === null) return compileScalar(spec, careful, place)
  const {not, currency, ...range} = spec
  if (not !== undefined) {
    if (Object.keys(spec).length > 1) place.report(place.pointer, 'not must be the only key')
    return negated(compileValue(not, careful, inside(place, 'not')), careful)
  }
  if (currency === undefined) {
    return some(
      compileRange(range, numberOf, (end, _place) => end, place),
      careful,
    )
  }
  if (Object.keys(range).length === 0) place.report(place.pointer, 'a currency needs min, max, over or under')
  return some(
    compileRange(
      range,
      value => amountIn(value, currency),
      (end, at) => readMinor(end, currency, at),
      place,
    ),
    careful,
  )
}

type Words<Word> = Word | readonly Word[] | {readonly not: Word | readonly Word[]}

/** Merchant category codes: `6011`, `3000-3299`, a list of such, or `not` with them. */
export function compileMcc(spec: Words<string | number>, careful: boolean, place: Place): Test {
  if (typeof spec === 'object' && 'not' in spec) {
    return negated(compileMcc(spec.not, careful, inside(place, 'not')), careful)
  }
  const ranges = [spec].flat().map(item => {
    const [low = '', high = low] = String(item).padStart(4, '0').split('-')
    if (low > high) place.report(place.pointer, 'the range ends before it starts')
    return {low, high}
  })
  return some(value => {
    const code = mccOf(value)
    return code === undefined ? undefined : ranges.some(({low, high}) => code >= low && code <= high)
  }, careful)
}

/** Four digits: a value that was read as a number has lost its leading zeros. */
function mccOf(value: unknown): string | undefined {
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText && /^\d{1,4}$/.test(String(value)) ? String(value).padStart(4, '0') : undefined
}

/** Countries by their three letters: a list, or `not` with them. Other forms are not compared. */
export function compileCountry(spec: Words<string>, careful: boolean, place: Place): Test {
  if (typeof spec === 'object' && 'not' in spec) {
    return negated(compileCountry(spec.not, careful, inside(place, 'not')), careful)
  }
  const wanted = [spec].flat()
  return some(
    value => (typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? wanted.includes(value) : undefined),
    careful,
  )
}

const isList = (spec: ValueSpec): spec is readonly Scalar[] => Array.isArray(spec)

const anyOf =
  (tests: readonly Test[]): Test =>
  values => {
    const seen = tests.map(test => test(values))
    return seen.includes(true) || (seen.includes(undefined) ? undefined : false)
  }

function compileScalar(wanted: Scalar, careful: boolean, place: Place): Test {
  // Absence is always known.
  if (wanted === null) return ({found}) => found.length === 0
  // An id of digits is text in JSON, and easily written without quotes in YAML.
  const text = String(wanted)
  const isText = isGlob(text)
    ? (given: string) => matchesGlob(given, text)
    : (given: string) => given === text
  const money = readMoney(text, place)
  const look = (value: unknown): boolean | undefined => {
    if (typeof value === 'object' || typeof value === 'symbol') {
      const given = money && amountIn(value, money.currency)
      return given === undefined ? undefined : given === money?.minor
    }
    if (isText(String(value))) return true
    if (money) return undefined
    if (/^(true|false)$/.test(text)) return /^(true|false)$/.test(String(value)) ? false : undefined
    return typeof wanted === 'number' && typeof value === 'string' ? isNumber(value, wanted) : false
  }
  return some(look, careful)
}

/**
 * `100.00` is 100, and `1,000` is ambiguous. `02001` is not 2001: leading zeros belong to an id.
 */
function isNumber(text: string, wanted: number): boolean | undefined {
  if (!/[.,'+eE -]/.test(text) || !/^[\d.,'+eE -]+$/.test(text)) return false
  const number = numberOf(text)
  return number === undefined ? undefined : number === wanted
}

/** Whether a text is a pattern. */
export const isGlob = (text: string): boolean => /[*?]/.test(text)

/** A number, or text of one. */
export const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : undefined
}

type Ends = Pick<RangeSpec, 'min' | 'max' | 'over' | 'under'>

function compileRange<N extends number | bigint>(
  spec: Ends,
  readValue: (value: unknown) => N | 'elsewhere' | undefined,
  endOf: (end: number, place: Place) => N | undefined,
  place: Place,
): Look {
  const read = (name: keyof Ends) => {
    const end = spec[name]
    return end === undefined ? undefined : endOf(end, inside(place, name))
  }
  const [min, max, over, under] = [read('min'), read('max'), read('over'), read('under')]
  const [low, high] = [min ?? over, max ?? under]
  if (low !== undefined && high !== undefined && low > high) {
    place.report(place.pointer, 'the range ends before it starts')
  }
  return given => {
    const value = readValue(given)
    if (value === undefined || value === 'elsewhere') return value === undefined ? undefined : false
    return (
      (min === undefined || value >= min) &&
      (max === undefined || value <= max) &&
      (over === undefined || value > over) &&
      (under === undefined || value < under)
    )
  }
}

/**
 * Whether a text matches a pattern, in which `*` means any characters and `?` one. Returns only to the last `*`, so
 * that no text can make it slow.
 */
export function matchesGlob(text: string, pattern: string): boolean {
  let [at, next] = [0, 0]
  let star: {next: number; at: number} | undefined
  while (at < text.length) {
    const sign = pattern[next]
    if (sign === '*') star = {next: ++next, at}
    else if (sign === '?' || (sign !== undefined && sign === text[at])) {
      at++
      next++
    } else if (star) {
      at = ++star.at
      next = star.next
    } else return false
  }
  return /^\**$/.test(pattern.slice(next))
}
