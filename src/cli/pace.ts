import {Failure} from '../errors/failure.ts'
import type {Journal, Pacer, Rate, Turn} from '../journal/index.ts'
import {type RateWindow, readRateWindow} from '../limits/rate-window.ts'
import type {Context} from './context.ts'

const MOST = 1_000_000

/** "50/s,3000/min". @throws Failure USAGE */
export function parseRateWindows(text: string, flag = '--rate-limit'): readonly RateWindow[] {
  return text.split(',').map(part => {
    const window = readRateWindow(part)
    const {count = 0} = window ?? {}
    if (window !== undefined && Number.isInteger(count) && count >= 1 && count <= MOST) return window
    throw new Failure('USAGE', {
      message: `${flag} takes limits such as 50/s,3000/min; the count is from 1 to ${MOST}.`,
    })
  })
}

/** Turns of the quota for single reads that belong together. The first one opens the journal, which keeps the rate. */
export class Turns {
  readonly #context: Context
  #opened: Promise<{readonly journal: Journal | undefined; readonly pacer: Pacer | undefined}> | undefined

  constructor(context: Context) {
    this.#context = context
  }

  readonly admit = async (signal: AbortSignal): Promise<Turn | undefined> => {
    this.#opened ??= this.#open()
    const {pacer} = await this.#opened
    return pacer?.turn(signal)
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined)
    opened?.journal?.close()
  }

  async #open() {
    // A journal that can't be used must not keep anybody from reading.
    const journal = await this.#context.journal().catch(() => undefined)
    return {journal, pacer: journal && (await paceOf(this.#context, journal)).pacer}
  }
}

/** The rate of a run or a walk through pages, shared by all processes of the user on the profile. */
interface SharedPace {
  /** undefined with `--rate off`. */
  readonly pacer: Pacer | undefined
  readonly words: string
}

/**
 * `--rate`, else the profile's quota. A live profile gives a run only a share of it, because the issuer's own apps need
 * the rest.
 */
export async function paceOf(context: Context, journal: Journal, rate?: string): Promise<SharedPace> {
  const {profile} = await context.chosen()
  if (rate === 'off') {
    if (profile.kind === 'live') {
      throw new Failure('USAGE', {
        message: '--rate off is not allowed on live profiles.',
        hint: 'Give a rate, for example --rate 50/s.',
      })
    }
    return {pacer: undefined, words: 'no pace'}
  }
  const {Pace, Pacer} = await import('../journal/index.ts')
  const {perSecond, perMinute, share} = profile.rate
  const partOf = (part: number): readonly Rate[] => [
    {limit: Math.max(1, Math.floor(perSecond * part)), windowMs: 1000},
    {limit: Math.max(1, Math.floor(perMinute * part)), windowMs: 60_000},
  ]
  const rates =
    rate === undefined
      ? partOf(share)
      : parseRateWindows(rate, '--rate').map(({count, windowMs}) => ({limit: count, windowMs}))
  // Runs with different rates share the quota, unless this one is told to exceed it.
  const perMs = (some: readonly Rate[]) => Math.min(...some.map(({limit, windowMs}) => limit / windowMs))
  const quota = perMs(rates) > perMs(partOf(1)) ? [] : partOf(1)
  const {now, sleep} = context.surroundings
  const words = rates.map(
    ({limit, windowMs}) => `${limit}/${windowMs === 1000 ? 's' : windowMs === 60_000 ? 'min' : 'h'}`,
  )
  const ofQuota = rate === undefined && share < 1 ? ` (${Math.round(share * 100)}% of the quota)` : ''
  return {
    pacer: new Pacer({pace: new Pace(journal.db, {now}), rates, quota, sleep, now}),
    words: `${words.join(', ')}${ofQuota}`,
  }
}
