import {Failure} from '../../errors/failure.ts'
import {isAnswered} from '../../postgres/reasons.ts'
import type {JobRecord} from './job-records.ts'
import type {JobsDatabase} from './jobs-database.ts'
import {endParameter, type RowRecord, toRow} from './row-records.ts'
import {JOBS_SCHEMA as S} from './schema.ts'
import type {RowEndRecord, WorkDatabase} from './shared-rows.ts'
import type {TeamKey} from './team-key.ts'
import type {Worker} from './worker.ts'

/** How long to try to record what only this process knows. */
const RECORD_PATIENCE_MS = 15_000

interface WorkOptions extends Pick<WorkDatabase, 'counts'> {
  readonly database: JobsDatabase
  readonly team: TeamKey
  readonly worker: Worker
}

/** What a worker asks the database while it works on a job. */
export function workDatabase(
  {id, number}: Pick<JobRecord, 'id' | 'number'>,
  {database, team, worker, counts}: WorkOptions,
): WorkDatabase {
  const take = (most: number) =>
    worker.underLease(worker_ =>
      database.ask<RowRecord>(`SELECT * FROM ${S}.take($1, $2, $3) ORDER BY row`, [number, worker_, most], {
        patienceMs: 0,
      }),
    )
  return {
    counts,
    take: async most => {
      let records: readonly RowRecord[] | undefined
      try {
        records = await take(most)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        // A refusal gave no rows, such as one because a newer cardctl has just added a column. Without an answer, rows may
        // never have arrived here. They are free when the lease of this number runs out.
        if (!isAnswered(error.details.cause)) {
          worker.forget()
          await worker.join()
        }
        records = await take(most)
      }
      return records?.map(record => toRow(team, id, record))
    },
    isOpen: async () => {
      const [found] = await database.ask<{open: boolean}>(
        `SELECT EXISTS (SELECT FROM ${S}.rows WHERE job = $1 AND ready AND state IN ('waiting', 'again', 'sent')) AS open`,
        [number],
      )
      return found?.open ?? false
    },
    others: async () => {
      const found = await database.ask<{name: string; left_ms: number}>(
        `SELECT name, (extract(epoch FROM alive_until - clock_timestamp()) * 1000)::float8 AS left_ms
         FROM ${S}.workers WHERE job = $1 AND id <> $2 ORDER BY alive_until DESC`,
        [number, worker.id ?? 0],
      )
      return found.map(({name, left_ms: leaseLeftMs}) => ({name, leaseLeftMs}))
    },
    begin: async rows => {
      const begun = await worker.underLease(worker_ =>
        database.ask<{row: number}>(
          `SELECT begin_rows AS row FROM ${S}.begin_rows($1, $2, $3::integer[], $4::text[])`,
          [number, worker_, rows.map(({row}) => row), rows.map(({request}) => request ?? null)],
        ),
      )
      return begun && new Set(begun.map(({row}) => row))
    },
    taken: async rows => {
      const found = await database.ask<{row: number}>(
        `SELECT r.row FROM ${S}.rows r JOIN unnest($2::integer[], $3::text[]) o (row, request) USING (row)
         WHERE r.job = $1 AND r.request IS DISTINCT FROM o.request`,
        [number, rows.map(({row}) => row), rows.map(({request}) => request ?? null)],
      )
      return new Set(found.map(({row}) => row))
    },
    end: async (ends: readonly RowEndRecord[]) => {
      const parameter = JSON.stringify(ends.map(end => endParameter(team, id, end)))
      await database.ask(`SELECT ${S}.end_rows($1, $2, $3::jsonb)`, [number, worker.id ?? null, parameter], {
        patienceMs: RECORD_PATIENCE_MS,
      })
    },
  }
}
