import type {Database, SqlValue} from '../../sqlite/index.ts'
import type {Collection, Query, Stored} from './store.ts'

interface StoredText {
  readonly row: string
}

interface StoredRow extends StoredText {
  readonly seq: number
}

/** Results of one table that are kept in memory; a list counts as many as it has rows. */
const MOST_KEPT = 1000
/** Longer lists are pages, and whoever reads one reads the next one then. */
const LONGEST_KEPT = 20

/**
 * One table of the SQLite store. Each of its few statements is prepared once. What was read is kept, frozen, until the
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
  #kept = 0
  /** Where pages begin: the `seq` before the first row, by the name of the page's list. */
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
    this.#keep(this.#rows, id, row, 1)
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
    const rows =
      query.limit === undefined || query.upTo ? this.#select(query) : this.#page(query, query.limit)
    if (rows.length <= LONGEST_KEPT) this.#keep(this.#lists, name, rows, Math.max(1, rows.length))
    return rows
  }

  /** A page continues where the one before it ended: stepping over all rows before it would take ever longer. */
  #page({offset = 0, limit, ...list}: Query<Indexed>, most: number): Row[] {
    const name = (place: number) => JSON.stringify({...list, offset: place})
    const start = this.#starts.get(name(offset))
    const found = this.#selectRows({...list, limit: most, ...(start === undefined ? {offset} : {start})})
    const last = found.at(-1)
    if (last && found.length === most) {
      if (this.#starts.size >= MOST_KEPT) this.#starts.clear()
      this.#starts.set(name(offset + found.length), last.seq)
    }
    return found.map(row => this.#decode(row))
  }

  #select(query: Query<Indexed>): Row[] {
    return this.#selectRows(query).map(row => this.#decode(row))
  }

  /** @param query with a `start` for rows behind this `seq` only, in the chosen order. */
  #selectRows(query: Query<Indexed> & {readonly start?: number}): StoredRow[] {
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
    // Ordered by the number, if there is one, so that its index gives the rows.
    const by = query.upTo ? `${query.upTo.member}, seq` : `seq ${newest ? 'DESC' : 'ASC'}`
    const sql = `SELECT seq, row FROM ${this.#table} ${where} ORDER BY ${by} LIMIT ? OFFSET ?`
    return this.#db.all<StoredRow>(sql, [...values, query.limit ?? -1, query.offset ?? 0])
  }

  async count(given: Query<Indexed>['where'] = {}): Promise<number> {
    const {conditions, values} = this.#conditions(given)
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
    return this.#db.get<{n: number}>(`SELECT count(*) AS n FROM ${this.#table} ${where}`, values)?.n ?? 0
  }

  /** Forgets what was read: another process, or the end of a transaction without effect, has changed the table. */
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
    this.#kept = this.#rows.size
  }

  #forgetLists(): void {
    this.#lists.clear()
    this.#starts.clear()
  }

  /** Keeps a result for others to read, its objects frozen, because they share it. */
  #keep<Value>(results: Map<string, Value>, name: string, value: Value, rows: number): void {
    if (this.#kept + rows > MOST_KEPT) {
      this.#rows.clear()
      this.#lists.clear()
      this.#kept = 0
    }
    results.set(name, freeze(value))
    this.#kept += rows
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
