import {type Database, immediateUnsynced} from '../sqlite/index.ts'
import {COUNTS_FROM} from './journal-store.ts'
import {KEY_LIFE_MS} from './key-rules.ts'
import type {RequestRow} from './request-record.ts'

/** Requests that protect against sending something twice for longer than a key does. */
export interface Guarded {
  readonly operation: string
  readonly forMs: number
}

export interface PruneOptions {
  /** Begun before, ms since 1970. */
  readonly before: number
  /** Include requests with an unknown effect. */
  readonly unresolved?: boolean | undefined
  readonly guarded?: Guarded | undefined
}

/** Of what is old enough, what stays nevertheless. */
export interface Pruned {
  readonly removed: number
  readonly kept: {
    /** Younger than 24 hours: the rule about keys needs them. */
    readonly keys: number
    /** Guarded for longer. */
    readonly guarded: number
    /** Their effect is still unknown. */
    readonly unknown: number
    readonly running: number
    /** The clock isn't believed, so nothing is old for certain. */
    readonly clock?: number
  }
}

/** Number removed in one transaction, so that others wait only a moment. */
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
    `SELECT * FROM request WHERE begun_at < :before AND ${COUNTS_FROM} < :before
     AND (outcome IS NULL OR outcome = 'unknown')`,
    {before},
  )
  const running = open.filter(row => row.outcome === null && !isGone(row)).length
  const limit = now - KEY_LIFE_MS
  const old = open.filter(row => row.begun_at < limit && (row.outcome !== null || isGone(row)))
  if (unresolved) {
    immediateUnsynced(db, () => {
      for (const {id} of old) removed += Number(db.run('DELETE FROM request WHERE id = ?', [id]).changes)
    })
  }
  const left = db.get<{keys: number; guarded: number}>(
    `SELECT count(*) FILTER (WHERE ${LAST} >= :limit) AS keys,
       count(*) FILTER (WHERE ${LAST} < :limit AND operation = :operation) AS guarded
     FROM request WHERE begun_at < :before AND ${COUNTS_FROM} < :before AND ${FINISHED}`,
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

/** What stays because the clock isn't believed. */
export function keptByClock(db: Database, {before}: Pick<PruneOptions, 'before'>): Pruned {
  const found = db.get<{n: number}>('SELECT count(*) AS n FROM request WHERE begun_at < ?', [before])
  return {removed: 0, kept: {keys: 0, guarded: 0, unknown: 0, running: 0, clock: found?.n ?? 0}}
}

const FINISHED = `outcome IS NOT NULL AND outcome <> 'unknown'`
/** When the service last heard of it. */
const LAST = `max(begun_at, coalesce(ended_at, begun_at), ${COUNTS_FROM})`

/** Removes finished requests, oldest first, up to a limit. Returns the number removed. */
export function removeFinished(
  db: Database,
  {before, guarded}: Pick<PruneOptions, 'before' | 'guarded'>,
  now: number,
  most: number,
): number {
  let removed = 0
  while (removed < most) {
    const limit = Math.min(SLICE, most - removed)
    const {changes} = immediateUnsynced(db, () =>
      db.run(
        `DELETE FROM request WHERE id IN (
           SELECT id FROM request
           WHERE begun_at < :before AND ${COUNTS_FROM} < :before AND ${FINISHED} AND ${LAST} < :keys
             AND NOT (operation = :operation AND max(begun_at, ${COUNTS_FROM}) >= :guarded)
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

export interface PruneJobsOptions {
  /** Last worked on before, ms since 1970. */
  readonly before: number
  readonly now: number
  /** Whether the time can be believed. */
  readonly isBelieved: boolean
  /** Maximum number of rows, for callers with other work. */
  readonly mostRows?: number | undefined
  isRunning(owner: {readonly pid: number; readonly mark: string; readonly since: number}): boolean
}

/** Of the jobs that are old enough, how many were removed and how many stay. */
export interface PrunedJobs {
  readonly removed: number
  readonly rows: number
  readonly kept: {
    /** Worked on in the last 24 hours. */
    readonly keys: number
    /** It has rows that are still to be sent. */
    readonly open: number
    /** The effect of some rows is unknown. */
    readonly unknown: number
    readonly running: number
    /** The clock isn't believed, or wasn't when its rows were sent. */
    readonly clock?: number
  }
}

interface JobRow {
  readonly id: string
  readonly state: string
  readonly pid: number
  readonly process_mark: string
  readonly claimed_at: number
}

/**
 * A job that is being removed is no longer shown. If the process is killed meanwhile, the next one removes the rest.
 */
export const REMOVING = 'removing'

/** Removes jobs without open rows, with their rows, which hold requests and responses. */
export function pruneJobs(db: Database, options: PruneJobsOptions): PrunedJobs {
  const {before, mostRows = Number.POSITIVE_INFINITY} = options
  const kept: Record<keyof PrunedJobs['kept'], number> = {keys: 0, open: 0, unknown: 0, running: 0, clock: 0}
  let removed = 0
  let rows = 0
  const jobs = db.all<JobRow>('SELECT * FROM bulk_job WHERE claimed_at < ? ORDER BY claimed_at', [before])
  for (const {id} of jobs) {
    if (rows >= mostRows) break
    const why = immediateUnsynced(db, () => markUnlessKept(db, id, options))
    if (why !== undefined) kept[why]++
    else {
      rows += removeRows(db, id, mostRows - rows)
      removed += Number(
        db.run(`DELETE FROM bulk_job WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM bulk_row WHERE job = ?1)`, [
          id,
        ]).changes,
      )
    }
  }
  const {clock, ...others} = kept
  return {removed, rows, kept: clock === 0 ? others : kept}
}

/** Checked and marked in one step, so that nobody continues the job in between. */
function markUnlessKept(
  db: Database,
  id: string,
  {before, now, isBelieved, isRunning}: PruneJobsOptions,
): keyof PrunedJobs['kept'] | undefined {
  const job = db.get<JobRow>('SELECT * FROM bulk_job WHERE id = ?', [id])
  if (job === undefined || job.state === REMOVING) return undefined
  if (!isBelieved || db.get(YOUNGER, [id, before]) !== undefined) return 'clock'
  const owner = {pid: job.pid, mark: job.process_mark, since: job.claimed_at}
  const isOwned = job.state === 'running' || job.state === 'unread'
  if (isOwned && isRunning(owner)) return 'running'
  if (job.state === 'running' || job.state === 'stopped') return 'open'
  if (job.claimed_at >= now - KEY_LIFE_MS) return 'keys'
  if (db.get(UNKNOWN, [id]) !== undefined) return 'unknown'
  db.run('UPDATE bulk_job SET state = ? WHERE id = ?', [REMOVING, id])
  return undefined
}

/** Its rows were sent at a time that wasn't believed, and may be younger than they say. */
const YOUNGER = 'SELECT 1 FROM request WHERE job = ? AND counts_from >= ? LIMIT 1'

/** A request stays in the journal as long as its effect is unknown. */
const UNKNOWN = `
  SELECT 1 FROM bulk_row JOIN request ON request.id = bulk_row.request
  WHERE bulk_row.job = ? AND bulk_row.state IN ('unknown', 'sent')
    AND (request.outcome IS NULL OR request.outcome = 'unknown') LIMIT 1`

function removeRows(db: Database, job: string, most: number): number {
  let removed = 0
  while (removed < most) {
    const limit = Math.min(SLICE, most - removed)
    const {changes} = immediateUnsynced(db, () =>
      db.run(
        'DELETE FROM bulk_row WHERE job = ?1 AND row IN (SELECT row FROM bulk_row WHERE job = ?1 ORDER BY row LIMIT ?2)',
        [job, limit],
      ),
    )
    removed += Number(changes)
    if (Number(changes) < limit) break
  }
  return removed
}
