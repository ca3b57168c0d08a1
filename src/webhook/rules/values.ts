import {isMoney, minorOf, readMinor, readMoney} from './amounts.ts'
import {matchesGlob} from './glob.ts'
import {inside, type Place} from './place.ts'
import type {RangeSpec, Scalar, ValueSpec} from './rule-file.ts'

/** Whether the values of a field are as a rule wants them. */
export type Test = (values: readonly unknown[]) => boolean

/** A value, a list of which one must fit, a range, or `not` with a value or list. */
export function compileValue(spec: ValueSpec, place: Place): Test {
  if (isList(spec)) return anyOf(spec.map((item, at) => compileScalar(item, inside(place, at))))
  if (typeof spec !== 'object' || spec === null) return compileScalar(spec, place)
  const {not, currency, ...range} = spec
  if (not !== undefined) {
    if (Object.keys(spec).length > 1) place.report(place.pointer, 'not stands alone')
    const test = compileValue(not, inside(place, 'not'))
    return values => !test(values)
  }
  if (currency === undefined) return compileRange(range, numberOf, (end, _place) => end, place)
  if (Object.keys(range).length === 0) place.report(place.pointer, 'a currency needs min, max, over or under')
  return compileRange(
    range,
    value => {
      const amount = isMoney(value) && value.currency === currency ? minorOf(value) : undefined
      return amount?.minor
    },
    (end, at) => readMinor(end, currency, at),
    place,
  )
}

/** Merchant category codes: `6011`, `3000-3299`, a list of such, or `not` with them. */
export function compileMcc(
  spec:
    | string
    | number
    | readonly (string | number)[]
    | {readonly not: string | number | readonly (string | number)[]},
  place: Place,
): Test {
  if (typeof spec === 'object' && 'not' in spec) {
    const test = compileMcc(spec.not, inside(place, 'not'))
    return values => !test(values)
  }
  const ranges = [spec].flat().map(item => {
    const [low = '', high = low] = String(item).padStart(4, '0').split('-')
    if (low > high) place.report(place.pointer, 'the range ends before it begins')
    return {low, high}
  })
  return values =>
    values.some(value =>
      ranges.some(
        ({low, high}) => /^\d{4}$/.test(String(value)) && String(value) >= low && String(value) <= high,
      ),
    )
}

const isList = (spec: ValueSpec): spec is readonly Scalar[] => Array.isArray(spec)

const anyOf =
  (tests: readonly Test[]): Test =>
  values =>
    tests.some(test => test(values))

function compileScalar(wanted: Scalar, place: Place): Test {
  if (wanted === null) return values => values.length === 0
  // An id of digits is text on the wire, and easily written without quotes in YAML.
  const text = String(wanted)
  const isText = isGlob(text)
    ? (given: string) => matchesGlob(given, text)
    : (given: string) => given === text
  const money = readMoney(text, place)
  return values =>
    values.some(value => {
      if (typeof value !== 'object') return isText(String(value))
      const given = money && isMoney(value) && value.currency === money.currency ? minorOf(value) : undefined
      return given !== undefined && given.minor === money?.minor
    })
}

/** Whether a text stands for more than itself. */
export const isGlob = (text: string): boolean => /[*?]/.test(text)

/** A number, or text of one. */
export const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : undefined
}

type Ends = Pick<RangeSpec, 'min' | 'max' | 'over' | 'under'>

function compileRange<N extends number | bigint>(
  spec: Ends,
  readValue: (value: unknown) => N | undefined,
  endOf: (end: number, place: Place) => N | undefined,
  place: Place,
): Test {
  const read = (name: keyof Ends) => {
    const end = spec[name]
    return end === undefined ? undefined : endOf(end, inside(place, name))
  }
  const [min, max, over, under] = [read('min'), read('max'), read('over'), read('under')]
  const [low, high] = [min ?? over, max ?? under]
  if (low !== undefined && high !== undefined && low > high) {
    place.report(place.pointer, 'the range ends before it begins')
  }
  return values =>
    values.some(given => {
      const value = readValue(given)
      if (value === undefined) return false
      return (
        (min === undefined || value >= min) &&
        (max === undefined || value <= max) &&
        (over === undefined || value > over) &&
        (under === undefined || value < under)
      )
    })
}
