import * as Flags from '@oclif/core/flags'
import {Failure} from '../errors/failure.ts'
import {nearestName} from '../errors/nearest-name.ts'
import {readDuration} from '../limits/duration.ts'
import {localDate, localMillis} from '../output/when.ts'
import type {Context} from './context.ts'
import type {SomeFlagValues} from './flags.ts'
import {type LocalClock, localClock, readDate} from './typed-date.ts'

/** A time that may depend on the current one. */
export interface Moment {
  /** Milliseconds since 1970. */
  at(clock: LocalClock): number
  /** It counts back from now, as 8h does, so its zone doesn't matter. */
  readonly isAge: boolean
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?$/
const EXAMPLES = '8h, 2d, today, yesterday, monday, 14:02, 2026-06-15, 15 Jun or 2026-06-15T14:02'

/**
 * Reads the value of `--since` or `--until`: an age (8h, 2d); today, yesterday or a weekday, which begin at midnight, or
 * at the time after them; a time of today; a date, with a time and a zone if you like. Without a zone it is the user's.
 *
 * @throws Failure USAGE
 */
export function parseMoment(text: string, what: string): Moment {
  const given = text.trim().toLowerCase()
  const age = /^[\d.]/.test(given) ? readDuration(given) : undefined
  if (age !== undefined) return {isAge: true, at: ({now}) => now - age}
  if (given === 'now') return {isAge: true, at: ({now}) => now}
  const [, day, time = '00:00', zone] = (given.length <= LONGEST && parts.exec(given)) || []
  const isUsable = given !== '' && day !== undefined && TIME.test(time)
  const isDate = day !== undefined && /^\d{4}-/.test(day)
  if (!isUsable || (zone !== undefined && !isDate)) throw notATime(given, what)
  const dateAt = (clock: LocalClock): string =>
    day === '' ? localDate(clock.now, clock) : readDate(day, what, clock, 'past')
  try {
    // A date that does not exist is said at once.
    dateAt({now: 0, timeZone: 'UTC'})
  } catch (error) {
    throw /^[a-z]+$|^\d+$|^\d{4}-[\d-]*$/.test(day) ? notATime(given, what) : error
  }
  if (zone !== undefined) {
    const at = Date.parse(`${day}T${time}${zone.toUpperCase()}`)
    return {isAge: false, at: () => at}
  }
  return {isAge: false, at: clock => localMillis(dateAt(clock), time, clock)}
}

/** No time has more characters. */
const LONGEST = 60

/** A day, which may be left out for today, and a time. */
const parts = /^(.*?)(?:^|$|[t ]+)(\d{1,2}:\d{2}[\d:.]*)?(z|[+-]\d{2}:?\d{2})?$/

function notATime(given: string, what: string): Failure {
  const words = [
    'today',
    'yesterday',
    'monday',
    'tuesday',
    'wednesday',
    'thursday',
    'friday',
    'saturday',
    'sunday',
  ]
  const meant = /^[a-z]+$/.test(given) ? nearestName(given, words) : undefined
  return new Failure('USAGE', {
    message: `${what} is not a time.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: `Pass an age or a time: ${EXAMPLES}.`,
    effect: 'none',
  })
}

const momentFlag = Flags.custom<Moment>({
  parse: async (text, _, {name}) => parseMoment(text, `--${name}`),
  helpValue: '8h|yesterday|TIME',
  defaultHelp: async () => undefined,
})

/** Flags of lists that are limited to a period. */
export const periodFlags = {
  since: momentFlag({
    summary:
      'Only what is not older than this: an age (8h, 2d), a day (today, yesterday, monday), a date or a time.',
  }),
  until: momentFlag({summary: 'Only what is older than this; takes the same values as --since.'}),
}

/** Milliseconds since 1970, the end not included. */
export interface Period {
  readonly since: number | undefined
  readonly until: number | undefined
}

/**
 * The period that the flags name. Says on stderr which times that are, in the user's zone, unless they are ages.
 *
 * @throws Failure USAGE if nothing can be in it.
 */
export function periodOf(
  {surroundings, printer, outputOptions, when}: Context,
  flags: SomeFlagValues<typeof periodFlags>,
): Period {
  const clock = localClock(surroundings)
  const [since, until] = [flags.since?.at(clock), flags.until?.at(clock)]
  if (since !== undefined && since > clock.now) {
    throw new Failure('USAGE', {message: `--since is in the future: ${when(since)}.`, effect: 'none'})
  }
  if (since !== undefined && until !== undefined && until <= since) {
    throw new Failure('USAGE', {
      message: `--until is not after --since: ${when(until)}, ${when(since)}.`,
      hint: 'Ages count back from now, for example --since 2h --until 1h.',
    })
  }
  const named = [
    ...(since === undefined || flags.since?.isAge ? [] : [`since ${when(since)}`]),
    ...(until === undefined || flags.until?.isAge ? [] : [`until ${when(until)}`]),
  ]
  if (named.length > 0 && outputOptions.format === 'table') printer.note(named.join(' '))
  return {since, until}
}
