import type {Characters} from './digit-runs.ts'
import {luhnOf} from './luhn-windows.ts'
import {networkLengths} from './network-numbers.ts'

/** Number of characters at the end or the beginning of a line that may hold part of a number. */
const PART = 23
/** The most blanks, or marks of a quotation, between a part and the line break. */
const MARGIN = 8

const NEWLINE = 0x0a
const RETURN = 0x0d
const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isBlank = (code: number) => code === 0x20 || code === 0x09
/** A digit, a space or a dash. */
const isOfNumber = (code: number) => isDigit(code) || code === 0x20 || code === 0x2d
/** Space, tab, `>`, `|`, `*`, `#`. */
const isMargin = (code: number) => isBlank(code) || [0x3e, 0x7c, 0x2a, 0x23].includes(code)

/** From the last digit of a line (exclusive) to the first digit of the next one. */
type Break = readonly [from: number, to: number]

/**
 * The line breaks within card numbers that go on in the next line: some groups before it and after it are a number of a
 * card network together. One pass; each line is looked at once from its end and once from its beginning.
 */
export function* breaksInNumbers(text: Characters): Generator<Break, void, undefined> {
  for (let at = 1; at < text.length; at++) {
    if (text.charCodeAt(at) !== NEWLINE) continue
    const second = partAfter(text, at + 1)
    const first = second && partBefore(text, text.charCodeAt(at - 1) === RETURN ? at - 1 : at)
    if (first && isNumberOver(text, first, second)) yield [first[1], second[0]]
  }
}

/** The digits and what is between them at the end of a line. */
function partBefore(text: Characters, end: number): Break | undefined {
  let to = end
  while (to > 0 && end - to < MARGIN && isBlank(text.charCodeAt(to - 1))) to--
  let from = to
  while (from > 0 && to - from < PART && isOfNumber(text.charCodeAt(from - 1))) from--
  // The rest of a longer group is none.
  if (from > 0 && isDigit(text.charCodeAt(from - 1)))
    while (from < to && isDigit(text.charCodeAt(from))) from++
  while (from < to && !isDigit(text.charCodeAt(from))) from++
  if (from === to || from + 1 >= end || !isOfNumber(text.charCodeAt(from + 1))) return undefined
  while (!isDigit(text.charCodeAt(to - 1))) to--
  return [from, to]
}

/** The same at the beginning of a line. */
function partAfter(text: Characters, start: number): Break | undefined {
  let from = start
  while (from - start < MARGIN && isMargin(text.charCodeAt(from))) from++
  if (!isDigit(text.charCodeAt(from))) return undefined
  let to = from
  while (to - from <= PART && isOfNumber(text.charCodeAt(to))) to++
  if (isDigit(text.charCodeAt(to))) while (to > from && isDigit(text.charCodeAt(to - 1))) to--
  while (to > from && !isDigit(text.charCodeAt(to - 1))) to--
  return to - from < 3 ? undefined : [from, to]
}

function isNumberOver(text: Characters, first: Break, second: Break): boolean {
  const values = new Uint8Array(2 * PART + 2)
  let count = 0
  /** Where groups of the first part begin, and whether one of the second ends behind a number of digits. */
  const begins: number[] = []
  const ends = new Uint8Array(values.length + 1)
  for (const [from, to] of [first, second]) {
    let isWithin = false
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      const isNext = isDigit(code)
      if (isNext && !isWithin && from === first[0]) begins.push(count)
      if (!isNext && isWithin && from === second[0]) ends[count] = 1
      if (isNext) values[count++] = code - 0x30
      isWithin = isNext
    }
  }
  ends[count] = 1
  const passes = luhnOf({count, values})
  return begins.some(from =>
    networkLengths(values, from).some(length => ends[from + length] === 1 && passes(from, from + length)),
  )
}
