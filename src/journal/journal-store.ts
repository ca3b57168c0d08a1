import {createHmac} from 'node:crypto'
import {dirname} from 'node:path'
import type {TimeJudgement, TimeSpan} from '../clock/trusted-clock.ts'
import {type Database, immediate, immediateUnsynced, LogSync} from '../sqlite/index.ts'
import type {JournalClock, JournalOptions} from './journal-options.ts'
import {canonicalJson, KEY_LIFE_MS} from './key-rules.ts'
import {goneJudge, isLockHeld, ProcessLock, splitMark} from './process-mark.ts'
import {type JournalKeys, seal, unseal} from './write-requests.ts'

/** 32 MiB of the log. SQLite's default is 1,000 pages. */
const PAGES_OF_LONG_RUN = 8000

/** Work of a transaction, which can't wait for anything. */
type Work<T> = () => T extends PromiseLike<unknown> ? never : T

/** The open file of a journal, with its keys, its time and its process. Bulk jobs keep tables of their own in it. */
export class JournalStore {
  readonly db: Database
  readonly options: JournalOptions
  readonly keys: () => JournalKeys
  readonly #log: LogSync
  readonly #clock: JournalClock
  #lock: ProcessLock | undefined

  constructor(db: Database, options: JournalOptions, keys: () => JournalKeys) {
    this.db = db
    this.options = options
    this.keys = keys
    this.#log = new LogSync(db)
    this.#clock = options.clock ?? STEADY
  }

  /** ms since 1970. */
  now(): number {
    return this.options.now()
  }

  /** One transaction, on the disk when it returns. */
  durably<T>(work: Work<T>): T {
    return immediate<T>(this.db, work)
  }

  /** As `durably`, but the process continues while the disk works. On disk when the promise resolves. */
  async durablyMeanwhile<T>(work: Work<T>): Promise<T> {
    const result = immediateUnsynced<T>(this.db, work)
    await this.#log.sync()
    return result
  }

  /** One transaction that survives the death of the process, but may be lost with the power. */
  unsynced<T>(work: Work<T>): T {
    return immediateUnsynced<T>(this.db, work)
  }

  /**
   * For a run that writes for long. A checkpoint writes every changed page and waits for the disk, so fewer of them write
   * less. SQLite keeps what it needs to undo one statement in memory: that was more than all it wrote to the journal.
   * Temporary tables are lost.
   */
  expectManyWrites(): void {
    this.db.exec(`PRAGMA wal_autocheckpoint = ${PAGES_OF_LONG_RUN}`)
    this.db.exec('PRAGMA temp_store = MEMORY')
  }

  /** An HMAC of a plain JSON value under the local key: equal values have equal ones, and nobody can try values out. */
  digest(value: unknown): string {
    return createHmac('sha256', this.keys().fingerprint).update(canonicalJson(value)).digest('hex')
  }

  /** Encrypts a plain JSON value under the local key. `place` is bound to it. */
  seal(place: string, value: unknown): Buffer {
    return seal(this.keys().seal, place, value, this.options.randomBytes(12))
  }

  /** The value that `seal` encrypted, or undefined if another key was used or it was changed. */
  unseal(place: string, bytes: Uint8Array): unknown {
    return unseal(this.keys().seal, place, bytes)
  }

  /** This process, to be recorded as the owner of something. */
  get process(): {readonly pid: number; readonly mark: string} {
    const {pid, mark, randomBytes} = this.options
    this.#lock ??= new ProcessLock(this.db.file, Buffer.from(randomBytes(12)).toString('hex'))
    return {pid, mark: mark + this.#lock.suffix}
  }

  /** Whether a recorded owner still runs. */
  isRunning(owner: {readonly pid: number; readonly mark: string; readonly since: number}): boolean {
    return !this.goneJudge()({pid: owner.pid, process_mark: owner.mark, begun_at: owner.since})
  }

  /** A function that says whether the process of a recorded request has ended. */
  goneJudge(): ReturnType<typeof goneJudge> {
    const isAlive = isAliveBeside(dirname(this.db.file), this.options)
    // Of a process that can't be seen from here, only the time says that it has ended.
    return goneJudge({isAlive, now: () => this.earliest()})
  }

  /**
   * Whether the clock of this machine can be believed. If not, nothing is removed, what stops a repeat stays, and what
   * permits one has expired.
   */
  isBelieved(): boolean {
    return this.timeNeeded().isBelieved
  }

  /** What can be said of the time, on which something depends now. */
  timeNeeded(): TimeJudgement {
    this.#clock.needed()
    return this.time()
  }

  /** The same, where nothing depends on it yet. */
  time(): TimeJudgement {
    const judged = this.#clock.judge(() => newestRequest(this.db))
    const {vouched} = this.#clock
    if (judged.isBelieved) settleTimes(this.db, {...judged, vouched, now: this.now()})
    return judged
  }

  /** The earliest time that it can be now: what is removed is as old as it is by this time. */
  earliest(): number {
    return Math.min(
      this.now(),
      this.#clock.earliest(() => newestRequest(this.db)),
    )
  }

  /** Between which times it is now: a key that is sent now is known since `from`, and one of before is judged at `until`. */
  span(): TimeSpan {
    const now = this.now()
    const {from, until} = this.#clock.span()
    return {from: Math.min(now, from), until: Math.max(now, until)}
  }

  close(): void {
    this.#log.close()
    this.db.close()
    this.#lock?.[Symbol.dispose]()
  }
}

/**
 * Asks the system, and of a process that it doesn't show, the lock of the process. A process that serves for long opens
 * journals one after another: what it began with one that it has closed since is over.
 */
export const isAliveBeside =
  (
    journals: string,
    {isAlive, pid: ownPid, mark: ownMark}: Pick<JournalOptions, 'isAlive' | 'pid' | 'mark'>,
  ): JournalOptions['isAlive'] =>
  (pid, mark) => {
    const [own, lock] = splitMark(mark)
    const alive = isAlive(pid, own)
    const isOwn = pid === ownPid && own === ownMark
    if (alive !== undefined && !(alive && isOwn)) return alive
    return isLockHeld(journals, lock) ?? alive
  }

export const STEADY: JournalClock = {
  judge: () => ({isBelieved: true, isProven: true}),
  earliest: () => Number.POSITIVE_INFINITY,
  span: () => ({from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY}),
  vouched: false,
  needed: () => undefined,
}

/** `counts_from` of a request that was begun while the clock wasn't believed: it may have been at any time. */
const NOT_BELIEVED = 0
/** The same, while it was believed, but nothing had proved it. */
const UNPROVEN = 1

/** What `counts_from` of a new request is: null if its time is right. */
export function countsFrom({isBelieved, isProven}: TimeJudgement): number | null {
  if (!isBelieved) return NOT_BELIEVED
  return isProven ? null : UNPROVEN
}

/**
 * The latest time at which a request can have begun, where that may be later than it says. Null if it is right, 0 or 1
 * (long ago) if it isn't known yet.
 */
export const COUNTS_FROM = 'coalesce(counts_from, 0)'

/** As far as a clock may be wrong without being noticed. */
const NEAR_MS = 2 * KEY_LIFE_MS

/**
 * When the clock is believed: requests of times that weren't are right if that is about now. Others may have begun at
 * any time until now, so that they count from now.
 */
function settleTimes(
  db: Database,
  {
    isProven,
    vouched,
    now,
  }: Pick<TimeJudgement, 'isProven'> & {readonly vouched: boolean; readonly now: number},
): void {
  const most = isProven ? UNPROVEN : NOT_BELIEVED
  if (db.get('SELECT 1 FROM request WHERE counts_from <= ? LIMIT 1', [most]) === undefined) return
  immediateUnsynced(db, () => {
    // A person says that the clock is right, and was before.
    if (vouched) db.run('UPDATE request SET counts_from = NULL WHERE counts_from = ?', [UNPROVEN])
    db.run(
      `UPDATE request SET counts_from = CASE WHEN begun_at BETWEEN :now - ${NEAR_MS} AND :now THEN NULL ELSE :now END
       WHERE counts_from <= :most`,
      {now, most},
    )
  })
}

/** When the newest request was begun; of those with a time that was believed, if there are any. */
export function newestRequest(db: Database): number | undefined {
  const sql = 'SELECT begun_at AS at FROM request'
  const newest =
    db.get<{at: number}>(`${sql} WHERE counts_from IS NULL ORDER BY begun_at DESC LIMIT 1`) ??
    db.get<{at: number}>(`${sql} ORDER BY begun_at DESC LIMIT 1`)
  return newest?.at
}
