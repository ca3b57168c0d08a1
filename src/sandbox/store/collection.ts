import type {Database, SqlValue} from '../../sqlite/index.ts'
import type {Collection, Query, Stored} from './store.ts'

interface StoredText {
  readonly row: string
}

interface StoredRow extends StoredText {
  readonly seq: number
}

/** Maximum size of a table's cache, in characters of JSON. */
const MOST_KEPT = 1024 * 1024
/** Maximum size of one cached result. A larger one is a page, and nobody reads the same page twice. */
const LARGEST_KEPT = 32 * 1024
/** Size of a result besides its rows. */
const OVERHEAD = 200
const MOST_STARTS = 1000

/**
 * One table of the SQLite store. Prepares each of its few statements once. Caches what was read, frozen, until the
 * table changes: most requests read the same few rows (the clock, faults, the card under test).
 */
export class SqliteCollection<Row extends Stored, Indexed extends string>
  implements Collection<Row, Indexed>
{
  readonly #db: Database
  readonly #table: string
  readonly #members: readonly Indexed[]
  readonly #get: string
  readonly #put: string
  readonly #delete: string
  readonly #rows = new Map<string, Row | undefined>()
  readonly #lists = new Map<string, readonly Row[]>()
  /** Characters that were cached since the cache was last cleared. */
  #kept = 0
  /** Where pages begin: the `seq` before the first row, by the query with its offset. */
  readonly #starts = new Map<string, number>()
  version = 0

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
    const kept = this.#rows.get(id)
    if (kept !== undefined || this.#rows.has(id)) return kept
    const found = this.#db.get<StoredText>(this.#get, [id])
    const row = found && this.#decode(found)
    this.#keep(this.#rows, id, row, found?.row.length ?? 0)
    return row
  }

  async put(row: Row): Promise<void> {
    this.#changed(row.id)
    const members = row as unknown as Readonly<Record<Indexed, SqlValue | undefined>>
    this.#db.run(this.#put, [
      row.id,
      ...this.#members.map(member => members[member] ?? null),
      JSON.stringify(row),
    ])
  }

  async delete(id: string): Promise<boolean> {
    this.#changed(id)
    return Number(this.#db.run(this.#delete, [id]).changes) > 0
  }

  async clear(): Promise<void> {
    this.forget()
    this.#db.run(`DELETE FROM ${this.#table}`)
  }

  async list(query: Query<Indexed> = {}): Promise<readonly Row[]> {
    const name = JSON.stringify(query)
    const kept = this.#lists.get(name)
    if (kept) return kept
    const found =
      query.limit === undefined || query.upTo ? this.#select(query) : this.#page(query, query.limit)
    const rows = found.map(row => this.#decode(row))
    this.#keep(
      this.#lists,
      name,
      rows,
      found.reduce((length, {row}) => length + row.length, 0),
    )
    return rows
  }

  /**
   * Continues a page where the previous one ended, because skipping all earlier rows would take longer for each page.
   */
  #page({offset = 0, limit, ...list}: Query<Indexed>, most: number): StoredRow[] {
    const name = (place: number) => JSON.stringify({...list, offset: place})
    const start = this.#starts.get(name(offset))
    const found = this.#select({...list, limit: most, ...(start === undefined ? {offset} : {start})})
    const last = found.at(-1)
    if (last && found.length === most) {
      if (this.#starts.size >= MOST_STARTS) this.#starts.clear()
      this.#starts.set(name(offset + found.length), last.seq)
    }
    return found
  }

  /** @param query may have a `start`: only rows after this `seq`, in the chosen order. */
  #select(query: Query<Indexed> & {readonly start?: number}): StoredRow[] {
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
    if (query.start !== undefined) {
      conditions.push(`seq ${newest ? '<' : '>'} ?`)
      values.push(query.start)
    }
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
    // Ordered by the number, if there is one, so that SQLite can use its index.
    const by = query.upTo ? `${query.upTo.member}, seq` : `seq ${newest ? 'DESC' : 'ASC'}`
    const sql = `SELECT seq, row FROM ${this.#table} ${where} ORDER BY ${by} LIMIT ? OFFSET ?`
    return this.#db.all<StoredRow>(sql, [...values, query.limit ?? -1, query.offset ?? 0])
  }

  async count(given: Query<Indexed>['where'] = {}): Promise<number> {
    const {conditions, values} = this.#conditions(given)
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
    return this.#db.get<{n: number}>(`SELECT count(*) AS n FROM ${this.#table} ${where}`, values)?.n ?? 0
  }

  /** Clears the cache after another process has changed the table, or a transaction was rolled back. */
  forget(): void {
    this.version++
    this.#rows.clear()
    this.#forgetLists()
    this.#kept = 0
  }

  #changed(id: string): void {
    this.version++
    this.#rows.delete(id)
    this.#forgetLists()
  }

  #forgetLists(): void {
    this.#lists.clear()
    this.#starts.clear()
  }

  /** Caches a result of this length. Its objects are frozen, because readers share them. */
  #keep<Value>(results: Map<string, Value>, name: string, value: Value, length: number): void {
    if (length > LARGEST_KEPT) return
    const size = OVERHEAD + name.length + length
    this.#kept += size
    if (this.#kept > MOST_KEPT) {
      this.#rows.clear()
      this.#lists.clear()
      this.#kept = size
    }
    results.set(name, freeze(value))
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

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) freeze(member)
  // JSON.stringify takes five times as long for a frozen list.
  return Array.isArray(value) ? value : Object.freeze(value)
}
