import type {Database} from '../../sqlite/index.ts'
import type {Exchange} from '../exchange.ts'

/** An exchange as its table holds it: what lists choose by in columns, and all of it as text. */
export interface ExchangeRow {
  readonly event: string
  readonly at: number
  readonly type: string
  readonly outcome: string | null
  readonly call_id: string | null
  readonly content: string
}

export function toRow(exchange: Exchange): ExchangeRow {
  const {event} = exchange
  const decided = event.type === 'auth'
  return {
    event: event.event,
    at: event.at,
    type: event.type,
    outcome: decided ? event.outcome : null,
    call_id: decided ? event.id : null,
    content: JSON.stringify(exchange),
  }
}

export const toExchange = ({content}: Pick<ExchangeRow, 'content'>): Exchange =>
  JSON.parse(content) as Exchange

/** A row that is there already stays: after a commit whose end nobody saw, the same rows come again. */
export function insertRow(db: Database, {event, at, type, outcome, call_id, content}: ExchangeRow): void {
  db.run(
    'INSERT OR IGNORE INTO exchange (event, at, type, outcome, call_id, content) VALUES (?, ?, ?, ?, ?, ?)',
    [event, at, type, outcome, call_id, content],
  )
}
