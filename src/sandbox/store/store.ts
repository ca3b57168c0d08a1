import type {IndexedOf, RowOf, TableName} from './tables.ts'

/** What every stored thing has. */
export interface Stored {
  readonly id: string
}

/** Which rows, in the order they were first written. */
export interface Query<Indexed extends string> {
  /** Equal values of indexed members. */
  readonly where?: {readonly [Member in Indexed]?: string | number}
  /** Rows whose indexed number is less than or equal to this, the least first. */
  readonly upTo?: {readonly member: Indexed; readonly value: number}
  readonly order?: 'oldest' | 'newest'
  /** Only rows that come after the one with this id, in the chosen order; an unknown id gives none. */
  readonly after?: string
  readonly offset?: number
  readonly limit?: number
}

/** Rows of one kind. Every row handed in or out is a plain copy: changing it changes nothing until `put`. */
export interface Collection<Row extends Stored, Indexed extends string> {
  get(id: string): Promise<Row | undefined>
  /** Writes the row, in place of the one with its id if there is one; that keeps its place in the order. */
  put(row: Row): Promise<void>
  delete(id: string): Promise<boolean>
  clear(): Promise<void>
  list(query?: Query<Indexed>): Promise<Row[]>
  count(where?: Query<Indexed>['where']): Promise<number>
}

/** All collections, inside one transaction. */
export type Transaction = {readonly [Name in TableName]: Collection<RowOf<Name>, IndexedOf<Name>>}

/**
 * The state of the sandbox. Asynchronous, so that a database server can stand behind it; several processes may hold one
 * store at once.
 */
export interface Store {
  /**
   * Runs `work` alone: it sees no half-done work of others, and all its writes are kept together when it returns, none
   * when it throws. It must wait for nothing but the transaction itself, for everyone else waits meanwhile; a
   * transaction inside a transaction waits for ever.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /** As `transaction`, for reading only: takes no write lock, so it never waits for other processes. */
  read<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}
