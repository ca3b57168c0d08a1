import {Failure} from '../errors/failure.ts'

/** At most `limit` requests in any span of `windowMs`. */
export interface Rate {
  readonly limit: number
  readonly windowMs: number
}

/**
 * Times are whole ms: a response may have arrived up to 1 ms later than its time says, and the fastest round trip may
 * look 1 ms too long.
 */
export const CLOCK_MARGIN_MS = 2

/** What caution may cost in the long run: this share of the shortest window, on every request. */
const CAUTION_SHARE = 0.01
/** Caution that may be spent at once: a whole window of requests, each late by this share of the window. */
const RESERVE_SHARE = 0.2

const LONGEST_WINDOW_MS = 3_600_000

/** A name for callers that share a pace, because they have the same rates. */
export function shareName(rates: readonly Rate[]): string {
  const usable = rates.every(
    ({limit, windowMs}) =>
      Number.isInteger(limit) && limit > 0 && windowMs > 0 && windowMs <= LONGEST_WINDOW_MS,
  )
  if (!usable || rates.length === 0) {
    throw new Failure('USAGE', {
      message: 'A rate is a whole number of requests, 1 and more, in a window of at most an hour.',
    })
  }
  return rates
    .map(({limit, windowMs}) => `${limit}/${windowMs}`)
    .sort()
    .join(',')
}

export function ratesOf(share: string): Rate[] {
  return share.split(',').map(text => {
    const [limit, windowMs] = text.split('/')
    return {limit: Number(limit), windowMs: Number(windowMs)}
  })
}

/** The interval of evenly spaced requests under the tightest rate, in ms. */
export function slotMs(rates: readonly Rate[]): number {
  return Math.max(...rates.map(({limit, windowMs}) => windowMs / limit))
}

/** How late a request may be without delaying the next one's slot: timers are never exact. In ms. */
export function smoothingSlackMs(slot: number): number {
  return Math.max(25, Math.min(slot, 100))
}

/** Caution that each request adds to the budget, in ms. */
export function cautionPerGrant(rates: readonly Rate[]): number {
  return shortest(rates).windowMs * CAUTION_SHARE
}

/** The most caution that can be saved up, in ms times requests. */
export function mostCaution(rates: readonly Rate[]): number {
  const {limit, windowMs} = shortest(rates)
  return limit * windowMs * RESERVE_SHARE
}

function shortest(rates: readonly Rate[]): Rate {
  return rates.reduce((least, rate) => (rate.windowMs < least.windowMs ? rate : least))
}
