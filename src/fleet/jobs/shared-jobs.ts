import {randomBytes} from 'node:crypto'
import type {QueryResultRow} from 'pg'
import type {
  EndedRow,
  ExplainedReason,
  Job,
  JobSettings,
  NewRow,
  RowCounts,
  RowReason,
  RowResult,
  RowState,
} from '../../bulk/job.ts'
import type {Jobs, NewJob, Reopening} from '../../bulk/jobs.ts'
import {quotedIdHint} from '../../bulk/quoted-id.ts'
import type {RunOfRows} from '../../bulk/row-ledger.ts'
import type {RowPlace} from '../../bulk/row-place.ts'
import {sortableIds} from '../../clock/sortable-ids.ts'
import {advice} from '../../errors/advice.ts'
import {Failure} from '../../errors/failure.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import type {Journal, PrunedJobs} from '../../journal/index.ts'
import {otherService} from '../../journal/other-journals.ts'
import {countOdd, countReasons, countRows, explainReasons} from './count-rows.ts'
import {type Identity, refuseOtherIdentity} from './identity.ts'
import {headPlace, type JobRecord, SELECT_JOBS, type SealedHead, stateOf} from './job-records.ts'
import {type JobsDatabase, LONG_RESPONSE_MS} from './jobs-database.ts'
import {pruneJobs} from './prune-jobs.ts'
import {toEnd, toResult} from './row-records.ts'
import {JOBS_SCHEMA as S} from './schema.ts'
import {knownRows, settleFindings, settleRow} from './settle-findings.ts'
import {type OtherWorker, sharedRows} from './shared-rows.ts'
import {addRows, readRows} from './stored-rows.ts'
import type {TeamKey} from './team-key.ts'
import {workDatabase} from './work-database.ts'
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
  /** Called when other workers have ended the lease of this one, which had not renewed it for so long. */
  leaseLost?(job: string, lease: {readonly silentMs: number; readonly leaseMs: number}): void
  /** Called when other workers have all rows of the job that are left. Call the result when it is over. */
  waiting?(job: string, others: readonly OtherWorker[]): () => void
}

/** How ids of shared jobs begin. */
export const SHARED_PREFIX = 'sj_'
export const DEFAULT_LEASE_MS = 30_000

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
    const {database, team} = this.#options
    await addRows(database, team, {id: job, number: await this.#number(job)}, rows)
  }

  async start(job: string, rows: number): Promise<void> {
    const record = await this.#record(job)
    await this.#ask(`UPDATE ${S}.jobs SET state = 'open', sealed = $2 WHERE id = $1 AND state = 'unread'`, [
      job,
      this.#sealed(record, {rows}),
    ])
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
      `${SELECT_JOBS} WHERE j.service = $1 ORDER BY j.created_at DESC, j.number DESC`,
      [this.journal.service.id],
    )
    return records.map(record => this.#toJob(record))
  }

  /** A finding is recorded in the database when it is made. What only this machine knows is how its own requests ended. */
  async countsAsFound(id: string): Promise<RowCounts> {
    const counts = {...(await this.counts(id))}
    for (const {was, state} of await this.#knownRows(id)) {
      counts[was]--
      counts[state]++
    }
    return counts
  }

  async counts(id: string): Promise<RowCounts> {
    return countRows(this.#options.database, await this.#number(id))
  }

  async odd(id: string): Promise<number> {
    return countOdd(this.#options.database, await this.#number(id))
  }

  async reasons(id: string): Promise<readonly RowReason[]> {
    return countReasons(this.#options.database, await this.#number(id))
  }

  async topReasons(id: string, states: readonly RowState[]): Promise<readonly ExplainedReason[]> {
    const {database, team} = this.#options
    const {number, key_id: key} = await this.#record(id)
    const known = (await this.#knownRows(id)).map(({row}) => row)
    return explainReasons(database, team, {id, number, isOurs: key === team.id}, states, known)
  }

  async *ends(id: string, states?: readonly RowState[]): AsyncGenerator<EndedRow, void, undefined> {
    await this.#refuseOtherKey(await this.#record(id))
    for await (const record of readRows(this.#options.database, await this.#number(id), states)) {
      const {row, line, key, state, request} = record
      const end = toEnd(this.#options.team, id, record)
      yield {row, line, key, state: state as RowState, request: request ?? undefined, ...end}
    }
  }

  async *results(id: string, states?: readonly RowState[]): AsyncGenerator<RowResult, void, undefined> {
    await this.#refuseOtherKey(await this.#record(id))
    const {database, team} = this.#options
    for await (const record of readRows(database, await this.#number(id), states))
      yield toResult(team, id, record)
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
    refuseOtherIdentity({...record, profile: head.profile}, await this.#options.identity(record.operation))
    await this.#worker(record).removeDead()
  }

  async #knownRows(id: string) {
    return knownRows(this.#options.database, await this.#number(id), this.journal)
  }

  async settleFindings(id: string): Promise<void> {
    await settleFindings(this.#options.database, await this.#number(id), this.journal)
  }

  /** What a person found out about a row with an unknown effect. @throws Failure USAGE, NOT_FOUND */
  async resolve(
    id: string,
    row: number,
    effect: 'done' | 'none',
    evidence: string,
  ): Promise<readonly string[]> {
    const {database, team} = this.#options
    const record = await this.#record(id)
    this.#refuseOtherKey(record)
    await this.#worker(record).removeDead()
    return settleRow(database, team, record, {row, effect, evidence})
  }

  /** Where no key is honoured, there are none: they became unknown with their worker. */
  async inFlight(id: string): Promise<{rows: number; since: number} | undefined> {
    const [found] = await this.#ask<{rows: number; age_ms: number | null}>(
      `SELECT count(*)::integer AS rows,
              extract(epoch FROM clock_timestamp() - min(begun_at))::float8 * 1000 AS age_ms
       FROM ${S}.rows WHERE job = $1 AND state = 'sent' AND worker IS NULL`,
      [await this.#number(id)],
    )
    return found?.age_ms == null ? undefined : {rows: found.rows, since: this.#options.now() - found.age_ms}
  }

  async reopen(id: string, {failed, unordered, inFlight}: Reopening): Promise<void> {
    const record = await this.#record(id)
    if (unordered) {
      await this.#ask(`UPDATE ${S}.jobs SET sealed = $2 WHERE id = $1`, [
        id,
        this.#sealed(record, {unordered}),
      ])
    }
    await this.#askLong(`SELECT ${S}.resume($1, $2, $3, $4)`, [
      record.number,
      failed,
      inFlight === 'even-old',
      unordered,
    ])
  }

  async cancel(id: string): Promise<void> {
    const record = await this.#record(id)
    await this.#worker(record).removeDead()
    await this.#ask(`UPDATE ${S}.jobs SET state = 'cancelled' WHERE id = $1`, [id])
  }

  rows({job: id, isUnordered: _, isRepeatable: __, ...listeners}: RunOfRows): RowPlace {
    return async run => {
      const record = await this.#record(id)
      const worker = this.#worker(record)
      const {journal, signal, sleep, team} = this.#options
      const counts = () => this.counts(id)
      const database = workDatabase(record, {database: this.#options.database, team, worker, counts})
      const waiting = (others: readonly OtherWorker[]) =>
        this.#options.waiting?.(id, others) ?? (() => undefined)
      return sharedRows({...listeners, journal, database, worker, signal, sleep, waiting}, run)
    }
  }

  async leave(id: string): Promise<void> {
    await this.#workers.get(id)?.leave()
    this.#workers.delete(id)
  }

  prune(ageMs: number): Promise<PrunedJobs> {
    return pruneJobs(this.#options.database, this.journal.service.id, ageMs)
  }

  async close(): Promise<void> {
    for (const id of this.#workers.keys()) await this.leave(id).catch(() => undefined)
    await this.#options.database.close()
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
      lost: ms => this.#options.leaseLost?.(id, {silentMs: ms, leaseMs}),
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
    const [record] = await this.#ask<JobRecord>(`${SELECT_JOBS} WHERE j.id = $1`, [id])
    const {id: service, words} = this.journal.service
    if (record === undefined) {
      throw new Failure('NOT_FOUND', {
        message: `There is no shared bulk job ${id} in the database of the profile.`,
        hint: quotedIdHint(id) ?? advice`See ${cardctl('bulk', 'list', '--shared')}`,
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

  #sealed(record: JobRecord, changed: Partial<JobSettings>): Buffer {
    const head = this.#head(record)
    const sealed = {...head, settings: {...head.settings, ...changed}}
    return this.#options.team.seal(headPlace(record), sealed)
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

  #ask<Row extends QueryResultRow>(text: string, values: readonly unknown[]) {
    return this.#options.database.ask<Row>(text, values)
  }

  #askLong<Row extends QueryResultRow>(text: string, values: readonly unknown[]) {
    return this.#options.database.ask<Row>(text, values, {responseMs: LONG_RESPONSE_MS})
  }
}
