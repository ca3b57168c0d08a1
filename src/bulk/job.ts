import {hash} from 'node:crypto'
import type {Effect} from '../contract/operation.ts'
import type {Blame} from '../errors/blame.ts'
import type {Purpose} from '../journal/index.ts'

/**
 * `unread`: the process ended before it had read and confirmed the rows, so nothing was sent. `exported`: it continues
 * elsewhere.
 */
export type JobState = 'unread' | 'exported' | 'running' | 'stopped' | 'done' | 'cancelled'

/**
 * - `waiting`: not sent
 * - `sent`: in flight when last seen; it may have had an effect
 * - `again`: it had no effect, or one that the same key can't repeat, for a temporary reason
 * - `done`, `failed`: final
 * - `unknown`: it may have had an effect and must not be sent again; see requests resolve
 * - `held`: not sent, because an earlier row of the same resource failed or is unknown
 */
export type RowState = 'waiting' | 'sent' | 'again' | 'done' | 'failed' | 'unknown' | 'held'

/** How fast and how far its rows are sent, as the command that started it says. */
export interface JobLimits {
  readonly rate?: string | undefined
  readonly concurrency?: number | undefined
  readonly maxFailures?: number | undefined
  readonly maxPauseMs?: number | undefined
}

export interface JobSettings extends Purpose {
  /** Column → where its value goes. */
  readonly map: Readonly<Record<string, string>>
  /** Rows of one resource don't wait for each other. */
  readonly unordered?: boolean | undefined
  /** How long a worker of a shared job may be silent before others get its rows, ms. */
  readonly leaseMs?: number | undefined
  /** The name by which the same command finds the job again, also on another machine. */
  readonly jobKey?: string | undefined
  /** The audit user who started it. */
  readonly user?: string | undefined
  /** Name and digest of the dialect that its rows are sent by. */
  readonly dialect?: string | undefined
  /** Whose data its rows are about, if a secret header says so: `Journal.tenantMark`. */
  readonly tenant?: string | undefined
  /** Digest of its imported operation, and the effect that it had. */
  readonly contract?: string | undefined
  readonly effect?: Effect | undefined
  /** Number of rows that were read and confirmed. */
  readonly rows?: number | undefined
  readonly limits?: JobLimits | undefined
  /** It was imported from a file, and nobody has confirmed here what it does. */
  readonly unconfirmed?: boolean | undefined
}

export interface Job {
  /** `j_…`, or `sj_…` for a shared one; sortable by time. */
  readonly id: string
  readonly operation: string
  /** Name of the file that the rows came from. */
  readonly source: string
  readonly settings: JobSettings
  /** ms since 1970. */
  readonly createdAt: number
  /** When it was last run or resumed, ms since 1970. */
  readonly claimedAt: number
  readonly state: JobState
  /** Processes that work on a shared job. */
  readonly workers?: number | undefined
}

/** Why rows didn't succeed, and how many of them. */
export interface RowReason {
  readonly code: string
  readonly status: number | undefined
  readonly count: number
}

/** One of the rows that have a reason. */
export interface ReasonExample {
  readonly row: number
  readonly line: number
  readonly message: string | undefined
  /** The journal's id of its last request. */
  readonly request: string | undefined
}

/** A frequent reason, with its first row. */
export interface ExplainedReason extends RowReason {
  /** Who or what is to blame, if that is known. */
  readonly blame: Blame | undefined
  readonly example: ReasonExample
}

/** How many reasons a summary has. */
export const MOST_REASONS = 5

export type RowCounts = Readonly<Record<RowState, number>>

/** A row as read from a file. */
export interface NewRow {
  /** Number of the data row, from 1. */
  readonly row: number
  readonly line: number
  readonly values: Readonly<Record<string, unknown>>
  /** What it changes. Rows with the same text keep their order; a row without one has no order. */
  readonly resource?: string | undefined
}

export interface JobRow extends Omit<NewRow, 'resource'> {
  /** Its idempotency key, if the job keeps them; otherwise `rowKey` makes it. */
  readonly key?: string | undefined
  readonly state: RowState
  /** The previous row of the same resource. */
  readonly follows: number | undefined
  /** When it was last sent, ms since 1970. */
  readonly begunAt: number | undefined
  /** The journal's id of the last request. */
  readonly request: string | undefined
  /** Why it is not done, of one that was sent before by this machine. */
  readonly reason?: Reason | undefined
}

/** Why a row is not done. */
export type Reason = Pick<RowEnd, 'status' | 'code' | 'message' | 'blame'>

/** How a row ended. */
export interface RowEnd {
  readonly state: RowState
  readonly status?: number | undefined
  /** Code and message of the failure. */
  readonly code?: string | undefined
  readonly message?: string | undefined
  /** Who or what is to blame, if that is known. */
  readonly blame?: Blame | undefined
  /** Body of the response. */
  readonly reply?: unknown
}

export interface RowResult extends JobRow {
  readonly status: number | undefined
  readonly code: string | undefined
  readonly message: string | undefined
  readonly reply: unknown
}

/** How a row ended, as results show it. */
export type EndedRow = Omit<RowResult, 'values' | 'begunAt' | 'follows' | 'reason'>

/** The idempotency key of a row. It depends only on job, row and content, so every run of the job uses the same. */
export function rowKey(job: string, row: number, content: unknown): string {
  return hash('sha256', JSON.stringify([job, row, content])).slice(0, 48)
}
