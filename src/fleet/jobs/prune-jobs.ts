import type {PrunedJobs} from '../../journal/index.ts'
import {type JobRecord, SELECT_JOBS} from './job-records.ts'
import {type JobsDatabase, LONG_RESPONSE_MS} from './jobs-database.ts'
import {JOBS_SCHEMA as S} from './schema.ts'

const LONG = {responseMs: LONG_RESPONSE_MS}

/** Removes finished jobs of a service that were last worked on before this time, in ms before now. */
export async function pruneJobs(database: JobsDatabase, service: string, ageMs: number): Promise<PrunedJobs> {
  const kept = {keys: 0, open: 0, unknown: 0, running: 0}
  let [removed, rows] = [0, 0]
  const jobs = await database.ask<JobRecord & {is_young: boolean; is_unknown: boolean}>(
    `SELECT of_service.*, worked_at >= clock_timestamp() - interval '24 hours' AS is_young, EXISTS (
       SELECT FROM ${S}.rows r WHERE r.job = of_service.number AND r.state IN ('unknown', 'sent')) AS is_unknown
     FROM (${SELECT_JOBS} WHERE j.service = $1 AND j.worked_at < clock_timestamp() - $2::interval) of_service`,
    [service, `${ageMs} ms`],
    LONG,
  )
  for (const {number, state, workers, is_left: isLeft, is_young: isYoung, is_unknown: isUnknown} of jobs) {
    if (workers > 0) kept.running++
    else if (state === 'open' && isLeft) kept.open++
    else if (isYoung) kept.keys++
    else if (isUnknown) kept.unknown++
    else {
      // A worker may have joined since.
      const [gone] = await database.ask<{rows: number}>(
        `WITH gone AS (DELETE FROM ${S}.jobs j WHERE j.number = $1
           AND NOT EXISTS (SELECT FROM ${S}.workers w WHERE w.job = j.number) RETURNING j.number)
         SELECT (SELECT count(*)::integer FROM ${S}.rows r WHERE r.job = gone.number) AS rows FROM gone`,
        [number],
        LONG,
      )
      if (gone === undefined) kept.running++
      else [removed, rows] = [removed + 1, rows + gone.rows]
    }
  }
  return {removed, rows, kept}
}
