import type {ViewContext} from './view.ts'

type Clock = Pick<ViewContext, 'now' | 'timeZone'>

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * A date of the service for a person. With a zone (RFC 3339): in the reader's, and how far away: "2026-11-21 14:02 (in
 * 3 days)". The service's local date-times carry none, so they are shown as they came. Anything else stays as it is.
 */
export function dateTime(value: unknown, clock: Clock): string {
  const {text, millis} = read(value, clock)
  return millis === undefined ? text : `${text} (${relative(millis, clock.now)})`
}

/** The same, but not how far away, where the time is by another clock than this machine's. */
export const plainDateTime = (value: unknown, clock: Clock): string => read(value, clock).text

function read(value: unknown, {timeZone}: Clock): {readonly text: string; readonly millis?: number} {
  if (typeof value !== 'string') return {text: ''}
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(
    value,
  )
  if (match === null) return {text: value}
  const [, date, time, zone] = match
  const millis = Date.parse(value.replace(' ', 'T'))
  if (zone === undefined || Number.isNaN(millis)) return {text: `${date} ${time}`}
  const local = localParts(millis, timeZone)
  return {text: `${local.date} ${local.time}`, millis}
}

/** "3 days ago", "in 5 min", "just now". */
export function relative(millis: number, now: number): string {
  const distance = Math.abs(millis - now)
  if (distance < MINUTE) return 'just now'
  const words =
    distance < HOUR
      ? `${Math.floor(distance / MINUTE)} min`
      : distance < DAY
        ? `${Math.floor(distance / HOUR)} h`
        : plural(Math.floor(distance / DAY), 'day')
  return millis < now ? `${words} ago` : `in ${words}`
}

/** "today 14:02", "tomorrow 14:02", "yesterday 14:02", else the date and the time. */
export function dayTime(millis: number, clock: Clock): string {
  const {date, time} = localParts(millis, clock.timeZone)
  const near = [
    ['yesterday', -1],
    ['today', 0],
    ['tomorrow', 1],
  ] as const
  const today = Date.parse(localParts(clock.now, clock.timeZone).date)
  const name = near.find(([, days]) => Date.parse(date) === today + days * DAY)?.[0]
  return `${name ?? date} ${time}`
}

/** "711 ms", "12 s", "6 min 29 s", "2 h 5 min". */
export function duration(millis: number): string {
  if (millis < 1000) return `${Math.round(millis)} ms`
  const seconds = Math.round(millis / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0
    ? `${Math.floor(minutes / 60)} h`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const plural = (value: number, word: string) => `${value} ${word}${value === 1 ? '' : 's'}`

function localParts(millis: number, timeZone: string | undefined): {date: string; time: string} {
  // Swedish dates are ISO dates: "2026-11-21 14:02".
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
    ...(timeZone === undefined ? {} : {timeZone}),
  })
  const [date = '', time = ''] = format.format(millis).split(' ')
  return {date, time}
}

const clocks = new Map<string | undefined, Intl.DateTimeFormat>()

/** "14:02:07", for the lines of a log. */
export function clockTime(millis: number, timeZone: string | undefined): string {
  // To make a format takes longer than to answer a call.
  let clock = clocks.get(timeZone)
  if (!clock) {
    // Swedish times are ISO times.
    clock = new Intl.DateTimeFormat('sv-SE', {
      timeStyle: 'medium',
      ...(timeZone === undefined ? {} : {timeZone}),
    })
    clocks.set(timeZone, clock)
  }
  return clock.format(millis)
}
