import type {Journal} from '../journal/index.ts'
import type {
  EndedRow,
  ExplainedReason,
  Job,
  JobSettings,
  NewRow,
  RowCounts,
  RowReason,
  RowResult,
  RowState,
} from './job.ts'
import type {RunOfRows} from './row-ledger.ts'
import type {RowPlace} from './row-place.ts'

export type Awaitable<T> = T | Promise<T>
type Rows<T> = Iterable<T> | AsyncIterable<T>

export interface NewJob {
  readonly id: string
  readonly operation: string
  /** Name of the file that the rows come from. */
  readonly source: string
  readonly settings: JobSettings
}

export interface Reopening {
  /** Also rows that failed for good. */
  readonly failed: boolean
  /** From now on, rows of one resource don't wait for each other. */
  readonly unordered: boolean
  /** What becomes of rows in flight. */
  readonly inFlight: InFlight
}

/**
 * `again`: they are sent again with their keys, which the service knows. `even-old`: also those whose keys it may have
 * forgotten; a person agreed to it. `unknown`: they must not be sent again.
 */
export type InFlight = 'again' | 'even-old' | 'unknown'

/** The bulk jobs of a service, in the journal of this machine or in a database that machines share. */
export interface Jobs {
  /** The journal of this machine, for the requests that it sends. */
  readonly journal: Journal
  /** An id for a new job. */
  newId(): string
  /** The job has no rows yet. */
  create(job: NewJob): Awaitable<void>
  /** In the order of the rows. */
  addRows(job: string, rows: readonly NewRow[]): Awaitable<void>
  /** All rows are there. @param rows how many of them a person has confirmed */
  start(job: string, rows: number): Awaitable<void>
  /** Forgets a job that was not started. */
  remove(job: string): Awaitable<void>
  /** @throws Failure NOT_FOUND, or OTHER_SERVICE if the job belongs to another service. */
  get(id: string): Awaitable<Job>
  /** Newest first. */
  list(): Awaitable<readonly Job[]>
  counts(id: string): Awaitable<RowCounts>
  /** The same, with what was found out about requests since. Records nothing. */
  countsAsFound(id: string): Awaitable<RowCounts>
  /** Rows that are done, with a response that differs from the contract. */
  odd(id: string): Awaitable<number>
  /** Why rows failed, are unknown or were held back, the most frequent reason first. */
  reasons(id: string): Awaitable<readonly RowReason[]>
  /** The most frequent reasons why rows in these states are not done, each with its first row. */
  topReasons(id: string, states: readonly RowState[]): Awaitable<readonly ExplainedReason[]>
  /** How rows ended, in their order. */
  ends(id: string, states?: readonly RowState[]): Rows<EndedRow>
  /** Rows with their values and how they ended, in their order. */
  results(id: string, states?: readonly RowState[]): Rows<RowResult>
  /** Takes a job that is to be continued for this process. @throws Failure if it may not work on it */
  claim(id: string): Awaitable<void>
  /** Takes over what was found out about rows with an unknown effect. */
  settleFindings(id: string): Awaitable<void>
  /** Rows whose process ended before their response; `since`: when the first of them was sent, ms since 1970. */
  inFlight(id: string): Awaitable<{readonly rows: number; readonly since: number} | undefined>
  /** Rows that ended for a reason that may be gone are sent again. */
  reopen(id: string, how: Reopening): Awaitable<void>
  /** The rows that are left are never sent. */
  cancel(id: string): Awaitable<void>
  /** The rows that are left, for a run of this process. */
  rows(run: RunOfRows): RowPlace
  /** This process no longer works on the job. */
  leave(job: string): Awaitable<void>
}
