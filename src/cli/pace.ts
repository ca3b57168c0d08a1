import {advice} from '../errors/advice.ts'
import {duration} from '../errors/duration.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {SharedPacer, withSharedPause} from '../fleet/index.ts'
import {
  type Journal,
  Pace,
  Pacer,
  type Pacing,
  type Pause,
  type Rate,
  type TellWait,
  type Turn,
} from '../journal/index.ts'
import type {Waiting} from '../output/index.ts'
import {parseRateWindows} from '../profiles/index.ts'
import type {Context} from './context.ts'
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
    const waits = await tellWaits(context, {maxPauseMs, rate: said, of})
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
    database: await sharedDatabase(context, rateStore),
    service,
    sleep,
    random,
    wallTime,
  })
  return {pacer, close: () => pacer.close()}
}

interface Patience {
  readonly maxPauseMs: number
  /** Whose requests wait. */
  readonly of: string | undefined
  /** The rate in words: "50/s, 3000/min". */
  readonly rate: string
}

/** Says what turns wait for, and ends a wait for a pause that is too long. */
async function tellWaits(context: Context, {maxPauseMs, rate, of}: Patience): Promise<TellWait> {
  const {words: service} = await context.service.identity()
  let told: {readonly until: number; end(): void} | undefined
  return wait => {
    if (wait === undefined) {
      told?.end()
      told = undefined
      return
    }
    const {ms, pause} = wait
    if (pause !== undefined && ms > maxPauseMs) throw tooLong(context, service, pause, {maxPauseMs, of})
    const until = pause?.until ?? 0
    if (told?.until === until) return
    told?.end()
    const waiting = pause === undefined ? quotaWait(rate) : pauseWait(factsOf(service, pause))
    told = {until, end: context.printer.waiting(waiting)}
  }
}

const quotaWait = (rate: string): Waiting => ({
  for: 'quota',
  why: `all runs on the service together have used up the rate of ${rate}`,
})

/** A pause as data. Times in ISO 8601. */
export interface PauseFacts {
  readonly why: string
  readonly since: string
  readonly until: string
}

const factsOf = (service: string, pause: Pause): PauseFacts => ({
  why: pausedBy(service, pause),
  since: new Date(pause.since).toISOString(),
  until: new Date(pause.until).toISOString(),
})

export const pauseWait = ({why, since, until}: PauseFacts): Waiting => ({
  for: 'pause',
  why,
  until: Date.parse(until),
  facts: {since},
})

const pausedBy = (service: string, {of}: Pause): string =>
  `${service} asked for a pause (429)${of === undefined ? '' : `, in response to ${of}`}`

function tooLong(
  context: Context,
  service: string,
  pause: Pause,
  {maxPauseMs, of}: Omit<Patience, 'rate'>,
): Failure {
  const {now} = context.surroundings
  const {until} = pause
  const left = until - now()
  const end = context.when(until)
  // What a pause was asked for by this run itself needs no name.
  const asked = pausedBy(service, pause.of === of ? {...pause, of: undefined} : pause)
  const limit = of === 'reads' ? 'this command waits' : '--max-pause'
  return new Failure('RATE_LIMITED', {
    message: `${asked}. Nothing is sent until ${end} (${duration(left)}), which is longer than ${limit} (${duration(maxPauseMs)}).`,
    hint: advice`Before ${end} it sends nothing. Only if the service agrees to an earlier end: ${cardctl('requests', 'pace', '--clear')}`,
    retryAfter: Math.ceil(left / 1000),
    effect: 'none',
    data: {paused: factsOf(service, pause)},
  })
}

/** The pause that is kept for the service, by the journal or by the database that machines share the rate by. */
export interface KeptPause {
  readonly now: PauseFacts | undefined
  clear(): Promise<void>
}

export async function withKeptPause<T>(context: Context, use: (kept: KeptPause) => Promise<T>): Promise<T> {
  const {id: service, words} = await context.service.identity()
  const {now} = context.surroundings
  const factsOfAny = (pause: Pause | undefined) => pause && factsOf(words, pause)
  if (await isRateShared(context)) {
    const {rateStore} = await context.service.target()
    if (rateStore === undefined) throw new Error('a shared rate without its database')
    const database = await sharedDatabase(context, rateStore)
    return withSharedPause({database, service, now}, shared =>
      use({now: factsOfAny(shared.now), clear: shared.clear}),
    )
  }
  if (!(await context.stores.hasJournal())) return use({now: undefined, clear: async () => undefined})
  using journal = await context.stores.quietJournal()
  const pace = new Pace(journal.store.db, {now})
  return await use({now: factsOfAny(pace.pause()), clear: async () => pace.clear()})
}

const isRateShared = async (context: Context): Promise<boolean> => {
  const {rateStore, teamStore} = (await context.service.chosen()).profile
  return (rateStore ?? teamStore) !== undefined
}

const sharedPauses = new WeakMap<Context, Promise<PauseFacts | undefined>>()

/** The pause of now, for commands that only look: without the database, they show what this machine knows. */
export async function pauseNow(context: Context, journal: Journal): Promise<PauseFacts | undefined> {
  if (await isRateShared(context)) {
    const known =
      sharedPauses.get(context) ?? withKeptPause(context, async kept => kept.now).catch(() => undefined)
    sharedPauses.set(context, known)
    return known
  }
  const {words} = await context.service.identity()
  const pause = new Pace(journal.store.db, {now: context.surroundings.now}).pause()
  return pause && factsOf(words, pause)
}
