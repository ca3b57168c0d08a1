import {randomBytes} from 'node:crypto'
import {sortableIds} from '../clock/sortable-ids.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {type Journal, type JournalStore, REMOVING} from '../journal/index.ts'
import type {
  EndedRow,
  ExplainedReason,
  Job,
  JobSettings,
  JobState,
  NewRow,
  RowCounts,
  RowReason,
  RowResult,
  RowState,
} from './job.ts'
import type {Jobs, NewJob, Reopening} from './jobs.ts'
import {localRows} from './local-rows.ts'
import {quotedIdHint} from './quoted-id.ts'
import type {RunOfRows} from './row-ledger.ts'
import type {RowPlace} from './row-place.ts'
import {RowStore} from './row-store.ts'
import {findings, settleFindings} from './settle-findings.ts'

interface JobRecord {
  readonly id: string
  readonly operation: string
  readonly source: string
  readonly settings: string
  readonly created_at: number
  readonly state: string
  readonly pid: number
  readonly process_mark: string
  readonly claimed_at: number
}

/** The jobs of this machine, in the journal's file. */
export class JobStore implements Jobs {
  readonly journal: Journal
  readonly #store: JournalStore
  readonly #rows: RowStore
  readonly #now: () => number

  constructor(journal: Journal, now: () => number) {
    this.journal = journal
    this.#store = journal.store
    this.#rows = new RowStore(journal, now)
    this.#now = now
  }

  newId(): string {
    return sortableIds({now: this.#now, randomBytes})('j_')
  }

  create(job: NewJob): void {
    this.journal.refuseMoved()
    const {pid, mark} = this.#store.process
    const now = this.#now()
    this.journal.noteProfile()
    const {changes} = this.#store.db.run(
      `INSERT OR IGNORE INTO bulk_job VALUES (?, ?, ?, ?, ?, 'unread', ?, ?, ?)`,
      [job.id, job.operation, job.source, JSON.stringify(job.settings), now, pid, mark, now],
    )
    if (Number(changes) === 0) throw isBusy(job.id)
  }

  /** A job that was exported here or elsewhere. `restoreRows` adds its rows; until all are there it stays `unread`. */
  restore(job: Omit<Job, 'state' | 'claimedAt'>): void {
    this.#store.unsynced(() => {
      this.#store.db.run(`DELETE FROM bulk_job WHERE id = ? AND state IN ('exported', 'unread')`, [job.id])
      if (this.#store.db.get('SELECT 1 FROM bulk_job WHERE id = ?', [job.id])) {
        throw new Failure('USAGE', {
          message: `Bulk job ${job.id} already exists on this machine.`,
          hint: advice`See its progress: ${cardctl('bulk', 'status', 'last')}`,
        })
      }
      this.create(job)
      this.#store.db.run('UPDATE bulk_job SET created_at = ? WHERE id = ?', [job.createdAt, job.id])
    })
  }

  restoreRows(job: string, rows: readonly (RowResult & Pick<NewRow, 'resource'>)[]): void {
    this.#rows.restore(job, rows)
  }

  /** The job with this id, or undefined. @throws Failure JOB_RUNNING if another process works on it. */
  findIdle(id: string): Job | undefined {
    const record = this.#store.db.get<JobRecord>('SELECT * FROM bulk_job WHERE id = ?', [id])
    // What is removed in the background is gone before a new one takes its place.
    if (record?.state === REMOVING) this.remove(id)
    if (record === undefined || record.state === REMOVING) return undefined
    const job = this.#toJob(record)
    if (job.state === 'running') throw isBusy(id, record)
    return job
  }

  /** @throws Failure NOT_FOUND, or OTHER_SERVICE if the job belongs to another service. */
  get(id: string): Job {
    const record = this.#store.db.get<JobRecord>(
      `SELECT * FROM bulk_job WHERE id = ? AND state <> '${REMOVING}'`,
      [id],
    )
    if (record) return this.#toJob(record)
    this.journal.others.refuseElsewhere({job: id})
    throw new Failure('NOT_FOUND', {
      message: `There is no bulk job ${id} of ${this.journal.service.words}.`,
      hint: quotedIdHint(id) ?? advice`See ${cardctl('bulk', 'list')}; each service has jobs of its own.`,
    })
  }

  /** Newest first. */
  list(): Job[] {
    return this.#store.db
      .all<JobRecord>(`SELECT * FROM bulk_job WHERE state <> '${REMOVING}' ORDER BY created_at DESC, id DESC`)
      .map(record => this.#toJob(record))
  }

  /** Takes the job for this process. @throws Failure USAGE if another process works on it. */
  claim(id: string): void {
    const {pid, mark} = this.#store.process
    this.#store.durably(() => {
      this.journal.refuseMoved()
      if (this.get(id).state === 'running')
        throw isBusy(id, this.#store.db.get<JobRecord>('SELECT * FROM bulk_job WHERE id = ?', [id]))
      this.#store.db.run(
        `UPDATE bulk_job SET state = 'running', pid = ?, process_mark = ?, claimed_at = ? WHERE id = ?`,
        [pid, mark, this.#now(), id],
      )
    })
  }

  setSettings(id: string, settings: JobSettings): void {
    this.#store.db.run('UPDATE bulk_job SET settings = ? WHERE id = ?', [JSON.stringify(settings), id])
  }

  setState(id: string, state: JobState): void {
    this.#store.db.run('UPDATE bulk_job SET state = ? WHERE id = ?', [state, id])
  }

  start(id: string, rows: number): void {
    this.setSettings(id, {...this.get(id).settings, rows, unconfirmed: undefined})
    this.setState(id, 'running')
  }

  leave(id: string): void {
    this.#rows.correctTimes(id)
    const {waiting, sent, again, held} = this.counts(id)
    const {pid, mark} = this.#store.process
    // Another process may have taken the job over.
    this.#store.db.run('UPDATE bulk_job SET state = ? WHERE id = ? AND pid = ? AND process_mark = ?', [
      waiting + sent + again + held === 0 ? 'done' : 'stopped',
      id,
      pid,
      mark,
    ])
  }

  settleFindings(id: string): void {
    settleFindings(this.#rows, id)
  }

  reopen(id: string, {failed, unordered, inFlight}: Reopening): void {
    if (inFlight === 'unknown') this.#rows.abandonSent(id)
    if (failed) this.#rows.retryFailed(id)
    if (unordered) this.setSettings(id, {...this.get(id).settings, unordered})
    // The reason to hold rows back may be gone.
    this.#rows.releaseHeld(id)
  }

  cancel(id: string): void {
    this.claim(id)
    this.setState(id, 'cancelled')
  }

  rows(run: RunOfRows): RowPlace {
    return localRows({...run, store: this.#rows})
  }

  remove(id: string): void {
    this.#store.db.run('DELETE FROM bulk_job WHERE id = ?', [id])
  }

  addRows(job: string, rows: readonly NewRow[]): void {
    this.#rows.add(job, rows)
  }

  counts(id: string): RowCounts {
    return this.#rows.counts(id)
  }

  countsAsFound(id: string): RowCounts {
    const counts = {...this.#rows.counts(id)}
    for (const {was, state} of findings(this.#rows, id)) {
      counts[was]--
      counts[state]++
    }
    return counts
  }

  odd(id: string): number {
    return this.#rows.odd(id)
  }

  reasons(id: string): RowReason[] {
    return this.#rows.reasons(id)
  }

  topReasons(id: string, states: readonly RowState[]): ExplainedReason[] {
    return this.#rows.topReasons(id, states)
  }

  inFlight(id: string): {rows: number; since: number} | undefined {
    return this.#rows.inFlight(id)
  }

  /** See `RowStore`. */
  otherUser({id, settings}: Job, user: string): string | undefined {
    return this.#rows.otherUser(id, user, settings.user)
  }

  results(id: string, states?: readonly RowState[]): Generator<RowResult, void, undefined> {
    return this.#rows.results(id, states)
  }

  ends(id: string, states?: readonly RowState[]): Generator<EndedRow, void, undefined> {
    return this.#rows.ends(id, states)
  }

  #toJob(record: JobRecord): Job {
    const {id, operation, source, created_at: createdAt} = record
    const owner = {pid: record.pid, mark: record.process_mark, since: record.claimed_at}
    const isOwned = record.state === 'running' || record.state === 'unread'
    const isRunning = isOwned && this.#store.isRunning(owner)
    const asLeft = record.state === 'running' ? 'stopped' : (record.state as JobState)
    return {
      id,
      operation,
      source,
      createdAt,
      claimedAt: record.claimed_at,
      settings: this.#store.db.decode(() => JSON.parse(record.settings) as JobSettings),
      state: isRunning ? 'running' : asLeft,
    }
  }
}

const isBusy = (id: string, owner?: Pick<JobRecord, 'pid' | 'process_mark' | 'claimed_at'>): Failure => {
  // Pids of other machines and containers mean nothing here.
  const host = owner?.process_mark.split('|')[1]
  const who =
    owner &&
    ` (${owner.pid}${host === undefined ? '' : ` on ${host}`}, since ${new Date(owner.claimed_at).toISOString()})`
  return new Failure('JOB_RUNNING', {
    message: `Another process${who ?? ''} works on bulk job ${id}. This command sent nothing.`,
    hint: advice`Follow it: ${cardctl('bulk', 'watch', {value: id})}`,
    effect: 'none',
    data: {job: id},
  })
}
