import type {RowState} from '../../bulk/job.ts'
import {Failure} from '../../errors/failure.ts'
import type {Journal} from '../../journal/index.ts'
import type {JobRecord} from './job-records.ts'
import {type JobsDatabase, LONG_RESPONSE_MS} from './jobs-database.ts'
import {JOBS_SCHEMA as S} from './schema.ts'
import type {TeamKey} from './team-key.ts'

/** What a person found out about a row. */
interface RowFinding {
  readonly row: number
  readonly effect: 'done' | 'none'
  readonly evidence: string
}

/** Takes over what the journal of this machine knows about requests of rows with an unknown effect. */
export async function settleFindings(database: JobsDatabase, job: number, journal: Journal): Promise<void> {
  const open = await database.ask<{id: string}>(
    `SELECT q.id FROM ${S}.requests q JOIN ${S}.rows r ON r.job = q.job AND r.row = q.row
     WHERE q.job = $1 AND r.state IN ('sent', 'unknown') AND r.worker IS NULL
       AND (q.effect IS NULL OR q.effect = 'unknown')`,
    [job],
    {responseMs: LONG_RESPONSE_MS},
  )
  const findings = open.flatMap(({id: request}) => {
    const effect = journal.requests.get(request)?.effect
    return effect === 'done' || effect === 'none' ? [{request, effect}] : []
  })
  await settle(database, job, findings)
}

/** A row that a worker left open, and whose end the journal of this machine knows. */
export interface KnownRow {
  readonly row: number
  readonly was: RowState
  readonly state: 'done' | 'again'
}

/** What `settleFindings` would take over now, and when the leases of workers that are gone have been ended. */
export async function knownRows(
  database: JobsDatabase,
  job: number,
  journal: Journal,
): Promise<readonly KnownRow[]> {
  const found = await database.ask<{row: number; state: RowState; id: string; effect: string | null}>(
    `SELECT q.row, r.state, q.id, q.effect FROM ${S}.rows r JOIN ${S}.requests q ON q.job = r.job AND q.row = r.row
     WHERE r.job = $1 AND r.state IN ('sent', 'unknown') AND NOT EXISTS (
       SELECT FROM ${S}.workers w WHERE w.id = r.worker AND w.alive_until >= clock_timestamp())`,
    [job],
    {responseMs: LONG_RESPONSE_MS},
  )
  const rows = Map.groupBy(found, ({row}) => row)
  return [...rows].flatMap(([row, requests]): KnownRow[] => {
    const effects = requests.map(({id, effect}) =>
      effect === null || effect === 'unknown' ? journal.requests.get(id)?.effect : effect,
    )
    const was = requests[0]?.state ?? 'sent'
    if (effects.includes('done')) return [{row, was, state: 'done'}]
    return effects.every(effect => effect === 'none') ? [{row, was, state: 'again'}] : []
  })
}

/**
 * Records what a person found out about a row with an unknown effect. Returns the ids of its requests.
 *
 * @throws Failure NOT_FOUND; USAGE if there is nothing to find out.
 */
export async function settleRow(
  database: JobsDatabase,
  team: TeamKey,
  {id, number}: Pick<JobRecord, 'id' | 'number'>,
  {row, effect, evidence}: RowFinding,
): Promise<readonly string[]> {
  const [found] = await database.ask<{state: string; worker: string | null}>(
    `SELECT state, worker FROM ${S}.rows WHERE job = $1 AND row = $2`,
    [number, row],
  )
  if (found === undefined) throw new Failure('NOT_FOUND', {message: `Bulk job ${id} has no row ${row}.`})
  if (found.worker !== null || !['unknown', 'sent'].includes(found.state)) {
    throw new Failure('USAGE', {
      message: `Row ${row} of bulk job ${id} is ${found.state}${found.worker === null ? '' : ', and a worker has it'}; there is nothing to find out.`,
    })
  }
  const requests = await database.ask<{id: string}>(
    `SELECT id FROM ${S}.requests WHERE job = $1 AND row = $2 AND (effect IS NULL OR effect = 'unknown') ORDER BY id`,
    [number, row],
  )
  const findings = requests.map(({id: request}) => ({
    request,
    effect,
    evidence: team.seal(`${id}/${request}`, evidence).toString('base64'),
  }))
  await settle(database, number, findings)
  return requests.map(({id: request}) => request)
}

async function settle(database: JobsDatabase, job: number, findings: readonly object[]): Promise<void> {
  if (findings.length === 0) return
  const values = [job, JSON.stringify(findings)]
  await database.ask(`SELECT ${S}.settle($1, $2::jsonb)`, values, {responseMs: LONG_RESPONSE_MS})
}
