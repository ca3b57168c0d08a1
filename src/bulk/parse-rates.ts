import {Failure} from '../errors/failure.ts'
import type {Rate} from '../journal/index.ts'

const UNITS: Readonly<Record<string, number>> = {s: 1000, min: 60_000, h: 3_600_000}

/** `50/s,3000/min`. @throws Failure USAGE */
export function parseRates(text: string): Rate[] {
  return text.split(',').map(part => {
    const [, limit, unit] = /^\s*(\d{1,9})\/(s|min|h)\s*$/.exec(part) ?? []
    const windowMs = UNITS[unit ?? '']
    if (windowMs === undefined || Number(limit) < 1) {
      throw new Failure('USAGE', {
        message: '--rate takes requests per s, min or h, by comma.',
        hint: 'For example: --rate 50/s,3000/min',
      })
    }
    return {limit: Number(limit), windowMs}
  })
}
