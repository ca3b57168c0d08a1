import {randomBytes} from 'node:crypto'
import type {NewRow, RowState} from '../../bulk/job.ts'
import type {JobRecord} from './job-records.ts'
import {type JobsDatabase, LONG_RESPONSE_MS} from './jobs-database.ts'
import {type RowRecord, valuesPlace} from './row-records.ts'
import {JOBS_SCHEMA as S} from './schema.ts'
import type {TeamKey} from './team-key.ts'

/** Rows that are read at a time. */
const PAGE = 500

/** Adds rows of a file to a job. Each gets a key; those of one resource are ready one after the other. */
export async function addRows(
  database: JobsDatabase,
  team: TeamKey,
  {id, number}: Pick<JobRecord, 'id' | 'number'>,
  rows: readonly NewRow[],
): Promise<void> {
  const added = rows.map(({row, line, values, resource}) => {
    const key = randomBytes(24).toString('hex')
    return {
      row,
      line,
      key,
      resource: resource === undefined ? null : team.digest(id, resource).toString('base64'),
      sealed: team.seal(valuesPlace(id, {row, key}), values).toString('base64'),
    }
  })
  await database.ask(
    `INSERT INTO ${S}.rows (job, row, line, key, resource, sealed, ready)
     SELECT $1, n.row, n.line, n.key, decode(n.resource, 'base64'), decode(n.sealed, 'base64'),
       n.resource IS NULL OR n.row = min(n.row) OVER (PARTITION BY n.resource) AND NOT EXISTS (
         SELECT FROM ${S}.rows p WHERE p.job = $1 AND p.resource = decode(n.resource, 'base64') AND p.row < n.row)
     FROM jsonb_to_recordset($2::jsonb) n (row integer, line integer, key text, resource text, sealed text)
     ON CONFLICT DO NOTHING`,
    [number, JSON.stringify(added)],
  )
}

/** The rows of a job in their order, page by page. */
export async function* readRows(
  database: JobsDatabase,
  job: number,
  states: readonly RowState[] | undefined,
): AsyncGenerator<RowRecord, void, undefined> {
  for (let after = 0; ; ) {
    const page = await database.ask<RowRecord>(
      `SELECT r.*, b.request AS blocker_request FROM ${S}.rows r
       LEFT JOIN ${S}.rows b ON b.job = r.job AND b.row = r.blocker
       WHERE r.job = $1 AND r.row > $2 AND ($3::text[] IS NULL OR r.state = ANY ($3)) ORDER BY r.row LIMIT ${PAGE}`,
      [job, after, states ?? null],
      {responseMs: LONG_RESPONSE_MS},
    )
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.row
  }
}
