import {setTimeout as pause} from 'node:timers/promises'
import {type Database, immediate} from '../../sqlite/index.ts'
import {contentOf, exchangesOf, type GroupRow} from './call-group.ts'

/** Which calls to keep: none before a time, and at most a number of the newest. */
export interface Retention {
  /** Milliseconds since 1970. */
  before(): number
  now(): number
  readonly newest: number
}

/** Groups to remove in one transaction. */
const SLICE = 50
/** The pause between two slices, in which others get the lock and calls are answered, in ms. */
const PAUSE_MS = 5
const EVERY_MS = 600_000

/**
 * Removes calls from before `before`, ms since 1970, oldest first, in slices that no server has to wait for. Calls that
 * came after younger ones, by a clock that was wrong, stay as long as those. Returns the number removed.
 */
export async function pruneExchanges(
  db: Database,
  {before, now}: {readonly before: number; readonly now: number},
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0
  // By the order of the table, which ends at the first of them: an index would find all.
  const young = db.get<{id: number}>(
    'SELECT id FROM call_group NOT INDEXED WHERE last >= ? AND last <= ? ORDER BY id LIMIT 1',
    [before, now],
  )
  for (;;) {
    if (signal?.aborted) return removed
    const slice = overwriting(db, () =>
      db.all<{size: number}>(
        `DELETE FROM call_group
         WHERE id IN (SELECT id FROM call_group
           WHERE last < ? AND id < ? AND id < (SELECT max(id) FROM call_group) ORDER BY last LIMIT ${SLICE})
         RETURNING size`,
        [before, young?.id ?? Number.MAX_SAFE_INTEGER],
      ),
    )
    for (const {size} of slice) removed += size
    if (slice.length < SLICE) break
    await pause(PAUSE_MS)
  }
  const until = young?.id ?? Number.MAX_SAFE_INTEGER
  return removed + overwriting(db, () => immediate(db, () => pruneInside(db, before, until)))
}

/**
 * Overwrites what is removed meanwhile, instead of only unlinking it. Always on, it would make each insert 10% slower.
 */
export function overwriting<Result>(db: Database, work: () => Result): Result {
  db.exec('PRAGMA secure_delete = ON')
  try {
    return work()
  } finally {
    db.exec('PRAGMA secure_delete = OFF')
  }
}

/**
 * Removes calls from the few groups that have newer ones too, and from the newest group, which stays for its number.
 */
function pruneInside(db: Database, before: number, until: number): number {
  const left = db.all<GroupRow & {id: number}>(
    'SELECT id, content FROM call_group WHERE first < ? AND size > 0 AND id <= ?',
    [before, until],
  )
  let removed = 0
  for (const {id, content} of left) {
    const all = exchangesOf(db, {content})
    const kept = all.filter(({event}) => event.at >= before)
    const first = kept.reduce((least, {event}) => Math.min(least, event.at), Number.MAX_SAFE_INTEGER)
    db.run('UPDATE call_group SET first = ?, size = ?, content = ? WHERE id = ?', [
      first,
      kept.length,
      `[${kept.map(contentOf).join()}]`,
      id,
    ])
    removed += all.length - kept.length
  }
  return removed
}

/** When the last call came, ms since 1970. */
export const newestCall = (db: Database): number | undefined =>
  db.get<{last: number | null}>('SELECT max(last) AS last FROM call_group')?.last ?? undefined

/** Removes calls beyond the age or number, now and every ten minutes until the signal aborts. */
export function keepPruned(db: Database, retention: Retention, signal: AbortSignal): void {
  const prune = async () => {
    try {
      await pruneExchanges(db, {before: retentionLimit(db, retention), now: retention.now()}, signal)
    } catch {
      // Locked, damaged, or no disk space: writing reports that, and the next run tries again.
    }
  }
  void prune()
  const timer = setInterval(() => void prune(), EVERY_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), {once: true})
}

/** The time before which calls are removed. */
function retentionLimit(db: Database, {before, newest}: Retention): number {
  const row = db.get<{last: number}>(
    `SELECT last FROM (SELECT last, sum(size) OVER (ORDER BY last DESC ROWS UNBOUNDED PRECEDING) AS total FROM call_group)
     WHERE total > ? LIMIT 1`,
    [newest],
  )
  return Math.max(before(), row ? row.last + 1 : 0)
}
