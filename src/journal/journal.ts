import {createHmac} from 'node:crypto'
import type {AnyInput} from '../contract/operation.ts'
import type {Service} from '../profiles/service.ts'
import {type Database, immediate, immediateUnsynced, LogSync, shrink, storeDamaged} from '../sqlite/index.ts'
import {
  type Begun,
  type JournalKeys,
  keyState,
  openInput,
  seal,
  sentPlace,
  unseal,
  writeStart,
} from './begin-requests.ts'
import type {JournalOptions} from './journal-options.ts'
import {canonicalJson, fingerprint, type KeyState} from './key-rules.ts'
import {listRequests, type RequestFilter} from './list-requests.ts'
import {
  type Adopted,
  adoptJournal,
  type OtherJournal,
  otherJournals,
  otherJournalsWith,
  refuseElsewhere,
  sizeOfJournal,
} from './other-journals.ts'
import {goneJudge} from './process-mark.ts'
import {
  type Pruned,
  type PrunedJobs,
  type PruneOptions,
  pruneJobs,
  pruneRequests,
  removeFinished,
} from './prune.ts'
import {
  holdsResource,
  moreResources,
  type RequestEnd,
  type RequestRecord,
  type RequestRow,
  type RequestStart,
  toRecord,
} from './request-record.ts'

/** Longer words of a refusal are cut. */
const LONGEST_SAID = 1000
const MOST_DIFFERENCES = 20

/** At most so many requests, and so many rows of jobs, are removed beside other work. */
const TIDIED = 500

/** What `requests resolve` found out. `effect: 'unknown'` leaves the state as it is and keeps the evidence. */
export interface Resolution {
  readonly effect: 'done' | 'none' | 'unknown'
  readonly evidence: string
  /** Id of what the request made, if that was found. */
  readonly replyId?: string | undefined
  /** What was only now found to be touched. */
  readonly resources?: readonly string[] | undefined
  /** It comes from a person, who may correct whatever no reply has proved. */
  readonly overrules?: boolean | undefined
}

/**
 * What was asked of the service, before it was asked, and how it ended. A start is on the disk when `begin` returns
 * (it survives power loss); an end survives the death of the process, and after power loss may be missing, so that the
 * request shows as unfinished, never as something it was not.
 *
 * Every call may throw STORE_UNAVAILABLE (full, read-only, locked for too long) or STORE_DAMAGED. From `begin` that means:
 * do not send.
 */
export class Journal {
  /** For rooms that keep tables of their own in the same file. */
  readonly db: Database
  readonly #options: JournalOptions
  readonly #keys: () => JournalKeys
  readonly #log: LogSync

  constructor(db: Database, options: JournalOptions, keys: () => JournalKeys) {
    this.db = db
    this.#log = new LogSync(db)
    this.#options = options
    this.#keys = keys
  }

  /** Whose journal this is. */
  get service(): Service {
    return this.#options.service
  }

  /** Journals of other services that the profile was used with; none once it was used with this one. */
  servicesBefore(): readonly OtherJournal[] {
    const {profile} = this.#options
    if (this.db.get('SELECT 1 FROM profile WHERE name = ?', [profile])) return []
    return otherJournalsWith(this.db.file, {profile})
  }

  /** Journals of other services that can be taken over: the one named, else those that the profile was used with. */
  others(id?: string): readonly OtherJournal[] {
    if (id !== undefined) return this.allOthers().filter(other => other.id === id)
    return otherJournalsWith(this.db.file, {profile: this.#options.profile})
  }

  allOthers(): readonly OtherJournal[] {
    return otherJournals(this.db.file)
  }

  sizeOf({file}: OtherJournal): Adopted {
    return sizeOfJournal(file)
  }

  /**
   * Takes over all requests and jobs of another journal, and removes it.
   *
   * @throws Failure USAGE when something of it still runs.
   */
  adopt({file}: OtherJournal): Adopted {
    return adoptJournal(this.db, file, {isGone: this.#goneJudge(), isRunning: owner => this.isRunning(owner)})
  }

  /** Writes down that the profile is used with this service. */
  noteProfile(): void {
    const {profile, now} = this.#options
    this.db.run('INSERT OR IGNORE INTO profile VALUES (?, ?)', [profile, now()])
  }

  /** @throws Failure OTHER_SERVICE where a request or job, which isn't here, is one of another service. */
  refuseElsewhere(held: {readonly request: string} | {readonly job: string}): void {
    refuseElsewhere({file: this.db.file, service: this.service}, held)
  }

  /**
   * What the journal knows of the key that a request would carry, to ask the user before it begins.
   *
   * @throws Failure KEY_REUSED when it was used with another request.
   */
  judgeKey(start: RequestStart): KeyState {
    const print = fingerprint(this.#keys().fingerprint, start)
    return keyState(this.db, start, print.text, this.#options.now())
  }

  /** @throws Failure KEY_REUSED when the key was used with another request. Nothing is written then. */
  begin(start: RequestStart): Begun {
    return immediate(this.db, () => this.#begin(start))
  }

  /** Many starts with one write to the disk: all of them, or none when one throws. */
  beginAll(starts: readonly RequestStart[]): Begun[] {
    return immediate(this.db, () => starts.map(start => this.#begin(start)))
  }

  /** Writes down, on the disk when it returns, that the first byte of a request is about to leave. */
  leaving(id: string): void {
    this.db.run('UPDATE request SET left_machine = 1 WHERE id = ? AND left_machine = 0', [id])
  }

  /**
   * Writes down how a request ended. A later word replaces `unknown` but nothing else.
   *
   * @returns false when there was nothing to end: no such request, or it had ended for certain.
   */
  end(id: string, end: RequestEnd): boolean {
    return this.endAll([{id, ...end}])[0] === true
  }

  /** Many ends in one transaction. */
  endAll(ends: readonly ({readonly id: string} & RequestEnd)[]): boolean[] {
    const now = this.#options.now()
    return immediateUnsynced(this.db, () => ends.map(end => this.#writeEnd(end, now)))
  }

  /**
   * Writes down what was found out about a request whose end is unknown or missing, or what a person says of one without
   * a reply that proves its effect.
   *
   * @returns false when there is nothing to find out: no such request, it runs, or it ended for certain.
   */
  resolve(id: string, {effect, evidence, replyId, resources = [], overrules = false}: Resolution): boolean {
    if (this.get(id)?.state === 'running') return false
    const change = this.db.run(
      `UPDATE request SET resolved_at = :now, evidence = :evidence,
         outcome = CASE WHEN :effect = 'unknown' THEN coalesce(outcome, 'unknown') ELSE :effect END, effect = :effect,
         ended_at = coalesce(ended_at, :now), reply_id = coalesce(:replyId, reply_id),
         resources = resources || :more
       WHERE id = :id
         AND (outcome IS NULL OR outcome = 'unknown' OR (:overrules AND (outcome <> 'done' OR resolved_at IS NOT NULL)))`,
      {
        id,
        overrules: Number(overrules),
        effect,
        evidence,
        replyId: replyId ?? null,
        more: moreResources(resources),
        now: this.#options.now(),
      },
    )
    return change.changes === 1
  }

  get(id: string): RequestRecord | undefined {
    const row = this.db.get<RequestRow>('SELECT * FROM request WHERE id = ?', [id])
    return row && toRecord(row, this.#goneJudge())
  }

  /** The members that a request sent, as they were written down; undefined where there were none, or with another key. */
  sent(id: string): unknown {
    const row = this.db.get<{sent: Uint8Array | null}>('SELECT sent FROM request WHERE id = ?', [id])
    return row?.sent ? unseal(this.#keys().seal, sentPlace(id), row.sent) : undefined
  }

  /**
   * What else was touched by requests that touched this, the newest first: a control id leads to its plastic. Looks back no further
   * than `withinMs`, so that it takes no longer the more the journal holds.
   */
  touchedWith(resource: string, withinMs: number): string[] {
    const {sql, values} = holdsResource(resource)
    const rows = this.db.all<RequestRow>(
      `SELECT * FROM request WHERE begun_at >= ? AND ${sql} ORDER BY begun_at DESC, id DESC`,
      [this.#options.now() - withinMs, ...values],
    )
    return [...new Set(rows.flatMap(row => toRecord(row, () => false).resources))]
  }

  /**
   * Reads through the whole file, and compares the local key.
   *
   * @throws Failure STORE_DAMAGED, CONFIG_DAMAGED
   */
  checkSound(): void {
    const found = this.db.get<{quick_check: string}>('PRAGMA quick_check(1)')?.quick_check
    if (found !== 'ok') throw storeDamaged(this.db.file, 'its pages contradict each other')
    this.#keys()
  }

  /** An HMAC of a plain JSON value under the local key: the same value has the same, and nobody can try values out. */
  digest(value: unknown): string {
    return createHmac('sha256', this.#keys().fingerprint).update(canonicalJson(value)).digest('hex')
  }

  /** Enciphers a plain JSON value under the local key, for tables of other rooms; `place` is bound to it. */
  seal(place: string, value: unknown): Buffer {
    return seal(this.#keys().seal, place, value, this.#options.randomBytes(12))
  }

  /** What `seal` took, or undefined when another key sealed it or somebody changed it. */
  unseal(place: string, bytes: Uint8Array): unknown {
    return unseal(this.#keys().seal, place, bytes)
  }

  /** One transaction over this room's tables and the caller's, on the disk when it returns. */
  durably<T>(work: () => T extends PromiseLike<unknown> ? never : T): T {
    return immediate<T>(this.db, work)
  }

  /** As `durably`, but the process goes on while the disk works: on the disk when the promise resolves. */
  async durablyMeanwhile<T>(work: () => T extends PromiseLike<unknown> ? never : T): Promise<T> {
    const result = immediateUnsynced<T>(this.db, work)
    await this.#log.sync()
    return result
  }

  /** One transaction that survives the death of the process, and may be lost with the power. */
  unsynced<T>(work: () => T extends PromiseLike<unknown> ? never : T): T {
    return immediateUnsynced<T>(this.db, work)
  }

  /** This process, to be written down as the owner of something. */
  get process(): {readonly pid: number; readonly mark: string} {
    return this.#options
  }

  /** Whether an owner that was written down then still runs. */
  isRunning(owner: {readonly pid: number; readonly mark: string; readonly since: number}): boolean {
    return !this.#goneJudge()({pid: owner.pid, process_mark: owner.mark, begun_at: owner.since})
  }

  /** Newest first. */
  list(filter: RequestFilter = {}): RequestRecord[] {
    return [...this.iterate(filter)]
  }

  /** Newest first, one by one, so that memory does not grow with them. */
  iterate(filter: RequestFilter = {}): Generator<RequestRecord, void, undefined> {
    return listRequests(this.db, filter, this.#goneJudge())
  }

  /** Every request that went out under the key, oldest first. */
  findKey(key: string): RequestRecord[] {
    const rows = this.db.all<RequestRow>('SELECT * FROM request WHERE key = ? ORDER BY begun_at, id', [key])
    const isGone = this.#goneJudge()
    return rows.map(row => toRecord(row, isGone))
  }

  /**
   * Requests without an end whose process is gone, oldest first; each is given once, to whichever process asks first.
   * How they ended is not guessed.
   */
  unfinished(): RequestRecord[] {
    const isGone = this.#goneJudge()
    const open = (): RequestRow[] =>
      this.db
        .all<RequestRow>(
          // Named, since SQLite would rather walk through all requests than sort a few.
          `SELECT * FROM request INDEXED BY request_open WHERE outcome IS NULL AND announced_at IS NULL
           ORDER BY begun_at, id`,
        )
        .filter(isGone)
    // Most starts of the tool find none and needn't wait for the write lock.
    if (open().length === 0) return []
    return immediateUnsynced(this.db, () => {
      const rows = open()
      for (const {id} of rows) {
        this.db.run('UPDATE request SET announced_at = ? WHERE id = ?', [this.#options.now(), id])
      }
      return rows.map(row => toRecord(row, isGone))
    })
  }

  /** The input of a request, for 24 hours and only if nothing in it was sensitive. */
  keptInput(id: string): AnyInput | undefined {
    const row = this.db.get<{sealed: Uint8Array}>(
      'SELECT sealed FROM kept_input WHERE request_id = ? AND expires_at > ?',
      [id, this.#options.now()],
    )
    return row && openInput(this.#keys().seal, id, row.sealed)
  }

  prune(options: PruneOptions): Pruned {
    return pruneRequests(this.db, options, this.#options.now(), this.#goneJudge())
  }

  /** Removes finished bulk jobs that were last worked on before, ms since 1970. */
  pruneJobs(before: number, mostRows?: number): PrunedJobs {
    const now = this.#options.now()
    return pruneJobs(this.db, {before, now, mostRows, isRunning: owner => this.isRunning(owner)})
  }

  /** Removes a little of what is finished and old: so much that nobody has to wait for it. */
  tidy({before, guarded}: Pick<PruneOptions, 'before' | 'guarded'>): void {
    const isDue =
      this.db.get('SELECT 1 FROM request WHERE begun_at < ? LIMIT 1', [before]) ??
      this.db.get('SELECT 1 FROM bulk_job WHERE claimed_at < ? LIMIT 1', [before])
    if (isDue === undefined) return
    const requests = removeFinished(this.db, {before, guarded}, this.#options.now(), TIDIED)
    const {rows} = this.pruneJobs(before, TIDIED)
    if (requests + rows > 0) this.db.exec(`PRAGMA incremental_vacuum(${TIDIED})`)
  }

  /** Gives the room of what was removed back to the system. Gives how many bytes that were. */
  shrink(): number {
    return shrink(this.db)
  }

  close(): void {
    this.#log.close()
    this.db.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #begin(start: RequestStart): Begun {
    const begun = writeStart(this.db, start, this.#keys(), this.#options)
    this.noteProfile()
    return begun
  }

  #goneJudge(): ReturnType<typeof goneJudge> {
    const {isAlive, now} = this.#options
    return goneJudge({isAlive, now: now()})
  }

  #writeEnd(end: {readonly id: string} & RequestEnd, now: number): boolean {
    const change = this.db.run(
      `UPDATE request SET ended_at = :now, outcome = :outcome, status = :status, reply_id = :replyId,
         duration_ms = :durationMs, attempts = :attempts, effect = :effect, repeatable = :repeatable, failure = :failure,
         replayed = :replayed,
         said = :said, differences = :differences, resources = resources || :more
       WHERE id = :id AND (outcome IS NULL OR outcome = 'unknown')`,
      {
        now,
        id: end.id,
        outcome: end.outcome,
        status: end.status ?? null,
        replyId: end.replyId ?? null,
        durationMs: end.durationMs === undefined ? null : Math.round(end.durationMs),
        attempts: end.attempts ?? null,
        effect: end.effect ?? null,
        repeatable: end.repeatable === undefined ? null : Number(end.repeatable),
        failure: end.failure ?? null,
        replayed: end.replayed === undefined ? null : String(end.replayed),
        said: end.said?.slice(0, LONGEST_SAID) ?? null,
        differences: end.differences?.length
          ? JSON.stringify(end.differences.slice(0, MOST_DIFFERENCES))
          : null,
        more: moreResources(end.resources ?? []),
      },
    )
    return change.changes === 1
  }
}
