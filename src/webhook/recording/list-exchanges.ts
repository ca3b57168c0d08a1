import type {Database, SqlValue} from '../../sqlite/index.ts'
import type {WebhookEvent} from '../events.ts'
import type {Exchange} from '../exchange.ts'
import {type ExchangeRow, toExchange} from './exchange-row.ts'

export interface ExchangeFilter {
  /** Came at or after, ms since 1970. */
  readonly since?: number | undefined
  /** Came before, ms since 1970. */
  readonly until?: number | undefined
  readonly types?: readonly WebhookEvent['type'][] | undefined
  /** Outcomes of decisions: `approved`, `declined` … */
  readonly outcomes?: readonly string[] | undefined
  /** Only calls to which the caller got no valid answer in time. */
  readonly failed?: boolean | undefined
  /** Part of a merchant's name or of an id, in any case. */
  readonly search?: string | undefined
  /** The newest so many. */
  readonly limit?: number | undefined
}

/** Late, unreadable or undecided; and answers that were broken or left out on purpose. */
const FAILED = `(type IN ('late', 'rejected') OR outcome IN ('broken', 'none'))`

/** Newest first, one by one. */
export function* listExchanges(db: Database, filter: ExchangeFilter): Generator<Exchange, void, undefined> {
  const {where, values} = conditions(filter)
  const limit = filter.limit ?? Number.POSITIVE_INFINITY
  const wanted = filter.search?.toLowerCase()
  let given = 0
  const sql = `SELECT content FROM exchange ${where} ORDER BY at DESC, rowid DESC`
  for (const row of db.iterate<Pick<ExchangeRow, 'content'>>(sql, values)) {
    const exchange = toExchange(row)
    if (wanted !== undefined && !searchable(exchange).includes(wanted)) continue
    if (given++ >= limit) return
    yield exchange
  }
}

function searchable({event}: Exchange): string {
  const known: {event: string; id?: string; cardId?: string; merchant?: string} = event
  return [known.event, known.id, known.cardId, known.merchant].join('\n').toLowerCase()
}

function conditions(filter: ExchangeFilter): {where: string; values: SqlValue[]} {
  const parts: string[] = []
  const values: SqlValue[] = []
  const add = (sql: string, ...more: readonly SqlValue[]): void => {
    parts.push(sql)
    values.push(...more)
  }
  const {since, until, types, outcomes, failed} = filter
  if (since !== undefined) add('at >= ?', since)
  if (until !== undefined) add('at < ?', until)
  if (types !== undefined) add(`type IN (${places(types)})`, ...types)
  if (outcomes !== undefined) add(`outcome IN (${places(outcomes)})`, ...outcomes)
  if (failed === true) add(FAILED)
  return {where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values}
}

const places = (items: readonly unknown[]): string => items.map(() => '?').join(', ')
