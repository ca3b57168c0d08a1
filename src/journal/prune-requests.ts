import type {Database} from '../sqlite/index.ts'
import {KEY_LIFE_MS} from './key-rules.ts'
import {lightly} from './lightly.ts'
import type {RequestRow} from './request-row.ts'

/** Requests that keep something from being sent twice for longer than a key does. */
export interface Guarded {
  readonly operation: string
  readonly forMs: number
}

export interface PruneOptions {
  /** Begun before, ms since 1970. */
  readonly before: number
  /** Also those whose effect is still unknown. */
  readonly unresolved?: boolean | undefined
  readonly guarded?: Guarded | undefined
}

/** Of what is old enough, what stays all the same. */
export interface Pruned {
  readonly removed: number
  readonly kept: {
    /** Younger than 24 hours: the rule about keys needs them. */
    readonly keys: number
    /** Guarded for longer. */
    readonly guarded: number
    /** Nobody knows yet how they ended. */
    readonly unknown: number
    readonly running: number
  }
}

/** So many go in one transaction, so that others wait no longer than a moment. */
const SLICE = 1000

export function pruneRequests(
  db: Database,
  options: PruneOptions,
  now: number,
  isGone: (row: RequestRow) => boolean,
): Pruned {
  const {before, unresolved = false, guarded} = options
  let removed = removeFinished(db, options, now, Number.POSITIVE_INFINITY)
  const open = db.all<RequestRow>(
    `SELECT * FROM request WHERE begun_at < ? AND (outcome IS NULL OR outcome = 'unknown')`,
    [before],
  )
  const running = open.filter(row => row.outcome === null && !isGone(row)).length
  const limit = now - KEY_LIFE_MS
  const old = open.filter(row => row.begun_at < limit && (row.outcome !== null || isGone(row)))
  if (unresolved) {
    lightly(db, () => {
      for (const {id} of old) removed += Number(db.run('DELETE FROM request WHERE id = ?', [id]).changes)
    })
  }
  const left = db.get<{keys: number; guarded: number}>(
    `SELECT count(*) FILTER (WHERE ${LAST} >= :limit) AS keys,
       count(*) FILTER (WHERE ${LAST} < :limit AND operation = :operation) AS guarded
     FROM request WHERE begun_at < :before AND ${FINISHED}`,
    {before, limit, operation: guarded?.operation ?? ''},
  )
  return {
    removed,
    kept: {
      keys: left?.keys ?? 0,
      guarded: left?.guarded ?? 0,
      unknown: open.length - running - (unresolved ? old.length : 0),
      running,
    },
  }
}

const FINISHED = `outcome IS NOT NULL AND outcome <> 'unknown'`
/** When the service heard of it for the last time. */
const LAST = 'max(begun_at, coalesce(ended_at, begun_at))'

/** Removes finished requests, the oldest first, at most so many. Gives how many went. */
export function removeFinished(
  db: Database,
  {before, guarded}: Pick<PruneOptions, 'before' | 'guarded'>,
  now: number,
  most: number,
): number {
  let removed = 0
  while (removed < most) {
    const limit = Math.min(SLICE, most - removed)
    const {changes} = lightly(db, () =>
      db.run(
        `DELETE FROM request WHERE id IN (
           SELECT id FROM request WHERE begun_at < :before AND ${FINISHED} AND ${LAST} < :keys
             AND NOT (operation = :operation AND begun_at >= :guarded)
           ORDER BY begun_at LIMIT :limit)`,
        {
          before,
          keys: now - KEY_LIFE_MS,
          operation: guarded?.operation ?? '',
          guarded: now - (guarded?.forMs ?? 0),
          limit,
        },
      ),
    )
    removed += Number(changes)
    if (Number(changes) < limit) break
  }
  return removed
}
