import {randomBytes, randomUUID} from 'node:crypto'
import {setTimeout as pause} from 'node:timers/promises'
import type {Client, PoolClient, QueryResult} from 'pg'
import {Failure} from '../../../errors/failure.ts'
import type {Connections} from '../../../postgres/connect.ts'
import {lockHolders} from '../../../postgres/lock-holders.ts'
import {untilNotOvertaken} from '../../../postgres/overtaken.ts'
import {END_HOLDER, isAnswered} from '../../../postgres/reasons.ts'
import {statementName} from '../../../postgres/statement-name.ts'
import {Problem} from '../../problems.ts'
import {GroupedStore, type Outcome, settle, takeReads, type Work} from '../grouped-work.ts'
import type {Transaction} from '../store.ts'
import {type TableName, tableNames} from '../tables.ts'
import {isLockTimeout, mayBeHeld, storeUnavailable} from './connect.ts'
import {beginning, ending} from './group-statements.ts'
import {checkStillUsable} from './migrate.ts'
import {PostgresCollection, type Statements} from './postgres-collection.ts'
import {OTHERS, SCHEMA, TENANT_SETTING, tableOf} from './schema.ts'

export interface PostgresStoreOptions {
  /** Id of the tenant whose rows this store sees. */
  readonly tenant: number
  /** Maximum number of its rows; null for any number. */
  readonly maxRows: number | null
  readonly statementMs: number
  readonly lockMs: number
}

/** How long to look for the outcome of a commit whose connection broke. A restart of the database takes seconds. */
const DOUBT_MS = 20_000

/** After a failed attempt to connect, requests fail without another one for this time: the Retry-After that they get. */
const UNREACHABLE_MS = 1_000

/** After this time, a write waits for another process, ms. Most waits are shorter: reads keep their order then. */
const BLOCKED_MS = 50

/** The transaction of a group: what is known of it, and how its statements are sent. */
class GroupTransaction {
  readonly client: PoolClient
  readonly shown: string
  hasSavepoint = false
  hasWritten = false

  constructor(client: PoolClient, shown: string) {
    this.client = client
    this.shown = shown
  }

  /** Sends the statements with one write, which wakes the database once. */
  together<Result>(send: () => Promise<Result>): Promise<Result> {
    const {stream} = (this.client as unknown as Pick<Client, 'connection'>).connection
    stream.cork()
    try {
      return send()
    } finally {
      stream.uncork()
    }
  }

  async run(sql: string): Promise<QueryResult | readonly QueryResult[]> {
    try {
      return (await this.client.query(sql)) as QueryResult | QueryResult[]
    } catch (error) {
      throw storeUnavailable(this.shown, error)
    }
  }
}

/**
 * The store of one tenant in PostgreSQL, which any number of processes on any number of machines may share.
 *
 * Processes take turns by a row lock, so work is serial as in one process, and the same rules hold. A group of requests
 * shares the lock, the commit and the statements that write. What was read of a table stays in memory while the table
 * has the same mark: that of the commit that last changed it. Each group looks at the marks first. They are in the row
 * with the lock, and random, so they also tell when the database has gone back to an earlier state.
 */
export class PostgresStore extends GroupedStore {
  readonly #connections: Connections
  readonly #options: PostgresStoreOptions
  readonly #tables: readonly PostgresCollection<never, never>[]
  readonly #byName: Readonly<Record<TableName, PostgresCollection<never, never>>>
  readonly #collections: Transaction
  readonly #process = randomUUID()
  #commits = 0
  /** Number of rows, also of those that wait to be sent; only with a limit. */
  #rows = 0
  /** The same before the current work. */
  #rowsBefore = 0
  /** The mark that each table had when its rows were read. */
  readonly #marks = new Map<TableName, string | undefined>()
  /** All of them as the database last had them: most reads need no comparison of each. */
  #marksText: string | null = null
  /** Whether the last transaction found changes of another process. */
  #hasOthers = false
  /** Why there was no connection, and until when nobody tries again. */
  #unreachable: {failure?: Failure; until: number} = {until: 0}
  #current: GroupTransaction | undefined
  /** Where reads go while a write waits for the lock of another process. */
  #passing: PostgresStore | undefined
  /** When the transaction began: epoch ms by the clock of the database, and a monotonic time. */
  #beganAt = {database: 0, here: 0}

  constructor(connections: Connections, options: PostgresStoreOptions) {
    super()
    this.#connections = connections
    this.#options = options
    const statements: Statements = {
      query: (sql, values) => this.#query(sql, values),
      beforeSending: () => this.#beforeSending(),
      ...(options.maxRows === null ? {} : {checkRoom: this.#checkRoom.bind(this, options.maxRows)}),
      removed: count => {
        this.#rows -= count
      },
    }
    const tables = tableNames.map(
      name => [name, new PostgresCollection<never, never>(statements, name)] as const,
    )
    this.#tables = tables.map(([, table]) => table)
    this.#byName = Object.fromEntries(tables) as Record<TableName, PostgresCollection<never, never>>
    this.#collections = this.#byName as unknown as Transaction
  }

  readonly now = (): number => this.#beganAt.database + performance.now() - this.#beganAt.here

  /** Leaves the connections open, because stores of several tenants share them. */
  protected release(): void {
    this.#forget()
  }

  override read<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#passing === undefined ? super.read(work) : this.#passing.read(work)
  }

  protected runGroup(group: Work[], takeMore?: () => readonly Work[]): Promise<void> {
    return untilNotOvertaken(() => this.#runOnce(group, takeMore))
  }

  async #runOnce(group: Work[], takeMore: () => readonly Work[] = () => []): Promise<void> {
    const writes = group.some(work => work.writes)
    let open: GroupTransaction | undefined
    try {
      const transaction = await this.#connect()
      open = transaction
      this.#current = transaction
      const letPass = writes ? setInterval(() => this.#letReadsPass(group), BLOCKED_MS) : undefined
      const [, keep] = await transaction
        .together(() =>
          Promise.all([this.#begin(transaction, writes), this.#readAhead(group, this.#hasOthers)]),
        )
        .finally(() => {
          clearInterval(letPass)
          this.#passing = undefined
        })
      keep()
      this.#rowsBefore = this.#rows
      // What has arrived while this process waited for the lock shares the commit. Its rows are read meanwhile.
      const more = writes ? takeMore() : []
      const readMore = this.#readAhead(more, false)
      readMore.catch(() => undefined)
      const first = group.length
      group.push(...more)
      const outcomes: Outcome[] = []
      for (const [at, work] of group.entries()) {
        if (at === first) (await readMore)()
        outcomes.push(await this.#outcomeOf(work, transaction, group.length > 1))
      }
      await transaction.together(() => this.#commit(transaction))
      transaction.client.release()
      settle(group, outcomes)
    } catch (error) {
      // Closing the connection rolls back.
      open?.client.release(true)
      this.#forget()
      const why = mayBeHeld(error) ? await this.#heldBy(error) : error
      if (writes && isLockTimeout(error)) return this.#refuseWrites(group, why)
      if (group.length === 1 || isInDoubt(error)) throw why
      for (const work of group) await this.runWhole([work])
    } finally {
      this.#current = undefined
    }
  }

  /**
   * A write waits for the lock of another process. Reads need no lock, so from now on they run beside it: those of its
   * group, those already queued, and new ones. They see what is there before the write.
   */
  #letReadsPass(group: Work[]): void {
    const {pool} = this.#connections
    const hasRoom = pool.idleCount > 0 || pool.totalCount < pool.options.max
    if (this.#passing !== undefined || pool.waitingCount > 0 || !hasRoom) return
    const passing = new PostgresStore(this.#connections, this.#options)
    const reads = [...takeReads(group), ...this.takeWaitingReads()]
    for (const {run, resolve, reject} of reads) passing.read(run).then(resolve, reject)
    this.#passing = passing
  }

  async #connect(): Promise<GroupTransaction> {
    const {connect, shown} = this.#connections
    // Requests that wait take turns, so together they would wait for a multiple of the time limit.
    if (performance.now() < this.#unreachable.until) throw this.#unreachable.failure
    try {
      return new GroupTransaction(await connect(), shown)
    } catch (error) {
      const failure = storeUnavailable(shown, error)
      this.#unreachable = {failure, until: performance.now() + UNREACHABLE_MS}
      throw failure
    }
  }

  async #begin(transaction: GroupTransaction, writes: boolean): Promise<void> {
    const results = await transaction.run(beginning(transaction.client, {...this.#options, writes}))
    const state = lastRow<StoreState>(results)
    if (state === undefined) throw tenantGone(transaction.shown)
    checkStillUsable(state.works_since, transaction.shown)
    this.#beganAt = {database: Number(state.now), here: performance.now()}
    this.#forgetOld(state)
    if (writes && this.#options.maxRows !== null) {
      this.#rows = state.rows === null ? await this.#countRows(transaction) : Number(state.rows)
    }
  }

  /** Forgets what was read of tables that have another mark than then. A table without a mark is never kept. */
  #forgetOld({marks: text}: StoreState): void {
    this.#hasOthers = false
    if (text === this.#marksText) return
    this.#marksText = text
    const marks = JSON.parse(text) as Readonly<Record<string, string>>
    for (const table of this.#tables) {
      const mark = marks[table.name] ?? marks[OTHERS]
      const known = this.#marks.get(table.name)
      if (mark !== undefined && mark === known) continue
      this.#hasOthers ||= known !== undefined
      this.#marks.set(table.name, mark)
      table.forget()
    }
  }

  /** Sent together with the start of the transaction. @returns what keeps the rows. */
  async #readAhead(group: readonly Work[], isOld: boolean): Promise<() => void> {
    const likely = Map.groupBy(
      group.flatMap(work => work.likely?.() ?? []),
      ({table}) => table,
    )
    const keeps = await Promise.all(
      [...likely].map(([table, rows]) =>
        this.#byName[table].readAhead(
          rows.map(({id}) => id),
          isOld,
        ),
      ),
    )
    return () => {
      for (const keep of keeps) keep()
    }
  }

  /** @throws whatever ended the transaction of the group, not just this work. */
  async #outcomeOf({writes, run}: Work, transaction: GroupTransaction, isShared: boolean): Promise<Outcome> {
    try {
      const result = await run(this.#collections)
      if (transaction.hasSavepoint) await transaction.run('RELEASE SAVEPOINT work')
      transaction.hasSavepoint = false
      for (const table of this.#tables) table.keep()
      this.#rowsBefore = this.#rows
      return {result}
    } catch (error) {
      // After an error of the database, the transaction is over.
      if (error instanceof Failure && error.code === 'STORE_UNAVAILABLE') throw error
      if (!writes) return {error}
      if (!isShared) throw error
      if (transaction.hasSavepoint) {
        await transaction.run('ROLLBACK TO SAVEPOINT work; RELEASE SAVEPOINT work')
        transaction.hasSavepoint = false
      }
      for (const table of this.#tables) table.drop()
      this.#rows = this.#rowsBefore
      return {error}
    }
  }

  /** Sends the rows of earlier work, and then marks the place to return to if the current work fails. */
  async #beforeSending(): Promise<void> {
    const transaction = this.#transaction()
    if (transaction.hasSavepoint) return
    transaction.hasSavepoint = true
    transaction.hasWritten = true
    await Promise.all([...this.#sendDone(), transaction.run('SAVEPOINT work')])
  }

  #sendDone(): readonly Promise<unknown>[] {
    return this.#tables.filter(({hasDone}) => hasDone).map(table => table.sendDone())
  }

  /** All statements travel together. If one fails, PostgreSQL refuses those after it, also the commit. */
  async #commit(transaction: GroupTransaction): Promise<void> {
    const rows = this.#sendDone()
    if (rows.length === 0 && !transaction.hasWritten) {
      // Nobody waits for the end of a transaction that only read.
      void transaction.run('COMMIT').catch(() => undefined)
      return
    }
    const {tenant, maxRows} = this.#options
    this.#commits++
    const mark = randomBytes(12).toString('base64url')
    const changed = this.#tables.filter(({hasChanged}) => hasChanged).map(({name}) => name)
    const end = transaction.client.query(
      ending({
        tenant,
        process: this.#process,
        number: this.#commits,
        rows: maxRows === null ? null : this.#rows,
        mark,
        changed,
      }),
    )
    const [ended, ...sent] = await Promise.allSettled([end, ...rows])
    if (ended.status === 'rejected') {
      const refused = sent.find(each => each.status === 'rejected')
      if (isAnswered(ended.reason)) throw storeUnavailable(transaction.shown, refused?.reason ?? ended.reason)
      await this.#findCommit(ended.reason)
    }
    for (const name of changed) this.#marks.set(name, mark)
    this.#marksText = null
    for (const table of this.#tables) table.committed()
  }

  /**
   * The connection broke during a commit. Finds out whether it happened: with the lock, the old transaction is over, and
   * its mark is there or not.
   *
   * @throws Failure STORE_UNAVAILABLE if it did not happen; with an unknown effect if nobody can say.
   */
  async #findCommit(cause: unknown): Promise<void> {
    const {shown} = this.#connections
    const until = performance.now() + DOUBT_MS
    while (performance.now() < until) {
      const wasCommitted = await this.#isLastCommitThere().catch(() => undefined)
      if (wasCommitted === false) throw storeUnavailable(shown, cause)
      if (wasCommitted) return
      await pause(100)
    }
    throw storeUnavailable(shown, cause).with({effect: 'unknown'})
  }

  async #isLastCommitThere(): Promise<boolean> {
    const transaction = await this.#connect()
    try {
      await this.#begin(transaction, true)
      const found = await transaction.run(
        `SELECT 1 AS found FROM ${SCHEMA}.commits WHERE tenant = ${this.#options.tenant} AND process = '${this.#process}' AND number = ${this.#commits}`,
      )
      return lastRow(found) !== undefined
    } finally {
      // Closing the connection gives the lock back.
      transaction.client.release(true)
      this.#forget()
    }
  }

  /** Another process has held the lock for too long. Only writes need it, so reads still run. */
  async #refuseWrites(group: readonly Work[], error: unknown): Promise<void> {
    for (const work of group) if (work.writes) work.reject(error)
    const reads = group.filter(work => !work.writes)
    if (reads.length > 0) await this.runGroup(reads)
  }

  /** The same error, with who holds the lock, if that can be seen. */
  async #heldBy(error: unknown): Promise<unknown> {
    const {connect, shown} = this.#connections
    let client: PoolClient | undefined
    try {
      client = await connect()
      const {tenant} = this.#options
      const row = {from: `stores WHERE tenant = ${tenant}`, seenBy: `${TENANT_SETTING} = ${tenant}`}
      const holders = await lockHolders(client, SCHEMA, {against: 'writes', row})
      client.release()
      if (holders === undefined || !(error instanceof Failure)) return error
      return error.with({message: `Can't use the database ${shown}: ${holders}.`, hint: END_HOLDER})
    } catch {
      client?.release(true)
      return error
    }
  }

  async #query<Found>(sql: string, values: readonly unknown[]): Promise<readonly Found[]> {
    const {client, shown} = this.#transaction()
    try {
      const {rows} = await client.query({
        name: statementName(sql),
        text: sql,
        values: [this.#options.tenant, ...values],
      })
      return rows as Found[]
    } catch (error) {
      throw storeUnavailable(shown, error)
    }
  }

  /** Nobody has counted them while the tenant had no limit. */
  async #countRows(transaction: GroupTransaction): Promise<number> {
    const {tenant} = this.#options
    const counts = tableNames.map(name => `(SELECT count(*) FROM ${tableOf(name)} WHERE tenant = ${tenant})`)
    const found = await transaction.run(`SELECT ${counts.join(' + ')} AS rows`)
    return Number(lastRow<{rows: string}>(found)?.rows)
  }

  /** @throws Problem 507 if there is no room for another row. */
  #checkRoom(maxRows: number): void {
    if (this.#rows >= maxRows) throw full(maxRows)
    this.#rows++
  }

  #transaction(): GroupTransaction {
    if (this.#current === undefined) throw new Error('A row was used outside of its transaction')
    return this.#current
  }

  #forget(): void {
    for (const table of this.#tables) table.forget()
  }
}

/** What a transaction learns when it begins. */
interface StoreState {
  /** Number of rows, if it is known. */
  readonly rows: string | null
  /** JSON: for each table, the mark of the commit that last changed it. */
  readonly marks: string
  /** Epoch ms. */
  readonly now: string
  readonly works_since: number
}

/** The last row of the last statement. */
function lastRow<Row>(results: QueryResult | readonly QueryResult[]): Row | undefined {
  const last = Array.isArray(results) ? (results.at(-1) as QueryResult | undefined) : (results as QueryResult)
  return last?.rows.at(-1) as Row | undefined
}

const tenantGone = (shown: string) =>
  new Failure('STORE_UNAVAILABLE', {
    message: `The tenant was removed from the database ${shown}.`,
    hint: 'Add it again, or use another one.',
  })

const full = (maxRows: number) =>
  new Problem(
    507,
    'quota',
    'The quota is used up',
    `This tenant may have ${maxRows} rows. A reset makes room, or the administrator allows more.`,
  )

const isInDoubt = (error: unknown): boolean => error instanceof Failure && error.details.effect === 'unknown'
