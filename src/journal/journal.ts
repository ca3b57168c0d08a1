import {existsSync} from 'node:fs'
import {Failure} from '../errors/failure.ts'
import {movedFolder} from '../files/moved-folder.ts'
import type {Service} from '../profiles/service.ts'
import type {Secret} from '../sensitive/secret.ts'
import {type Database, immediateUnsynced, openDatabase} from '../sqlite/index.ts'
import {writeForgotten} from './forgotten.ts'
import {movedAway, readHome} from './home.ts'
import type {JournalOptions} from './journal-options.ts'
import {countsFrom, JournalStore, newestRequest, STEADY} from './journal-store.ts'
import {fingerprint, type KeyState, tenantMark} from './key-rules.ts'
import {checkKey, claimJournal, deriveKey, readNote, restoreJournal, writeNote} from './local-key.ts'
import {OtherJournals} from './other-journals.ts'
import {RecordedRequests} from './recorded-requests.ts'
import {
  type BatchEnd,
  type RequestEnd,
  type RequestRecord,
  type RequestRow,
  type RequestStart,
  toRecord,
} from './request-record.ts'
import {journalMigrations} from './schema.ts'
import {senderName} from './sender-name.ts'
import {Upkeep} from './upkeep.ts'
import {
  type Begun,
  type JournalKeys,
  keyState,
  type Resolution,
  type Settlement,
  writeBatchEnd,
  writeEnd,
  writeResolution,
  writeSettlement,
  writeStart,
} from './write-requests.ts'

/**
 * Every request, recorded before it is sent, and how it ended. A start is on disk when `begin` returns (it survives
 * power loss). An end survives the death of the process; after power loss it may be missing, and the request is then
 * unfinished, never something it was not.
 *
 * Every call may throw STORE_UNAVAILABLE (full, read-only), FILE_LOCKED (for too long) or STORE_DAMAGED. If `begin` throws, do
 * not send.
 */
export class Journal {
  /** For rooms that keep tables of their own in the same file. */
  readonly store: JournalStore
  readonly requests: RecordedRequests
  readonly others: OtherJournals
  readonly upkeep: Upkeep
  #isNoted = false
  #users = 1

  constructor(store: JournalStore) {
    this.store = store
    this.requests = new RecordedRequests(store)
    this.others = new OtherJournals(store)
    this.upkeep = new Upkeep(store)
  }

  /** The service whose journal this is. */
  get service(): Service {
    return this.store.options.service
  }

  /** What approvals name, so that no other journal sends what they approve. */
  get senderName(): string {
    return senderName(this.store.db)
  }

  /** @throws Failure JOURNAL_MOVED if requests are sent from another machine now, or this is a backup. */
  refuseMoved(): void {
    const {state} = readHome(this.store.db)
    if (state !== 'here') throw movedAway(state, this.service.words)
  }

  /** Records that the profile is used with this service. */
  noteProfile(): void {
    if (this.#isNoted) return
    const {db, options} = this.store
    db.run('INSERT OR IGNORE INTO profile VALUES (?, ?)', [options.profile, options.now()])
    // Within a transaction it may still be taken back.
    this.#isNoted = !db.inTransaction
  }

  /** Records that a sandbox no longer has the effects of what was begun after `since`. */
  noteForgotten(how: string, since = 0): void {
    writeForgotten(this.store.db, {since, until: this.store.now(), how})
  }

  /** Records which audit trail the requests are recorded in, so that another one in its place is noticed. */
  noteTrail(publicKey: string): void {
    this.store.db.run('INSERT OR IGNORE INTO trail_key VALUES (?)', [publicKey])
  }

  /**
   * What the journal knows about the key of a request, to ask the user before it begins.
   *
   * @throws Failure KEY_REUSED if it was used with another request.
   */
  judgeKey(start: RequestStart): KeyState {
    const {store} = this
    const print = fingerprint(store.keys().fingerprint, start)
    const {isBelieved} = store.time()
    return keyState(store.db, start, print, {now: store.now(), until: store.span().until, isBelieved})
  }

  /** A digest under the local key of whose data a request is about: only the same tenant has the same. */
  tenantMark(tenant: Secret | undefined): string | null {
    return tenantMark(this.store.keys().fingerprint, tenant)
  }

  /** @throws Failure KEY_REUSED if the key was used with another request. Nothing is recorded then. */
  begin(start: RequestStart): Begun {
    return this.beginAll([start])[0] as Begun
  }

  /** Many starts with one write to disk: all of them, or none if one throws. */
  beginAll(starts: readonly RequestStart[]): Begun[] {
    const {store} = this
    const {process} = store
    refuseGone(store.db.file)
    return store.durably(() => {
      this.refuseMoved()
      const around = {
        ...store.options,
        ...process,
        countsFrom: countsFrom(store.timeNeeded()),
        span: store.span(),
      }
      const begun = starts.map(start => writeStart(store.db, start, store.keys(), around))
      this.noteProfile()
      return begun
    })
  }

  /** Records, on disk when it returns, that the first byte of a request is about to be sent. */
  leaving(id: string): void {
    this.store.db.run('UPDATE request SET left_machine = 1 WHERE id = ? AND left_machine = 0', [id])
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
    const {store} = this
    const now = store.now()
    const {isProven} = store.time()
    return store.unsynced(() => ends.map(end => writeEnd(store.db, end, {now, isProven})))
  }

  /**
   * Records what was found out about a request whose end is unknown or missing, or what a person says about one without
   * a response that proves its effect.
   *
   * @returns false if there is nothing to find out: no such request, it runs, or its end is certain.
   */
  resolve(id: string, resolution: Resolution): boolean {
    if (this.requests.get(id)?.state === 'running') return false
    this.refuseMoved()
    return writeResolution(this.store.db, id, resolution, this.store.now())
  }

  /** Records how an operation ended that the service had only accepted. @returns false if its end is recorded. */
  settle(id: string, settlement: Settlement): boolean {
    this.refuseMoved()
    return writeSettlement(this.store.db, id, settlement, this.store.now())
  }

  /** Records how a batch ended that these requests made. */
  noteBatchEnd(requests: readonly string[], end: BatchEnd): void {
    this.refuseMoved()
    writeBatchEnd(this.store.db, requests, end)
  }

  /**
   * Requests without an end whose process is gone, oldest first. Each is returned once, to the process that asks first.
   * Their effect is unknown.
   *
   * @param except ids of requests that the caller knows about.
   */
  unfinished(except: readonly string[] = []): RequestRecord[] {
    const {store} = this
    const isGone = store.goneJudge()
    const open = (): RequestRow[] =>
      store.db
        .all<RequestRow>(
          // Named, because SQLite would rather scan all requests than sort a few.
          `SELECT * FROM request INDEXED BY request_open WHERE outcome IS NULL AND announced_at IS NULL
           ORDER BY begun_at, id`,
        )
        .filter(row => isGone(row) && !except.includes(row.id))
    // Most starts of the tool find none and needn't wait for the write lock.
    if (open().length === 0) return []
    return immediateUnsynced(store.db, () => {
      const rows = open()
      for (const {id} of rows) {
        store.db.run('UPDATE request SET announced_at = ? WHERE id = ?', [store.now(), id])
      }
      return rows.map(row => store.db.decode(() => toRecord(row, isGone)))
    })
  }

  /** The same open file for one more user, who closes it, too. The last one closes the file. */
  forAnother(): this {
    this.#users++
    return this
  }

  close(): void {
    this.#users--
    if (this.#users === 0) this.store.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/**
 * Opens the journal of one service. Many processes may have it open at once. Inputs that were kept for a retry are
 * removed for good after 24 hours.
 *
 * @throws Failure STORE_DAMAGED or STORE_UNAVAILABLE.
 */
export function openJournal(options: JournalOptions): Journal {
  const db = openOwn(options)
  try {
    // Removed content is overwritten, not only unlinked.
    db.exec('PRAGMA secure_delete = ON')
    const {clock = STEADY} = options
    forgetInputs(
      db,
      Math.min(
        options.now(),
        clock.earliest(() => newestRequest(db)),
      ),
    )
  } catch (error) {
    db.close()
    throw error
  }
  let keys: JournalKeys | undefined
  return new Journal(
    new JournalStore(db, options, () => {
      keys ??= deriveKeys(db, options)
      return keys
    }),
  )
}

function openOwn({file, service, key, busyTimeoutMs = 10_000, held, now}: JournalOptions): Database {
  const isKnown = readNote(file) !== undefined
  if (!isKnown && !existsSync(file) && file !== ':memory:') {
    // Before the first journal: beside one, a missing key is a lost one.
    key()
  }
  try {
    const db = openDatabase(file, {
      kind: 'journal',
      migrations: journalMigrations,
      isKnown,
      shrinks: true,
      synchronous: 'FULL',
      busyTimeoutMs,
      held,
    })
    try {
      claimJournal(db, service, key, isKnown)
      if (!isKnown && file !== ':memory:') writeNote(file, service, now())
      return db
    } catch (error) {
      db.close()
      throw error
    }
  } catch (error) {
    if (!(isKnown && error instanceof Failure && error.code === 'STORE_DAMAGED')) throw error
    throw error.with({
      message: `${error.message} It is the journal of ${service.words}.`,
      hint: restoreJournal(file),
      effect: 'none',
    })
  }
}

function deriveKeys(db: Database, options: JournalOptions): JournalKeys {
  const key = options.key()
  checkKey(db, key, options.keyFile)
  return {fingerprint: deriveKey(key, 'journal fingerprint'), seal: deriveKey(key, 'journal kept input')}
}

function forgetInputs(db: Database, now: number): void {
  const expired = db.get('SELECT 1 FROM kept_input WHERE expires_at <= ? LIMIT 1', [now])
  if (expired) immediateUnsynced(db, () => db.run('DELETE FROM kept_input WHERE expires_at <= ?', [now]))
}

/** A file that was moved or removed can still be written, and takes what is written with it. @throws Failure STORE_UNAVAILABLE */
function refuseGone(file: string): void {
  if (file === ':memory:' || existsSync(file)) return
  throw movedFolder(`The journal ${file}`, {effect: 'none'})
}
