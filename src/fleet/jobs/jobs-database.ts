import type {QueryResultRow} from 'pg'
import {type Connections, connections} from '../../postgres/connect.ts'
import {tellingHeld} from '../../postgres/held-statement.ts'
import {checkUsable, migrate, type Schema, schemaState} from '../../postgres/migrate.ts'
import type {SharedDatabase} from '../../postgres/options.ts'
import {query} from '../../postgres/query.ts'
import {cannotUse, codeOf, isAnswered, isOvertaken, READ_ONLY} from '../../postgres/reasons.ts'
import {JOB_CLOSED, JOBS_SCHEMA, jobsMigrations, WORKER_GONE} from './schema.ts'

/** How long to ask again while the database restarts. */
const PATIENCE_MS = 5_000
const RETRY_MS = 200
/** How long to wait for a response. */
const RESPONSE_MS = 10_000
/** After a signal, too: a process that was told to stop must not wait for another's lock. */
const STOPPING_MS = 2_000
/** For statements about whole jobs. */
export const LONG_RESPONSE_MS = 600_000

const unusable = cannotUse({
  of: 'shared jobs',
  consequence: 'What is not recorded there is not sent.',
  hint: 'Check the database server and the teamStore of the profile.',
})

export const jobsSchema: Schema = {
  name: JOBS_SCHEMA,
  migrations: jobsMigrations,
  hint: `Let a user who may create the schema ${JOBS_SCHEMA} run the command once.`,
  unusable,
}

/** Whether the lease of this worker ran out. */
export const isWorkerGone = (error: unknown): boolean => codeOf(error) === WORKER_GONE

/** Whether the job takes no more workers. */
export const isJobClosed = (error: unknown): boolean => codeOf(error) === JOB_CLOSED

interface AskOptions {
  readonly patienceMs?: number
  readonly responseMs?: number
}

/** The database of shared jobs. */
export class JobsDatabase {
  readonly #connections: Connections
  readonly #sleep: (ms: number) => Promise<void>
  readonly #signal: AbortSignal | undefined

  private constructor(opened: Connections, sleep: (ms: number) => Promise<void>, signal?: AbortSignal) {
    this.#connections = opened
    this.#sleep = sleep
    this.#signal = signal
  }

  /** @throws Failure INPUT_INVALID for the URL; CONNECTION_FAILED if the database can't be used */
  static async open(
    options: SharedDatabase,
    sleep: (ms: number) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<JobsDatabase> {
    const opened = await connections({connections: 4, ...options}, 'cardctl jobs')
    try {
      const before = await schemaState(opened, jobsSchema)
      if (before.version < before.known) await migrate(opened, jobsSchema)
      checkUsable(await schemaState(opened, jobsSchema), opened.shown, jobsSchema)
      return new JobsDatabase(opened, sleep, signal)
    } catch (error) {
      await opened.pool.end()
      throw error
    }
  }

  /**
   * One statement, which is sent again if the connection breaks: each of ours has the same effect twice as once, or
   * leaves nothing but rows that a lease frees.
   *
   * @throws Failure CONNECTION_FAILED; the driver's error for `isWorkerGone` and `isJobClosed`
   */
  async ask<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[],
    {patienceMs = PATIENCE_MS, responseMs = RESPONSE_MS}: AskOptions = {},
  ): Promise<readonly Row[]> {
    const began = performance.now()
    for (;;) {
      const isStopping = (): boolean => this.#signal?.aborted === true
      const waitMs = isStopping() ? Math.min(responseMs, STOPPING_MS) : responseMs
      // Such as a count for the eye: closing the database would wait for it.
      const hurry = this.#signal && waitMs > RESPONSE_MS ? {signal: this.#signal, ms: STOPPING_MS} : undefined
      try {
        return await tellingHeld(this.#connections, JOBS_SCHEMA, isHeld =>
          query<Row>(this.#connections, text, values, waitMs, () => isHeld() && !isStopping(), hurry),
        )
      } catch (error) {
        if (isWorkerGone(error) || isJobClosed(error)) throw error
        // A standby that takes over is still read-only for a moment.
        const hadNoEffect = isOvertaken(error) || codeOf(error) === READ_ONLY
        const isFinal = isAnswered(error) && !hadNoEffect
        const isSilent = codeOf(error) === ''
        const forMs = isSilent && isStopping() ? 0 : hadNoEffect ? PATIENCE_MS : patienceMs
        if (isFinal || performance.now() - began > forMs) throw unusable(this.#connections.shown, error)
        await this.#sleep(RETRY_MS)
      }
    }
  }

  close(): Promise<void> {
    return this.#connections.pool.end()
  }
}
