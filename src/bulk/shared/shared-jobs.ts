import {randomBytes} from 'node:crypto'
import type {QueryResultRow} from 'pg'
import {Failure} from '../../errors/failure.ts'
import {type Journal, type PrunedJobs, sortableIds} from '../../journal/index.ts'
import {otherService} from '../../journal/other-journals.ts'
import {isAnswered} from '../../postgres/connect.ts'
import type {
  EndedRow,
  Job,
  JobSettings,
  JobState,
  NewRow,
  RowCounts,
  RowReason,
  RowResult,
  RowState,
} from '../job.ts'
import type {Jobs, NewJob, Reopening, RunOfRows} from '../jobs.ts'
import type {RowPlace} from '../run-job.ts'
import {type Identity, type Protection, settingsThatDiffer} from './identity.ts'
import {type JobsDatabase, LONG_RESPONSE_MS} from './jobs-database.ts'
import {endParameter, type RowRecord, toEnd, toResult, toRow, valuesPlace} from './row-records.ts'
import {JOBS_SCHEMA as S} from './schema.ts'
import {type RowEndRecord, sharedRows, type WorkDatabase} from './shared-rows.ts'
import type {TeamKey} from './team-key.ts'
import {type StrandedRow, Worker} from './worker.ts'

export interface SharedJobsOptions {
  readonly journal: Journal
  readonly database: JobsDatabase
  readonly team: TeamKey
  /** What this process has in common with the workers of a job of the operation. */
  identity(operation: string): Promise<Identity>
  /** For people: machine and process. */
  readonly name: string
  /** ms since 1970. */
  now(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  readonly signal: AbortSignal
  /** Called with rows that were in flight on a worker that died, and are not sent again. */
  stranded(job: string, rows: readonly StrandedRow[]): void
}

interface JobRecord {
  readonly number: number
  readonly id: string
  readonly service: string
  readonly operation: string
  readonly contract: string
  readonly protection: Protection
  readonly key_id: string
  readonly sealed: Buffer
  readonly lease_ms: number
  readonly state: string
  readonly created_at: Date
  readonly worked_at: Date
  readonly workers: number
  readonly is_left: boolean
}

/** What of a job is encrypted. */
interface SealedHead {
  readonly source: string
  readonly settings: JobSettings
  /** The service, for people. */
  readonly service: string
  readonly profile: Identity['profile']
}

/** How ids of shared jobs begin. */
export const SHARED_PREFIX = 'sj_'
export const DEFAULT_LEASE_MS = 30_000

const PAGE = 500
/** How long to try to record what only this process knows. */
const RECORD_PATIENCE_MS = 15_000

const OPEN = `('waiting', 'sent', 'again', 'held')`
const JOB = `
SELECT j.*, extract(epoch FROM j.lease)::float8 * 1000 AS lease_ms,
  (SELECT count(*)::integer FROM ${S}.workers w WHERE w.job = j.number AND w.alive_until >= clock_timestamp()) AS workers,
  EXISTS (SELECT FROM ${S}.rows r WHERE r.job = j.number AND r.state IN ${OPEN}) AS is_left
FROM ${S}.jobs j`

/** Bulk jobs in a database that machines share. What is sensitive is encrypted before it leaves this process. */
export class SharedJobs implements Jobs {
  readonly #options: SharedJobsOptions
  readonly #workers = new Map<string, Worker>()
  readonly #numbers = new Map<string, number>()

  constructor(options: SharedJobsOptions) {
    this.#options = options
  }

  get journal(): Journal {
    return this.#options.journal
  }

  newId(): string {
    return sortableIds({now: this.#options.now, randomBytes})(SHARED_PREFIX)
  }

  async create({id, operation, source, settings}: NewJob): Promise<void> {
    const {team, journal} = this.#options
    const {protection, contract, profile} = await this.#options.identity(operation)
    const service = journal.service.id
    const head: SealedHead = {source, settings, service: journal.service.words, profile}
    const place = headPlace({id, service, operation, contract, protection})
    journal.noteProfile()
    await this.#ask(
      `INSERT INTO ${S}.jobs (id, service, operation, contract, protection, key_id, sealed, lease, state)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8::interval, 'unread') ON CONFLICT DO NOTHING`,
      [
        id,
        service,
        operation,
        contract,
        protection,
        team.id,
        team.seal(place, head),
        `${settings.leaseMs ?? DEFAULT_LEASE_MS} ms`,
      ],
    )
    // Others see that the rows are still being read.
    await this.#worker(await this.#record(id)).join()
  }

  async addRows(job: string, rows: readonly NewRow[]): Promise<void> {
    const {team} = this.#options
    const added = rows.map(({row, line, values, resource}) => {
      const key = randomBytes(24).toString('hex')
      return {
        row,
        line,
        key,
        resource: resource === undefined ? null : team.digest(job, resource).toString('base64'),
        sealed: team.seal(valuesPlace(job, {row, key}), values).toString('base64'),
      }
    })
    await this.#ask(
      `INSERT INTO ${S}.rows (job, row, line, key, resource, sealed, ready)
       SELECT $1, n.row, n.line, n.key, decode(n.resource, 'base64'), decode(n.sealed, 'base64'),
         n.resource IS NULL OR n.row = min(n.row) OVER (PARTITION BY n.resource) AND NOT EXISTS (
           SELECT FROM ${S}.rows p WHERE p.job = $1 AND p.resource = decode(n.resource, 'base64') AND p.row < n.row)
       FROM jsonb_to_recordset($2::jsonb) n (row integer, line integer, key text, resource text, sealed text)
       ON CONFLICT DO NOTHING`,
      [await this.#number(job), JSON.stringify(added)],
    )
  }

  async start(job: string): Promise<void> {
    await this.#ask(`UPDATE ${S}.jobs SET state = 'open' WHERE id = $1 AND state = 'unread'`, [job])
  }

  async remove(job: string): Promise<void> {
    await this.leave(job)
    await this.#askLong(`DELETE FROM ${S}.jobs WHERE id = $1 AND state = 'unread'`, [job])
  }

  async get(id: string): Promise<Job> {
    return this.#toJob(await this.#record(id))
  }

  async list(): Promise<readonly Job[]> {
    const records = await this.#ask<JobRecord>(
      `${JOB} WHERE j.service = $1 ORDER BY j.created_at DESC, j.number DESC`,
      [this.journal.service.id],
    )
    return records.map(record => this.#toJob(record))
  }

  async counts(id: string): Promise<RowCounts> {
    const counts = {waiting: 0, sent: 0, again: 0, done: 0, failed: 0, unknown: 0, held: 0}
    const found = await this.#askLong<{state: RowState; n: number}>(
      `SELECT state, count(*)::integer AS n FROM ${S}.rows WHERE job = $1 GROUP BY state`,
      [await this.#number(id)],
    )
    for (const {state, n} of found) counts[state] = n
    return counts
  }

  async odd(id: string): Promise<number> {
    const [found] = await this.#askLong<{n: number}>(
      `SELECT count(*)::integer AS n FROM ${S}.rows WHERE job = $1 AND state = 'done' AND code IS NOT NULL`,
      [await this.#number(id)],
    )
    return found?.n ?? 0
  }

  async reasons(id: string): Promise<readonly RowReason[]> {
    const found = await this.#askLong<{code: string; status: number | null; count: number}>(
      `SELECT code, status, count(*)::integer AS count FROM ${S}.rows
       WHERE job = $1 AND state IN ('failed', 'unknown', 'held') AND code IS NOT NULL
       GROUP BY code, status ORDER BY count DESC, code, status`,
      [await this.#number(id)],
    )
    return found.map(({status, ...reason}) => ({...reason, status: status ?? undefined}))
  }

  async *ends(id: string, states?: readonly RowState[]): AsyncGenerator<EndedRow, void, undefined> {
    await this.#refuseOtherKey(await this.#record(id))
    for await (const record of this.#rows(id, states)) {
      const {row, line, key, state, request} = record
      const end = toEnd(this.#options.team, id, record)
      yield {row, line, key, state: state as RowState, request: request ?? undefined, ...end}
    }
  }

  async *results(id: string, states?: readonly RowState[]): AsyncGenerator<RowResult, void, undefined> {
    await this.#refuseOtherKey(await this.#record(id))
    for await (const record of this.#rows(id, states)) yield toResult(this.#options.team, id, record)
  }

  /** Also checks that this process builds the same requests as the others. */
  async claim(id: string): Promise<void> {
    const record = await this.#record(id)
    const head = this.#head(record)
    if (record.state === 'unread' && record.workers > 0) {
      throw new Failure('USAGE', {
        message: `The rows of bulk job ${id} are still being read or confirmed.`,
        hint: 'Try again in a moment.',
      })
    }
    const own = await this.#options.identity(record.operation)
    const differing = settingsThatDiffer(head.profile, own.profile)
    if (own.contract !== record.contract) {
      throw otherWorker(
        `Bulk job ${id} sends ${record.operation} by the contract of another version of cardctl.`,
        'Use the same version of cardctl on all machines.',
      )
    }
    if (differing.length > 0 || own.protection !== record.protection) {
      throw otherWorker(
        `Bulk job ${id} was created with other settings of the profile: ${differing.join(', ') || 'idempotency'}.`,
        differing.includes('auditUser')
          ? 'Pass the same --audit-user on all machines, and use the same settings.'
          : 'Use the same settings on all machines.',
      )
    }
    await this.#worker(record).removeDead()
  }

  async settleFindings(id: string): Promise<void> {
    const number = await this.#number(id)
    const open = await this.#askLong<{id: string}>(
      `SELECT q.id FROM ${S}.requests q JOIN ${S}.rows r ON r.job = q.job AND r.row = q.row
       WHERE q.job = $1 AND r.state IN ('sent', 'unknown') AND r.worker IS NULL
         AND (q.effect IS NULL OR q.effect = 'unknown')`,
      [number],
    )
    const findings = open.flatMap(({id: request}) => {
      const effect = this.journal.get(request)?.effect
      return effect === 'done' || effect === 'none' ? [{request, effect}] : []
    })
    await this.#settle(number, findings)
  }

  /** What a person found out about a row with an unknown effect. @throws Failure USAGE, NOT_FOUND */
  async resolve(
    id: string,
    row: number,
    effect: 'done' | 'none',
    evidence: string,
  ): Promise<readonly string[]> {
    const {team} = this.#options
    const record = await this.#record(id)
    this.#refuseOtherKey(record)
    await this.#worker(record).removeDead()
    const [found] = await this.#ask<{state: string; worker: string | null}>(
      `SELECT state, worker FROM ${S}.rows WHERE job = $1 AND row = $2`,
      [record.number, row],
    )
    if (found === undefined) throw new Failure('NOT_FOUND', {message: `Bulk job ${id} has no row ${row}.`})
    if (found.worker !== null || !['unknown', 'sent'].includes(found.state)) {
      throw new Failure('USAGE', {
        message: `Row ${row} of bulk job ${id} is ${found.state}${found.worker === null ? '' : ', and a worker has it'}; there is nothing to find out.`,
      })
    }
    const requests = await this.#ask<{id: string}>(
      `SELECT id FROM ${S}.requests WHERE job = $1 AND row = $2 AND (effect IS NULL OR effect = 'unknown') ORDER BY id`,
      [record.number, row],
    )
    const findings = requests.map(({id: request}) => ({
      request,
      effect,
      evidence: team.seal(`${id}/${request}`, evidence).toString('base64'),
    }))
    await this.#settle(record.number, findings)
    return requests.map(({id: request}) => request)
  }

  async abandonSent(): Promise<number> {
    // Removing dead workers does that, and says which rows.
    return 0
  }

  async oldestSent(id: string): Promise<number | undefined> {
    const [found] = await this.#ask<{age_ms: number | null}>(
      `SELECT extract(epoch FROM clock_timestamp() - min(begun_at))::float8 * 1000 AS age_ms
       FROM ${S}.rows WHERE job = $1 AND state = 'sent' AND worker IS NULL`,
      [await this.#number(id)],
    )
    return found?.age_ms == null ? undefined : this.#options.now() - found.age_ms
  }

  async reopen(id: string, {failed, unordered, oldKeys}: Reopening): Promise<void> {
    const record = await this.#record(id)
    if (unordered) {
      const head = this.#head(record)
      const sealed = {...head, settings: {...head.settings, unordered}}
      await this.#ask(`UPDATE ${S}.jobs SET sealed = $2 WHERE id = $1`, [
        id,
        this.#options.team.seal(headPlace(record), sealed),
      ])
    }
    await this.#askLong(`SELECT ${S}.resume($1, $2, $3, $4)`, [record.number, failed, oldKeys, unordered])
  }

  async confirmed(): Promise<void> {}

  async cancel(id: string): Promise<void> {
    const record = await this.#record(id)
    await this.#worker(record).removeDead()
    await this.#ask(`UPDATE ${S}.jobs SET state = 'cancelled' WHERE id = $1`, [id])
  }

  rows({job: id, isUnordered: _, isRepeatable: __, ...listeners}: RunOfRows): RowPlace {
    return async run => {
      const record = await this.#record(id)
      const worker = this.#worker(record)
      const {journal, signal, sleep} = this.#options
      const database = this.#workDatabase(record, worker)
      return sharedRows({...listeners, journal, database, worker, signal, sleep}, run)
    }
  }

  async leave(id: string): Promise<void> {
    const worker = this.#workers.get(id)
    this.#workers.delete(id)
    await worker?.leave()
  }

  /** Removes finished jobs that were last worked on before this time, in ms before now. */
  async prune(ageMs: number): Promise<PrunedJobs> {
    const kept = {keys: 0, open: 0, unknown: 0, running: 0}
    let [removed, rows] = [0, 0]
    const jobs = await this.#askLong<JobRecord & {is_young: boolean; is_unknown: boolean}>(
      `SELECT of_service.*, worked_at >= clock_timestamp() - interval '24 hours' AS is_young, EXISTS (
         SELECT FROM ${S}.rows r WHERE r.job = of_service.number AND r.state IN ('unknown', 'sent')) AS is_unknown
       FROM (${JOB} WHERE j.service = $1 AND j.worked_at < clock_timestamp() - $2::interval) of_service`,
      [this.journal.service.id, `${ageMs} ms`],
    )
    for (const {number, state, workers, is_left: isLeft, is_young: isYoung, is_unknown: isUnknown} of jobs) {
      if (workers > 0) kept.running++
      else if (state === 'open' && isLeft) kept.open++
      else if (isYoung) kept.keys++
      else if (isUnknown) kept.unknown++
      else {
        // A worker may have joined since.
        const [gone] = await this.#askLong<{rows: number}>(
          `WITH gone AS (DELETE FROM ${S}.jobs j WHERE j.number = $1
             AND NOT EXISTS (SELECT FROM ${S}.workers w WHERE w.job = j.number) RETURNING j.number)
           SELECT (SELECT count(*)::integer FROM ${S}.rows r WHERE r.job = gone.number) AS rows FROM gone`,
          [number],
        )
        if (gone === undefined) kept.running++
        else [removed, rows] = [removed + 1, rows + gone.rows]
      }
    }
    return {removed, rows, kept}
  }

  async close(): Promise<void> {
    for (const id of this.#workers.keys()) await this.leave(id).catch(() => undefined)
    await this.#options.database.close()
  }

  #workDatabase({id, number}: JobRecord, worker: Worker): WorkDatabase {
    const {team} = this.#options
    const take = (most: number, patienceMs?: number) =>
      worker.underLease(worker_ =>
        this.#ask<RowRecord>(
          `SELECT * FROM ${S}.take($1, $2, $3) ORDER BY row`,
          [number, worker_, most],
          patienceMs,
        ),
      )
    return {
      counts: () => this.counts(id),
      take: async most => {
        let records: readonly RowRecord[] | undefined
        try {
          records = await take(most, 0)
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          // A refusal gave no rows, such as one because a newer cardctl has just added a column. Without an answer, rows may
          // never have arrived here. They are free when the lease of this number runs out.
          if (!isAnswered(error.details.cause)) {
            worker.forget()
            await worker.join()
          }
          records = await take(most, 0)
        }
        return records?.map(record => toRow(team, id, record))
      },
      isOpen: async () => {
        const [found] = await this.#ask<{open: boolean}>(
          `SELECT EXISTS (SELECT FROM ${S}.rows WHERE job = $1 AND ready AND state IN ('waiting', 'again', 'sent')) AS open`,
          [number],
        )
        return found?.open ?? false
      },
      begin: async rows => {
        const begun = await worker.underLease(worker_ =>
          this.#ask<{row: number}>(
            `SELECT begin_rows AS row FROM ${S}.begin_rows($1, $2, $3::integer[], $4::text[])`,
            [number, worker_, rows.map(({row}) => row), rows.map(({request}) => request ?? null)],
          ),
        )
        return begun && new Set(begun.map(({row}) => row))
      },
      end: async (ends: readonly RowEndRecord[]) => {
        const parameter = JSON.stringify(ends.map(end => endParameter(team, id, end)))
        await this.#ask(
          `SELECT ${S}.end_rows($1, $2, $3::jsonb)`,
          [number, worker.id ?? null, parameter],
          RECORD_PATIENCE_MS,
        )
      },
    }
  }

  #worker({id, number, lease_ms: leaseMs}: JobRecord): Worker {
    const known = this.#workers.get(id)
    if (known) return known
    const {database, name, now} = this.#options
    const worker = new Worker({
      database,
      job: number,
      name,
      leaseMs,
      now,
      stranded: rows => this.#strand(id, rows),
    })
    this.#workers.set(id, worker)
    return worker
  }

  /** Reports rows that were in flight on a dead worker, unless the journal of this machine knows how they ended. */
  async #strand(id: string, rows: readonly StrandedRow[]): Promise<void> {
    await this.settleFindings(id)
    const unknown = await this.#ask<{row: number}>(
      `SELECT row FROM ${S}.rows WHERE job = $1 AND row = ANY ($2::integer[]) AND state = 'unknown'`,
      [await this.#number(id), rows.map(({row}) => row)],
    )
    const still = new Set(unknown.map(({row}) => row))
    const open = rows.filter(({row}) => still.has(row))
    if (open.length > 0) this.#options.stranded(id, open)
  }

  /** @throws Failure NOT_FOUND, OTHER_SERVICE */
  async #record(id: string): Promise<JobRecord> {
    const [record] = await this.#ask<JobRecord>(`${JOB} WHERE j.id = $1`, [id])
    const {id: service, words} = this.journal.service
    if (record === undefined) {
      throw new Failure('NOT_FOUND', {
        message: `There is no shared bulk job ${id} in the database of the profile.`,
        hint: 'See bulk list --shared.',
      })
    }
    if (record.service !== service) {
      const isOurs = record.key_id === this.#options.team.id
      throw otherService(`Bulk job ${id}`, isOurs ? this.#head(record).service : record.service, words)
    }
    this.#numbers.set(id, record.number)
    return record
  }

  async #number(id: string): Promise<number> {
    return this.#numbers.get(id) ?? (await this.#record(id)).number
  }

  #refuseOtherKey({id, key_id: theirs}: JobRecord): void {
    const {id: ours} = this.#options.team
    if (theirs === ours) return
    throw new Failure('PROFILE_INVALID', {
      message: `The teamKey of the profile is not the one of bulk job ${id}: the job needs key ${theirs}, this one is ${ours}.`,
      hint: 'Use the same teamKey on all machines.',
      effect: 'none',
    })
  }

  #head(record: JobRecord): SealedHead {
    this.#refuseOtherKey(record)
    return this.#options.team.unseal(headPlace(record), record.sealed) as SealedHead
  }

  #toJob(record: JobRecord): Job {
    const head = (): SealedHead => this.#head(record)
    const {id, operation} = record
    return {
      id,
      operation,
      // A list has no need for them, and may have jobs of other keys.
      get source() {
        return head().source
      },
      get settings() {
        return head().settings
      },
      createdAt: record.created_at.getTime(),
      claimedAt: record.worked_at.getTime(),
      state: stateOf(record),
      workers: record.workers,
    }
  }

  async *#rows(
    id: string,
    states: readonly RowState[] | undefined,
  ): AsyncGenerator<RowRecord, void, undefined> {
    const number = await this.#number(id)
    for (let after = 0; ; ) {
      const page = await this.#askLong<RowRecord>(
        `SELECT r.*, b.request AS blocker_request FROM ${S}.rows r
         LEFT JOIN ${S}.rows b ON b.job = r.job AND b.row = r.blocker
         WHERE r.job = $1 AND r.row > $2 AND ($3::text[] IS NULL OR r.state = ANY ($3)) ORDER BY r.row LIMIT ${PAGE}`,
        [number, after, states ?? null],
      )
      yield* page
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return
      after = last.row
    }
  }

  async #settle(job: number, findings: readonly object[]): Promise<void> {
    if (findings.length > 0)
      await this.#askLong(`SELECT ${S}.settle($1, $2::jsonb)`, [job, JSON.stringify(findings)])
  }

  #ask<Row extends QueryResultRow>(text: string, values: readonly unknown[], patienceMs?: number) {
    return this.#options.database.ask<Row>(text, values, patienceMs === undefined ? {} : {patienceMs})
  }

  #askLong<Row extends QueryResultRow>(text: string, values: readonly unknown[]) {
    return this.#options.database.ask<Row>(text, values, {responseMs: LONG_RESPONSE_MS})
  }
}

function stateOf({state, workers, is_left: isLeft}: JobRecord): JobState {
  if (state === 'cancelled') return 'cancelled'
  if (workers > 0) return 'running'
  if (state === 'unread') return 'unread'
  return isLeft ? 'stopped' : 'done'
}

const headPlace = (
  job: Pick<JobRecord, 'id' | 'service' | 'operation' | 'contract' | 'protection'>,
): string => [job.id, job.service, job.operation, job.contract, job.protection].join('/')

const otherWorker = (message: string, hint: string) =>
  new Failure('OTHER_WORKER', {message, hint, effect: 'none'})
