import type {Database} from '../../sqlite/index.ts'
import {callNumber} from '../call-number.ts'
import {NumberTable} from './number-table.ts'

interface GroupCalls {
  readonly id: number
  readonly calls: string
}

/** A service asks again when the deadline is over, and looking takes as long as the rest of `earlier`. */
const LOOK_EVERY_MS = 5

/**
 * In which groups the calls are that were answered by decisions, whichever server answered. Kept in memory: an index of
 * ids, which are random, would change a page of the file for each call.
 */
export class KnownCalls {
  readonly #db: Database
  /** Groups by `callNumber`; two ids may share one. */
  readonly #groups: NumberTable
  /** What other connections have changed, as SQLite counts it. */
  #version: number | undefined
  /** The last group that was read; others may have written between those of this server. */
  #seen = 0
  /** When it was last looked for what others have written, ms of `performance.now()`. */
  #looked = Number.NEGATIVE_INFINITY

  /** @param least how many calls are known at least, where the recording holds more. */
  constructor(db: Database, least: number) {
    this.#db = db
    this.#groups = new NumberTable(least)
    this.#refresh()
  }

  /** The groups that may hold a call of that id (`metadata.id`). */
  groupsOf(id: string): readonly number[] {
    this.#refresh()
    return this.#groups.valuesOf(callNumber(id))
  }

  /** Adds a call that this server has written. */
  add(call: number, group: number): void {
    this.#groups.add(call, group)
  }

  /** Learns what others have written. */
  #refresh(): void {
    const now = performance.now()
    if (now - this.#looked < LOOK_EVERY_MS) return
    this.#looked = now
    const version = this.#othersVersion()
    if (version === this.#version) return
    this.#version = version
    this.#learn()
  }

  #learn(): void {
    const sql = 'SELECT id, calls FROM call_group WHERE id > ? ORDER BY id'
    const groups = this.#db.iterate<GroupCalls>(sql, [this.#seen])
    for (const {id, calls} of groups) {
      this.#seen = id
      for (const call of calls.split(' ').slice(1)) this.add(Number(call) | 0, id)
    }
  }

  #othersVersion(): number {
    return this.#db.get<{data_version: number}>('PRAGMA data_version')?.data_version ?? 0
  }
}
