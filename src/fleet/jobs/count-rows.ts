import {
  type ExplainedReason,
  MOST_REASONS,
  type RowCounts,
  type RowReason,
  type RowState,
} from '../../bulk/job.ts'
import {type JobsDatabase, LONG_RESPONSE_MS} from './jobs-database.ts'
import {type RowRecord, toEnd} from './row-records.ts'
import {JOBS_SCHEMA as S} from './schema.ts'
import type {TeamKey} from './team-key.ts'

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

/**
 * With the first row of each. The messages of a job of another team key stay encrypted.
 *
 * @param known rows whose end this machine knows: none of them has an unknown effect.
 */
export async function explainReasons(
  database: JobsDatabase,
  team: TeamKey,
  {id, number, isOurs}: {readonly id: string; readonly number: number; readonly isOurs: boolean},
  states: readonly RowState[],
  known: readonly number[],
): Promise<readonly ExplainedReason[]> {
  const found = await database.ask<RowRecord & {readonly reason: string; readonly count: number}>(
    `SELECT r.*, t.reason, t.count, b.request AS blocker_request FROM (
       SELECT coalesce(code, 'EFFECT_UNKNOWN') AS reason, coalesce(min(row) FILTER (WHERE state NOT IN ('sent', 'unknown')), min(row)) AS first, count(*)::integer AS count
       FROM ${S}.rows WHERE job = $1 AND state = ANY ($2::text[]) AND row <> ALL ($3::integer[])
         AND (code IS NOT NULL OR state IN ('sent', 'unknown'))
       GROUP BY 1, status ORDER BY count DESC, first LIMIT ${MOST_REASONS}
     ) t JOIN ${S}.rows r ON r.job = $1 AND r.row = t.first
     LEFT JOIN ${S}.rows b ON b.job = r.job AND b.row = r.blocker ORDER BY t.count DESC, t.first`,
    [number, states, known],
    LONG,
  )
  return found.map(record => {
    const {reason: code, status, count, row, line, request} = record
    const {message, blame} = isOurs ? toEnd(team, id, record) : {}
    return {
      code,
      status: status ?? undefined,
      count,
      blame,
      example: {row, line, message, request: request ?? undefined},
    }
  })
}
