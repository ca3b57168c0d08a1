import {inside, type Place} from './place.ts'
import type {TimeSpec} from './rule-file.ts'

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WHOLE_DAY = 24 * 60

/** Whether a moment, in milliseconds since 1970, lies in a window of the clock and the week. */
export function compileTime({from, to, days, zone = 'UTC'}: TimeSpec, place: Place): (at: number) => boolean {
  const clock = clockOf(zone)
  if (!clock) {
    place.report(inside(place, 'zone').pointer, 'there is no such time zone; write it as Europe/Helsinki')
    return () => false
  }
  const begin = from === undefined ? 0 : minutesOf(from)
  const end = to === undefined ? WHOLE_DAY : minutesOf(to)
  // 22:00 to 06:00 ends on the day after.
  const length = end > begin ? end - begin : end - begin + WHOLE_DAY
  return at => {
    const {day, minutes} = clock(at)
    const begunToday = minutes >= begin
    const since = begunToday ? minutes - begin : minutes - begin + WHOLE_DAY
    const began = begunToday ? day : (day + 6) % 7
    return since < length && (days === undefined || days.includes(DAYS[began] ?? ''))
  }
}

function clockOf(timeZone: string): ((at: number) => {day: number; minutes: number}) | undefined {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  } catch {
    return undefined
  }
  return at => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({type, value}) => [type, value]))
    return {
      day: DAYS.indexOf((parts.weekday ?? '').toLowerCase()),
      minutes: Number(parts.hour) * 60 + Number(parts.minute),
    }
  }
}

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(':')
  return Number(hours) * 60 + Number(minutes)
}
