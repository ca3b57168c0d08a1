import {randomUUID} from 'node:crypto'
import type {QueryResultRow} from 'pg'
import type {Failure} from '../../errors/failure.ts'
import {DEFAULT_WAIT_MS, LOOK_AGAIN_MS, type Pacing, type TellWait, type Turn} from '../../journal/pace.ts'
import {
  CLOCK_MARGIN_MS,
  cautionPerGrant,
  mostCaution,
  type Rate,
  shareName,
  slotMs,
} from '../../journal/pace-rates.ts'
import {connections} from '../../postgres/connect.ts'
import {tellingHeld} from '../../postgres/held-statement.ts'
import {checkUsable, migrate, type Schema, schemaState} from '../../postgres/migrate.ts'
import type {SharedDatabase} from '../../postgres/options.ts'
import {query} from '../../postgres/query.ts'
import {cannotUse, codeOf, isAnswered, isOvertaken, READ_ONLY} from '../../postgres/reasons.ts'
import {DatabaseClock} from './database-clock.ts'
import {readPause} from './read-pause.ts'
import {RoundTrips} from './round-trips.ts'
import {PACE_SCHEMA, paceMigrations} from './schema.ts'

/** The database of a shared rate. */
export interface PaceDatabase {
  query<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly Row[]>
  close(): Promise<void>
  /** `host:5432/database`. */
  readonly shown: string
}

export interface PacerOptions {
  /** The service whose quota is shared. Machines that name the same one share it. */
  readonly service: string
  /** What this caller may do together with every other caller that has the same rates. */
  readonly rates: readonly Rate[]
  /** What all callers together may do, whatever their rates. */
  readonly quota: readonly Rate[]
  /** Resolves after `ms`, or rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** In [0, 1), so that machines don't ask again at the same moment. */
  random(): number
  /** ms on a clock that can't be set. */
  now(): number
  readonly waits?: TellWait | undefined
  /** ms since 1970, for what people are told. */
  wallTime?(): number
}

export interface SharedPaceOptions extends Omit<PacerOptions, 'now'> {
  readonly database: SharedDatabase
}

/**
 * How long before its time a turn is given. A machine that dies takes at most the turn of this time with it, and after a
 * 429 no request is sent later than this.
 */
const AHEAD_MS = 250

/** A turn that this process comes to later than this is given up: by then others have counted on its absence. */
const LATEST_MS = 250

/** How many turns a process has at most: if it is busy for a moment, it still has turns for the next one. */
const MOST_IN_HAND = 4

/** How long to ask again while the database restarts. */
const PATIENCE_MS = 5_000
const RETRY_MS = 200
/** How long to wait for a response of the database. */
const RESPONSE_MS = 5_000

const unusable = cannotUse({
  of: 'the shared rate',
  consequence: 'Nothing was sent without a turn.',
  hint: 'Check the database server and the teamStore or rateStore of the profile.',
})

export const paceSchema: Schema = {
  name: PACE_SCHEMA,
  migrations: paceMigrations,
  hint: `Let a user who may create the schema ${PACE_SCHEMA} run the command once.`,
  unusable,
}

const TAKE = `
SELECT request, turn_ms, wait_ms, now_ms, spent_ms FROM ${PACE_SCHEMA}.take_turns(
  $1, $2, $3, $4, $5::integer[], $6::interval[], $7::integer[], $8::interval[],
  $9::interval, $10::interval, $11, $12::interval, $13::interval, $14::interval, $15::bigint[], $16)`

const ANSWERED = `SELECT ${PACE_SCHEMA}.answered($1, $2, $3, $4, $5, $6)`
const PENALISE = `SELECT ${PACE_SCHEMA}.penalise($1, $2, $3)`
const GIVE_BACK = `DELETE FROM ${PACE_SCHEMA}.requests WHERE id = ANY($1::bigint[])`

interface Taken {
  /** A bigint as text; null if there is no turn yet. */
  readonly request: string | null
  /** Times of the database, in ms since 1970. */
  readonly turn_ms: number
  readonly now_ms: number
  readonly wait_ms: number
  readonly spent_ms: number
}

/** A turn that the database gave. */
interface Given {
  readonly request: string
  /** How long its request needs to arrive, as the database was told. */
  readonly leadMs: number
  /** Its time, by the clock of this machine. It may be late by `doubtMs`. */
  readonly at: number
  readonly doubtMs: number
}

/**
 * A pace that all machines share whose profile names the database. The clock of the database decides; a machine measures
 * only how long something takes. See `Pace` for the rules.
 *
 * The first question creates the tables if they are missing.
 */
export class SharedPacer implements Pacing {
  readonly #options: PacerOptions
  readonly #database: PaceDatabase
  readonly #trips = new RoundTrips()
  readonly #share: string
  /** Statements that nobody waits for. */
  readonly #sending = new Set<Promise<void>>()
  readonly #clock = new DatabaseClock()
  readonly #asker = randomUUID()
  /** Turns for callers that wait, in their order. */
  readonly #hand: Given[] = []
  #refilling: Promise<number> | undefined
  /** How much later than its turn a request was sent, ms, until the database knows it. */
  readonly #late = new Map<string, number>()
  /** Callers whose turn has not come. */
  #waiting = 0
  /** The first of them has a turn, and waits for its time. */
  #isServing = false
  /** Somebody was told what the first of them waits for. */
  #isTelling = false
  #line: Promise<unknown> = Promise.resolve()
  /** The last 429, until the database knows of it. */
  #penalty: Promise<void> | undefined
  #failure: Failure | undefined
  #failedAt = 0

  constructor(options: PacerOptions, database: PaceDatabase) {
    this.#options = options
    this.#database = database
    this.#share = shareName(options.rates)
  }

  /** @throws Failure INPUT_INVALID for the URL; CONNECTION_FAILED if the database can't be used */
  static async open(options: SharedPaceOptions): Promise<SharedPacer> {
    const opened = await connections({connections: 2, ...options.database}, 'cardctl rate')
    try {
      const before = await schemaState(opened, paceSchema)
      if (before.version < before.known) await migrate(opened, paceSchema)
      checkUsable(await schemaState(opened, paceSchema), opened.shown, paceSchema)
      return new SharedPacer(
        {...options, now: () => performance.now()},
        {
          query: (text, values) =>
            tellingHeld(opened, PACE_SCHEMA, isHeld => query(opened, text, values, RESPONSE_MS, isHeld)),
          shown: opened.shown,
          close: () => opened.pool.end(),
        },
      )
    } catch (error) {
      await opened.pool.end()
      throw error
    }
  }

  turn(signal?: AbortSignal): Promise<Turn> {
    const askedAt = this.#options.now()
    this.#waiting++
    const turn = this.#line
      .then(() => {
        // The caller before has waited as long as is allowed. Those that waited behind it fail with it.
        if (this.#failure !== undefined && askedAt <= this.#failedAt) throw this.#failure
        return this.#first(signal)
      })
      .finally(() => {
        this.#waiting--
        this.#isServing = false
        if (this.#isTelling) this.#options.waits?.(undefined)
        this.#isTelling = false
        this.#giveBackSurplus()
      })
    this.#line = turn.catch(() => undefined)
    return turn
  }

  /** Waits for what is still to be recorded. */
  async close(): Promise<void> {
    await this.#refilling?.catch(() => undefined)
    this.#giveBack(this.#hand.splice(0))
    await Promise.all(this.#sending)
    await this.#database.close()
  }

  async #first(signal: AbortSignal | undefined): Promise<Turn> {
    const {sleep, now} = this.#options
    for (;;) {
      signal?.throwIfAborted()
      await this.#penalty
      this.#isServing = false
      const given = await this.#next(signal)
      if (given === undefined) continue
      try {
        // A timer may fire a little early.
        while (given.at > now()) await sleep(Math.max(1, given.at - now()), signal)
        signal?.throwIfAborted()
      } catch (error) {
        this.#giveBack([given])
        throw error
      }
      if (this.#penalty === undefined && now() - given.at + given.doubtMs <= LATEST_MS)
        return this.#turn(given)
      this.#giveBack([given])
    }
  }

  /** The next turn that this process has. Asks for more before they run out. @returns undefined after a wait. */
  async #next(signal: AbortSignal | undefined): Promise<Given | undefined> {
    if (this.#hand.length === 0) {
      const waitMs = await this.#refill(signal)
      if (waitMs > 0) await this.#pause(waitMs, signal)
    }
    const next = this.#hand.shift()
    this.#isServing = next !== undefined
    const {length} = this.#hand
    if (length <= MOST_IN_HAND / 2 && length < this.#unserved) this.#refill(undefined).catch(() => undefined)
    return next
  }

  /** Waits for room in the quota, or for the end of a pause, which another machine may end earlier. */
  async #pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const {sleep, random, service, waits, wallTime = Date.now} = this.#options
    const pause =
      ms < LOOK_AGAIN_MS
        ? undefined
        : await readPause((text, values) => this.#database.query(text, values), service, wallTime)
    waits?.({ms, pause})
    this.#isTelling = true
    const most = pause === undefined ? ms : Math.min(ms, LOOK_AGAIN_MS)
    await sleep(most + random() * AHEAD_MS, signal)
  }

  /** Callers without a turn. */
  get #unserved(): number {
    return this.#waiting - (this.#isServing ? 1 : 0)
  }

  #giveBackSurplus(): void {
    this.#giveBack(this.#hand.splice(this.#unserved))
  }

  /** @returns how long to wait if there are no turns yet, ms. */
  #refill(signal: AbortSignal | undefined): Promise<number> {
    this.#refilling ??= this.#take(signal).finally(() => {
      this.#refilling = undefined
    })
    return this.#refilling
  }

  async #take(signal: AbortSignal | undefined): Promise<number> {
    const {service, rates, quota} = this.#options
    const slot = slotMs(rates)
    const {leadMs} = this.#trips
    const limits = (some: readonly Rate[]) => some.map(({limit}) => limit)
    const windows = (some: readonly Rate[]) => some.map(({windowMs}) => inMs(windowMs))
    const late = [...this.#late]
    this.#late.clear()
    const values = [
      service,
      this.#share,
      this.#asker,
      Math.max(1, Math.min(MOST_IN_HAND, this.#unserved) - this.#hand.length),
      limits(rates),
      windows(rates),
      limits(quota),
      windows(quota),
      inMs(slot),
      inMs(AHEAD_MS),
      mostCaution(rates),
      inMs(leadMs),
      inMs(AHEAD_MS),
      inMs(CLOCK_MARGIN_MS),
      late.map(([request]) => request),
      late.map(([, ms]) => ms),
    ]
    const rows = await this.#ask(values, signal)
    const {doubtMs} = this.#clock
    for (const {request, turn_ms} of rows) {
      if (request === null) continue
      this.#hand.push({request, leadMs, at: this.#clock.atLatest(turn_ms), doubtMs})
    }
    this.#giveBackSurplus()
    return rows[0]?.request === null ? rows[0].wait_ms : 0
  }

  /** Asks again for a while if the connection breaks: at worst turns are lost. */
  async #ask(values: readonly unknown[], signal: AbortSignal | undefined): Promise<readonly Taken[]> {
    const {now, sleep} = this.#options
    const began = now()
    for (;;) {
      const askedAt = now()
      try {
        const rows = await this.#database.query<Taken>(TAKE, values)
        const [first] = rows
        if (first === undefined) throw new Error('the database gave no row')
        const {now_ms: databaseAt, spent_ms: spentMs} = first
        this.#clock.add({askedAt, receivedAt: now(), databaseAt, spentMs})
        return rows
      } catch (error) {
        // A standby that takes over is still read-only for a moment.
        const isFinal = isAnswered(error) && !isOvertaken(error) && codeOf(error) !== READ_ONLY
        if (isFinal || now() - began > PATIENCE_MS) {
          this.#failedAt = now()
          this.#failure = unusable(this.#database.shown, error)
          throw this.#failure
        }
        await sleep(RETRY_MS, signal)
      }
    }
  }

  #turn({request, at, doubtMs, leadMs: toldMs}: Given): Turn {
    const {service, rates, now} = this.#options
    const sentAt = now()
    // Others count on the time of the turn, so they are told if it was sent later.
    const lateMs = Math.max(0, sentAt - at)
    if (lateMs > 0) this.#late.set(request, lateMs)
    return {
      answered: (status, retryAfterMs = 0) => {
        const arrival = this.#trips.add(now() - sentAt + doubtMs)
        const untoldMs = this.#late.delete(request) ? lateMs : 0
        const moreMs = Math.max(0, arrival.leadMs - toldMs) + untoldMs
        if (status === 429) {
          this.#giveBack(this.#hand.splice(0))
          const penalty = this.#send(PENALISE, [service, request, Math.max(retryAfterMs, DEFAULT_WAIT_MS)])
          this.#penalty = penalty.finally(() => {
            this.#penalty = undefined
          })
        }
        const caution = [cautionPerGrant(rates), mostCaution(rates)]
        this.#send(ANSWERED, [service, request, moreMs, arrival.lateMs, ...caution])
      },
    }
  }

  #giveBack(turns: readonly Given[]): void {
    if (turns.length > 0) this.#send(GIVE_BACK, [turns.map(({request}) => request)])
  }

  /** If it is lost, the request counts as one whose response never came. */
  #send(sql: string, values: readonly unknown[]): Promise<void> {
    const sent = this.#database
      .query(sql, values)
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => this.#sending.delete(sent))
    this.#sending.add(sent)
    return sent
  }
}

const inMs = (ms: number): string => `${ms} ms`
