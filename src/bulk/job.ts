/**
 * `unread`: the process ended before it had read and confirmed the rows, so that nothing was sent.
 * `exported`: it goes on elsewhere.
 */
export type JobState = 'unread' | 'exported' | 'running' | 'stopped' | 'done' | 'cancelled'

/**
 * - `waiting`: not sent
 * - `sent`: on its way when last seen; it may have had its effect
 * - `again`: it had no effect, or one that the same key can't repeat, for a reason that may pass
 * - `done`, `failed`: ended for good
 * - `unknown`: it may have had its effect and must not be sent again; requests resolve
 */
export type RowState = 'waiting' | 'sent' | 'again' | 'done' | 'failed' | 'unknown'

export interface JobSettings {
  /** Column → where its value goes. */
  readonly map: Readonly<Record<string, string>>
}

export interface Job {
  /** `j_…`, sortable by time. */
  readonly id: string
  readonly operation: string
  /** Name of the file that the rows came from. */
  readonly source: string
  readonly settings: JobSettings
  /** ms since 1970. */
  readonly createdAt: number
  readonly state: JobState
}

export type RowCounts = Readonly<Record<RowState, number>>

export interface JobRow {
  /** Data row from 1. */
  readonly row: number
  readonly line: number
  /** As read from the file. */
  readonly values: Readonly<Record<string, unknown>>
  readonly state: RowState
  /** When it was last sent, ms since 1970. */
  readonly begunAt: number | undefined
  /** The journal's id of the last request. */
  readonly request: string | undefined
}

/** How a row ended. */
export interface RowEnd {
  readonly state: RowState
  readonly status?: number | undefined
  /** The failure's code and message. */
  readonly code?: string | undefined
  readonly message?: string | undefined
  /** Body of the answer. */
  readonly reply?: unknown
}

export interface RowResult extends JobRow {
  readonly status: number | undefined
  readonly code: string | undefined
  readonly message: string | undefined
  readonly reply: unknown
}
