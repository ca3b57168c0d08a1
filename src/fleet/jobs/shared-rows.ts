import {setImmediate as nextTurn} from 'node:timers/promises'
import type {JobRow, RowCounts} from '../../bulk/job.ts'
import type {RowListeners} from '../../bulk/row-ledger.ts'
import {
  type Begun,
  type End,
  endRequest,
  groupCalls,
  type Ledger,
  type RowOutcome,
  toResult,
} from '../../bulk/row-ledger.ts'
import type {NextRow, RowOrder} from '../../bulk/row-order.ts'
import type {Admit, RunInProgress, RunRows} from '../../bulk/row-place.ts'
import {Failure} from '../../errors/failure.ts'
import type {Journal} from '../../journal/index.ts'
import type {Worker} from './worker.ts'

/** A shared job, as a worker sees it. */
export interface WorkDatabase {
  counts(): Promise<RowCounts>
  /** Takes rows for the worker. @returns undefined if its lease ran out. */
  take(most: number): Promise<readonly JobRow[] | undefined>
  /** Whether there are rows that somebody is about to send, or may take. */
  isOpen(): Promise<boolean>
  /** The other workers of the job. */
  others(): Promise<readonly OtherWorker[]>
  /** @returns the rows that the worker has; undefined if its lease ran out. */
  begin(rows: readonly {row: number; request: string | undefined}[]): Promise<ReadonlySet<number> | undefined>
  /** Of rows and the requests that this worker sent for them, those that another worker has sent since. */
  taken(rows: readonly {row: number; request: string | undefined}[]): Promise<ReadonlySet<number>>
  /** Tries for a long time. */
  end(ends: readonly RowEndRecord[]): Promise<void>
}

/** A worker whose rows become free when its lease ends, unless it renews it. */
export interface OtherWorker {
  /** Machine and process. */
  readonly name: string
  readonly leaseLeftMs: number
}

/** How a row ended, for the database. */
export interface RowEndRecord {
  readonly row: JobRow
  readonly request: string | undefined
  readonly outcome: RowOutcome
  /** Whether any worker may take it again at once. */
  readonly ready: boolean
  /** The worker keeps the row, to send it again. */
  readonly keeps: boolean
}

export interface SharedRowsOptions extends RowListeners {
  readonly journal: Journal
  readonly database: WorkDatabase
  readonly worker: Worker
  readonly signal: AbortSignal
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Called when other workers have all rows that are left. Call the result when it is over. */
  waiting?(others: readonly OtherWorker[]): () => void
}

/** How often to look for rows while other workers have all that are left. */
const LOOK_MS = 500
/** How often to count the rows that other workers end. */
const COUNT_MS = 1_000
const MOST_TAKEN = 512

/** The rows of a shared job, for a run of this process. */
export async function sharedRows(options: SharedRowsOptions, run: RunInProgress): Promise<RunRows> {
  const {worker} = options
  const order = new SharedOrder(options, run)
  const ledger = new SharedLedger(options, run, () => order.wake())
  await worker.join()
  const counts = {...(await options.database.counts())}
  order.counted = found => Object.assign(counts, found)
  order.isRecording = () => ledger.isRecording
  return {
    counts,
    // The database counts the rows of all workers.
    moved: () => undefined,
    order,
    ledger,
    guard: (row, admit) => {
      const id = ledger.begunUnder(row)
      return guarded(admit, () => worker.holds(id))
    },
  }
}

/**
 * The last moment before an attempt is sent. If the process was stopped since it recorded the row, others may have it.
 *
 * @throws Failure LEASE_ENDED
 */
function guarded(admit: Admit | undefined, holds: () => boolean): Admit {
  return async signal => {
    const turn = await admit?.(signal)
    if (holds()) return turn ?? {answered: () => undefined}
    throw new Failure('LEASE_ENDED', {
      message: 'Not sent: the lease of this worker ran out before its turn.',
      effect: 'none',
    })
  }
}

/** Hands out rows that the database gives, which keeps their order. */
class SharedOrder implements RowOrder {
  readonly #options: SharedRowsOptions
  readonly #run: RunInProgress
  #rows: JobRow[] = []
  /** The number that this process had when it took the rows. */
  #takenUnder: string | undefined
  #asking = 0
  #filling: Promise<void> | undefined
  #isAtEnd = false
  #wake: () => void = () => undefined
  #countAgainAt = 0
  #waited: (() => void) | undefined
  /** Number of rows that this process is about to send or sends. */
  #inProgress = 0
  /** Called with the counts of the database from time to time. */
  counted: (counts: RowCounts) => void = () => undefined
  /** Whether ends of rows are on their way to the database. */
  isRecording: () => boolean = () => false

  constructor(options: SharedRowsOptions, run: RunInProgress) {
    this.#options = options
    this.#run = run
  }

  async next(): Promise<NextRow | undefined> {
    this.#asking++
    try {
      for (;;) {
        if (this.#run.isOver() || this.#isAtEnd) {
          this.#endWait()
          return undefined
        }
        // Rows from before the lease ran out are others' now.
        if (this.#takenUnder !== this.#options.worker.id) this.#rows = []
        const row = this.#rows.shift()
        if (row !== undefined) {
          this.#inProgress++
          return {row}
        }
        this.#filling ??= this.#fill().finally(() => {
          this.#filling = undefined
        })
        await this.#filling
      }
    } finally {
      this.#asking--
    }
  }

  ended(): void {}

  left(): void {
    this.#inProgress--
  }

  /** The end of a row is recorded, so the next one of its resource may be free. */
  wake(): void {
    this.#wake()
  }

  async #fill(): Promise<void> {
    // All that ask now are answered together.
    await nextTurn()
    const {worker, database} = this.#options
    this.#takenUnder = await worker.join()
    if (worker.isClosed) {
      this.#isAtEnd = true
      return
    }
    const woken = new Promise<void>(resolve => {
      this.#wake = resolve
    })
    this.#rows = [...((await database.take(Math.min(this.#asking, MOST_TAKEN))) ?? [])]
    if (this.#rows.length > 0) this.#endWait()
    if (this.#rows.length > 0 || worker.id === undefined || worker.isClosed) return this.#count()
    await worker.removeDead()
    // Read before the database is asked. Without a lease, its own rows may seem lost to others, and come back if not sent.
    const hasOwn = this.#inProgress > 0 || this.isRecording()
    if (hasOwn || (await database.isOpen())) {
      if (!hasOwn) this.#waited ??= this.#options.waiting?.(await database.others())
      await Promise.race([woken, this.#pause()])
    } else {
      this.#isAtEnd = true
      this.#endWait()
    }
    this.#count()
  }

  #endWait(): void {
    this.#waited?.()
    this.#waited = undefined
  }

  /** Nothing waits for it: only people look at the counts. */
  #count(): void {
    const began = performance.now()
    if (began < this.#countAgainAt) return
    this.#countAgainAt = Number.POSITIVE_INFINITY
    this.#options.database.counts().then(
      counts => {
        this.counted(counts)
        // Counting the rows of a large job takes time, too.
        this.#countAgainAt = performance.now() + COUNT_MS + 10 * (performance.now() - began)
      },
      () => {
        this.#countAgainAt = performance.now() + COUNT_MS
      },
    )
  }

  async #pause(): Promise<void> {
    const {sleep, signal} = this.#options
    // The run sees the signal itself.
    await sleep(LOOK_MS, signal).catch(() => undefined)
  }
}

/** Records in the journal of this machine and in the database, many rows at a time. */
class SharedLedger implements Ledger {
  readonly begin: Ledger['begin']
  readonly #options: SharedRowsOptions
  readonly #recorded: () => void
  readonly #begunUnder = new Map<number, string>()
  /** Rows that ended after the lease that they were begun under. */
  readonly #late = new Set<number>()
  #ends: End[] = []
  #writing: Promise<void> | undefined
  #failure: {readonly error: unknown} | undefined

  constructor(options: SharedRowsOptions, {hurry}: RunInProgress, recorded: () => void) {
    this.#options = options
    this.#recorded = recorded
    this.begin = groupCalls(hurry, items => this.#begin(items))
  }

  /** The number of this worker when it recorded that the row is about to be sent. */
  begunUnder(row: number): string | undefined {
    return this.#begunUnder.get(row)
  }

  get isRecording(): boolean {
    return this.#writing !== undefined
  }

  end(end: End): void {
    const {row} = end.row
    this.#ends.push(end)
    if (!this.#options.worker.holds(this.#begunUnder.get(row))) this.#late.add(row)
    this.#begunUnder.delete(row)
    this.#writing ??= this.#writeAll()
  }

  async settle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
    if (this.#failure) throw this.#failure.error
  }

  async #begin(items: readonly Parameters<Ledger['begin']>[0][]): Promise<readonly (Begun | 'lost')[]> {
    if (this.#failure) throw this.#failure.error
    const {journal, database, worker} = this.#options
    const starts = items.flatMap(({start}) => start ?? [])
    const begin = () => items.map(({start}) => start && {id: journal.begin(start).id, start})
    const begun: readonly Begun[] =
      starts.length > 0 ? await journal.store.durablyMeanwhile(begin) : items.map(() => undefined)
    const {id} = worker
    let taken: ReadonlySet<number> | undefined
    try {
      taken = await database.begin(items.map(({row: {row}}, at) => ({row, request: begun[at]?.id})))
    } finally {
      // Whatever the database has: it is not sent.
      const unsent = begun.filter((_, at) => !taken?.has(items[at]?.row.row ?? 0))
      const ends = unsent.flatMap(request => (request ? [{id: request.id, ...NOT_SENT}] : []))
      if (ends.length > 0) journal.endAll(ends)
    }
    return items.map(({row: {row}}, at) => {
      if (id === undefined || !taken?.has(row)) return 'lost'
      this.#begunUnder.set(row, id)
      return begun[at]
    })
  }

  async #writeAll(): Promise<void> {
    // Those that end together are recorded together.
    await nextTurn()
    while (this.#ends.length > 0) {
      const ends = this.#ends
      this.#ends = []
      try {
        // First here, so that this machine knows it whatever becomes of the database.
        this.#writeHere(ends)
        if (!this.#failure) await this.#writeThere(ends)
      } catch (error) {
        this.#failure ??= {error}
      }
    }
    this.#writing = undefined
  }

  #writeHere(ends: readonly End[]): void {
    const {journal, ended} = this.#options
    const requests = ends.flatMap(({begun, outcome}) => (begun ? [{...begun, end: outcome.request}] : []))
    if (requests.length === 0) return
    ended(requests)
    journal.store.unsynced(() => {
      for (const {begun, row, outcome} of ends) if (begun) endRequest(journal, begun.id, row, outcome)
    })
  }

  async #writeThere(ends: readonly End[]): Promise<void> {
    const {database, written} = this.#options
    await database.end(ends.map(toRecord))
    this.#recorded()
    const last = ends.filter(({isLast}) => isLast)
    const late = last.filter(({row: {row}}) => this.#late.delete(row))
    const taken =
      late.length === 0
        ? NO_ROWS
        : await database.taken(late.map(({row: {row}, begun}) => ({row, request: begun?.id})))
    written?.(
      last.map(({row, begun, outcome}) => toResult(row, begun?.id, outcome.row)),
      taken,
    )
  }
}

const NO_ROWS: ReadonlySet<number> = new Set()

const NOT_SENT = {outcome: 'none', effect: 'none'} as const

function toRecord({row, begun, outcome, isLast}: End): RowEndRecord {
  const {isUnsent = false} = outcome
  return {
    row,
    request: begun?.id,
    outcome: isUnsent ? {...outcome, row: {state: row.state}} : outcome,
    ready: isUnsent || !isLast || outcome.row.state === 'waiting',
    keeps: !isLast,
  }
}
