import type {Database} from '../../sqlite/index.ts'
import type {WebhookEvent} from '../events.ts'
import type {Exchange} from '../exchange.ts'
import {isFound, searchable} from '../search.ts'
import {exchangesOf, type GroupRow} from './call-group.ts'

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
  /** Words that must all be found in a call: see `searchable`. */
  readonly search?: string | undefined
  /** The newest so many. */
  readonly limit?: number | undefined
}

/** Newest first, one by one. */
export function* listExchanges(db: Database, filter: ExchangeFilter): Generator<Exchange, void, undefined> {
  const {limit = Number.POSITIVE_INFINITY} = filter
  const isWanted = exchangeMatcher(filter)
  let given = 0
  for (const exchange of newestFirst(db, filter)) {
    if (!isWanted(exchange)) continue
    if (given++ >= limit) return
    yield exchange
  }
}

/** Of calls that came at once, the one that was answered last is the newest. */
function* newestFirst(
  db: Database,
  {since = 0, until = Number.MAX_SAFE_INTEGER}: ExchangeFilter,
): Generator<Exchange, void, undefined> {
  const groups = db.iterate<GroupRow & {last: number}>(
    'SELECT last, content FROM call_group WHERE last >= ? AND first < ? ORDER BY last DESC, id DESC',
    [since, until],
  )
  // Oldest first. Groups overlap in time: a call waits here until no group is left that may hold a newer one.
  let waiting: Exchange[] = []
  for (const {last, content} of groups) {
    yield* takeNewest(waiting, last)
    waiting = [...exchangesOf(db, {content}), ...waiting].sort((a, b) => a.event.at - b.event.at)
  }
  yield* takeNewest(waiting, 0)
}

function* takeNewest(waiting: Exchange[], downTo: number): Generator<Exchange, void, undefined> {
  for (let newest = waiting.at(-1); newest && newest.event.at >= downTo; newest = waiting.at(-1)) {
    waiting.pop()
    yield newest
  }
}

/** Whether a call is one that a filter chooses; the limit is not looked at. */
export function exchangeMatcher(filter: ExchangeFilter): (exchange: Exchange) => boolean {
  const {since = 0, until = Number.POSITIVE_INFINITY, types, outcomes, failed, search} = filter
  return exchange => {
    const {event} = exchange
    return (
      event.at >= since &&
      event.at < until &&
      (types === undefined || types.includes(event.type)) &&
      (outcomes === undefined || outcomes.includes(outcomeOf(event) ?? '')) &&
      (failed !== true || hasFailed(event)) &&
      (search === undefined || isFound(searchable(exchange), search))
    )
  }
}

const outcomeOf = (event: WebhookEvent) => (event.type === 'auth' ? event.outcome : undefined)

/** Late, unreadable or undecided; and answers that were broken or left out on purpose. */
const hasFailed = (event: WebhookEvent): boolean =>
  ['late', 'rejected'].includes(event.type) || ['broken', 'none'].includes(outcomeOf(event) ?? '')
