import type {Database} from '../../sqlite/index.ts'
import {callNumber} from '../call-number.ts'
import type {Exchange} from '../exchange.ts'

/** A call on its way into the recording. */
export interface Entry {
  readonly event: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** `callNumber` of its id, where it was answered by a decision. */
  readonly call: number | undefined
  /** The exchange as JSON. */
  readonly content: string
}

/** Calls that share a row, as SQL selects them. */
export interface GroupRow {
  readonly content: string
}

export function toEntry(exchange: Exchange): Entry {
  const {event} = exchange
  return {
    event: event.event,
    at: event.at,
    call: event.type === 'auth' ? callNumber(event.id) : undefined,
    content: JSON.stringify(exchange),
  }
}

export const exchangesOf = ({content}: GroupRow): Exchange[] => JSON.parse(content) as Exchange[]

const INSERT = 'INSERT INTO call_group (first, last, size, calls, content) VALUES (?, ?, ?, ?, ?)'

/** Writes calls as one row, and gives its number. */
export function insertGroup(db: Database, entries: readonly Entry[]): number {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  let calls = ''
  let content = ''
  for (const entry of entries) {
    first = Math.min(first, entry.at)
    last = Math.max(last, entry.at)
    if (entry.call !== undefined) calls += ` ${entry.call}`
    content += `${content === '' ? '[' : ','}${entry.content}`
  }
  return Number(db.run(INSERT, [first, last, entries.length, calls, `${content}]`]).lastInsertRowid)
}
