import {isObject} from '../../errors/is-object.ts'
import {isDeeperThan, LIMITS} from '../../limits/limits.ts'
import {MASK} from '../../sensitive/secret.ts'
import type {Database} from '../../sqlite/index.ts'
import {callNumber} from '../call-fingerprint.ts'
import type {AuthEvent, Exchange} from '../exchange.ts'
import {callIdOf} from '../received-call.ts'
import {summaryOf} from '../summary.ts'

/** Whether nothing in a text was masked before it was recorded. */
export const isWhole = (text: string): boolean => !text.includes(MASK) && !text.includes('•')

/** Where a recorded JSON value was masked, as JSON pointers; also in names of fields. */
export function maskedPlaces(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return isWhole(value) ? [] : [pointer]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return isWhole(name) ? maskedPlaces(member, place) : [place]
  })
}

/** A call to be recorded. */
export interface Entry {
  readonly event: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** `callNumber` of its id, if it has one and a decision answered it. */
  readonly call: number | undefined
  /** `contentOf` the exchange. */
  readonly content: string
}

/** Calls that share a row, as SQL selects them. */
export interface GroupRow {
  readonly content: string
}

export function toEntry(exchange: Exchange): Entry {
  const {event} = exchange
  const id = event.type === 'auth' ? recordedId(exchange) : undefined
  return {
    event: event.event,
    at: event.at,
    call: id === undefined ? undefined : callNumber(id),
    content: contentOf(exchange),
  }
}

/** `metadata.id` as it was recorded, if the call had one. */
export const recordedId = ({request: {body}}: Exchange): string | undefined =>
  isObject(body) ? callIdOf(body) : undefined

/** An exchange as JSON, without the event's copies of fields of the body: they would be a seventh of the size. */
export function contentOf(exchange: Exchange): string {
  const {event} = exchange
  if (!('id' in event)) return JSON.stringify(exchange)
  return JSON.stringify({
    ...exchange,
    event: {
      ...event,
      id: undefined,
      kind: undefined,
      messageCategory: undefined,
      transactionType: undefined,
      merchant: undefined,
      amount: undefined,
      currency: undefined,
      cardId: undefined,
    },
  })
}

/** @throws Failure STORE_DAMAGED */
export const exchangesOf = (db: Database, {content}: GroupRow): Exchange[] =>
  db.decode(() => (JSON.parse(content) as Exchange[]).map(checked).map(withSummary))

/** Checks what every exchange has. The rest is shown as stored. */
function checked(exchange: Exchange): Exchange {
  const {event, request} = exchange
  if (isDeeperThan(exchange, LIMITS.recordedCall.depth)) throw new TypeError('too deep')
  const isWhole =
    typeof event.at === 'number' && typeof event.event === 'string' && typeof event.type === 'string'
  if (isWhole && typeof request.method === 'string' && typeof request.path === 'string') return exchange
  throw new TypeError('no exchange')
}

/** Adds what `contentOf` left out. */
function withSummary(exchange: Exchange): Exchange {
  const {type, event, at, durationMs, ...rest} = exchange.event as AuthEvent
  if (rest.deadlineMs === undefined) return exchange
  const summary = summaryOf(exchange.request.body, rest.deadlineMs)
  return {...exchange, event: {type, event, at, durationMs, ...summary, ...rest}}
}

const INSERT = 'INSERT INTO call_group (first, last, size, calls, content) VALUES (?, ?, ?, ?, ?)'

/** Writes calls as one row and returns its number. */
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
