import type {RowCounts, RowReason, RowState} from '../../bulk/job.ts'
import {type JobsDatabase, LONG_RESPONSE_MS} from './jobs-database.ts'
import {JOBS_SCHEMA as S} from './schema.ts'

const LONG = {responseMs: LONG_RESPONSE_MS}

export async function countRows(database: JobsDatabase, job: number): Promise<RowCounts> {
  const counts = {waiting: 0, sent: 0, again: 0, done: 0, failed: 0, unknown: 0, held: 0}
  const found = await database.ask<{state: RowState; n: number}>(
    `SELECT state, count(*)::integer AS n FROM ${S}.rows WHERE job = $1 GROUP BY state`,
    [job],
    LONG,
  )
  for (const {state, n} of found) counts[state] = n
  return counts
}

export async function countOdd(database: JobsDatabase, job: number): Promise<number> {
  const [found] = await database.ask<{n: number}>(
    `SELECT count(*)::integer AS n FROM ${S}.rows WHERE job = $1 AND state = 'done' AND code IS NOT NULL`,
    [job],
    LONG,
  )
  return found?.n ?? 0
}

export async function countReasons(database: JobsDatabase, job: number): Promise<readonly RowReason[]> {
  const found = await database.ask<{code: string; status: number | null; count: number}>(
    `SELECT code, status, count(*)::integer AS count FROM ${S}.rows
     WHERE job = $1 AND state IN ('failed', 'unknown', 'held') AND code IS NOT NULL
     GROUP BY code, status ORDER BY count DESC, code, status`,
    [job],
    LONG,
  )
  return found.map(({status, ...reason}) => ({...reason, status: status ?? undefined}))
}
