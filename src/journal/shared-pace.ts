import type {QueryResultRow} from 'pg'
import {Failure} from '../errors/failure.ts'
import {
  type Connections,
  connections,
  type DatabaseOptions,
  isAnswered,
  whyUnusable,
} from '../postgres/connect.ts'
import {checkUsable, migrate, type Schema, schemaState} from '../postgres/migrate.ts'
import {query} from '../postgres/query.ts'
import {DEFAULT_WAIT_MS, type Pacing, type Turn} from './pace.ts'
import {
  CLOCK_MARGIN_MS,
  cautionPerGrant,
  mostCaution,
  type Rate,
  shareName,
  slotMs,
  smoothingSlackMs,
} from './pace-rates.ts'
import {RoundTrips} from './round-trips.ts'
import {PACE_SCHEMA, paceMigrations} from './shared-pace-schema.ts'

export interface SharedPaceOptions {
  readonly database: DatabaseOptions
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
}

/**
 * How long before its time a turn is given. A machine that dies takes at most the turn of this time with it, and after a
 * 429 no request is sent later than this.
 */
const AHEAD_MS = 250

/** A turn that this process comes to later than this is given up: by then others have counted on its absence. */
const LATEST_MS = 250

/** How long to ask again while the database restarts. */
const PATIENCE_MS = 5_000
const RETRY_MS = 200
/** How long to wait for a response of the database. */
const RESPONSE_MS = 5_000

/** @returns CONNECTION_FAILED, without anything of the statement. */
function unusable(shown: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  return new Failure('CONNECTION_FAILED', {
    message: `Can't use the database of the shared rate, ${shown}: ${whyUnusable(error)}. Nothing was sent without a turn.`,
    hint: 'Check the database server and the teamStore or rateStore of the profile.',
    effect: 'none',
    cause: error,
  })
}

export const paceSchema: Schema = {
  name: PACE_SCHEMA,
  migrations: paceMigrations,
  hint: `Let a user who may create the schema ${PACE_SCHEMA} run the command once.`,
  unusable,
}

const TAKE = `
SELECT request, wait_ms, spent_ms FROM ${PACE_SCHEMA}.take(
  $1, $2, $3::integer[], $4::interval[], $5::integer[], $6::interval[],
  $7::interval, $8::interval, $9, $10::interval, $11::interval, $12::interval)`

const ANSWERED = `SELECT ${PACE_SCHEMA}.answered($1, $2, $3, $4, $5, $6)`
const PENALISE = `SELECT ${PACE_SCHEMA}.penalise($1, $2, $3)`
const GIVE_BACK = `DELETE FROM ${PACE_SCHEMA}.requests WHERE id = $1`

interface Taken {
  /** A bigint as text; null if there is no turn yet. */
  readonly request: string | null
  readonly wait_ms: number
  readonly spent_ms: number
}

/** A turn that the database gave. */
interface Given {
  readonly request: string
  /** How long its request needs to arrive, as the database was told. */
  readonly leadMs: number
  /** Its time, as `performance.now()`. It may be late by what the database's response took. */
  readonly at: number
  /** How long the question travelled, without the time in the database. */
  readonly travelMs: number
}

/**
 * A pace that all machines share whose profile names the database. The clock of the database decides; a machine measures
 * only how long something takes. See `Pace` for the rules.
 *
 * The first question creates the tables if they are missing.
 */
export class SharedPacer implements Pacing {
  readonly #options: SharedPaceOptions
  readonly #connections: Connections
  readonly #trips = new RoundTrips()
  readonly #share: string
  /** Statements that nobody waits for. */
  readonly #sending = new Set<Promise<void>>()
  #line: Promise<unknown> = Promise.resolve()
  /** The last 429, until the database knows of it. */
  #penalty: Promise<void> | undefined
  #failure: Failure | undefined
  #failedAt = 0

  private constructor(options: SharedPaceOptions, opened: Connections) {
    this.#options = options
    this.#connections = opened
    this.#share = shareName(options.rates)
  }

  /** @throws Failure INPUT_INVALID for the URL; CONNECTION_FAILED if the database can't be used */
  static async open(options: SharedPaceOptions): Promise<SharedPacer> {
    const opened = await connections({connections: 2, ...options.database}, 'cardctl rate')
    try {
      const before = await schemaState(opened, paceSchema)
      if (before.version < before.known) await migrate(opened, paceSchema)
      checkUsable(await schemaState(opened, paceSchema), opened.shown, paceSchema)
      return new SharedPacer(options, opened)
    } catch (error) {
      await opened.pool.end()
      throw error
    }
  }

  turn(signal?: AbortSignal): Promise<Turn> {
    const askedAt = performance.now()
    const turn = this.#line.then(() => {
      // The caller before has waited as long as is allowed. Those that waited behind it fail with it.
      if (this.#failure !== undefined && askedAt <= this.#failedAt) throw this.#failure
      return this.#first(signal)
    })
    this.#line = turn.catch(() => undefined)
    return turn
  }

  /** Waits for what is still to be recorded. */
  async close(): Promise<void> {
    await Promise.all(this.#sending)
    await this.#connections.pool.end()
  }

  async #first(signal: AbortSignal | undefined): Promise<Turn> {
    const {sleep, random} = this.#options
    for (;;) {
      signal?.throwIfAborted()
      await this.#penalty
      const given = await this.#take(signal)
      if ('waitMs' in given) {
        await sleep(given.waitMs + random() * AHEAD_MS, signal)
        continue
      }
      try {
        // A timer may fire a little early.
        if (given.at > performance.now()) await sleep(Math.ceil(given.at - performance.now()) + 1, signal)
        signal?.throwIfAborted()
      } catch (error) {
        this.#giveBack(given)
        throw error
      }
      if (this.#lateness(given) <= LATEST_MS) return this.#turn(given)
      this.#giveBack(given)
    }
  }

  async #take(signal: AbortSignal | undefined): Promise<Given | {readonly waitMs: number}> {
    const {service, rates, quota} = this.#options
    const slot = slotMs(rates)
    const {leadMs} = this.#trips
    const inMs = (ms: number): string => `${ms} ms`
    const limits = (some: readonly Rate[]) => some.map(({limit}) => limit)
    const windows = (some: readonly Rate[]) => some.map(({windowMs}) => inMs(windowMs))
    const values = [
      service,
      this.#share,
      limits(rates),
      windows(rates),
      limits(quota),
      windows(quota),
      inMs(slot),
      inMs(smoothingSlackMs(slot)),
      mostCaution(rates),
      inMs(leadMs),
      inMs(AHEAD_MS),
      inMs(CLOCK_MARGIN_MS),
    ]
    const {row, askedAt, receivedAt} = await this.#ask(values, signal)
    if (row.request === null) return {waitMs: row.wait_ms}
    const travelMs = Math.max(0, receivedAt - askedAt - row.spent_ms)
    return {request: row.request, leadMs, at: receivedAt + row.wait_ms, travelMs}
  }

  /** Asks again for a while if the connection breaks: at worst a turn is lost. */
  async #ask(values: readonly unknown[], signal: AbortSignal | undefined) {
    const began = performance.now()
    for (;;) {
      const askedAt = performance.now()
      try {
        const [row] = await this.#query<Taken>(TAKE, values)
        if (row === undefined) throw new Error('the database gave no row')
        return {row, askedAt, receivedAt: performance.now()}
      } catch (error) {
        if (isAnswered(error) || performance.now() - began > PATIENCE_MS) {
          this.#failedAt = performance.now()
          this.#failure = unusable(this.#connections.shown, error)
          throw this.#failure
        }
        await this.#options.sleep(RETRY_MS, signal)
      }
    }
  }

  /** How much later than its time a request sent now would be at most, in ms. */
  #lateness({at, travelMs}: Given): number {
    return performance.now() - at + travelMs
  }

  #turn(given: Given): Turn {
    const {service, rates} = this.#options
    const sentAt = Math.min(given.at, performance.now())
    return {
      answered: (status, retryAfterMs = 0) => {
        const {leadMs, lateMs} = this.#trips.add(performance.now() - sentAt + given.travelMs)
        const {request} = given
        const moreMs = Math.max(0, leadMs - given.leadMs)
        if (status === 429) {
          const waitMs = Math.max(retryAfterMs, DEFAULT_WAIT_MS)
          this.#penalty = this.#send(PENALISE, [service, request, waitMs])
        }
        this.#send(ANSWERED, [service, request, moreMs, lateMs, cautionPerGrant(rates), mostCaution(rates)])
      },
    }
  }

  #giveBack({request}: Given): void {
    this.#send(GIVE_BACK, [request])
  }

  /** If it is lost, the request counts as one whose response never came. */
  #send(sql: string, values: readonly unknown[]): Promise<void> {
    const sent = this.#query(sql, values)
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => this.#sending.delete(sent))
    this.#sending.add(sent)
    return sent
  }

  #query<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return query(this.#connections, text, values, RESPONSE_MS)
  }
}
