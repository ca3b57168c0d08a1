import {realpathSync} from 'node:fs'
import {type Database, openCopy, openDatabase} from '../../sqlite/index.ts'
import {GroupedStore, Mutex, type Outcome, settle, type Work} from './grouped-work.ts'
import {SqliteCollection} from './sqlite-collection.ts'
import type {Transaction} from './store.ts'
import {indexedFields, migrations, tableNames} from './tables.ts'

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

/**
 * The store on one SQLite connection. If work writes, it has its own savepoint. Its promise settles after the commit of
 * its group, so that nobody learns of an effect that a crash could still undo.
 *
 * Groups of this process take turns; those of other processes wait for the write lock in SQLite.
 */
export class SqliteStore extends GroupedStore {
  readonly #db: Database
  readonly #tables: readonly SqliteCollection<never, never>[]
  readonly #collections: Transaction
  #version: number | undefined

  constructor(db: Database, turns: Mutex) {
    super(turns)
    this.#db = db
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

  /** What `openSqliteCopy` takes. Nothing may be in progress. */
  content(): Uint8Array | undefined {
    return this.#db.content()
  }

  protected release(): void {
    this.#db.close()
  }

  protected async runGroup(group: Work[]): Promise<void> {
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
      settle(group, outcomes)
    } catch (error) {
      this.#rollBack()
      // Everything was rolled back, e.g. on a full disk. Run each piece alone, to find the one that fails.
      if (group.length === 1) throw error
      for (const work of group) await this.runWhole([work])
    }
  }

  /** Another process has held the write lock for too long. Only writes need the lock, so reads still run. */
  async #refuseWrites(group: readonly Work[], error: unknown): Promise<void> {
    for (const work of group) if (work.writes) work.reject(error)
    const reads = group.filter(work => !work.writes)
    if (reads.length > 0) await this.runGroup(reads)
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
 * Opens the store in a file that other processes may share, or in memory.
 *
 * @throws Failure STORE_DAMAGED or STORE_UNAVAILABLE, naming the file.
 */
export function openSqliteStore(file: string | undefined, busyTimeoutMs?: number): SqliteStore {
  const db = openDatabase(file ?? ':memory:', {
    kind: 'sandbox',
    migrations,
    ...(busyTimeoutMs === undefined ? {} : {busyTimeoutMs}),
  })
  return new SqliteStore(db, file === undefined ? new Mutex() : mutexOf(realpathSync(file)))
}

/** Opens a store in memory that begins with the content of another one. */
export const openSqliteCopy = (content: Uint8Array): SqliteStore =>
  new SqliteStore(openCopy(content), new Mutex())
