import {realpathSync} from 'node:fs'
import {type Database, openDatabase} from '../../sqlite/index.ts'
import {Mutex, mutexOf} from './mutex.ts'
import {migrations} from './schema.ts'
import {SqliteCollection} from './sqlite-collection.ts'
import type {Store, Transaction} from './store.ts'
import {indexedMembers, tableNames} from './tables.ts'

/**
 * The store on one SQLite connection. All work on a connection is in its one transaction, so transactions of this
 * process take turns; those of other processes wait for the write lock in SQLite.
 */
class SqliteStore implements Store {
  readonly #db: Database
  readonly #turns: Mutex
  readonly #collections: Transaction

  constructor(db: Database, turns: Mutex) {
    this.#db = db
    this.#turns = turns
    this.#collections = Object.fromEntries(
      tableNames.map(name => [name, new SqliteCollection(db, name, Object.keys(indexedMembers[name]))]),
    ) as unknown as Transaction
  }

  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#turns.run(() => this.#within('BEGIN IMMEDIATE', work))
  }

  read<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#turns.run(() => this.#within('BEGIN', work))
  }

  close(): Promise<void> {
    return this.#turns.run(async () => this.#db.close())
  }

  async #within<Result>(begin: string, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    this.#db.run(begin)
    try {
      const result = await work(this.#collections)
      this.#db.run('COMMIT')
      return result
    } catch (error) {
      // SQLite itself may have rolled back already, e.g. on a full disk.
      if (this.#db.inTransaction) this.#db.run('ROLLBACK')
      throw error
    }
  }
}

/**
 * Opens the store in a file that other processes may hold too, or in memory.
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
