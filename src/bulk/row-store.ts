import type {Journal, JournalStore} from '../journal/index.ts'
import {
  type EndedRow,
  type ExplainedReason,
  type JobRow,
  MOST_REASONS,
  type NewRow,
  type RowCounts,
  type RowEnd,
  type RowReason,
  type RowResult,
  type RowState,
} from './job.ts'
import {
  type EndRecord,
  knownBlame,
  type RowRecord,
  replyPlace,
  toEnd,
  toReason,
  toRow,
  valuesPlace,
} from './row-records.ts'

/** What later rows of the same resource need to know about a row. */
export type RowProgress = Pick<RowResult, 'state' | 'message' | 'code' | 'request'>

interface OpenRow {
  readonly row: number
  readonly state: 'sent' | 'unknown'
  readonly request: string
}

/** The columns that say why a row is not done. */
const REASON = ['status', 'code', 'message', 'blame'] as const

/** How far a clock is set back in the ordinary way. */
const CLOCK_STEP_MS = 600_000

/** More than a job can have. */
const AFTER_ALL_ROWS = 2 ** 40

/** The rows of the jobs of this machine, in the journal's file. Contents are encrypted under the local key. */
export class RowStore {
  /** Where the requests of the rows are recorded. */
  readonly journal: Journal
  readonly #store: JournalStore
  readonly #now: () => number

  constructor(journal: Journal, now: () => number) {
    this.journal = journal
    this.#store = journal.store
    this.#now = now
  }

  /** In the order of the rows: each is linked to the previous one of the same resource. */
  add(job: string, rows: readonly NewRow[]): void {
    this.#store.db.exec(
      'CREATE TEMP TABLE IF NOT EXISTS bulk_last_row (resource TEXT PRIMARY KEY, row INTEGER NOT NULL) STRICT, WITHOUT ROWID',
    )
    this.#store.unsynced(() => {
      for (const {row, line, values, resource} of rows) {
        const follows = resource === undefined ? undefined : this.#replaceLast(job, resource, row)
        this.#store.db.run(
          `INSERT INTO bulk_row (job, row, line, sealed, state, follows) VALUES (?, ?, ?, ?, 'waiting', ?)`,
          [job, row, line, this.#store.seal(valuesPlace(job, row), values), follows ?? null],
        )
      }
    })
  }

  /** Adds rows of a job that was exported, with how they ended. */
  restore(job: string, rows: readonly (RowResult & Pick<NewRow, 'resource'>)[]): void {
    this.#store.unsynced(() => {
      this.add(job, rows)
      for (const row of rows) {
        this.end(job, row.row, row)
        this.#store.db.run('UPDATE bulk_row SET begun_at = ?, request = ? WHERE job = ? AND row = ?', [
          row.begunAt ?? null,
          row.request ?? null,
          job,
          row.row,
        ])
      }
    })
  }

  counts(id: string): RowCounts {
    const counts = {waiting: 0, sent: 0, again: 0, done: 0, failed: 0, unknown: 0, held: 0}
    const found = this.#store.db.all<{state: RowState; n: number}>(
      'SELECT state, count(*) AS n FROM bulk_row WHERE job = ? GROUP BY state',
      [id],
    )
    for (const {state, n} of found) counts[state] = n
    return counts
  }

  /** Rows that are done, with a response that differs from the contract. */
  odd(id: string): number {
    const found = this.#store.db.get<{n: number}>(
      `SELECT count(*) AS n FROM bulk_row WHERE job = ? AND state = 'done' AND code IS NOT NULL`,
      [id],
    )
    return found?.n ?? 0
  }

  /** Why rows failed, are unknown or were held back, the most frequent reason first. */
  reasons(id: string): RowReason[] {
    return this.#store.db
      .all<{code: string; status: number | null; count: number}>(
        `SELECT code, status, count(*) AS count FROM bulk_row
         WHERE job = ? AND state IN ('failed', 'unknown', 'held') AND code IS NOT NULL
         GROUP BY code, status ORDER BY count DESC, code, status`,
        [id],
      )
      .map(({status, ...reason}) => ({...reason, status: status ?? undefined}))
  }

  /**
   * The most frequent reasons why rows in these states are not done. A row whose process ended has none of its own, and
   * one that its run gave up before it was sent has none at all. The reason of a later try is no reason why an effect is
   * unknown, so such a row is an example only if there is no other. SQLite takes the other columns from the row of the only `min`.
   */
  topReasons(id: string, states: readonly RowState[]): ExplainedReason[] {
    return this.#store.db
      .all<{
        code: string
        status: number | null
        count: number
        row: number
        line: number
        message: string | null
        blame: string | null
        request: string | null
      }>(
        `SELECT coalesce(code, 'EFFECT_UNKNOWN') AS code, status, count(*) AS count, row, line, message, blame, request,
           min((state IN ('sent', 'unknown')) * ${AFTER_ALL_ROWS} + row) AS example
         FROM bulk_row WHERE job = ? AND state IN (${states.map(() => '?').join(', ')})
           AND (code IS NOT NULL OR state IN ('sent', 'unknown'))
         GROUP BY 1, status, blame ORDER BY count DESC, example LIMIT ${MOST_REASONS}`,
        [id, ...states],
      )
      .map(({code, status, count, row, line, message, blame, request}) => ({
        code,
        status: status ?? undefined,
        count,
        blame: knownBlame(blame),
        example: {row, line, message: message ?? undefined, request: request ?? undefined},
      }))
  }

  /** The rows in flight, and when the first of them was sent, ms since 1970. */
  inFlight(id: string): {rows: number; since: number} | undefined {
    const found = this.#store.db.get<{rows: number; since: number | null}>(
      `SELECT count(*) AS rows, min(begun_at) AS since FROM bulk_row WHERE job = ? AND state = 'sent'`,
      [id],
    )
    return found?.since == null ? undefined : {rows: found.rows, since: found.since}
  }

  /** Of the rows whose requests may have an effect and are sent again, an audit user who sent one: another than `user`. */
  otherUser(id: string, user: string, first: string | undefined): string | undefined {
    return this.#store.db.get<{user: string}>(
      `SELECT coalesce(request.audit_user, :first) AS user
       FROM bulk_row LEFT JOIN request ON request.id = bulk_row.request
       WHERE bulk_row.job = :id AND (state = 'sent' OR (state = 'again' AND request.effect <> 'none'))
         AND coalesce(request.audit_user, :first) <> :user LIMIT 1`,
      {id, user, first: first ?? null},
    )?.user
  }

  /** The next rows to send, after a row. */
  next(id: string, after: number, limit: number): JobRow[] {
    return this.#store.db
      .all<RowRecord>(
        `SELECT * FROM bulk_row WHERE job = ? AND row > ? AND state IN ('waiting', 'sent', 'again')
         ORDER BY row LIMIT ?`,
        [id, after, limit],
      )
      .map(record => this.#toSend(id, record))
  }

  /** Whether any row of the job has to wait for another. */
  isOrdered(id: string): boolean {
    const found = this.#store.db.get('SELECT 1 FROM bulk_row WHERE job = ? AND follows IS NOT NULL LIMIT 1', [
      id,
    ])
    return found !== undefined
  }

  /** The next row of the same resource. */
  follower(id: string, row: number): JobRow | undefined {
    const found = this.#store.db.get<RowRecord>('SELECT * FROM bulk_row WHERE job = ? AND follows = ?', [
      id,
      row,
    ])
    return found && this.#toSend(id, found)
  }

  #toSend(id: string, record: RowRecord): JobRow {
    return {...toRow(this.#store, id, record), reason: toReason(record)}
  }

  progressOf(id: string, row: number): RowProgress | undefined {
    const found = this.#store.db.get<RowRecord>(
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
  *openRows(id: string): Generator<readonly OpenRow[], void, undefined> {
    for (let after = 0; ; ) {
      const page = this.#store.db.all<OpenRow>(
        `SELECT row, state, request FROM bulk_row
         WHERE job = ? AND row > ? AND state IN ('sent', 'unknown') AND request IS NOT NULL ORDER BY row LIMIT 500`,
        [id, after],
      )
      const last = page.at(-1)
      if (last === undefined) return
      yield page
      after = last.row
    }
  }

  /** Rows that failed are sent again: until then, `again` has them with the reason. */
  retryFailed(id: string): void {
    this.#store.db.run(`UPDATE bulk_row SET state = 'again' WHERE job = ? AND state = 'failed'`, [id])
  }

  /** Sets all rows that were held back to waiting, because the reason for holding them may be gone. */
  releaseHeld(id: string): void {
    const {db} = this.#store
    db.run(
      `UPDATE bulk_row SET state = 'waiting', status = NULL, code = NULL, message = NULL, blame = NULL, reply = NULL
       WHERE job = ? AND state = 'held'`,
      [id],
    )
  }

  /** Whether this process still works on the job. Ask in the transaction that depends on it. */
  isOwn(id: string): boolean {
    const {pid, mark} = this.#store.process
    const found = this.#store.db.get(
      `SELECT 1 FROM bulk_job WHERE id = ? AND state = 'running' AND pid = ? AND process_mark = ?`,
      [id, pid, mark],
    )
    return found !== undefined
  }

  /**
   * Within the caller's transaction. While its effect is unknown, a row keeps the time when it was first sent: the life
   * of its key begins there, at the earliest time that it can have been, and it keeps the reason for that until it ends
   * again.
   */
  begin(id: string, row: number, request: string | undefined): void {
    this.#store.db.run(
      `UPDATE bulk_row SET state = 'sent', begun_at = CASE WHEN state = 'sent' THEN begun_at ELSE ? END, request = coalesce(?, request),
         ${REASON.map(column => `${column} = CASE WHEN state = 'sent' THEN ${column} END`).join(', ')}
       WHERE job = ? AND row = ?`,
      [Math.min(this.#now(), this.#store.span().from), request ?? null, id, row],
    )
  }

  /** When rows were sent by a clock of which a service has said since that it is ahead: by the time of the service. */
  correctTimes(id: string): void {
    const {from} = this.#store.span()
    const ahead = Math.ceil(this.#now() - from)
    if (ahead <= CLOCK_STEP_MS) return
    this.#store.db.run(
      `UPDATE bulk_row SET begun_at = begun_at - ? WHERE job = ? AND state = 'sent' AND begun_at > ?`,
      [ahead, id, Math.ceil(from) + CLOCK_STEP_MS],
    )
  }

  /** Within the caller's transaction. */
  end(id: string, row: number, {state, status, code, message, blame, reply}: RowEnd): void {
    this.#store.db.run(
      'UPDATE bulk_row SET state = ?, status = ?, code = ?, message = ?, blame = ?, reply = ? WHERE job = ? AND row = ?',
      [
        state,
        status ?? null,
        code ?? null,
        message ?? null,
        blame ?? null,
        reply === undefined ? null : this.#store.seal(replyPlace(id, row), reply),
        id,
        row,
      ],
    )
  }

  /** Rows that were in flight and must not be sent again. */
  abandonSent(id: string): void {
    this.#store.db.run(
      `UPDATE bulk_row SET state = 'unknown', code = 'EFFECT_UNKNOWN' WHERE job = ? AND state = 'sent'`,
      [id],
    )
  }

  /** Rows with their values and how they ended, in their order, one by one. */
  *results(id: string, states?: readonly RowState[]): Generator<RowResult, void, undefined> {
    for (const record of this.#records<RowRecord>(id, '*', states)) {
      yield {...toRow(this.#store, id, record), ...toEnd(this.#store, id, record)}
    }
  }

  /** How rows ended, in their order, one by one. Their values stay encrypted. */
  *ends(id: string, states?: readonly RowState[]): Generator<EndedRow, void, undefined> {
    const columns = 'row, line, state, request, status, code, message, reply'
    for (const record of this.#records<EndRecord>(id, columns, states)) {
      const {row, line, state, request} = record
      const {status, code, message, reply} = toEnd(this.#store, id, record)
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

  /** Makes the row the last of its resource and returns the previous one. On disk, because there may be millions. */
  #replaceLast(job: string, resource: string, row: number): number | undefined {
    const {db} = this.#store
    const name = `${job} ${resource}`
    const last = db.get<{row: number}>('SELECT row FROM bulk_last_row WHERE resource = ?', [name])
    db.run('INSERT OR REPLACE INTO bulk_last_row VALUES (?, ?)', [name, row])
    return last?.row
  }

  #records<Row extends object>(
    id: string,
    columns: string,
    states: readonly RowState[] | undefined,
  ): Generator<Row, void, undefined> {
    const within = states === undefined ? '' : `AND state IN (${states.map(() => '?').join(', ')})`
    return this.#store.db.iterate<Row>(
      `SELECT ${columns} FROM bulk_row WHERE job = ? ${within} ORDER BY row`,
      [id, ...(states ?? [])],
    )
  }
}
