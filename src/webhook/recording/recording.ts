import {join} from 'node:path'
import {type Database, openDatabase, shrink} from '../../sqlite/index.ts'
import type {Exchange, WebhookEvent} from '../exchange.ts'
import {parseSearch} from '../search.ts'
import {exchangesOf, type GroupRow} from './call-group.ts'
import {countCalls, eraseCalls} from './erase-calls.ts'
import {newestCall, pruneExchanges} from './prune-exchanges.ts'
import {recordingMigrations} from './schema.ts'

export interface ExchangeFilter {
  /** From this time on, ms since 1970. */
  readonly since?: number | undefined
  /** Before this time, ms since 1970. */
  readonly until?: number | undefined
  readonly types?: readonly WebhookEvent['type'][] | undefined
  /** Outcomes of decisions: `approved`, `declined` … */
  readonly outcomes?: readonly string[] | undefined
  /** Only calls without a valid answer in time. */
  readonly failed?: boolean | undefined
  /** What calls must match: see `parseSearch`. */
  readonly search?: string | undefined
  /** Maximum number of calls, the newest first. */
  readonly limit?: number | undefined
}

/** Newest first, one by one. */
function* listExchanges(db: Database, filter: ExchangeFilter): Generator<Exchange, void, undefined> {
  const {limit = Number.POSITIVE_INFINITY} = filter
  const isWanted = exchangeMatcher(filter)
  let given = 0
  for (const exchange of newestFirst(db, filter)) {
    if (!isWanted(exchange)) continue
    if (given++ >= limit) return
    yield exchange
  }
}

/** Of calls that arrived at the same time, the one that was answered last is the newest. */
function* newestFirst(
  db: Database,
  {since = 0, until = Number.MAX_SAFE_INTEGER}: ExchangeFilter,
): Generator<Exchange, void, undefined> {
  const groups = db.iterate<GroupRow & {last: number}>(
    'SELECT last, content FROM call_group WHERE last >= ? AND first < ? ORDER BY last DESC, id DESC',
    [since, until],
  )
  // Oldest first. Groups overlap in time: a call waits here until no remaining group may have a newer one.
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

/** Whether a call matches a filter, apart from its limit. */
export function exchangeMatcher(filter: ExchangeFilter): (exchange: Exchange) => boolean {
  const {since = 0, until = Number.POSITIVE_INFINITY, types, outcomes, failed} = filter
  const search = filter.search === undefined ? undefined : parseSearch(filter.search)
  return exchange => {
    const {event} = exchange
    return (
      event.at >= since &&
      event.at < until &&
      (types === undefined || types.includes(event.type)) &&
      (outcomes === undefined || outcomes.includes(outcomeOf(event) ?? '')) &&
      (failed !== true || hasFailed(event)) &&
      (search === undefined || search.isMatch(exchange))
    )
  }
}

const outcomeOf = (event: WebhookEvent) => (event.type === 'auth' ? event.outcome : undefined)

/** Late, unreadable or undecided, or answered with a deliberately broken answer or none. */
const hasFailed = (event: WebhookEvent): boolean =>
  ['late', 'rejected'].includes(event.type) || ['broken', 'none'].includes(outcomeOf(event) ?? '')

/** How far the time in an id may differ from the time of its call: the id is never earlier than the one before it. */
const CLOCK_MS = 2000

/** The default file of the recording. */
export const recordingFile = (dataFolder: string): string => join(dataFolder, 'webhook', 'events.db')

/** The recorded calls. Servers may write to the same file meanwhile. */
export class Recording {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Newest first, one by one, so that memory does not grow. */
  iterate(filter: ExchangeFilter = {}): Generator<Exchange, void, undefined> {
    return listExchanges(this.#db, filter)
  }

  /** By the id of its event, `e_…`. With the time that it arrived, ms since 1970, only that time is searched. */
  get(event: string, at?: number): Exchange | undefined {
    const wanted = `"event":${JSON.stringify(event)}`
    const [from, to] = at === undefined ? [0, Number.MAX_SAFE_INTEGER] : [at - CLOCK_MS, at + CLOCK_MS]
    const rows = this.#db.iterate<GroupRow>(
      'SELECT content FROM call_group WHERE last >= ? AND first <= ? AND instr(content, ?)',
      [from, to, wanted],
    )
    for (const row of rows) {
      const found = exchangesOf(this.#db, row).find(exchange => exchange.event.event === event)
      if (found) return found
    }
    return undefined
  }

  /** Removes calls from before this time, ms since 1970, and overwrites their bytes. Returns the number removed. */
  async prune(before: number, now = Number.MAX_SAFE_INTEGER): Promise<number> {
    return pruneExchanges(this.#db, {before, now})
  }

  /** When the last call came, ms since 1970. */
  newest(): number | undefined {
    return newestCall(this.#db)
  }

  /** The number of calls. */
  count(): number {
    return this.#db.get<{n: number | null}>('SELECT sum(size) AS n FROM call_group')?.n ?? 0
  }

  /** The number of calls with one of these ids as a value. */
  countOf(ids: ReadonlySet<string>): number {
    return countCalls(this.#db, ids)
  }

  /** Removes these calls, and their bytes from the file. Returns their number. */
  erase(ids: ReadonlySet<string>): number {
    return eraseCalls(this.#db, ids)
  }

  /** Returns the space of removed calls to the system. Returns the number of bytes. */
  shrink(): number {
    return shrink(this.#db)
  }

  /** Servers that registered themselves, the latest first; some may have ended without removing their entry. */
  servers(): ServerNote[] {
    return notedServers(this.#db)
  }

  close(): void {
    this.#db.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/** @throws Failure STORE_DAMAGED (the file is kept as it is) or STORE_UNAVAILABLE. */
export const openRecording = (file: string): Recording =>
  new Recording(openDatabase(file, {kind: 'recording', migrations: recordingMigrations, shrinks: true}))

/** A server that writes to the recording. */
export interface ServerNote {
  readonly url: string
  /** The file with its self-made certificate. */
  readonly ca?: string | undefined
  /** Identifies its process, as opposed to a later one with the same number. */
  readonly process: {readonly pid: number; readonly mark: string}
  /** Milliseconds since 1970. */
  readonly since: number
}

export function noteServer(db: Database, {url, ca, process, since}: ServerNote): void {
  db.run('INSERT OR REPLACE INTO server (url, ca, pid, mark, since) VALUES (?, ?, ?, ?, ?)', [
    url,
    ca ?? null,
    process.pid,
    process.mark,
    since,
  ])
}

export function forgetServer(db: Database, {url, process}: ServerNote): void {
  db.run('DELETE FROM server WHERE url = ? AND pid = ?', [url, process.pid])
}

/** The latest first; some may have ended without removing their entry. */
function notedServers(db: Database): ServerNote[] {
  interface Row {
    readonly url: string
    readonly ca: string | null
    readonly pid: number
    readonly mark: string
    readonly since: number
  }
  const rows = db.all<Row>('SELECT * FROM server ORDER BY since DESC')
  return rows.map(({url, ca, pid, mark, since}) => ({url, ca: ca ?? undefined, process: {pid, mark}, since}))
}
