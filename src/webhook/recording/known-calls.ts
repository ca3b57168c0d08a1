import type {Database} from '../../sqlite/index.ts'
import {callNumber} from '../call-fingerprint.ts'

/** Slots per kept entry: probes stay short. */
const ROOM = 2
const NONE: readonly number[] = []

interface Part {
  /** Pairs of a key and its value; a value of 0 is an empty slot. */
  readonly slots: Int32Array
  size: number
}

/**
 * The newest values of 32-bit keys, at least `kept` and at most twice as many. A key may have several. A `Map` of that
 * size would take more than twice the time, and pause whenever it grows.
 */
export class NumberTable {
  readonly #kept: number
  readonly #mask: number
  #newer: Part
  #older: Part

  constructor(kept: number) {
    this.#kept = kept
    const places = 2 ** Math.ceil(Math.log2(kept * ROOM))
    this.#mask = places - 1
    const part = (): Part => ({slots: new Int32Array(2 * places), size: 0})
    this.#newer = part()
    this.#older = part()
  }

  /** @param value from 1 to 2^31 - 1. */
  add(key: number, value: number): void {
    if (this.#newer.size >= this.#kept) this.#turn()
    const {slots} = this.#newer
    let at = 2 * (key & this.#mask)
    for (; slots[at + 1] !== 0; at = this.#next(at)) if (slots[at] === key && slots[at + 1] === value) return
    slots[at] = key
    slots[at + 1] = value
    this.#newer.size++
  }

  /** The values of a key, in no order. A value that was added again much later may be there twice. */
  valuesOf(key: number): readonly number[] {
    const newer = this.#collect(this.#newer, key, NONE)
    return this.#older.size === 0 ? newer : this.#collect(this.#older, key, newer)
  }

  #collect({slots}: Part, key: number, before: readonly number[]): readonly number[] {
    let found = before
    for (let at = 2 * (key & this.#mask); slots[at + 1] !== 0; at = this.#next(at)) {
      if (slots[at] === key) found = [...found, slots[at + 1] as number]
    }
    return found
  }

  #next(at: number): number {
    return (at + 2) & (2 * this.#mask + 1)
  }

  /** The older ones are forgotten all at once. */
  #turn(): void {
    const emptied = this.#older
    emptied.slots.fill(0)
    emptied.size = 0
    this.#older = this.#newer
    this.#newer = emptied
  }
}

interface GroupCalls {
  readonly id: number
  readonly calls: string
}

/** A service retries only after the deadline, and a look-up takes as long as the rest of `earlier`. */
const LOOK_EVERY_MS = 5

/**
 * The groups of the calls that got a decision, from any server. Kept in memory: an index of the ids, which are random,
 * would change a page of the file for each call.
 */
export class KnownCalls {
  readonly #db: Database
  /** Groups by `callNumber`; two ids may share one. */
  readonly #groups: NumberTable
  /** What other connections have changed, as SQLite counts it. */
  #version: number | undefined
  /** The last group that was read; others may have written between those of this server. */
  #seen = 0
  /** When it last looked for calls of other servers, ms of `performance.now()`. */
  #looked = Number.NEGATIVE_INFINITY

  /** @param least the minimum number of known calls, if the recording holds more. */
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

  /** Reads what other servers have written. */
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
