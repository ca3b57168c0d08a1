import {statSync} from 'node:fs'
import type {DatabaseSync, SQLInputValue, StatementResultingChanges, StatementSync} from 'node:sqlite'
import {Failure} from '../errors/failure.ts'
import {asStoreFailure, NOT_AS_MADE, primaryCode, storeDamaged} from './store-failure.ts'

/** Pages to release at a time: few, so that other processes wait only a moment. */
const PAGES = 500

/**
 * Releases the disk space of removed rows, in a file that was opened with `shrinks`.
 * @returns the number of bytes released.
 */
export function shrink(db: Database): number {
  if (db.file === ':memory:') return 0
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const before = statSync(db.file).size
  while (freePages(db) > 0) {
    const pages = freePages(db)
    db.exec(`PRAGMA incremental_vacuum(${PAGES})`)
    // A file that was created without `shrinks` keeps its free pages and reuses them.
    if (freePages(db) >= pages) break
  }
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  return Math.max(0, before - statSync(db.file).size)
}

const freePages = (db: Database): number =>
  db.get<{freelist_count: number}>('PRAGMA freelist_count')?.freelist_count ?? 0

/** A value that SQLite stores: null, number, bigint, text or bytes. */
export type SqlValue = SQLInputValue
/** Values for `?` in order, or one object for `:name`. */
export type Parameters = readonly SqlValue[] | Readonly<Record<string, SqlValue>>

const KEPT_STATEMENTS = 128

/** Called when another process has held the write lock for half of the time that is waited. Call the result at the end. */
export type TellHeld = () => () => void

/**
 * One connection. Prepares each statement once. Reports every error about the file as STORE_DAMAGED or
 * STORE_UNAVAILABLE, naming the file; an error about the SQL stays as node:sqlite throws it. Calls are synchronous and
 * block while another process holds the write lock, up to the busy timeout.
 */
export class Database {
  readonly file: string
  readonly #db: DatabaseSync
  readonly #isAsMade: () => boolean
  readonly #held: TellHeld | undefined
  readonly #statements = new Map<string, Prepared>()

  constructor(file: string, db: DatabaseSync, isAsMade: () => boolean, held?: TellHeld) {
    this.file = file
    this.#db = db
    this.#isAsMade = isAsMade
    this.#held = held
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction
  }

  /**
   * Takes the write lock. Nothing else of the process runs while it waits, so who waits is told in the middle.
   *
   * @throws Failure FILE_LOCKED
   */
  begin(): void {
    // A prepared statement, because there may be thousands a second.
    const begin = () => this.run('BEGIN IMMEDIATE')
    try {
      begin()
    } catch (error) {
      const isLocked = error instanceof Failure && error.code === 'FILE_LOCKED'
      if (!isLocked || this.#held === undefined) throw error
      const end = this.#held()
      try {
        begin()
      } finally {
        end()
      }
    }
  }

  /** Runs statements that take no values and give no rows. */
  exec(sql: string): void {
    this.#guard(() => this.#db.exec(sql))
  }

  run(sql: string, parameters: Parameters = []): StatementResultingChanges {
    return this.#guard(() => {
      const {statement, names} = this.#statement(sql)
      return statement.run(...inOrder(names, parameters))
    })
  }

  /** The first row, or undefined. Nothing checks that `Row` matches what the statement selects. */
  get<Row extends object>(sql: string, parameters: Parameters = []): Row | undefined {
    return this.#guard(() => {
      const {statement, names} = this.#statement(sql)
      return statement.get(...inOrder(names, parameters)) as Row | undefined
    })
  }

  all<Row extends object>(sql: string, parameters: Parameters = []): Row[] {
    return this.#guard(() => {
      const {statement, names} = this.#statement(sql)
      return statement.all(...inOrder(names, parameters)) as Row[]
    })
  }

  /** Reads rows one by one, so memory doesn't grow with them. Takes its statement meanwhile, so loops can be nested. */
  *iterate<Row extends object>(sql: string, parameters: Parameters = []): Generator<Row, void, undefined> {
    try {
      const prepared = this.#statement(sql)
      this.#statements.delete(sql)
      try {
        for (const row of prepared.statement.iterate(...inOrder(prepared.names, parameters))) yield row as Row
      } finally {
        this.#keep(sql, prepared)
      }
    } catch (error) {
      throw this.#explain(error)
    }
  }

  /**
   * Decodes the content of a row. cardctl wrote it, so if that fails another program has changed it.
   *
   * @throws Failure STORE_DAMAGED
   */
  decode<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof Failure) throw error
      throw storeDamaged(this.file, 'a row has content that cardctl never writes', error)
    }
  }

  /** The whole content, for `openCopy`; undefined before Node.js 26.1, which can't do this. */
  content(): Uint8Array | undefined {
    return 'serialize' in this.#db ? this.#db.serialize() : undefined
  }

  close(): void {
    this.#statements.clear()
    if (this.#db.isOpen) this.#guard(() => this.#db.close())
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #statement(sql: string): Prepared {
    const kept = this.#statements.get(sql)
    if (kept) return kept
    return this.#keep(sql, prepare(this.#db, sql))
  }

  #keep(sql: string, prepared: Prepared): Prepared {
    const [oldest] = this.#statements.keys()
    if (oldest !== undefined && this.#statements.size >= KEPT_STATEMENTS) this.#statements.delete(oldest)
    this.#statements.set(sql, prepared)
    return prepared
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw this.#explain(error)
    }
  }

  /** An error about the SQL is a bug of cardctl, unless the schema in the file was changed. */
  #explain(error: unknown): unknown {
    const found = asStoreFailure(this.file, error)
    if (found !== error) return found
    if (isBeyondNumbers(error))
      return storeDamaged(this.file, 'it has a number that cardctl never writes', error)
    if (primaryCode(error) === undefined || this.#isAsMade()) return error
    return storeDamaged(this.file, NOT_AS_MADE, error)
  }
}

/** node:sqlite throws this for an integer that JavaScript can't represent exactly. */
const isBeyondNumbers = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'

interface Prepared {
  readonly statement: StatementSync
  /** Names of the statement's parameters, in order; empty if they are `?`. */
  readonly names: readonly string[]
}

/** `:name` in SQL. No statement has a colon in a literal. */
const NAME = /:([A-Za-z]\w*)/g

/** Prepares a statement for values in order: node:sqlite takes three times as long to bind them by name. */
function prepare(db: DatabaseSync, sql: string): Prepared {
  const names = [...sql.matchAll(NAME)].map(([, name = '']) => name)
  return {statement: db.prepare(names.length === 0 ? sql : sql.replace(NAME, '?')), names}
}

function inOrder(names: readonly string[], parameters: Parameters): readonly SqlValue[] {
  if (isList(parameters)) return parameters
  return names.map(name => {
    const value = parameters[name]
    if (value === undefined) throw new TypeError(`No value for :${name}`)
    return value
  })
}

function isList(parameters: Parameters): parameters is readonly SqlValue[] {
  return Array.isArray(parameters)
}
