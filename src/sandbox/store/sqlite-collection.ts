import type {Database, SqlValue} from '../../sqlite/index.ts'
import {type PlacedQuery, RowCache, type StoredRow} from './row-cache.ts'
import type {Collection, Query, Stored} from './store.ts'

/** One table of the SQLite store. Prepares each of its few statements once. */
export class SqliteCollection<Row extends Stored, Indexed extends string>
  implements Collection<Row, Indexed>
{
  readonly #db: Database
  readonly #table: string
  readonly #members: readonly Indexed[]
  readonly #get: string
  readonly #put: string
  readonly #delete: string
  readonly #cache = new RowCache<Row>()

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

  get version(): number {
    return this.#cache.version
  }

  async get(id: string): Promise<Row | undefined> {
    const kept = this.#cache.row(id)
    if (kept !== undefined || this.#cache.has(id)) return kept
    const found = this.#db.get<Pick<StoredRow, 'row'>>(this.#get, [id])
    const row = found && this.#decode(found)
    this.#cache.keepRow(id, row, found?.row.length ?? 0)
    return row
  }

  async put(row: Row): Promise<void> {
    this.#cache.changed(row.id)
    const members = row as unknown as Readonly<Record<Indexed, SqlValue | undefined>>
    this.#db.run(this.#put, [
      row.id,
      ...this.#members.map(member => members[member] ?? null),
      JSON.stringify(row),
    ])
  }

  async delete(id: string): Promise<boolean> {
    this.#cache.changed(id)
    return Number(this.#db.run(this.#delete, [id]).changes) > 0
  }

  async deleteAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.delete(id)
  }

  async clear(): Promise<void> {
    this.forget()
    this.#db.run(`DELETE FROM ${this.#table}`)
  }

  list(query: Query<Indexed> = {}): Promise<readonly Row[]> {
    return this.#cache.list(
      query,
      async placed => this.#select(placed),
      row => this.#decode(row),
    )
  }

  #select(query: PlacedQuery<Indexed>): StoredRow[] {
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

  forget(): void {
    this.#cache.forget()
  }

  #decode({row}: Pick<StoredRow, 'row'>): Row {
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
