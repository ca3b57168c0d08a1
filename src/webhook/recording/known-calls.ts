import type {Database} from '../../sqlite/index.ts'
import {Recent} from '../recent.ts'
import {callNumber} from './exchange-row.ts'

interface Place {
  readonly place: number
  readonly call: number
}

/**
 * In which rows the calls are that were answered by decisions, whichever server answered. Kept in memory, since an index
 * in the file costs as much as all the rest of a record.
 */
export class KnownCalls {
  readonly #db: Database
  /** Rows by `callNumber`; two ids may share one. */
  readonly #rows: Recent<number, number | readonly number[]>
  /** What other connections have changed, as SQLite counts it. */
  #version = 0
  /** The last row that was looked at. */
  #seen = 0
  #isFresh = false

  /** @param most how many calls the recording holds at most. */
  constructor(db: Database, most: number) {
    this.#db = db
    this.#rows = new Recent(most)
    this.#version = this.#othersVersion()
    this.#addAll(
      db.iterate(
        'SELECT rowid AS place, call FROM exchange INDEXED BY exchange_by_time WHERE call >= 0 ORDER BY at',
      ),
    )
    this.#seen = this.#lastRow()
  }

  /** The rows that may hold a call of that id (`metadata.id`). */
  rowsOf(id: string): readonly number[] {
    if (!this.#isFresh) {
      this.refresh()
      // Looked up once in each turn of the event loop: what is written in the same moment came too late anyway.
      this.#isFresh = true
      setImmediate(() => {
        this.#isFresh = false
      })
    }
    const rows = this.#rows.get(callNumber(id)) ?? []
    return typeof rows === 'number' ? [rows] : rows
  }

  /** Learns what others have written. In a transaction nobody writes afterwards until it ends. */
  refresh(): void {
    const version = this.#othersVersion()
    if (version === this.#version) return
    // An emptied table numbers its rows from the start again.
    const last = this.#lastRow()
    const sql = 'SELECT rowid AS place, call FROM exchange WHERE rowid > ? AND call >= 0 ORDER BY rowid'
    this.#addAll(this.#db.iterate(sql, [last < this.#seen ? 0 : this.#seen]))
    this.#seen = last
    this.#version = version
  }

  /** Adds a row that this server has written. */
  add(call: number, place: number): void {
    this.#seen = Math.max(this.#seen, place)
    if (call < 0) return
    const known = this.#rows.get(call)
    if (known === undefined) this.#rows.set(call, place)
    else this.#rows.set(call, [...new Set([known, place].flat())])
  }

  #addAll(places: Iterable<Place>): void {
    for (const {call, place} of places) this.add(call, place)
  }

  #othersVersion(): number {
    return this.#db.get<{data_version: number}>('PRAGMA data_version')?.data_version ?? 0
  }

  #lastRow(): number {
    return this.#db.get<{last: number | null}>('SELECT max(rowid) AS last FROM exchange')?.last ?? 0
  }
}
