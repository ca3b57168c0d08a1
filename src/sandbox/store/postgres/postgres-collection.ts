import {type PlacedQuery, RowCache, type StoredRow} from '../row-cache.ts'
import type {Collection, Query, Stored} from '../store.ts'
import type {TableName} from '../tables.ts'
import {columnsOf, tableOf} from './schema.ts'

/** What a table needs of the transaction of the current group. */
export interface Statements {
  /** Sends a statement; its first parameter is the tenant. @throws Failure STORE_UNAVAILABLE */
  query<Found>(sql: string, values: readonly unknown[]): Promise<readonly Found[]>
  /** Called before written rows are sent while work still runs, so that they can be taken back alone. */
  beforeSending(): Promise<void>
  /** Called before a row is added, if the number of rows has a limit. @throws Problem 507 */
  readonly checkRoom?: () => void
  /** So many rows were removed. */
  removed(count: number): void
}

/** Rows that travel together at most: other tenants wait while a statement is written. */
const MOST_WAITING = 1000

/** A row that waits to be sent: its JSON, and the values to look it up by; null if the row is to be deleted. */
type Waiting = {readonly text: string; readonly indexed: readonly unknown[]} | null

/**
 * One table of the PostgreSQL store, as one tenant sees it. Written rows wait in memory until the group commits, or until
 * a query needs them, and then travel together.
 */
export class PostgresCollection<Row extends Stored, Indexed extends string>
  implements Collection<Row, Indexed>
{
  readonly #statements: Statements
  readonly #table: string
  readonly #columns: ReturnType<typeof columnsOf>
  readonly #cache = new RowCache<Row>()
  /** Of work that has ended, in the order of the first write. */
  readonly #done = new Map<string, Waiting>()
  /** Of the current work. */
  readonly #current = new Map<string, Waiting>()
  /** JSON of rows that were read before they were written: they are likely to be read again after the commit. */
  readonly #rewritten = new Map<string, string>()
  /** Rows that were written in this transaction. */
  readonly #written = new Set<string>()
  #isCleared = false
  /** Whether only rows that were written in this transaction are there: then nobody has to look for others. */
  #isOnlyWritten = false
  /** Whether this transaction has sent a change. */
  #hasChanged = false
  readonly name: TableName

  constructor(statements: Statements, name: TableName) {
    this.name = name
    this.#statements = statements
    this.#table = tableOf(name)
    this.#columns = columnsOf(name)
  }

  get version(): number {
    return this.#cache.version
  }

  async get(id: string): Promise<Row | undefined> {
    const waiting = this.#waiting(id)
    if (waiting !== undefined) return waiting === null ? undefined : (JSON.parse(waiting.text) as Row)
    const kept = this.#cache.row(id)
    if (kept !== undefined || this.#cache.has(id)) return kept
    if (this.#isOnlyWritten && !this.#written.has(id)) return undefined
    const [found] = await this.#query<StoredRow>(
      `SELECT row FROM ${this.#table} WHERE tenant = $1 AND id = $2`,
      [storable(id)],
    )
    const row = found && (JSON.parse(found.row) as Row)
    this.#cache.keepRow(id, row, found?.row.length ?? 0)
    return row
  }

  /**
   * Reads rows that work is likely to get.
   *
   * @param isOld whether what is kept may be old.
   * @returns what keeps them, once the transaction has begun.
   */
  async readAhead(likely: readonly string[], isOld: boolean): Promise<() => void> {
    const ids = [...new Set(likely)].filter(id => isOld || !this.#cache.has(id))
    if (ids.length === 0) return () => undefined
    const found = await this.#query<StoredRow & Stored>(
      // With id = ANY, a plan from when the table was small reads all rows of the tenant.
      `SELECT found.id, found.row FROM unnest($2::text[]) AS likely (id), LATERAL (
         SELECT id, row FROM ${this.#table} WHERE tenant = $1 AND id = likely.id LIMIT 1) AS found`,
      [ids.map(storable)],
    )
    const rows = new Map(found.map(({id, row}) => [id, row]))
    return () => {
      for (const id of ids) {
        // Written since it was read.
        if (this.#isCleared || this.#written.has(id)) continue
        const row = rows.get(storable(id))
        this.#cache.keepRow(id, row === undefined ? undefined : (JSON.parse(row) as Row), row?.length ?? 0)
      }
    }
  }

  async put(row: Row): Promise<void> {
    // A row that comes back after its deletion is new, and so last in the order.
    if (this.#waiting(row.id) === null || this.#current.size >= MOST_WAITING) await this.#sendWaiting()
    const {checkRoom} = this.#statements
    if (checkRoom && (await this.get(row.id)) === undefined) checkRoom()
    const text = JSON.stringify(row)
    const isRead = this.#cache.row(row.id) !== undefined || this.#rewritten.has(row.id)
    if (isRead) this.#rewritten.set(row.id, text)
    this.#cache.changed(row.id)
    this.#written.add(row.id)
    const fields = row as unknown as Readonly<Record<string, unknown>>
    this.#current.set(row.id, {
      text,
      indexed: this.#columns.map(({field}) => storable(fields[field] ?? null)),
    })
  }

  async delete(id: string): Promise<boolean> {
    if ((await this.get(id)) === undefined) return false
    this.#statements.removed(1)
    this.#rewritten.delete(id)
    this.#cache.changed(id)
    this.#written.add(id)
    this.#current.set(id, null)
    return true
  }

  async deleteAll(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await this.#sendWaiting()
    await this.#statements.beforeSending()
    this.#hasChanged = true
    for (const id of ids) {
      this.#rewritten.delete(id)
      this.#cache.changed(id)
      this.#written.add(id)
    }
    const removed = await this.#query(
      `DELETE FROM ${this.#table} WHERE tenant = $1 AND id = ANY($2::text[]) RETURNING 1`,
      [ids.map(storable)],
    )
    this.#statements.removed(removed.length)
  }

  async clear(): Promise<void> {
    await this.#statements.beforeSending()
    await this.#sendRows(this.#current)
    this.#rewritten.clear()
    this.#cache.forget()
    this.#hasChanged = true
    this.#isCleared = true
    const [removed] = await this.#query<{n: string}>(
      `WITH gone AS (DELETE FROM ${this.#table} WHERE tenant = $1 RETURNING 1) SELECT count(*) AS n FROM gone`,
      [],
    )
    this.#statements.removed(Number(removed?.n ?? 0))
    this.#isOnlyWritten = true
  }

  async list(query: Query<Indexed> = {}): Promise<readonly Row[]> {
    await this.#sendWaiting()
    return this.#cache.list(
      query,
      placed => this.#select(placed),
      ({row}) => JSON.parse(row) as Row,
    )
  }

  #select(query: PlacedQuery<Indexed>): Promise<readonly StoredRow[]> {
    const {conditions, values} = this.#conditions(query.where)
    const given = (value: unknown) => `$${values.push(value) + 1}`
    const newest = query.order === 'newest'
    const beyond = newest ? '<' : '>'
    const number = query.upTo && this.#columnOf(query.upTo.member)
    if (query.upTo) conditions.push(`${number} <= ${given(query.upTo.value)}`)
    if (query.after !== undefined) {
      conditions.push(
        `seq ${beyond} (SELECT seq FROM ${this.#table} WHERE tenant = $1 AND id = ${given(storable(query.after))})`,
      )
    }
    if (query.start !== undefined) conditions.push(`seq ${beyond} ${given(query.start)}`)
    // Ordered by the number, if there is one, so that PostgreSQL can use its index.
    const by = query.upTo ? `${number}, seq` : `seq ${newest ? 'DESC' : 'ASC'}`
    const limit = query.limit === undefined ? '' : `LIMIT ${given(query.limit)}`
    const offset = query.offset === undefined ? '' : `OFFSET ${given(query.offset)}`
    const sql = `SELECT seq, row FROM ${this.#table} WHERE ${conditions.join(' AND ')} ORDER BY ${by} ${limit} ${offset}`
    return this.#query(sql, values)
  }

  async count(where: Query<Indexed>['where'] = {}): Promise<number> {
    await this.#sendWaiting()
    const {conditions, values} = this.#conditions(where)
    const sql = `SELECT count(*) AS n FROM ${this.#table} WHERE ${conditions.join(' AND ')}`
    const [found] = await this.#query<{n: string}>(sql, values)
    return Number(found?.n ?? 0)
  }

  /** The work that wrote these rows has ended. */
  keep(): void {
    if (this.#current.size === 0) return
    for (const [id, waiting] of this.#current) this.#done.set(id, waiting)
    this.#current.clear()
  }

  /** The work failed: its rows were never written, and what it has read of them is wrong. */
  drop(): void {
    this.#current.clear()
    this.#rewritten.clear()
    this.#isOnlyWritten = false
    this.#cache.forget()
  }

  /** Forgets everything, also what waits. */
  forget(): void {
    this.#done.clear()
    this.#current.clear()
    this.#endTransaction()
    this.#cache.forget()
  }

  /** The transaction was committed. */
  committed(): void {
    for (const [id, text] of this.#rewritten) this.#cache.keepRow(id, JSON.parse(text) as Row, text.length)
    this.#endTransaction()
  }

  #endTransaction(): void {
    this.#rewritten.clear()
    this.#written.clear()
    this.#isCleared = false
    this.#isOnlyWritten = false
    this.#hasChanged = false
  }

  get hasChanged(): boolean {
    return this.#hasChanged
  }

  get hasDone(): boolean {
    return this.#done.size > 0
  }

  /** Sends the rows of work that has ended. */
  sendDone(): Promise<unknown> {
    return this.#sendRows(this.#done)
  }

  /** Sends all rows that wait, because a query needs them. */
  async #sendWaiting(): Promise<void> {
    if (this.#current.size === 0 && this.#done.size === 0) return
    await this.#statements.beforeSending()
    await this.#sendRows(this.#current)
  }

  /** Sends everything before it waits, so that the statements of several tables travel together. */
  #sendRows(waiting: Map<string, Waiting>): Promise<unknown> {
    const rows = [...waiting]
    waiting.clear()
    this.#hasChanged ||= rows.length > 0
    const deleted = rows.flatMap(([id, row]) => (row === null ? [id] : []))
    const written = rows.flatMap(([id, row]) => (row === null ? [] : [{id: storable(id), ...row}]))
    return Promise.all([
      ...deleted.map(id =>
        this.#query(`DELETE FROM ${this.#table} WHERE tenant = $1 AND id = $2`, [storable(id)]),
      ),
      written.length > 0 && this.#write(written),
    ])
  }

  #write(rows: readonly (Stored & NonNullable<Waiting>)[]): Promise<unknown> {
    const columns = [
      {column: 'id', type: 'text', values: rows.map(({id}) => id)},
      ...this.#columns.map(({column, type}, at) => ({
        column,
        type,
        values: rows.map(row => row.indexed[at]),
      })),
      {column: 'row', type: 'text', values: rows.map(({text}) => text)},
    ]
    const names = columns.map(({column}) => column).join(', ')
    const arrays = columns.map(({type}, at) => `$${at + 2}::${type}[]`).join(', ')
    const updates = columns.slice(1).map(({column}) => `${column} = excluded.${column}`)
    return this.#query(
      `INSERT INTO ${this.#table} (tenant, ${names}) SELECT $1::integer, * FROM unnest(${arrays})
       ON CONFLICT (tenant, id) DO UPDATE SET ${updates.join(', ')}`,
      columns.map(({values}) => values),
    )
  }

  #waiting(id: string): Waiting | undefined {
    const current = this.#current.get(id)
    return current === undefined ? this.#done.get(id) : current
  }

  #columnOf(field: Indexed): string {
    const found = this.#columns.find(each => each.field === field)
    if (found === undefined) throw new Error(`${this.#table} has no index for ${field}`)
    return found.column
  }

  #conditions(where: Query<Indexed>['where'] = {}): {conditions: string[]; values: unknown[]} {
    const given = this.#columns.filter(({field}) => where[field as Indexed] !== undefined)
    return {
      conditions: ['tenant = $1', ...given.map(({column}, at) => `${column} = $${at + 2}`)],
      values: given.map(({field}) => storable(where[field as Indexed])),
    }
  }

  #query<Found>(sql: string, values: readonly unknown[]): Promise<readonly Found[]> {
    return this.#statements.query(sql, values)
  }
}

/** A text of PostgreSQL can't hold U+0000. The columns to look rows up by have `\\0` for it, and `\\\\` for a backslash. */
function storable<Value>(value: Value): Value {
  if (typeof value !== 'string' || !/[\0\\]/.test(value)) return value
  return value.replaceAll('\\', '\\\\').replaceAll('\0', '\\0') as Value
}
