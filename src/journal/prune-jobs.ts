import type {Database} from '../sqlite/index.ts'
import {KEY_LIFE_MS} from './key-rules.ts'
import {lightly} from './lightly.ts'

export interface PruneJobsOptions {
  /** Last worked on before, ms since 1970. */
  readonly before: number
  readonly now: number
  /** So many rows at most, for whoever has other things to do. */
  readonly mostRows?: number | undefined
  isRunning(owner: {readonly pid: number; readonly mark: string; readonly since: number}): boolean
}

/** Of the jobs that are old enough, what went and what stays. */
export interface PrunedJobs {
  readonly removed: number
  readonly rows: number
  readonly kept: {
    /** Worked on in the last 24 hours. */
    readonly keys: number
    /** Rows of it are still to be sent. */
    readonly open: number
    /** It is not known how some rows ended. */
    readonly unknown: number
    readonly running: number
  }
}

interface JobRow {
  readonly id: string
  readonly state: string
  readonly pid: number
  readonly process_mark: string
  readonly claimed_at: number
}

/** So many rows go in one transaction. */
const SLICE = 1000

/** A job that is being removed is shown no more; who is killed meanwhile leaves the rest to the next. */
export const REMOVING = 'removing'

/** Removes jobs of which nothing is open, with their rows: those hold what was sent, and the answers. */
export function pruneJobs(db: Database, options: PruneJobsOptions): PrunedJobs {
  const {before, mostRows = Number.POSITIVE_INFINITY} = options
  const kept = {keys: 0, open: 0, unknown: 0, running: 0}
  let removed = 0
  let rows = 0
  const jobs = db.all<JobRow>('SELECT * FROM bulk_job WHERE claimed_at < ? ORDER BY claimed_at', [before])
  for (const {id} of jobs) {
    if (rows >= mostRows) break
    const why = lightly(db, () => markUnlessKept(db, id, options))
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
  return {removed, rows, kept}
}

/** Looked at and marked in one step, so that nobody goes on with it between. */
function markUnlessKept(
  db: Database,
  id: string,
  {now, isRunning}: PruneJobsOptions,
): keyof PrunedJobs['kept'] | undefined {
  const job = db.get<JobRow>('SELECT * FROM bulk_job WHERE id = ?', [id])
  if (job === undefined || job.state === REMOVING) return undefined
  const owner = {pid: job.pid, mark: job.process_mark, since: job.claimed_at}
  const isOwned = job.state === 'running' || job.state === 'unread'
  if (isOwned && isRunning(owner)) return 'running'
  if (job.state === 'running' || job.state === 'stopped') return 'open'
  if (job.claimed_at >= now - KEY_LIFE_MS) return 'keys'
  if (db.get(UNKNOWN, [id]) !== undefined) return 'unknown'
  db.run('UPDATE bulk_job SET state = ? WHERE id = ?', [REMOVING, id])
  return undefined
}

/** A request of the journal stays as long as nobody knows how it ended. */
const UNKNOWN = `
  SELECT 1 FROM bulk_row JOIN request ON request.id = bulk_row.request
  WHERE bulk_row.job = ? AND bulk_row.state IN ('unknown', 'sent')
    AND (request.outcome IS NULL OR request.outcome = 'unknown') LIMIT 1`

function removeRows(db: Database, job: string, most: number): number {
  let removed = 0
  while (removed < most) {
    const limit = Math.min(SLICE, most - removed)
    const {changes} = lightly(db, () =>
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
