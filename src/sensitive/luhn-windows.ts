import {type DigitRun, LONE_DOT, PLAIN, SAME_GROUP, UNSEEN} from './digit-runs.ts'
import {networkLengths} from './network-numbers.ts'

/** Number of digits of a card number: ISO/IEC 7812-1 allows at most 19, and card networks use at least 13. */
export const SHORTEST = 13
const LONGEST = 19

/** An unbroken group of at least this length may be a card number joined to other data, such as its expiry date. */
const GLUED = 17

type OnWindow = (from: number, to: number) => void

/**
 * Reports every range of digits in a run, `from` (inclusive) to `to` (exclusive), that may be a card number:
 *
 * - whole groups that have 13 to 19 digits together and pass Luhn. Gaps of spaces and dashes may be mixed; any other
 *   gap (dots, ` - `) must be the same between all groups; a single dot makes a decimal number, and a single group of
 *   13 digits that begins with 1 is a time;
 * - within an unbroken group of 17 or more digits, a part that passes Luhn and has the prefix and the length of a card
 *   network's numbers.
 *
 * At most 19 steps for each digit.
 */
export function luhnWindows(run: DigitRun, onWindow: OnWindow): void {
  const passes = luhnOf(run)
  let groupFrom = 0
  for (let at = 1; at <= run.count; at++) {
    if (at < run.count && run.gaps[at] === SAME_GROUP) continue
    wholeGroups(run, groupFrom, passes, onWindow)
    if (at - groupFrom >= GLUED) partsOfGroup(run, groupFrom, at, passes, onWindow)
    groupFrom = at
  }
}

type Passes = (from: number, to: number) => boolean

function wholeGroups(
  {count, gaps, values}: DigitRun,
  from: number,
  passes: Passes,
  onWindow: OnWindow,
): void {
  const end = Math.min(count, from + LONGEST)
  let alike = 0
  let seen = 0
  let isMixed = false
  for (let to = from + 1; to <= end; to++) {
    const gap = to === count ? PLAIN : (gaps[to] ?? PLAIN)
    if (gap === SAME_GROUP) continue
    const isOneNumber = alike === 0 || !isMixed
    const isDecimal = alike === LONE_DOT && seen === 1
    const isOther = isDecimal || (seen === 0 && isTime(values, from, to))
    if (to - from >= SHORTEST && isOneNumber && !isOther && passes(from, to)) onWindow(from, to)
    if (gap === UNSEEN) continue
    if (gap > PLAIN) {
      isMixed ||= seen > 0 && alike !== gap
      alike = gap
    } else isMixed ||= alike > 0
    seen++
  }
}

/**
 * Whether the digits are a time in milliseconds since 1970: 13 digits that begin with 1 are one from 2001 to 2033. One
 * in ten passes Luhn. ISO/IEC 7812-1 gives the leading 1 to airlines, whose only network (UATP) issues 15 digits.
 */
function isTime(values: Uint8Array, from: number, to: number): boolean {
  return to - from === 13 && values[from] === 1
}

function partsOfGroup(
  {values}: DigitRun,
  groupFrom: number,
  groupTo: number,
  passes: Passes,
  onWindow: OnWindow,
): void {
  for (let from = groupFrom; from + SHORTEST <= groupTo; from++) {
    for (const length of networkLengths(values, from)) {
      const to = from + length
      if (to <= groupTo && passes(from, to)) onWindow(from, to)
    }
  }
}

/** Returns a Luhn check for any part of a run, in one step from sums computed once. See `isLuhnValid` for the check. */
export function luhnOf({count, values}: Pick<DigitRun, 'count' | 'values'>): Passes {
  // Luhn doubles every second digit from the right: in a part that ends before an even place, those at even places.
  const evenDoubled = new Uint8Array(count + 1)
  const oddDoubled = new Uint8Array(count + 1)
  for (let at = 0; at < count; at++) {
    const digit = values[at] ?? 0
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    const isEven = at % 2 === 0
    evenDoubled[at + 1] = ((evenDoubled[at] ?? 0) + (isEven ? doubled : digit)) % 10
    oddDoubled[at + 1] = ((oddDoubled[at] ?? 0) + (isEven ? digit : doubled)) % 10
  }
  return (from, to) => {
    const sums = to % 2 === 0 ? evenDoubled : oddDoubled
    return sums[from] === sums[to]
  }
}

/**
 * The check digit of card numbers (ISO/IEC 7812-1 annex B): from the right every second digit is doubled, the digits
 * of all products are summed, and the sum must be a multiple of ten. Anything but ASCII digits fails.
 */
export function isLuhnValid(digits: string): boolean {
  if (!/^[0-9]+$/.test(digits)) return false
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48
    const weighted = place % 2 === 0 ? digit : digit * 2
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}
