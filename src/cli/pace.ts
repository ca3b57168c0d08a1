import {Failure} from '../errors/failure.ts'
import {SharedPacer} from '../fleet/index.ts'
import {
  type Journal,
  Pace,
  Pacer,
  type Pacing,
  type Rate,
  type TellWait,
  type Turn,
} from '../journal/index.ts'
import {parseRateWindows} from '../profiles/index.ts'
import type {Context} from './context.ts'
import {tellWaits} from './pauses.ts'
import {sharedDatabase} from './shared-database.ts'

export {parseRateWindows}

/** Turns of the quota for single reads that belong together. The first one opens the journal, which keeps the rate. */
export class Turns {
  readonly #context: Context
  #opened: Promise<OpenPace> | undefined

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
    await opened?.close()
  }

  async #open(): Promise<OpenPace> {
    const {teamStore, rateStore = teamStore} = (await this.#context.service.chosen()).profile
    // A journal that can't be used must not keep anybody from reading. What other machines count on is no such case.
    const journal =
      rateStore === undefined ? await this.#context.stores.journal().catch(() => undefined) : undefined
    if (rateStore === undefined && journal === undefined) return NO_PACE
    // A read ends by its own time limit, and says better why it can't be sent than that nobody responded.
    const maxPauseMs = this.#context.flags.timeout ?? READ_TIMEOUT_MS
    const opened = await (await paceOf(this.#context, journal, {of: 'reads', maxPauseMs})).open()
    return {
      pacer: opened.pacer,
      close: async () => {
        await opened.close()
        journal?.close()
      },
    }
  }
}

/** The rate of a run or a walk through pages. */
interface ChosenPace {
  readonly words: string
  /** @throws Failure INPUT_INVALID, SECRET_MISSING, CONNECTION_FAILED for the database of a shared rate */
  open(): Promise<OpenPace>
}

export interface OpenPace {
  /** undefined with `--rate off`. */
  readonly pacer: Pacing | undefined
  close(): Promise<void>
}

/** How long a read takes at most, in ms. */
const READ_TIMEOUT_MS = 30_000
/** The longest pause that a run waits for, in ms. */
export const MAX_PAUSE_MS = 15 * 60_000

interface PaceChoice {
  /** `--rate` */
  readonly rate?: string | undefined
  /** Whose requests they are, in words. */
  readonly of?: string
  readonly maxPauseMs?: number | undefined
}

const NO_PACE: OpenPace = {pacer: undefined, close: async () => undefined}

/**
 * `--rate`, else the profile's quota. A live profile gives a run only a share of it, because the issuer's own apps need
 * the rest. All processes of the user share it by the journal; with `teamStore` or `rateStore`, all machines by a
 * database.
 *
 * @param journal is not used with a database.
 */
export async function paceOf(
  context: Context,
  journal: Journal | undefined,
  {rate, of, maxPauseMs = MAX_PAUSE_MS}: PaceChoice = {},
): Promise<ChosenPace> {
  const {profile} = await context.service.chosen()
  if (rate === 'off') {
    if (profile.kind === 'live') {
      throw new Failure('USAGE', {
        message: '--rate off is not allowed on live profiles.',
        hint: 'Give a rate, for example --rate 50/s.',
      })
    }
    return {words: 'no pace', open: async () => NO_PACE}
  }
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
  const words = rates.map(
    ({limit, windowMs}) => `${limit}/${windowMs === 1000 ? 's' : windowMs === 60_000 ? 'min' : 'h'}`,
  )
  const ofQuota = rate === undefined && share < 1 ? ` (${Math.round(share * 100)}% of the quota)` : ''
  const isShared = (profile.rateStore ?? profile.teamStore) !== undefined
  const said = words.join(', ')
  const opened = async (): Promise<OpenPace> => {
    const waits = await tellWaits(context, {maxPauseMs, rate: said})
    const shared = {rates, quota, of, waits}
    return isShared ? openShared(context, shared) : openLocal(context, journal, shared)
  }
  return {
    words: `${said}${ofQuota}${isShared ? ', shared with other machines' : ''}`,
    open: opened,
  }
}

interface Rates {
  readonly rates: readonly Rate[]
  readonly quota: readonly Rate[]
  readonly of: string | undefined
  readonly waits: TellWait
}

async function openLocal(context: Context, journal: Journal | undefined, rates: Rates): Promise<OpenPace> {
  if (journal === undefined) return NO_PACE
  const {now, sleep} = context.surroundings
  const pacer = new Pacer({...rates, pace: new Pace(journal.store.db, {now}), sleep, now})
  return {pacer, close: async () => undefined}
}

async function openShared(context: Context, rates: Rates): Promise<OpenPace> {
  const {rateStore} = await context.service.target()
  if (rateStore === undefined) return NO_PACE
  const {sleep, random, now: wallTime} = context.surroundings
  const {id: service} = await context.service.identity()
  const pacer = await SharedPacer.open({
    ...rates,
    database: await sharedDatabase(rateStore),
    service,
    sleep,
    random,
    wallTime,
  })
  return {pacer, close: () => pacer.close()}
}
