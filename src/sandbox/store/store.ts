import type {Health} from '../own-pages.ts'
import type {IndexedOf, RowOf, TableName} from './tables.ts'

/** A stored row. */
export interface Stored {
  readonly id: string
}

/** Selects rows, in the order in which they were first written. */
export interface Query<Indexed extends string> {
  /** Equal values of indexed fields. */
  readonly where?: {readonly [Member in Indexed]?: string | number}
  /** Rows whose indexed number is at most this, smallest first. */
  readonly upTo?: {readonly member: Indexed; readonly value: number}
  readonly order?: 'oldest' | 'newest'
  /** Only rows after the one with this id, in the chosen order; none for an unknown id. */
  readonly after?: string
  readonly offset?: number
  readonly limit?: number
}

/** Rows of one kind. Rows that were read are frozen, because readers share them: `put` a changed copy. */
export interface Collection<Row extends Stored, Indexed extends string> {
  /** Increases whenever the rows may have changed. */
  readonly version: number
  get(id: string): Promise<Row | undefined>
  /** Writes a row. If a row has the same id, replaces it and keeps its place in the order. */
  put(row: Row): Promise<void>
  delete(id: string): Promise<boolean>
  /** Deletes rows that are there, all at once. */
  deleteAll(ids: readonly string[]): Promise<void>
  clear(): Promise<void>
  list(query?: Query<Indexed>): Promise<readonly Row[]>
  count(where?: Query<Indexed>['where']): Promise<number>
}

/** All collections, inside one transaction. */
export type Transaction = {readonly [Name in TableName]: Collection<RowOf<Name>, IndexedOf<Name>>}

/** A row that work is likely to read. A store across a network reads those of all waiting work at once. */
export interface LikelyRow {
  readonly table: TableName
  readonly id: string
}

/**
 * The state of the sandbox. Asynchronous, so that a database server could store it. Several processes may share one
 * store.
 */
export interface Store {
  /**
   * Runs `work` in order with other work. Commits when it returns, and rolls back when it throws. Settles after the
   * commit. `work` must wait for nothing but the transaction itself, because everything else waits meanwhile; a
   * transaction inside a transaction waits forever. It may run twice, if other work in the same commit failed, so it
   * must have no effect outside the transaction.
   */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    likely?: () => readonly LikelyRow[],
  ): Promise<Result>
  /** Like `transaction`, but only for reading: takes no write lock, so it never waits for other processes. */
  read<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /**
   * Real time of a clock that all processes share, epoch ms. Only inside a transaction. Without it, they are on one
   * machine and have its clock.
   */
  readonly now?: () => number
  /** Whether the store can be used, and counts of it. Without it, the store is a file. */
  readonly health?: Health
  close(): Promise<void>
}
