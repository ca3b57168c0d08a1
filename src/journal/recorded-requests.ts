import type {AnyInput, ResourceKind} from '../contract/operation.ts'
import type {Database, SqlValue} from '../sqlite/index.ts'
import {type Forgotten, forgottenAt} from './forgotten.ts'
import type {JournalStore} from './journal-store.ts'
import {type Asked, fingerprint} from './key-rules.ts'
import {
  type RequestRecord,
  type RequestRow,
  type RequestState,
  resourceSpellings,
  toRecord,
  touchesAny,
} from './request-record.ts'
import {openInput, sentPlace, unseal} from './write-requests.ts'

/** What a journal knows about the requests that were sent. */
export class RecordedRequests {
  readonly #store: JournalStore

  constructor(store: JournalStore) {
    this.#store = store
  }

  get(id: string): RequestRecord | undefined {
    const row = this.#row<RequestRow>(id, '*')
    return row && this.#store.db.decode(() => toRecord(row, this.#store.goneJudge()))
  }

  /** Newest first. */
  list(filter: RequestFilter = {}): RequestRecord[] {
    return [...this.iterate(filter)]
  }

  /** Newest first, one by one, so that memory does not grow. */
  iterate(filter: RequestFilter = {}): Generator<RequestRecord, void, undefined> {
    return listRequests(this.#store.db, filter, this.#store.goneJudge())
  }

  /** Every request sent with the key, oldest first. */
  findKey(key: string): RequestRecord[] {
    return this.list({key}).reverse()
  }

  /** The requests that sent the former values of this one again, oldest first. */
  undosOf(id: string): RequestRecord[] {
    return this.list({undoOf: id}).reverse()
  }

  /**
   * Requests of the last `forMs` that protect against sending the same again, newest first; all of them if the clock
   * can't be believed. What a sandbox has forgotten protects no longer.
   */
  protecting(filter: RequestFilter, forMs: number): RequestRecord[] {
    const since = this.#store.isBelieved() ? {countsSince: this.#store.span().from - forMs} : {}
    return this.list({...filter, ...since}).filter(({begunAt}) => this.forgotten(begunAt) === undefined)
  }

  /** Why the sandbox no longer has the effect of what was begun then. */
  forgotten(begunAt: number): Forgotten | undefined {
    return forgottenAt(this.#store.db, begunAt)
  }

  /** The fields that a request sent, as recorded; undefined if there were none, or under another key. */
  sent(id: string): unknown {
    const sent = this.#row<{sent: Uint8Array | null}>(id, 'sent')?.sent
    return sent ? unseal(this.#store.keys().seal, sentPlace(id), sent) : undefined
  }

  /** Whether this is exactly what a request sent, apart from sensitive fields. What `sent` gives may be shortened. */
  sentExactly(id: string, asked: Asked): boolean {
    const recorded = this.#row<{fingerprint: string}>(id, 'fingerprint')?.fingerprint
    return recorded === fingerprint(this.#store.keys().fingerprint, asked).text
  }

  /** The digests of its items that a request was recorded with; empty if there are none. */
  itemsOf(id: string): Uint8Array {
    return this.#row<{items: Uint8Array | null}>(id, 'items')?.items ?? new Uint8Array()
  }

  /** What `Journal.tenantMark` gave when the request was sent; null if no secret header named a tenant. */
  tenantMark(id: string): string | null {
    const row = this.#store.db.get<{tenant: string | null}>('SELECT tenant FROM request WHERE id = ?', [id])
    return row?.tenant ?? null
  }

  /** The earliest time at which a request can have begun, ms since 1970: the life of its key begins there. */
  keySince({id, begunAt}: RequestRecord): number {
    return this.#row<{begun_after: number | null}>(id, 'begun_after')?.begun_after ?? begunAt
  }

  /** The input of a request, for 24 hours and only if it had nothing sensitive. */
  keptInput(id: string): AnyInput | undefined {
    if (!this.#store.isBelieved()) return undefined
    const row = this.#store.db.get<{sealed: Uint8Array}>(
      'SELECT sealed FROM kept_input WHERE request_id = ? AND expires_at > ?',
      [id, this.#store.now()],
    )
    return row && openInput(this.#store.keys().seal, id, row.sealed)
  }

  /**
   * Other resources of requests that affected this one, newest first: a control id leads to its plastic. Looks back no
   * further than `withinMs`, so that a large journal doesn't slow it down.
   */
  touchedWith(resource: string, withinMs: number): string[] {
    return findTouchedWith(this.#store.db, resource, this.#store.now() - withinMs)
  }

  /** The plastics of which no request named the card. */
  plasticsWithoutCard(): string[] {
    return findPlasticsWithoutCard(this.#store.db)
  }

  /** Whether any request affected a resource of one of these kinds. */
  hasTouched(...kinds: readonly ResourceKind[]): boolean {
    return kinds.some(kind => hasTouchedKind(this.#store.db, kind))
  }

  /** The profiles that this service was used with. */
  profiles(): string[] {
    return this.#store.db.all<{name: string}>('SELECT name FROM profile ORDER BY name').map(({name}) => name)
  }

  /** When something was first sent from here, ms since 1970. */
  since(): number | undefined {
    return (
      this.#store.db.get<{since: number | null}>('SELECT min(since) AS since FROM profile')?.since ??
      undefined
    )
  }

  #row<Row extends object>(id: string, columns: string): Row | undefined {
    return this.#store.db.get<Row>(`SELECT ${columns} FROM request WHERE id = ?`, [id])
  }
}

export interface RequestFilter {
  /** Begun at or after, ms since 1970. */
  readonly since?: number | undefined
  /** Begun before, ms since 1970. */
  readonly until?: number | undefined
  /** May have begun at or after, also if the clock was wrong, ms since 1970. */
  readonly countsSince?: number | undefined
  readonly state?: RequestState | undefined
  readonly operation?: string | undefined
  /** One of these. */
  readonly operations?: readonly string[] | undefined
  /** An affected resource: `card:3004`, or `3004` of any kind. */
  readonly resource?: string | undefined
  /** Affected resources, of which one is enough. */
  readonly resources?: readonly string[] | undefined
  /** Begun before this one. */
  readonly before?: Pick<RequestRecord, 'id' | 'begunAt'> | undefined
  readonly profile?: string | undefined
  /** The idempotency key. */
  readonly key?: string | undefined
  /** Sent the former values of this one again. */
  readonly undoOf?: string | undefined
  readonly job?: string | undefined
  /** The approved proposal. */
  readonly proposal?: string | undefined
  readonly ticket?: string | undefined
  /** The W3C trace. */
  readonly trace?: string | undefined
  /** Only the newest, this many. */
  readonly limit?: number | undefined
}

/** Newest first, one by one. */
function* listRequests(
  db: Database,
  filter: RequestFilter,
  isGone: (row: RequestRow) => boolean,
): Generator<RequestRecord, void, undefined> {
  const {from, where, order, values} = conditions(filter)
  const limit = filter.limit ?? Number.POSITIVE_INFINITY
  let given = 0
  if (limit <= 0) return
  const sql = `SELECT request.* FROM ${from} ${where} ORDER BY ${order}`
  for (const row of db.iterate<RequestRow>(sql, values)) {
    const record = db.decode(() => toRecord(row, isGone))
    // The table doesn't know whether an open request still runs.
    if (filter.state !== undefined && record.state !== filter.state) continue
    yield record
    if (++given >= limit) return
  }
}

/** All resources of the requests that affected this one, newest first. @param since ms since 1970. */
function findTouchedWith(db: Database, resource: string, since: number): string[] {
  const {sql, values} = touchesAny([resource])
  const rows = db.all<RequestRow>(
    `SELECT * FROM request WHERE begun_at >= ? AND ${sql} ORDER BY begun_at DESC, id DESC`,
    [since, ...values],
  )
  return [...new Set(rows.flatMap(row => db.decode(() => toRecord(row, () => false)).resources))]
}

/** The plastics of which no request named the card. */
function findPlasticsWithoutCard(db: Database): string[] {
  // The sign after the colon ends the range.
  const sql = `SELECT DISTINCT resource FROM touched AS of WHERE resource >= 'plastic:' AND resource < 'plastic;'
    AND NOT EXISTS (SELECT 1 FROM touched JOIN request ON id = touched.request
      WHERE touched.resource = of.resource AND resources LIKE '%/card:%')`
  return db.all<{resource: string}>(sql).map(row => decodeURIComponent(row.resource))
}

/** Whether any request affected a resource of this kind. */
function hasTouchedKind(db: Database, kind: string): boolean {
  // The sign after the colon ends the range.
  const sql = 'SELECT 1 FROM touched WHERE resource >= ? AND resource < ? LIMIT 1'
  return db.get(sql, [`${kind}:`, `${kind};`]) !== undefined
}

/** Whether requests in this state have no end. */
const isOpen = (state: RequestState | undefined): boolean => state === 'running' || state === 'unfinished'

/** Where the requests are read, which of them, and in what order. */
function conditions(filter: RequestFilter): {from: string; where: string; order: string; values: SqlValue[]} {
  const parts: string[] = []
  const values: SqlValue[] = []
  const add = (sql: string, value: SqlValue | undefined): void => {
    if (value === undefined) return
    parts.push(sql)
    values.push(value)
  }
  add('begun_at >= ?', filter.since)
  add('begun_at < ?', filter.until)
  if (filter.countsSince !== undefined) {
    parts.push('((begun_at >= ? AND coalesce(counts_from, 1) = 1) OR counts_from >= ? OR counts_from = 0)')
    values.push(filter.countsSince, filter.countsSince)
  }
  add('operation = ?', filter.operation)
  if (filter.operations !== undefined) {
    parts.push(`operation IN (${filter.operations.map(() => '?').join(', ')})`)
    values.push(...filter.operations)
  }
  const resources = filter.resource === undefined ? filter.resources : [filter.resource]
  const spellings = resourceSpellings(resources ?? [])
  const isWalk = spellings.length === 1 && filter.key === undefined && !isOpen(filter.state)
  if (isWalk) {
    add('resource = ?', spellings[0])
    add('at >= ?', filter.since)
  } else if (resources !== undefined) {
    const touches = touchesAny(resources)
    parts.push(touches.sql)
    values.push(...touches.values)
  }
  if (filter.before !== undefined) {
    parts.push(isWalk ? '(at, touched.request) < (?, ?)' : '(begun_at, id) < (?, ?)')
    values.push(filter.before.begunAt, filter.before.id)
  }
  add('profile = ?', filter.profile)
  add('key = ?', filter.key)
  add('undo_of = ?', filter.undoOf)
  add('job = ?', filter.job)
  add('proposal = ?', filter.proposal)
  add('ticket = ?', filter.ticket)
  add('trace = ?', filter.trace)
  if (isOpen(filter.state)) parts.push('outcome IS NULL')
  else add('outcome = ?', filter.state)
  const where = parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`
  // The join and the index are named, because SQLite would rather sort all requests, or scan them.
  if (isWalk) {
    const from = 'touched CROSS JOIN request ON id = touched.request'
    return {from, where, order: 'at DESC, touched.request DESC', values}
  }
  const from = isOpen(filter.state) ? 'request INDEXED BY request_open' : 'request'
  return {from, where, order: 'begun_at DESC, id DESC', values}
}
