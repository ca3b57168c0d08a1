import {realpathSync} from 'node:fs'
import {type Database, openDatabase, type SqlValue} from '../../sqlite/index.ts'
import type {Collection, Query, Store, Stored, Transaction} from './store.ts'
import {indexedFields, migrations, tableNames} from './tables.ts'

interface StoredText {
  readonly row: string
}

/** One table of the SQLite store. Each of its few statements is prepared once. */
class SqliteCollection<Row extends Stored, Indexed extends string> implements Collection<Row, Indexed> {
  readonly #db: Database
  readonly #table: string
  readonly #members: readonly Indexed[]
  readonly #get: string
  readonly #put: string
  readonly #delete: string

  constructor(db: Database, table: string, members: readonly Indexed[]) {
    this.#db = db
    this.#table = table
    this.#members = members
    const columns = ['id', ...members, 'row']
    const updates = columns.slice(1).map(column => `${column} = excluded.${column}`)
    this.#get = `SELECT row FROM ${table} WHERE id = ?`
    this.#put = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
      ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`
    this.#delete = `DELETE FROM ${table} WHERE id = ?`
  }

  async get(id: string): Promise<Row | undefined> {
    const found = this.#db.get<StoredText>(this.#get, [id])
    return found && this.#decode(found)
  }

  async put(row: Row): Promise<void> {
    const members = row as unknown as Readonly<Record<Indexed, SqlValue | undefined>>
    this.#db.run(this.#put, [
      row.id,
      ...this.#members.map(member => members[member] ?? null),
      JSON.stringify(row),
    ])
  }

  async delete(id: string): Promise<boolean> {
    return Number(this.#db.run(this.#delete, [id]).changes) > 0
  }

  async clear(): Promise<void> {
    this.#db.run(`DELETE FROM ${this.#table}`)
  }

  async list(query: Query<Indexed> = {}): Promise<Row[]> {
    const {conditions, values} = this.#conditions(query.where)
    const newest = query.order === 'newest'
    if (query.upTo) {
      conditions.push(`${query.upTo.member} <= ?`)
      values.push(query.upTo.value)
    }
    if (query.after !== undefined) {
      conditions.push(`seq ${newest ? '<' : '>'} (SELECT seq FROM ${this.#table} WHERE id = ?)`)
      values.push(query.after)
    }
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
    // Ordered by the number, if there is one, so that its index gives the rows.
    const by = query.upTo ? `${query.upTo.member}, seq` : `seq ${newest ? 'DESC' : 'ASC'}`
    const sql = `SELECT row FROM ${this.#table} ${where} ORDER BY ${by} LIMIT ? OFFSET ?`
    const rows = this.#db.all<StoredText>(sql, [...values, query.limit ?? -1, query.offset ?? 0])
    return rows.map(found => this.#decode(found))
  }

  async count(given: Query<Indexed>['where'] = {}): Promise<number> {
    const {conditions, values} = this.#conditions(given)
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
    return this.#db.get<{n: number}>(`SELECT count(*) AS n FROM ${this.#table} ${where}`, values)?.n ?? 0
  }

  #decode({row}: StoredText): Row {
    return this.#db.decode(() => JSON.parse(row) as Row)
  }

  #conditions(where: Query<Indexed>['where'] = {}): {conditions: string[]; values: SqlValue[]} {
    const given = this.#members.filter(member => where[member] !== undefined)
    return {
      conditions: given.map(member => `${member} = ?`),
      values: given.map(member => where[member] as SqlValue),
    }
  }
}

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
      tableNames.map(name => [name, new SqliteCollection(db, name, Object.keys(indexedFields[name]))]),
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
