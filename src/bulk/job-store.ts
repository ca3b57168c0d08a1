import {randomBytes} from 'node:crypto'
import {Failure} from '../errors/failure.ts'
import {type Journal, REMOVING, sortableIds} from '../journal/index.ts'
import type {
  EndedRow,
  Job,
  JobRow,
  JobSettings,
  JobState,
  NewRow,
  RowCounts,
  RowEnd,
  RowReason,
  RowResult,
  RowState,
} from './job.ts'
import type {Jobs, NewJob, Reopening, RunOfRows} from './jobs.ts'
import {localRows} from './local-rows.ts'
import type {RowPlace} from './row-place.ts'
import {settleFindings} from './settle-findings.ts'

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

interface RowRecord {
  readonly row: number
  readonly line: number
  readonly sealed: Uint8Array
  readonly state: string
  readonly begun_at: number | null
  readonly request: string | null
  readonly status: number | null
  readonly code: string | null
  readonly message: string | null
  readonly reply: Uint8Array | null
  readonly follows: number | null
}

type EndRecord = Omit<RowRecord, 'sealed' | 'begun_at' | 'follows'>

/** What later rows of the same resource need to know about a row. */
export type RowProgress = Pick<RowResult, 'state' | 'message' | 'code' | 'request'>

/** Jobs and their rows, in the journal's file. Contents are encrypted under the local key. */
export class JobStore implements Jobs {
  readonly journal: Journal
  readonly #now: () => number

  constructor(journal: Journal, now: () => number) {
    this.journal = journal
    this.#now = now
  }

  newId(): string {
    return sortableIds({now: this.#now, randomBytes})('j_')
  }

  create(job: NewJob): void {
    this.journal.refuseMoved()
    const {pid, mark} = this.journal.process
    const now = this.#now()
    this.journal.noteProfile()
    const {changes} = this.journal.db.run(
      `INSERT OR IGNORE INTO bulk_job VALUES (?, ?, ?, ?, ?, 'unread', ?, ?, ?)`,
      [job.id, job.operation, job.source, JSON.stringify(job.settings), now, pid, mark, now],
    )
    if (Number(changes) === 0) throw isBusy(job.id)
  }

  /** In the order of the rows: each is linked to the previous one of the same resource. */
  addRows(job: string, rows: readonly NewRow[]): void {
    this.journal.db.exec(
      'CREATE TEMP TABLE IF NOT EXISTS bulk_last_row (resource TEXT PRIMARY KEY, row INTEGER NOT NULL) STRICT, WITHOUT ROWID',
    )
    this.journal.unsynced(() => {
      for (const {row, line, values, resource} of rows) {
        const follows = resource === undefined ? undefined : this.#replaceLast(job, resource, row)
        this.journal.db.run(
          `INSERT INTO bulk_row (job, row, line, sealed, state, follows) VALUES (?, ?, ?, ?, 'waiting', ?)`,
          [job, row, line, this.journal.seal(place(job, row), values), follows ?? null],
        )
      }
    })
  }

  /** Makes the row the last of its resource and returns the previous one. On disk, because there may be millions. */
  #replaceLast(job: string, resource: string, row: number): number | undefined {
    const {db} = this.journal
    const name = `${job} ${resource}`
    const last = db.get<{row: number}>('SELECT row FROM bulk_last_row WHERE resource = ?', [name])
    db.run('INSERT OR REPLACE INTO bulk_last_row VALUES (?, ?)', [name, row])
    return last?.row
  }

  /** A job that was exported here or elsewhere. `restoreRows` adds its rows; until all are there it stays `unread`. */
  restore(job: Omit<Job, 'state' | 'claimedAt'>): void {
    this.journal.unsynced(() => {
      this.journal.db.run(`DELETE FROM bulk_job WHERE id = ? AND state IN ('exported', 'unread')`, [job.id])
      if (this.journal.db.get('SELECT 1 FROM bulk_job WHERE id = ?', [job.id])) {
        throw new Failure('USAGE', {
          message: `Bulk job ${job.id} already exists on this machine.`,
          hint: 'See its progress with bulk status.',
        })
      }
      this.create(job)
      this.journal.db.run('UPDATE bulk_job SET created_at = ? WHERE id = ?', [job.createdAt, job.id])
    })
  }

  restoreRows(job: string, rows: readonly (RowResult & Pick<NewRow, 'resource'>)[]): void {
    this.journal.unsynced(() => {
      this.addRows(job, rows)
      for (const row of rows) {
        this.end(job, row.row, row)
        this.journal.db.run('UPDATE bulk_row SET begun_at = ?, request = ? WHERE job = ? AND row = ?', [
          row.begunAt ?? null,
          row.request ?? null,
          job,
          row.row,
        ])
      }
    })
  }

  /** The job with this id, or undefined. @throws Failure JOB_RUNNING if another process works on it. */
  findIdle(id: string): Job | undefined {
    const record = this.journal.db.get<JobRecord>('SELECT * FROM bulk_job WHERE id = ?', [id])
    // What is removed in the background is gone before a new one takes its place.
    if (record?.state === REMOVING) this.remove(id)
    if (record === undefined || record.state === REMOVING) return undefined
    const job = this.#toJob(record)
    if (job.state === 'running') throw isBusy(id)
    return job
  }

  /** @throws Failure NOT_FOUND, or OTHER_SERVICE if the job belongs to another service. */
  get(id: string): Job {
    const record = this.journal.db.get<JobRecord>(
      `SELECT * FROM bulk_job WHERE id = ? AND state <> '${REMOVING}'`,
      [id],
    )
    if (record) return this.#toJob(record)
    this.journal.refuseElsewhere({job: id})
    throw new Failure('NOT_FOUND', {
      message: `There is no bulk job ${id} of ${this.journal.service.words}.`,
      hint: 'See bulk list; each service has jobs of its own.',
    })
  }

  /** Newest first. */
  list(): Job[] {
    return this.journal.db
      .all<JobRecord>(`SELECT * FROM bulk_job WHERE state <> '${REMOVING}' ORDER BY created_at DESC, id DESC`)
      .map(record => this.#toJob(record))
  }

  /** Takes the job for this process. @throws Failure USAGE if another process works on it. */
  claim(id: string): void {
    const {pid, mark} = this.journal.process
    this.journal.durably(() => {
      this.journal.refuseMoved()
      if (this.get(id).state === 'running') throw isBusy(id)
      this.journal.db.run(
        `UPDATE bulk_job SET state = 'running', pid = ?, process_mark = ?, claimed_at = ? WHERE id = ?`,
        [pid, mark, this.#now(), id],
      )
    })
  }

  setSettings(id: string, settings: JobSettings): void {
    this.journal.db.run('UPDATE bulk_job SET settings = ? WHERE id = ?', [JSON.stringify(settings), id])
  }

  setState(id: string, state: JobState): void {
    this.journal.db.run('UPDATE bulk_job SET state = ? WHERE id = ?', [state, id])
  }

  start(id: string): void {
    this.setState(id, 'running')
  }

  leave(id: string): void {
    const {waiting, sent, again, held} = this.counts(id)
    this.setState(id, waiting + sent + again + held === 0 ? 'done' : 'stopped')
  }

  settleFindings(id: string): void {
    settleFindings(this, id)
  }

  reopen(id: string, {failed, unordered}: Reopening): void {
    if (failed) this.resetToWaiting(id, 'failed')
    if (unordered) this.setSettings(id, {...this.get(id).settings, unordered})
    // The reason to hold rows back may be gone.
    this.resetToWaiting(id, 'held')
  }

  confirmed(id: string): void {
    this.setSettings(id, {...this.get(id).settings, unconfirmed: undefined})
  }

  cancel(id: string): void {
    this.claim(id)
    this.setState(id, 'cancelled')
  }

  rows(run: RunOfRows): RowPlace {
    return localRows({...run, store: this})
  }

  remove(id: string): void {
    this.journal.db.run('DELETE FROM bulk_job WHERE id = ?', [id])
  }

  counts(id: string): RowCounts {
    const counts = {waiting: 0, sent: 0, again: 0, done: 0, failed: 0, unknown: 0, held: 0}
    const found = this.journal.db.all<{state: RowState; n: number}>(
      'SELECT state, count(*) AS n FROM bulk_row WHERE job = ? GROUP BY state',
      [id],
    )
    for (const {state, n} of found) counts[state] = n
    return counts
  }

  /** Rows that are done, with a response that differs from the contract. */
  odd(id: string): number {
    const found = this.journal.db.get<{n: number}>(
      `SELECT count(*) AS n FROM bulk_row WHERE job = ? AND state = 'done' AND code IS NOT NULL`,
      [id],
    )
    return found?.n ?? 0
  }

  /** Why rows failed, are unknown or were held back, the most frequent reason first. */
  reasons(id: string): RowReason[] {
    return this.journal.db
      .all<{code: string; status: number | null; count: number}>(
        `SELECT code, status, count(*) AS count FROM bulk_row
         WHERE job = ? AND state IN ('failed', 'unknown', 'held') AND code IS NOT NULL
         GROUP BY code, status ORDER BY count DESC, code, status`,
        [id],
      )
      .map(({status, ...reason}) => ({...reason, status: status ?? undefined}))
  }

  /** When the earliest row in flight was sent, ms since 1970. */
  oldestSent(id: string): number | undefined {
    const found = this.journal.db.get<{at: number | null}>(
      `SELECT min(begun_at) AS at FROM bulk_row WHERE job = ? AND state = 'sent'`,
      [id],
    )
    return found?.at ?? undefined
  }

  /** The next rows to send, after a row. */
  next(id: string, after: number, limit: number): JobRow[] {
    return this.journal.db
      .all<RowRecord>(
        `SELECT * FROM bulk_row WHERE job = ? AND row > ? AND state IN ('waiting', 'sent', 'again')
         ORDER BY row LIMIT ?`,
        [id, after, limit],
      )
      .map(record => this.#toRow(id, record))
  }

  /** Whether any row of the job has to wait for another. */
  isOrdered(id: string): boolean {
    const found = this.journal.db.get(
      'SELECT 1 FROM bulk_row WHERE job = ? AND follows IS NOT NULL LIMIT 1',
      [id],
    )
    return found !== undefined
  }

  /** The next row of the same resource. */
  follower(id: string, row: number): JobRow | undefined {
    const found = this.journal.db.get<RowRecord>('SELECT * FROM bulk_row WHERE job = ? AND follows = ?', [
      id,
      row,
    ])
    return found && this.#toRow(id, found)
  }

  progressOf(id: string, row: number): RowProgress | undefined {
    const found = this.journal.db.get<RowRecord>(
      'SELECT state, message, code, request FROM bulk_row WHERE job = ? AND row = ?',
      [id, row],
    )
    if (found === undefined) return undefined
    const {state, message, code, request} = found
    return {
      state: state as RowState,
      message: message ?? undefined,
      code: code ?? undefined,
      request: request ?? undefined,
    }
  }

  /** Rows whose effect is unknown, with their last request, page by page. */
  *openRows(id: string): Generator<readonly {row: number; request: string}[], void, undefined> {
    for (let after = 0; ; ) {
      const page = this.journal.db.all<{row: number; request: string}>(
        `SELECT row, request FROM bulk_row
         WHERE job = ? AND row > ? AND state IN ('sent', 'unknown') AND request IS NOT NULL ORDER BY row LIMIT 500`,
        [id, after],
      )
      const last = page.at(-1)
      if (last === undefined) return
      yield page
      after = last.row
    }
  }

  /** Sets all rows in a state back to waiting, for example because the reason for holding them may be gone. */
  resetToWaiting(id: string, state: 'held' | 'failed'): void {
    const {db} = this.journal
    db.run(
      `UPDATE bulk_row SET state = 'waiting', status = NULL, code = NULL, message = NULL, reply = NULL
       WHERE job = ? AND state = ?`,
      [id, state],
    )
  }

  /**
   * Within the caller's transaction. While its effect is unknown, a row keeps the time when it was first sent: the life
   * of its key begins there.
   */
  begin(id: string, row: number, request: string | undefined): void {
    this.journal.db.run(
      `UPDATE bulk_row SET state = 'sent', begun_at = CASE WHEN state = 'sent' THEN begun_at ELSE ? END, request = coalesce(?, request)
       WHERE job = ? AND row = ?`,
      [this.#now(), request ?? null, id, row],
    )
  }

  /** Within the caller's transaction. */
  end(id: string, row: number, {state, status, code, message, reply}: RowEnd): void {
    this.journal.db.run(
      'UPDATE bulk_row SET state = ?, status = ?, code = ?, message = ?, reply = ? WHERE job = ? AND row = ?',
      [
        state,
        status ?? null,
        code ?? null,
        message ?? null,
        reply === undefined ? null : this.journal.seal(`${place(id, row)}/reply`, reply),
        id,
        row,
      ],
    )
  }

  /** Rows that were in flight and must not be sent again. */
  abandonSent(id: string): number {
    const {changes} = this.journal.db.run(
      `UPDATE bulk_row SET state = 'unknown', code = 'EFFECT_UNKNOWN' WHERE job = ? AND state = 'sent'`,
      [id],
    )
    return Number(changes)
  }

  /** Rows with their values and how they ended, in their order, one by one. */
  *results(id: string, states?: readonly RowState[]): Generator<RowResult, void, undefined> {
    for (const record of this.#records<RowRecord>(id, '*', states)) {
      yield {...this.#toRow(id, record), ...this.#toEnd(id, record)}
    }
  }

  /** How rows ended, in their order, one by one. Their values stay encrypted. */
  *ends(id: string, states?: readonly RowState[]): Generator<EndedRow, void, undefined> {
    const columns = 'row, line, state, request, status, code, message, reply'
    for (const record of this.#records<EndRecord>(id, columns, states)) {
      const {row, line, state, request} = record
      const {status, code, message, reply} = this.#toEnd(id, record)
      yield {
        row,
        line,
        state: state as RowState,
        request: request ?? undefined,
        status,
        code,
        message,
        reply,
      }
    }
  }

  #records<Row extends object>(
    id: string,
    columns: string,
    states: readonly RowState[] | undefined,
  ): Generator<Row, void, undefined> {
    const within = states === undefined ? '' : `AND state IN (${states.map(() => '?').join(', ')})`
    return this.journal.db.iterate<Row>(
      `SELECT ${columns} FROM bulk_row WHERE job = ? ${within} ORDER BY row`,
      [id, ...(states ?? [])],
    )
  }

  #toJob(record: JobRecord): Job {
    const {id, operation, source, created_at: createdAt} = record
    const owner = {pid: record.pid, mark: record.process_mark, since: record.claimed_at}
    const isOwned = record.state === 'running' || record.state === 'unread'
    const isRunning = isOwned && this.journal.isRunning(owner)
    const asLeft = record.state === 'running' ? 'stopped' : (record.state as JobState)
    return {
      id,
      operation,
      source,
      createdAt,
      claimedAt: record.claimed_at,
      settings: this.journal.db.decode(() => JSON.parse(record.settings) as JobSettings),
      state: isRunning ? 'running' : asLeft,
    }
  }

  #toEnd(job: string, {row, status, code, message, reply}: EndRecord) {
    return {
      status: status ?? undefined,
      code: code ?? undefined,
      message: message ?? undefined,
      reply: reply === null ? undefined : this.journal.unseal(`${place(job, row)}/reply`, reply),
    }
  }

  #toRow(job: string, {row, line, sealed, state, begun_at, request, follows}: RowRecord): JobRow {
    const values = this.journal.unseal(place(job, row), sealed)
    if (typeof values !== 'object' || values === null) {
      throw new Failure('STORE_DAMAGED', {
        message: `Row ${row} of bulk job ${job} can't be decrypted: the local key was replaced.`,
        hint: 'Start a new job with the rows that are left. bulk results shows which rows are done.',
      })
    }
    return {
      row,
      line,
      values: values as Record<string, unknown>,
      state: state as RowState,
      begunAt: begun_at ?? undefined,
      request: request ?? undefined,
      follows: follows ?? undefined,
    }
  }
}

const isBusy = (id: string): Failure =>
  new Failure('JOB_RUNNING', {message: `Another process works on bulk job ${id}.`})

const place = (job: string, row: number): string => `${job}/${row}`
