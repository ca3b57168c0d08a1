import type {Database} from '../../sqlite/index.ts'
import type {Exchange} from '../exchange.ts'

/** An exchange as its table holds it: what lists choose by in columns, and all of it as text. */
export interface ExchangeRow {
  readonly event: string
  readonly at: number
  readonly type: string
  readonly outcome: string | null
  /** `callNumber` of the decided call's id, or `NO_CALL`. */
  readonly call: number
  readonly content: string
}

const NO_CALL = -1

export function toRow(exchange: Exchange): ExchangeRow {
  const {event} = exchange
  const decided = event.type === 'auth'
  return {
    event: event.event,
    at: event.at,
    type: event.type,
    outcome: decided ? event.outcome : null,
    call: decided ? callNumber(event.id) : NO_CALL,
    content: JSON.stringify(exchange),
  }
}

export const toExchange = ({content}: Pick<ExchangeRow, 'content'>): Exchange =>
  JSON.parse(content) as Exchange

const INSERT =
  'INSERT OR IGNORE INTO exchange (event, at, type, outcome, call, content) VALUES (?, ?, ?, ?, ?, ?)'

/**
 * Gives the new row's number. One that is there already stays, and gives none: after a commit whose end nobody saw, the
 * same rows come again.
 */
export function insertRow(
  db: Database,
  {event, at, type, outcome, call, content}: ExchangeRow,
): number | undefined {
  const {changes, lastInsertRowid} = db.run(INSERT, [event, at, type, outcome, call, content])
  return changes === 0 ? undefined : Number(lastInsertRowid)
}

/** FNV-1a, 32 bits: a number is a far smaller key to keep in order than a text of 36 random characters. */
export function callNumber(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
