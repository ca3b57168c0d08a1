import {realpathSync} from 'node:fs'
import {setImmediate} from 'node:timers'
import {type Database, openDatabase} from '../../sqlite/index.ts'
import {SqliteCollection} from './collection.ts'
import type {Store, Transaction} from './store.ts'
import {indexedFields, migrations, tableNames} from './tables.ts'

/** Runs one piece of work at a time, in order. */
class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }
}

const byFile = new Map<string, WeakRef<Mutex>>()

/**
 * The mutex of a file in this process. SQLite waits for a lock by blocking the process, so two connections of one
 * process must never wait for each other: the one with the lock could not continue.
 */
function mutexOf(file: string): Mutex {
  const known = byFile.get(file)?.deref()
  if (known) return known
  const mutex = new Mutex()
  byFile.set(file, new WeakRef(mutex))
  return mutex
}

/** A piece of work that waits for its group. */
interface Work {
  readonly writes: boolean
  readonly run: (tx: Transaction) => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** How a piece of work ended. It is reported after the commit. */
type Outcome = {readonly result: unknown} | {readonly error: unknown}

/** Limits how long other processes wait for the write lock, to some 10 ms. */
const MOST_IN_GROUP = 100

/**
 * The store on one SQLite connection. Work that arrives in one turn of the event loop shares a transaction, because a
 * commit costs as much as several requests. If work writes, it has its own savepoint. Its promise settles after the
 * commit, so that nobody learns of an effect that a crash could still undo.
 *
 * Groups of this process take turns; those of other processes wait for the write lock in SQLite.
 */
class SqliteStore implements Store {
  readonly #db: Database
  readonly #turns: Mutex
  readonly #tables: readonly SqliteCollection<never, never>[]
  readonly #collections: Transaction
  #waiting: Work[] = []
  #isPlanned = false
  #version: number | undefined

  constructor(db: Database, turns: Mutex) {
    this.#db = db
    this.#turns = turns
    const tables = tableNames.map(
      name =>
        [
          name,
          new SqliteCollection<never, never>(db, name, Object.keys(indexedFields[name]) as never[]),
        ] as const,
    )
    this.#tables = tables.map(([, table]) => table)
    this.#collections = Object.fromEntries(tables) as unknown as Transaction
  }

  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#enqueue(true, work)
  }

  read<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#enqueue(false, work)
  }

  close(): Promise<void> {
    return this.#turns.run(async () => {
      while (this.#waiting.length > 0) await this.#runWaiting()
      this.#db.close()
    })
  }

  #enqueue<Result>(writes: boolean, run: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({writes, run, resolve: resolve as Work['resolve'], reject})
      this.#plan()
    })
  }

  /** Waits for the end of this turn of the event loop, because more requests may arrive until then. */
  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      void this.#turns.run(() => this.#runWaiting())
    })
  }

  /**
   * Runs waiting work in order. Work that arrives meanwhile runs in another turn, so that sockets are read in between.
   */
  async #runWaiting(): Promise<void> {
    let waiting = this.#waiting
    this.#waiting = []
    while (waiting.length > 0) {
      const group = firstGroup(waiting)
      waiting = waiting.slice(group.length)
      await this.#runWhole(group)
    }
  }

  async #runWhole(group: readonly Work[]): Promise<void> {
    try {
      await this.#runGroup(group)
    } catch (error) {
      for (const work of group) work.reject(error)
    }
  }

  /** Settles every promise of the group. @throws if the transaction fails for all the remaining work. */
  async #runGroup(group: readonly Work[]): Promise<void> {
    const writes = group.some(work => work.writes)
    try {
      this.#db.run(writes ? 'BEGIN IMMEDIATE' : 'BEGIN')
    } catch (error) {
      if (!writes) throw error
      return this.#refuseWrites(group, error)
    }
    try {
      this.#forgetOld()
      const outcomes: Outcome[] = []
      for (const work of group) outcomes.push(await this.#outcomeOf(work, group.length > 1))
      this.#db.run('COMMIT')
      for (const [at, outcome] of outcomes.entries()) {
        if ('error' in outcome) group[at]?.reject(outcome.error)
        else group[at]?.resolve(outcome.result)
      }
    } catch (error) {
      this.#rollBack()
      // Everything was rolled back, e.g. on a full disk. Run each piece alone, to find the one that fails.
      if (group.length === 1) throw error
      for (const work of group) await this.#runWhole([work])
    }
  }

  /** Another process has held the write lock for too long. Only writes need the lock, so reads still run. */
  async #refuseWrites(group: readonly Work[], error: unknown): Promise<void> {
    for (const work of group) if (work.writes) work.reject(error)
    const reads = group.filter(work => !work.writes)
    if (reads.length > 0) await this.#runGroup(reads)
  }

  /** @throws whatever ended the transaction of the group, not just this work. */
  async #outcomeOf({writes, run}: Work, isShared: boolean): Promise<Outcome> {
    if (!writes) {
      return run(this.#collections).then(
        result => ({result}),
        (error: unknown) => ({error}),
      )
    }
    if (!isShared) return {result: await run(this.#collections)}
    this.#db.run('SAVEPOINT work')
    try {
      const result = await run(this.#collections)
      this.#db.run('RELEASE work')
      return {result}
    } catch (error) {
      // SQLite itself may have rolled back everything.
      if (!this.#db.inTransaction) throw error
      this.#db.run('ROLLBACK TO work')
      this.#db.run('RELEASE work')
      this.#forget()
      return {error}
    }
  }

  #rollBack(): void {
    if (this.#db.inTransaction) this.#db.run('ROLLBACK')
    this.#forget()
  }

  /** https://www.sqlite.org/pragma.html#pragma_data_version changes when another connection has written. */
  #forgetOld(): void {
    if (this.#db.file === ':memory:') return
    const version = this.#db.get<{data_version: number}>('PRAGMA data_version')?.data_version
    if (version !== this.#version) this.#forget()
    this.#version = version
  }

  #forget(): void {
    for (const table of this.#tables) table.forget()
  }
}

/**
 * Returns the reads before the first write, or everything if a write comes first: a read after a write must see its
 * effect, and so waits for its commit.
 */
function firstGroup(waiting: readonly Work[]): readonly Work[] {
  const write = waiting.findIndex(work => work.writes)
  if (write < 0) return waiting
  return waiting.slice(0, write === 0 ? MOST_IN_GROUP : write)
}

/**
 * Opens the store in a file that other processes may share, or in memory.
 *
 * @throws Failure STORE_DAMAGED or STORE_UNAVAILABLE, naming the file.
 */
export function openSqliteStore(file: string | undefined, busyTimeoutMs?: number): Store {
  const db = openDatabase(file ?? ':memory:', {
    kind: 'sandbox',
    migrations,
    ...(busyTimeoutMs === undefined ? {} : {busyTimeoutMs}),
  })
  return new SqliteStore(db, file === undefined ? new Mutex() : mutexOf(realpathSync(file)))
}
