import {amount} from '../money/amount.ts'
import {bad, dim, type Span, warn} from './styled.ts'
import type {ViewContext} from './view.ts'

type Clock = Pick<ViewContext, 'now' | 'timeZone'>

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/*
 * Every time is shown in the reader's time zone, which is named ("2026-11-21 14:02 UTC+2"). The service also sends
 * times without a zone. They can't be converted, so they are shown as received, with a note.
 */

/** The note after a time without a zone. */
const OF_SERVICE = '(service time)'

/** "2026-11-21 14:02 UTC+2". */
export function localTime(millis: number, {timeZone}: Pick<Clock, 'timeZone'>): string {
  const {date, time, zone} = localParts(millis, timeZone)
  return `${date} ${time} ${zone}`
}

/** "UTC", "UTC+2", "UTC-3:30": the offset at this moment. */
export const zoneOf = (millis: number, {timeZone}: Pick<Clock, 'timeZone'>): string =>
  localParts(millis, timeZone).zone

/**
 * A date of the service for a person. With a zone (RFC 3339), it is converted and its distance added: "2026-11-21 14:02
 * UTC+2 (in 3 days)". Without a zone: "2026-11-21 14:02 (service time)". Anything else stays unchanged.
 */
export function dateTime(value: unknown, clock: Clock): string {
  const {text, millis} = read(value, clock)
  return millis === undefined ? text : `${text} (${relative(millis, clock.now)})`
}

/** The same without the distance, for times of a clock other than this machine's. */
export const plainDateTime = (value: unknown, clock: Clock): string => read(value, clock).text

/** The title of a column of such times, with the zone, and the function that formats them. */
export function plainTimeColumn(title: string, clock: Clock) {
  const zone = zoneOf(clock.now, clock)
  return {
    title: `${title} (${zone})`,
    text: (value: unknown): string => {
      const text = plainDateTime(value, clock)
      return text.endsWith(` ${zone}`) ? text.slice(0, -zone.length - 1) : text
    },
  }
}

function read(value: unknown, clock: Clock): {readonly text: string; readonly millis?: number} {
  if (typeof value !== 'string') return {text: ''}
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(
    value,
  )
  if (match === null) return {text: value}
  const [, date, time, zone] = match
  const millis = Date.parse(value.replace(' ', 'T'))
  if (zone === undefined || Number.isNaN(millis)) return {text: `${date} ${time} ${OF_SERVICE}`}
  return {text: localTime(millis, clock), millis}
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

/** "today 14:02 UTC+2", "tomorrow …", "yesterday …", else the date and the time. */
export function dayTime(millis: number, clock: Clock): string {
  return `${nearTime(millis, clock)} ${zoneOf(millis, clock)}`
}

/**
 * The title of a column of times, with the zone, and the function that formats them: "When (UTC+2)" and "today 14:02".
 * If the offset of a time differs because of summer time, the time names its own zone.
 */
export function timeColumn(title: string, clock: Clock) {
  const zone = zoneOf(clock.now, clock)
  const named = `${title} (${zone})`
  return {
    title: named,
    /** The whole title: cut, it would lose the zone. */
    least: named.length,
    text: (millis: number): string =>
      zoneOf(millis, clock) === zone ? nearTime(millis, clock) : dayTime(millis, clock),
  }
}

function nearTime(millis: number, clock: Clock): string {
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

/** "1,204 ms". */
export const wholeMs = (millis: number): string => `${amount(Math.round(millis))} ms`

const plural = (value: number, word: string) => `${value} ${word}${value === 1 ? '' : 's'}`

interface LocalParts {
  readonly date: string
  readonly time: string
  readonly seconds: string
  readonly zone: string
}

function localParts(millis: number, timeZone: string | undefined): LocalParts {
  const [shown = '', clock = ''] = formatIn(timeZone).format(millis).split(' ')
  // The year 1 of a clock that was set wrongly has one digit.
  const date = shown.padStart(10, '0')
  const whole = date.length > 10 ? `+${date.padStart(12, '0')}` : date
  const offset = Math.round((Date.parse(`${whole}T${clock}Z`) - Math.floor(millis / 1000) * 1000) / MINUTE)
  return {date, time: clock.slice(0, 5), seconds: clock, zone: zoneName(offset)}
}

/** "2026-11-21", in the user's zone. */
export const localDate = (millis: number, {timeZone}: Pick<Clock, 'timeZone'>): string =>
  localParts(millis, timeZone).date

/**
 * The moment of a date and a time ("14:02", "14:02:07.5") in the user's zone, ms since 1970. A time that is skipped when
 * clocks go forward is as much later; one that comes twice is the first.
 */
export function localMillis(date: string, time: string, {timeZone}: Pick<Clock, 'timeZone'>): number {
  const wanted = Date.parse(`${date}T${time}Z`)
  const offset = (millis: number): number => {
    const {date: on, seconds} = localParts(millis, timeZone)
    return Date.parse(`${on}T${seconds}Z`) - Math.floor(millis / 1000) * 1000
  }
  // The offsets of the days around it: at most one change of clocks lies between them.
  const [before, after] = [offset(wanted - DAY), offset(wanted + DAY)]
  const [early, late] = [wanted - before, wanted - after]
  if (offset(early) === before) return early
  return offset(late) === after ? late : early
}

function zoneName(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string | undefined): Intl.DateTimeFormat {
  const zone = timeZone ?? ''
  // Cached: creating a format takes longer than answering a call.
  let format = formats.get(zone)
  if (!format) {
    // Swedish dates and times have the ISO form: "2026-11-21 14:02:07".
    format = new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: 'medium',
      ...(timeZone === undefined ? {} : {timeZone}),
    })
    formats.set(zone, format)
  }
  return format
}

/** "14:02:07", for log lines; the first line of the log names the zone. */
export const clockTime = (millis: number, timeZone: string | undefined): string =>
  localParts(millis, timeZone).seconds

/** The zone in the variable TZ, if it is a zone name. */
export function timeZoneOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const name = env.TZ?.replace(/^:/, '')
  if (name === undefined || name === '') return undefined
  try {
    formatIn(name)
    return name
  } catch {
    // A rule such as EST5EDT,M3.2.0 isn't a zone name; the system understands it.
    return undefined
  }
}

const CELLS = 10

/** The used part of a deadline, in eighths of a cell; yellow above half, red above nine tenths. */
export function deadlineBar(durationMs: number, deadlineMs: number, ascii: boolean): Span {
  const share = Math.min(1, durationMs / deadlineMs)
  const style = share > 0.9 ? bad : share > 0.5 ? warn : dim
  const eighths = Math.max(1, Math.round(share * CELLS * 8))
  const part = eighths % 8
  const bar = ascii
    ? '#'.repeat(Math.ceil(eighths / 8))
    : '█'.repeat(Math.floor(eighths / 8)) + (part === 0 ? '' : String.fromCodePoint(0x2590 - part))
  return style(`${bar.padEnd(CELLS)} ${wholeMs(durationMs)}`)
}
