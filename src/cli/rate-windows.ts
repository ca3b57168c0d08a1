import {Failure} from '../errors/failure.ts'

/** At most `count` requests in any span of `windowMs`. */
export interface RateWindow {
  readonly count: number
  readonly windowMs: number
}

const UNITS: Readonly<Record<string, number>> = {s: 1000, min: 60_000, m: 60_000, h: 3_600_000}
const MOST = 1_000_000

/** "50/s,3000/min". @throws Failure USAGE */
export function parseRateWindows(text: string, flag = '--rate-limit'): readonly RateWindow[] {
  return text.split(',').map(part => {
    const [, digits, unit] = /^(\d{1,7})\/(s|min|m|h)$/.exec(part.trim()) ?? []
    const count = Number(digits)
    const windowMs = UNITS[unit ?? '']
    if (windowMs === undefined || !(count >= 1 && count <= MOST)) {
      throw new Failure('USAGE', {
        message: `${flag} takes limits such as 50/s,3000/min; the count is from 1 to ${MOST}.`,
      })
    }
    return {count, windowMs}
  })
}
