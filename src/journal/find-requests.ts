import type {Database, SqlValue} from '../sqlite/index.ts'
import {
  type RequestRecord,
  type RequestRow,
  type RequestState,
  toRecord,
  touchesAny,
} from './request-record.ts'

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
  /** Only the newest, this many. */
  readonly limit?: number | undefined
}

/** Newest first, one by one. */
export function* listRequests(
  db: Database,
  filter: RequestFilter,
  isGone: (row: RequestRow) => boolean,
): Generator<RequestRecord, void, undefined> {
  const {where, values} = conditions(filter)
  // Named, because SQLite would rather scan all requests than sort a few.
  const index = isOpen(filter.state) ? 'INDEXED BY request_open' : ''
  const limit = filter.limit ?? Number.POSITIVE_INFINITY
  let given = 0
  if (limit <= 0) return
  const sql = `SELECT * FROM request ${index} ${where} ORDER BY begun_at DESC, id DESC`
  for (const row of db.iterate<RequestRow>(sql, values)) {
    const record = toRecord(row, isGone)
    // The table doesn't know whether an open request still runs.
    if (filter.state !== undefined && record.state !== filter.state) continue
    yield record
    if (++given >= limit) return
  }
}

/** All resources of the requests that affected this one, newest first. @param since ms since 1970. */
export function findTouchedWith(db: Database, resource: string, since: number): string[] {
  const {sql, values} = touchesAny([resource])
  const rows = db.all<RequestRow>(
    `SELECT * FROM request WHERE begun_at >= ? AND ${sql} ORDER BY begun_at DESC, id DESC`,
    [since, ...values],
  )
  return [...new Set(rows.flatMap(row => toRecord(row, () => false).resources))]
}

/** The plastics of which no request named the card. */
export function findPlasticsWithoutCard(db: Database): string[] {
  // The sign after the colon ends the range.
  const sql = `SELECT DISTINCT resource FROM touched AS of WHERE resource >= 'plastic:' AND resource < 'plastic;'
    AND NOT EXISTS (SELECT 1 FROM touched JOIN request ON id = touched.request
      WHERE touched.resource = of.resource AND resources LIKE '%/card:%')`
  return db.all<{resource: string}>(sql).map(row => decodeURIComponent(row.resource))
}

/** Whether any request affected a resource of this kind. */
export function hasTouchedKind(db: Database, kind: string): boolean {
  // The sign after the colon ends the range.
  const sql = 'SELECT 1 FROM touched WHERE resource >= ? AND resource < ? LIMIT 1'
  return db.get(sql, [`${kind}:`, `${kind};`]) !== undefined
}

/** Whether requests in this state have no end. */
const isOpen = (state: RequestState | undefined): boolean => state === 'running' || state === 'unfinished'

function conditions(filter: RequestFilter): {where: string; values: SqlValue[]} {
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
  if (resources !== undefined) {
    const touches = touchesAny(resources)
    parts.push(touches.sql)
    values.push(...touches.values)
  }
  if (filter.before !== undefined) {
    parts.push('(begun_at, id) < (?, ?)')
    values.push(filter.before.begunAt, filter.before.id)
  }
  add('profile = ?', filter.profile)
  add('key = ?', filter.key)
  add('undo_of = ?', filter.undoOf)
  add('job = ?', filter.job)
  add('proposal = ?', filter.proposal)
  add('ticket = ?', filter.ticket)
  if (isOpen(filter.state)) parts.push('outcome IS NULL')
  else add('outcome = ?', filter.state)
  return {where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values}
}
