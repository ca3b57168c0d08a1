import {createHmac} from 'node:crypto'
import type {AnyInput, ResourceKind} from '../contract/operation.ts'
import type {Service} from '../profiles/service.ts'
import {type Database, immediate, immediateUnsynced, LogSync, shrink, storeDamaged} from '../sqlite/index.ts'
import {countsFrom, type JournalClock, newestRequest, STEADY, settleTimes} from './doubtful-times.ts'
import {
  findPlasticsWithoutCard,
  findTouchedWith,
  hasTouchedKind,
  listRequests,
  type RequestFilter,
} from './find-requests.ts'
import {movedAway, readHome} from './home.ts'
import type {JournalOptions} from './journal-options.ts'
import {type Asked, canonicalJson, fingerprint, type KeyState} from './key-rules.ts'
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
  keptByClock,
  type Pruned,
  type PrunedJobs,
  type PruneOptions,
  pruneJobs,
  pruneRequests,
  removeFinished,
} from './prune.ts'
import {
  type RequestEnd,
  type RequestRecord,
  type RequestRow,
  type RequestStart,
  splitResources,
  toRecord,
} from './request-record.ts'
import {
  type Begun,
  type JournalKeys,
  keyState,
  openInput,
  type Resolution,
  seal,
  sentPlace,
  unseal,
  writeEnd,
  writeResolution,
  writeStart,
} from './write-requests.ts'

/** Maximum number of requests, and of rows of jobs, that are removed beside other work. */
const TIDIED = 500

/** 32 MiB of the log. SQLite's default is 1,000 pages. */
const PAGES_OF_LONG_RUN = 8000

/**
 * Every request, recorded before it is sent, and how it ended. A start is on disk when `begin` returns (it survives
 * power loss). An end survives the death of the process; after power loss it may be missing, and the request is then
 * unfinished, never something it was not.
 *
 * Every call may throw STORE_UNAVAILABLE (full, read-only, locked for too long) or STORE_DAMAGED. If `begin` throws, do
 * not send.
 */
export class Journal {
  /** For rooms that keep tables of their own in the same file. */
  readonly db: Database
  readonly #options: JournalOptions
  readonly #keys: () => JournalKeys
  readonly #log: LogSync
  #isNoted = false

  constructor(db: Database, options: JournalOptions, keys: () => JournalKeys) {
    this.db = db
    this.#log = new LogSync(db)
    this.#options = options
    this.#keys = keys
  }

  /** The service whose journal this is. */
  get service(): Service {
    return this.#options.service
  }

  /** Journals of other services that the profile was used with; none once it was used with this one. */
  servicesBefore(): readonly OtherJournal[] {
    const {profile} = this.#options
    if (this.db.get('SELECT 1 FROM profile WHERE name = ?', [profile])) return []
    return otherJournalsWith(this.db.file, {profile})
  }

  /**
   * Journals of other services that can be taken over: the named one, otherwise those that the profile was used with.
   */
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
   * @throws Failure USAGE if something of it still runs.
   */
  adopt({file}: OtherJournal): Adopted {
    return adoptJournal(this.db, file, {isGone: this.#goneJudge(), isRunning: owner => this.isRunning(owner)})
  }

  /** @throws Failure JOURNAL_MOVED if requests are sent from another machine now, or this is a backup. */
  refuseMoved(): void {
    const {state} = readHome(this.db)
    if (state !== 'here') throw movedAway(state, this.service.words)
  }

  /** Records that the profile is used with this service. */
  noteProfile(): void {
    if (this.#isNoted) return
    const {profile, now} = this.#options
    this.db.run('INSERT OR IGNORE INTO profile VALUES (?, ?)', [profile, now()])
    // Within a transaction it may still be taken back.
    this.#isNoted = !this.db.inTransaction
  }

  /** Records which audit trail the requests are recorded in, so that another one in its place is noticed. */
  noteTrail(publicKey: string): void {
    this.db.run('INSERT OR IGNORE INTO trail_key VALUES (?)', [publicKey])
  }

  /** Remembers what was erased, as `card:3004`, without its ids. */
  rememberErased(resources: readonly string[]): void {
    for (const one of resources)
      this.db.run('INSERT OR IGNORE INTO erased VALUES (?)', [this.#erasedDigest(one)])
  }

  /** What this journal has of what was erased once: an import brought it. */
  erasedBefore(): string[] {
    if (this.db.get('SELECT 1 FROM erased LIMIT 1') === undefined) return []
    const known = this.db.all<{resources: string}>('SELECT DISTINCT resources FROM request')
    const all = new Set(known.flatMap(({resources}) => splitResources(resources)))
    return [...all].filter(one =>
      this.db.get('SELECT 1 FROM erased WHERE digest = ?', [this.#erasedDigest(one)]),
    )
  }

  /** When something was first sent from here, ms since 1970. */
  since(): number | undefined {
    return this.db.get<{since: number | null}>('SELECT min(since) AS since FROM profile')?.since ?? undefined
  }

  /** @throws Failure OTHER_SERVICE if a request or job isn't here but belongs to another service. */
  refuseElsewhere(held: {readonly request: string} | {readonly job: string}): void {
    refuseElsewhere({file: this.db.file, service: this.service}, held)
  }

  /**
   * What the journal knows about the key of a request, to ask the user before it begins.
   *
   * @throws Failure KEY_REUSED if it was used with another request.
   */
  judgeKey(start: RequestStart): KeyState {
    const print = fingerprint(this.#keys().fingerprint, start)
    const isBelieved = this.#isBelieved()
    return keyState(this.db, start, print.text, {now: this.#options.now(), isBelieved})
  }

  /** @throws Failure KEY_REUSED if the key was used with another request. Nothing is recorded then. */
  begin(start: RequestStart): Begun {
    return immediate(this.db, () => this.#beginAll([start])[0] as Begun)
  }

  /** Many starts with one write to disk: all of them, or none if one throws. */
  beginAll(starts: readonly RequestStart[]): Begun[] {
    return immediate(this.db, () => this.#beginAll(starts))
  }

  /** Records, on disk when it returns, that the first byte of a request is about to be sent. */
  leaving(id: string): void {
    this.db.run('UPDATE request SET left_machine = 1 WHERE id = ? AND left_machine = 0', [id])
  }

  /**
   * Records how a request ended. A later call replaces `unknown` but nothing else.
   *
   * @returns false if there was nothing to end: no such request, or its end was certain.
   */
  end(id: string, end: RequestEnd): boolean {
    return this.endAll([{id, ...end}])[0] === true
  }

  /** Many ends in one transaction. */
  endAll(ends: readonly ({readonly id: string} & RequestEnd)[]): boolean[] {
    const now = this.#options.now()
    const isProven = this.isTimeProven
    return immediateUnsynced(this.db, () => ends.map(end => writeEnd(this.db, end, {now, isProven})))
  }

  /**
   * Records what was found out about a request whose end is unknown or missing, or what a person says about one without
   * a response that proves its effect.
   *
   * @returns false if there is nothing to find out: no such request, it runs, or its end is certain.
   */
  resolve(id: string, resolution: Resolution): boolean {
    if (this.get(id)?.state === 'running') return false
    this.refuseMoved()
    return writeResolution(this.db, id, resolution, this.#options.now())
  }

  get(id: string): RequestRecord | undefined {
    const row = this.db.get<RequestRow>('SELECT * FROM request WHERE id = ?', [id])
    return row && toRecord(row, this.#goneJudge())
  }

  /** The fields that a request sent, as recorded; undefined if there were none, or under another key. */
  sent(id: string): unknown {
    const row = this.db.get<{sent: Uint8Array | null}>('SELECT sent FROM request WHERE id = ?', [id])
    return row?.sent ? unseal(this.#keys().seal, sentPlace(id), row.sent) : undefined
  }

  /** The digests of its items that a request was recorded with; empty if there are none. */
  itemsOf(id: string): Uint8Array {
    const row = this.db.get<{items: Uint8Array | null}>('SELECT items FROM request WHERE id = ?', [id])
    return row?.items ?? new Uint8Array()
  }

  /** Whether this is exactly what a request sent, apart from sensitive fields. What `sent` gives may be shortened. */
  sentExactly(id: string, asked: Asked): boolean {
    const row = this.db.get<{fingerprint: string}>('SELECT fingerprint FROM request WHERE id = ?', [id])
    return row?.fingerprint === fingerprint(this.#keys().fingerprint, asked).text
  }

  /** The requests that sent the former values of this one again, oldest first. */
  undosOf(id: string): RequestRecord[] {
    return this.list({undoOf: id}).reverse()
  }

  /** The profiles that this service was used with. */
  profiles(): string[] {
    return this.db.all<{name: string}>('SELECT name FROM profile ORDER BY name').map(({name}) => name)
  }

  /**
   * Other resources of requests that affected this one, newest first: a control id leads to its plastic. Looks back no
   * further than `withinMs`, so that a large journal doesn't slow it down.
   */
  touchedWith(resource: string, withinMs: number): string[] {
    return findTouchedWith(this.db, resource, this.#options.now() - withinMs)
  }

  /** The plastics of which no request named the card. */
  plasticsWithoutCard(): string[] {
    return findPlasticsWithoutCard(this.db)
  }

  /** Whether any request affected a resource of one of these kinds. */
  hasTouched(...kinds: readonly ResourceKind[]): boolean {
    return kinds.some(kind => hasTouchedKind(this.db, kind))
  }

  /** Reads the whole file and compares the local key. @throws Failure STORE_DAMAGED, CONFIG_DAMAGED */
  checkSound(): void {
    const found = this.db.get<{quick_check: string}>('PRAGMA quick_check(1)')?.quick_check
    if (found !== 'ok') throw storeDamaged(this.db.file, 'its pages contradict each other')
    this.#keys()
  }

  /** An HMAC of a plain JSON value under the local key: equal values have equal ones, and nobody can try values out. */
  digest(value: unknown): string {
    return createHmac('sha256', this.#keys().fingerprint).update(canonicalJson(value)).digest('hex')
  }

  /** Encrypts a plain JSON value under the local key, for tables of other rooms. `place` is bound to it. */
  seal(place: string, value: unknown): Buffer {
    return seal(this.#keys().seal, place, value, this.#options.randomBytes(12))
  }

  /** The value that `seal` encrypted, or undefined if another key was used or it was changed. */
  unseal(place: string, bytes: Uint8Array): unknown {
    return unseal(this.#keys().seal, place, bytes)
  }

  /** One transaction over this room's tables and the caller's, on the disk when it returns. */
  durably<T>(work: () => T extends PromiseLike<unknown> ? never : T): T {
    return immediate<T>(this.db, work)
  }

  /** As `durably`, but the process continues while the disk works. On disk when the promise resolves. */
  async durablyMeanwhile<T>(work: () => T extends PromiseLike<unknown> ? never : T): Promise<T> {
    const result = immediateUnsynced<T>(this.db, work)
    await this.#log.sync()
    return result
  }

  /** One transaction that survives the death of the process, but may be lost with the power. */
  unsynced<T>(work: () => T extends PromiseLike<unknown> ? never : T): T {
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

  /** This process, to be recorded as the owner of something. */
  get process(): {readonly pid: number; readonly mark: string} {
    return this.#options
  }

  /** Whether a recorded owner still runs. */
  isRunning(owner: {readonly pid: number; readonly mark: string; readonly since: number}): boolean {
    return !this.#goneJudge()({pid: owner.pid, process_mark: owner.mark, begun_at: owner.since})
  }

  /** Newest first. */
  list(filter: RequestFilter = {}): RequestRecord[] {
    return [...this.iterate(filter)]
  }

  /** Newest first, one by one, so that memory does not grow. */
  iterate(filter: RequestFilter = {}): Generator<RequestRecord, void, undefined> {
    return listRequests(this.db, filter, this.#goneJudge())
  }

  /** Every request sent with the key, oldest first. */
  findKey(key: string): RequestRecord[] {
    return this.list({key}).reverse()
  }

  /**
   * Requests without an end whose process is gone, oldest first. Each is returned once, to the process that asks first.
   * Their effect is unknown.
   */
  unfinished(): RequestRecord[] {
    const isGone = this.#goneJudge()
    const open = (): RequestRow[] =>
      this.db
        .all<RequestRow>(
          // Named, because SQLite would rather scan all requests than sort a few.
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

  /** The input of a request, for 24 hours and only if it had nothing sensitive. */
  keptInput(id: string): AnyInput | undefined {
    if (!this.isBelieved()) return undefined
    const row = this.db.get<{sealed: Uint8Array}>(
      'SELECT sealed FROM kept_input WHERE request_id = ? AND expires_at > ?',
      [id, this.#options.now()],
    )
    return row && openInput(this.#keys().seal, id, row.sealed)
  }

  /**
   * Whether the clock of this machine can be believed. If not, nothing is removed, what stops a repeat stays, and what
   * permits one has expired.
   */
  isBelieved(): boolean {
    this.#clock.needed()
    return this.#isBelieved()
  }

  /** Whether the time is believed, and proved where it can be. */
  get isTimeProven(): boolean {
    return this.#isBelieved() && this.#clock.isProven
  }

  /**
   * Requests of the last `forMs` that protect against sending the same again, newest first; all of them if the clock
   * can't be believed.
   */
  protecting(filter: RequestFilter, forMs: number): RequestRecord[] {
    if (!this.isBelieved()) return this.list(filter)
    return this.list({...filter, countsSince: this.#options.now() - forMs})
  }

  prune(options: PruneOptions): Pruned {
    if (!this.isBelieved()) return keptByClock(this.db, options)
    return pruneRequests(this.db, options, this.#options.now(), this.#goneJudge())
  }

  /** Removes finished bulk jobs that were last worked on before this time, in ms since 1970. */
  pruneJobs(before: number, mostRows?: number): PrunedJobs {
    const now = this.#options.now()
    const isBelieved = this.isBelieved()
    return pruneJobs(this.db, {before, now, isBelieved, mostRows, isRunning: owner => this.isRunning(owner)})
  }

  /** Removes some of what is finished and old, but so little that nobody has to wait for it. */
  tidy({before, guarded}: Pick<PruneOptions, 'before' | 'guarded'>): void {
    const isDue =
      this.db.get('SELECT 1 FROM request WHERE begun_at < ? LIMIT 1', [before]) ??
      this.db.get('SELECT 1 FROM bulk_job WHERE claimed_at < ? LIMIT 1', [before])
    if (isDue === undefined || !this.isBelieved()) return
    const requests = removeFinished(this.db, {before, guarded}, this.#options.now(), TIDIED)
    const {rows} = this.pruneJobs(before, TIDIED)
    if (requests + rows > 0) this.db.exec(`PRAGMA incremental_vacuum(${TIDIED})`)
  }

  /** Returns the space of what was removed to the system. Returns the number of bytes. */
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

  #erasedDigest(resource: string): string {
    return this.digest(['erased', resource])
  }

  #beginAll(starts: readonly RequestStart[]): Begun[] {
    this.refuseMoved()
    const around = {...this.#options, countsFrom: countsFrom(this.#clock, this.isBelieved())}
    const begun = starts.map(start => writeStart(this.db, start, this.#keys(), around))
    this.noteProfile()
    return begun
  }

  get #clock(): JournalClock {
    return this.#options.clock ?? STEADY
  }

  #isBelieved(): boolean {
    const isBelieved = this.#clock.isBelieved(() => newestRequest(this.db))
    if (isBelieved) settleTimes(this.db, this.#clock, this.#options.now())
    return isBelieved
  }

  #goneJudge(): ReturnType<typeof goneJudge> {
    const {isAlive, now} = this.#options
    // Of a process that can't be seen from here, only the time says that it has ended.
    return goneJudge({isAlive, now: this.#isBelieved() ? now() : Number.NEGATIVE_INFINITY})
  }
}
