import {advice} from '../errors/advice.ts'
import {duration} from '../errors/duration.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {withSharedPause} from '../fleet/index.ts'
import {type Journal, Pace, type Pause, type TellWait} from '../journal/index.ts'
import type {Waiting} from '../output/index.ts'
import type {Context} from './context.ts'
import {sharedDatabase} from './shared-database.ts'

interface Patience {
  readonly maxPauseMs: number
  /** The rate in words: "50/s, 3000/min". */
  readonly rate: string
}

/** Says what turns wait for, and ends a wait for a pause that is too long. */
export async function tellWaits(context: Context, {maxPauseMs, rate}: Patience): Promise<TellWait> {
  const {words: service} = await context.service.identity()
  let told: {readonly until: number; end(): void} | undefined
  return wait => {
    if (wait === undefined) {
      told?.end()
      told = undefined
      return
    }
    const {ms, pause} = wait
    if (pause !== undefined && ms > maxPauseMs) throw tooLong(context, service, pause, maxPauseMs)
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

function tooLong(context: Context, service: string, pause: Pause, maxPauseMs: number): Failure {
  const {now} = context.surroundings
  const {until} = pause
  const left = until - now()
  return new Failure('RATE_LIMITED', {
    message: `${pausedBy(service, pause)}. Nothing is sent until ${context.when(until)} (${duration(left)}), which is longer than ${duration(maxPauseMs)}.`,
    hint: advice`Wait until then, or end the pause: ${cardctl('requests', 'pace', '--clear')}`,
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
    const database = await sharedDatabase(rateStore)
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
