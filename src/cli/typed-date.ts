import {Failure} from '../errors/failure.ts'
import {nearestName} from '../errors/nearest-name.ts'
import {localDate, timeZoneOf} from '../output/when.ts'
import type {Surroundings} from './surroundings.ts'

/** The current time, ms since 1970, and the zone of the user; by default that of the system. */
export interface LocalClock {
  readonly now: number
  readonly timeZone: string | undefined
}

export const localClock = ({now, env}: Pick<Surroundings, 'now' | 'env'>): LocalClock => ({
  now: now(),
  timeZone: timeZoneOf(env),
})

/** Which day a text without a year means: the next one from today on, or the last one up to today. */
export type Direction = 'coming' | 'past'

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
/** No date has more characters. */
const LONGEST = 40
const DAY = 86_400_000
/** Days between dates are counted in UTC, because its days all have 24 hours. */
const UTC = {timeZone: 'UTC'}
const EXAMPLES = '2026-11-30, 30.11.2026, 30 Nov, tomorrow, friday or end of month'

/**
 * Reads a date as people write it, and returns it as `2026-11-30`.
 *
 * Takes ISO dates; 30.11.2026, 30.11. and 30/11/2026, 30/11; 30 Nov 2026, Nov 30; today, tomorrow, yesterday, weekdays;
 * end of month, end of next month; in 3 days, in 2 weeks, in 1 month. Without a year it is the nearest such day in the
 * given direction.
 *
 * @param what the value in messages: `--reminder1`.
 * @throws Failure USAGE if it is no date, or one that is written with slashes and has two readings.
 */
export function readDate(text: string, what: string, clock: LocalClock, direction: Direction): string {
  const given = text.slice(0, LONGEST).trim().toLowerCase().replace(/\s+/g, ' ')
  const today = localDate(clock.now, clock)
  const found =
    isoDate(given) ?? relativeDate(given, today, direction) ?? writtenDate(given, today, direction)
  if (typeof found === 'string') return found
  if (found !== undefined) throw twoReadings(what, [...found], /\d{4}/.test(given))
  const words = ['today', 'tomorrow', 'yesterday', ...WEEKDAYS]
  const meant = /^[a-z]+$/.test(given) ? nearestName(given, words) : undefined
  throw new Failure('USAGE', {
    message: `${what} is not a date.${meant === undefined ? '' : ` Did you mean ${meant}?`} Write it as ${EXAMPLES}.`,
    effect: 'none',
  })
}

function twoReadings(what: string, readings: readonly string[], hasYear: boolean): Failure {
  const days = readings.map(dateInWords)
  const message = hasYear
    ? `${what} may be ${days.join(' or ')}. Write it as ${readings.join(' or ')}.`
    : `${what} may be ${days.map(dayAndMonth).join(' or ')}. Write it as one of these.`
  return new Failure('USAGE', {message, effect: 'none'})
}

/** `30 November` of `Monday, 30 November 2026`. */
const dayAndMonth = (words: string): string => words.replace(/^\w+, | \d+$/g, '')

/** `Monday, 30 November 2026`. */
export function dateInWords(date: string): string {
  const at = new Date(`${date}T00:00Z`)
  const name = (names: readonly string[], index: number) => {
    const word = names[index] ?? ''
    return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
  }
  const [year, , day] = date.split('-')
  return `${name(WEEKDAYS, at.getUTCDay())}, ${Number(day)} ${name(MONTHS, at.getUTCMonth())} ${Number(year)}`
}

/** The date, if there is such a day: 31 February isn't one. */
function dateOf(year: number, month: number, day: number): string | undefined {
  const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const at = Date.parse(`${text}T00:00Z`)
  return !Number.isNaN(at) && localDate(at, UTC) === text ? text : undefined
}

const isoDate = (text: string): string | undefined => {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  return day === undefined ? undefined : dateOf(Number(year), Number(month), Number(day))
}

const plusDays = (date: string, days: number): string =>
  localDate(Date.parse(`${date}T00:00Z`) + days * DAY, UTC)

/** The same day of a later month, or its last day if that month is shorter. */
function plusMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const last = endOfMonth(year, month + months)
  return Number(last.slice(-2)) < day ? last : last.replace(/..$/, String(day).padStart(2, '0'))
}

/** @param month from 1; 13 is January of the year after. */
const endOfMonth = (year: number, month: number): string => localDate(Date.UTC(year, month, 1) - DAY, UTC)

function relativeDate(text: string, today: string, direction: Direction): string | undefined {
  const [year = 0, month = 1] = today.split('-').map(Number)
  if (text === 'today') return today
  if (text === 'tomorrow') return plusDays(today, 1)
  if (text === 'yesterday') return plusDays(today, -1)
  if (/^end of (?:the |this )?month$/.test(text)) return endOfMonth(year, month)
  if (text === 'end of next month') return endOfMonth(year, month + 1)
  const [, count, unit] = /^in (\d{1,4}) (day|week|month)s?$/.exec(text) ?? []
  if (unit !== undefined) {
    if (unit === 'month') return plusMonths(today, Number(count))
    return plusDays(today, Number(count) * (unit === 'week' ? 7 : 1))
  }
  const weekday = WEEKDAYS.indexOf(text.replace(/^(?:next|last) /, ''))
  if (weekday === -1 || text.startsWith(direction === 'coming' ? 'last' : 'next')) return undefined
  const ahead = (weekday - new Date(`${today}T00:00Z`).getUTCDay() + 7) % 7
  if (direction === 'coming') return plusDays(today, ahead === 0 ? 7 : ahead)
  // The last weekday of that name, which may be today.
  return plusDays(today, ahead === 0 ? 0 : ahead - 7)
}

/** A date with day and month in figures or words. A set of two if the order of figures decides. */
function writtenDate(
  text: string,
  today: string,
  direction: Direction,
): string | undefined | ReadonlySet<string> {
  const inYear = (year: string | undefined, month: number, day: number): string | undefined =>
    year === undefined ? nearest(month, day, today, direction) : dateOf(fullYear(year, today), month, day)
  const dotted = /^(\d{1,2})\. ?(\d{1,2})(?:\.(?: ?(\d{4}|\d{2}))?)?$/.exec(text)
  if (dotted) return inYear(dotted[3], Number(dotted[2]), Number(dotted[1]))
  const slashed = /^(\d{1,2}) ?[/-] ?(\d{1,2})(?: ?[/-] ?(\d{4}))?$/.exec(text)
  if (slashed) {
    const [, first, second, year] = slashed
    const readings = new Set([
      inYear(year, Number(second), Number(first)),
      inYear(year, Number(first), Number(second)),
    ])
    readings.delete(undefined)
    const [only] = readings
    return readings.size > 1 ? (readings as ReadonlySet<string>) : only
  }
  const words =
    /^(?<day>\d{1,2})(?:\.|st|nd|rd|th)? (?<month>[a-z]{3,9})\.?(?:,? (?<year>\d{4}))?$/.exec(text) ??
    /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\d{4}))?$/.exec(text)
  const {day, month, year} = words?.groups ?? {}
  const at =
    month === undefined
      ? -1
      : MONTHS.findIndex(
          name => name === month || name.slice(0, 3) === month || (month === 'sept' && name === 'september'),
        )
  return at === -1 ? undefined : inYear(year, at + 1, Number(day))
}

/** `26` is 2026: the year of this century. */
const fullYear = (year: string, today: string): number =>
  year.length === 2 ? Number(`${today.slice(0, 2)}${year}`) : Number(year)

/** The next or last such day. 29 February may be years away. */
function nearest(month: number, day: number, today: string, direction: Direction): string | undefined {
  const year = Number(today.slice(0, 4))
  const step = direction === 'coming' ? 1 : -1
  for (let away = 0; away <= 8; away++) {
    const date = dateOf(year + step * away, month, day)
    if (date !== undefined && (direction === 'coming' ? date >= today : date <= today)) return date
  }
  return undefined
}
