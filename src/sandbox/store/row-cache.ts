import type {Query, Stored} from './store.ts'

/** Maximum size of a table's cache, in characters of JSON. */
const MOST_KEPT = 1024 * 1024
/** Maximum size of one cached result. A larger one is a page, and nobody reads the same page twice. */
const LARGEST_KEPT = 32 * 1024
/** Size of a result besides its rows. */
const OVERHEAD = 200
const MOST_STARTS = 1000

/** A query as it is sent to a database: `start` continues a page after this `seq`. */
export type PlacedQuery<Indexed extends string> = Query<Indexed> & {readonly start?: number}

/** A row as a database has it: its place in the order, and its JSON. */
export interface StoredRow {
  /** PostgreSQL returns text. */
  readonly seq: number | string
  readonly row: string
}

/**
 * What was read of one table, frozen, until the table changes: most requests read the same few rows (the clock, faults,
 * the card under test).
 */
export class RowCache<Row extends Stored> {
  readonly #rows = new Map<string, Row | undefined>()
  readonly #lists = new Map<string, readonly Row[]>()
  /** Where pages begin: the `seq` before the first row, by the query with its offset. */
  readonly #starts = new Map<string, number>()
  /** Characters that were cached since the cache was last cleared. */
  #kept = 0
  /** Increases whenever the rows may have changed. */
  version = 0

  has(id: string): boolean {
    return this.#rows.has(id)
  }

  row(id: string): Row | undefined {
    return this.#rows.get(id)
  }

  /** @param length of the row's JSON. */
  keepRow(id: string, row: Row | undefined, length: number): void {
    this.#keep(this.#rows, id, row, length)
  }

  /** The rows of a query, from the cache or from the database. */
  async list<Indexed extends string>(
    query: Query<Indexed>,
    select: (query: PlacedQuery<Indexed>) => Promise<readonly StoredRow[]>,
    decode: (row: StoredRow) => Row,
  ): Promise<readonly Row[]> {
    const name = JSON.stringify(query)
    const kept = this.#lists.get(name)
    if (kept) return kept
    const found = await (query.limit === undefined || query.upTo
      ? select(query)
      : this.#page(query, query.limit, select))
    const rows = found.map(decode)
    const length = found.reduce((sum, {row}) => sum + row.length, 0)
    this.#keep(this.#lists, name, rows, length)
    return rows
  }

  /** Continues a page where the previous one ended: skipping all earlier rows would take longer for each page. */
  async #page<Indexed extends string>(
    {offset = 0, limit, ...list}: Query<Indexed>,
    most: number,
    select: (query: PlacedQuery<Indexed>) => Promise<readonly StoredRow[]>,
  ): Promise<readonly StoredRow[]> {
    const start = this.#starts.get(placeOf(list, offset))
    const found = await select({...list, limit: most, ...(start === undefined ? {offset} : {start})})
    const last = found.at(-1)
    if (last && found.length === most) {
      if (this.#starts.size >= MOST_STARTS) this.#starts.clear()
      this.#starts.set(placeOf(list, offset + found.length), Number(last.seq))
    }
    return found
  }

  /** A row was written or deleted. */
  changed(id: string): void {
    this.version++
    this.#rows.delete(id)
    this.#forgetLists()
  }

  /** Another process has changed the table, or a transaction was rolled back. */
  forget(): void {
    this.version++
    this.#rows.clear()
    this.#forgetLists()
    this.#kept = 0
  }

  #forgetLists(): void {
    this.#lists.clear()
    this.#starts.clear()
  }

  /** Freezes the objects, because readers share them. */
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
}

const placeOf = (list: object, offset: number): string => JSON.stringify({...list, offset})

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) freeze(member)
  // JSON.stringify takes five times as long for a frozen list.
  return Array.isArray(value) ? value : Object.freeze(value)
}
