import {Failure} from '../errors/failure.ts'
import type {Journal, RequestEnd, RequestStart} from '../journal/index.ts'
import type {EndedRow, JobRow, RowEnd} from './job.ts'
import type {RowStore} from './row-store.ts'

/** What a run does with what ends. */
export interface RowListeners {
  /** Called with requests that ended, before their end is recorded here. If it throws, the run stops. */
  ended(requests: readonly EndedRequest[]): void
  /**
   * Called with rows whose end is recorded.
   *
   * @param taken those that another worker was given, because the lease of this one had run out: they end there.
   */
  written?(rows: readonly EndedRow[], taken?: ReadonlySet<number>): void
}

export interface RunOfRows extends RowListeners {
  readonly job: string
  /** A row may be sent again without a second effect, so recording its end can wait a moment. */
  readonly isRepeatable: boolean
  /** Rows of one resource don't wait for each other. */
  readonly isUnordered: boolean
}

/** The request of a row that ended, for the audit trail. */
export interface EndedRequest {
  /** The journal's id. */
  readonly id: string
  readonly start: RequestStart
  readonly end: RequestEnd
}

/** A refusal that many rows would get alike. */
export interface SharedRefusal {
  /** The same for equal responses. */
  readonly like: string
  /** Only before any row is done: what was right for one row isn't wrong for all. */
  readonly atFirst?: boolean | undefined
  /** Of a credential or permission: the last rows that get it haven't failed for good either. */
  readonly isOfAccess?: boolean | undefined
  readonly cause: Failure
}

/** How a sent row ended, for the job and for the journal. */
export interface RowOutcome {
  readonly row: RowEnd
  /** Whether it also proves that no earlier request of the row had an effect, or that one did. */
  readonly conclusive: boolean
  /** Nothing of it was sent in this run. */
  readonly isUnsent?: boolean | undefined
  readonly request: RequestEnd
  /** A refusal that every row may get. */
  readonly fate?: SharedRefusal | undefined
}

/** What the journal knows about a row in flight; reads have no entry. */
export type Begun = {readonly id: string; readonly start: RequestStart} | undefined

/** How a row ended. */
export interface End {
  readonly row: JobRow
  readonly begun: Begun
  readonly outcome: RowOutcome
  /** Otherwise, the run sends the row again. */
  readonly isLast: boolean
}

/** Records that rows are sent and how they ended. */
export interface Ledger {
  /** Resolves when it is on disk: `lost` if another worker has the row, which must not be sent then. */
  begin(item: {row: JobRow; start: RequestStart | undefined}): Promise<Begun | 'lost'>
  /** Recorded soon. A failure of that is thrown by the next `begin` or by `settle`. */
  end(end: End): void
  /** Records all ends that are still to be recorded. @throws the error that prevented any of them. */
  settle(): void | Promise<void>
}

export interface LedgerOptions extends Omit<RunOfRows, 'isUnordered'> {
  readonly store: RowStore
}

interface RowLedgerOptions extends LedgerOptions {
  /** Resolves when so few recorded rows wait to be sent that the next ones should be recorded. */
  hurry(): Promise<void>
}

/** How long ends are collected, in ms, and how many at most. */
const GATHER_MS = 250
const MOST_GATHERED = 512

/** The ledger of a job of this machine. Writes many rows at a time. */
export class RowLedger implements Ledger {
  readonly begin: (item: {row: JobRow; start: RequestStart | undefined}) => Promise<Begun>
  readonly #options: RowLedgerOptions
  #ends: End[] = []
  #timer: NodeJS.Timeout | undefined
  #failure: {readonly error: unknown} | undefined

  constructor(options: RowLedgerOptions) {
    this.#options = options
    const {store, job} = options
    this.begin = groupCalls(options.hurry, async items => {
      if (this.#failure) throw this.#failure.error
      // All rows of a job have one, or none has.
      const starts = items.flatMap(({start}) => start ?? [])
      const isWrite = starts.length > 0
      const write = (): Begun[] => {
        if (!store.isOwn(job)) throw takenOver(job)
        const begun = isWrite ? store.journal.beginAll(starts) : []
        return items.map(({row, start}, at) => {
          const id = begun[at]?.id
          store.begin(job, row.row, id)
          return start === undefined || id === undefined ? undefined : {id, start}
        })
      }
      // A read has no effect that could happen twice.
      return isWrite ? store.journal.store.durablyMeanwhile(write) : store.journal.store.unsynced(write)
    })
  }

  end(end: End): void {
    this.#ends.push(end)
    if (this.#ends.length >= MOST_GATHERED) this.#write()
    else this.#timer ??= setTimeout(() => this.#write(), this.#options.isRepeatable ? GATHER_MS : 0)
  }

  settle(): void {
    this.#write()
    if (this.#failure) throw this.#failure.error
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const ends = this.#ends
    this.#ends = []
    if (this.#failure || ends.length === 0) return
    const {store, job, ended, written} = this.#options
    try {
      const requests = ends.flatMap(({begun, outcome}) => (begun ? [{...begun, end: outcome.request}] : []))
      if (requests.length > 0) ended(requests)
      store.journal.store.unsynced(() => {
        const isOwn = store.isOwn(job)
        for (const {row, begun, outcome} of ends) {
          if (begun) endRequest(store.journal, begun.id, row, outcome)
          // The process that has taken the job over decides about its rows.
          if (isOwn) store.end(job, row.row, outcome.row)
        }
      })
      written?.(ends.map(({row, begun, outcome}) => toResult(row, begun?.id, outcome.row)))
    } catch (error) {
      this.#failure = {error}
    }
  }
}

const takenOver = (job: string): Failure =>
  new Failure('JOB_RUNNING', {
    message: `Another process has taken over bulk job ${job}, so this one sends nothing more.`,
  })

/** The end of the row also settles the requests of it that earlier runs left open. */
export function endRequest(
  journal: Journal,
  id: string,
  {request: earlier}: JobRow,
  {conclusive, request: end}: RowOutcome,
): void {
  journal.end(id, end)
  if (earlier === undefined || !conclusive) return
  const effect = end.effect === 'done' ? 'done' : 'none'
  const evidence = `Sent again with the same key as ${id}, with response ${end.status}.`
  const key = journal.requests.get(earlier)?.key
  // Each earlier run may have left one open.
  const before = key === undefined ? [earlier] : journal.requests.findKey(key).map(one => one.id)
  for (const one of before) if (one !== id) journal.resolve(one, {effect, evidence})
}

export function toResult({row, line, request}: JobRow, begun: string | undefined, end: RowEnd): EndedRow {
  const {state, status, code, message, reply} = end
  return {row, line, state, status, request: begun ?? request, code, message, reply}
}

/**
 * Groups calls: those that arrive before `hurry` resolves, or while others are running, are done together. A hundred rows
 * in flight need one write to disk, not a hundred. If it fails, all of them fail.
 */
export function groupCalls<Item, Result>(
  hurry: () => Promise<void>,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: {item: Item; resolve(result: Result): void; reject(error: unknown): void}[] = []
  let isAtWork = false
  const doAll = async (): Promise<void> => {
    await hurry()
    const batch = waiting
    waiting = []
    try {
      const results = await work(batch.map(({item}) => item))
      batch.forEach(({resolve}, at) => {
        resolve(results[at] as Result)
      })
    } catch (error) {
      for (const {reject} of batch) reject(error)
    }
    if (waiting.length > 0) setImmediate(doAll)
    else isAtWork = false
  }
  return item =>
    new Promise((resolve, reject) => {
      waiting.push({item, resolve, reject})
      if (isAtWork) return
      isAtWork = true
      setImmediate(doAll)
    })
}
