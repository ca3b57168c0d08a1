import {isJobClosed, isWorkerGone, type JobsDatabase} from './jobs-database.ts'
import {JOBS_SCHEMA} from './schema.ts'

/** A row that was in flight on a worker that is gone, and must not be sent again. */
export interface StrandedRow {
  readonly row: number
  readonly worker: string
}

export interface WorkerOptions {
  readonly database: JobsDatabase
  /** Number of the job. */
  readonly job: number
  /** For people: machine and process. */
  readonly name: string
  readonly leaseMs: number
  /** ms since 1970. */
  now(): number
  stranded(rows: readonly StrandedRow[]): Promise<void>
  /** Called when others have ended its lease, with how long it had not renewed it. */
  lost?(ms: number): void
}

/** What runs beside the work, this often. */
const TICK_MS = 500
/** Part of the lease after which it is renewed, and part of it that is not used. */
const RENEW_AFTER = 1 / 3
const UNUSED = 1 / 10

interface StrandedRecord {
  readonly unknown_row: number
  readonly dead_worker: string
}

/** A moment on both clocks. One can't be set; the other also runs while the machine sleeps. */
interface Moment {
  readonly steady: number
  readonly wall: number
}

/**
 * This process as a worker of a job. The clock of the database decides when its lease ends. Another worker that notices the end
 * removes this one, whose results are refused from then on. It then joins again under a new number.
 */
export class Worker {
  readonly #options: WorkerOptions
  #id: string | undefined
  /** Numbers under which the database may still keep rows for it. */
  readonly #numbers = new Set<string>()
  #renewedAt: Moment | undefined
  #timer: NodeJS.Timeout | undefined
  #isTicking = false
  /** The job was cancelled. */
  isClosed = false

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** Its number; undefined while it has no lease. */
  get id(): string | undefined {
    return this.#id
  }

  /** Whether the lease under this number certainly still holds: nobody else has been given its rows. */
  holds(id: string | undefined): boolean {
    if (id === undefined || id !== this.#id || this.#renewedAt === undefined) return false
    return this.#sinceRenewed() < this.#options.leaseMs * (1 - UNUSED)
  }

  /** Joins the job, unless it has. @throws Failure CONNECTION_FAILED */
  async join(): Promise<string | undefined> {
    if (this.#id !== undefined || this.isClosed) return this.#id
    const {database, job, name} = this.#options
    const at = this.#moment()
    try {
      const [joined] = await database.ask<{worker: string}>(
        `SELECT worker FROM ${JOBS_SCHEMA}.join_job($1, $2)`,
        [job, name],
      )
      this.#id = joined?.worker
      if (this.#id !== undefined) this.#numbers.add(this.#id)
      this.#renewedAt = at
    } catch (error) {
      if (!isJobClosed(error)) throw error
      this.isClosed = true
    }
    this.#timer ??= setInterval(() => void this.#tick(), TICK_MS)
    return this.#id
  }

  /**
   * Runs a statement that renews the lease: what it does is done under a lease, or not at all.
   *
   * @returns undefined if the lease ran out, or the job was cancelled.
   */
  async underLease<T>(work: (id: string) => Promise<T>): Promise<T | undefined> {
    const id = this.#id
    if (id === undefined) return undefined
    const at = this.#moment()
    try {
      const result = await work(id)
      if (id === this.#id && at.steady > (this.#renewedAt?.steady ?? 0)) this.#renewedAt = at
      return result
    } catch (error) {
      if (isJobClosed(error)) this.isClosed = true
      else if (!isWorkerGone(error)) throw error
      else if (id === this.#id) {
        this.#id = undefined
        this.#options.lost?.(this.#sinceRenewed())
      }
      return undefined
    }
  }

  /** Forgets the number: what the database did for it is not known. Its rows become free when its lease runs out. */
  forget(): void {
    this.#id = undefined
  }

  /** Removes workers whose lease ran out. */
  async removeDead(): Promise<void> {
    const {database, job} = this.#options
    const rows = await database.ask<StrandedRecord>(`SELECT * FROM ${JOBS_SCHEMA}.remove_dead($1)`, [job])
    await this.#report(rows)
  }

  /** Gives back all rows, also those of numbers that it has forgotten. If it fails, it can be tried again. */
  async leave(): Promise<void> {
    clearInterval(this.#timer)
    this.#id = undefined
    const {database, job} = this.#options
    for (const id of this.#numbers) {
      await this.#report(
        await database.ask<StrandedRecord>(`SELECT * FROM ${JOBS_SCHEMA}.leave_job($1, $2)`, [job, id]),
      )
      this.#numbers.delete(id)
    }
  }

  async #report(rows: readonly StrandedRecord[]): Promise<void> {
    if (rows.length === 0) return
    await this.#options.stranded(rows.map(({unknown_row: row, dead_worker: worker}) => ({row, worker})))
  }

  async #tick(): Promise<void> {
    if (this.#isTicking || this.#id === undefined) return
    const {database, job, leaseMs} = this.#options
    if (this.#sinceRenewed() < leaseMs * RENEW_AFTER) return
    this.#isTicking = true
    try {
      await this.underLease(id => database.ask(`SELECT ${JOBS_SCHEMA}.enter($1, $2)`, [job, id]))
      await this.removeDead()
    } catch {
      // The lease isn't renewed, so nothing more is sent. The next statement of the work says why.
    } finally {
      this.#isTicking = false
    }
  }

  #moment(): Moment {
    return {steady: performance.now(), wall: this.#options.now()}
  }

  #sinceRenewed(): number {
    if (this.#renewedAt === undefined) return Number.POSITIVE_INFINITY
    const {steady, wall} = this.#moment()
    return Math.max(steady - this.#renewedAt.steady, wall - this.#renewedAt.wall)
  }
}
