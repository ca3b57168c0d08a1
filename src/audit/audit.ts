import {closeSync, existsSync, fstatSync, rmSync, statSync} from 'node:fs'
import {Failure} from '../errors/failure.ts'
import type {FormerFiles} from '../files/former-files.ts'
import {openOwnFile} from '../files/open-own-file.ts'
import {publicKeyOf, signFacts} from '../sensitive/ed25519.ts'
import {maskText} from '../sensitive/mask-text.ts'
import type {Secret} from '../sensitive/secret.ts'
import {type Database, immediate, openDatabase} from '../sqlite/index.ts'
import {type Anchor, parseAnchor} from './anchor.ts'
import {
  type AuditEntry,
  type AuditFilter,
  type AuditRecord,
  type Explained,
  succession,
} from './audit-entry.ts'
import {type NewestFilter, newestFirst, oldestFirst} from './list-trail.ts'
import {exportLines, type PrunedTrail, type PruneTrailOptions, pruneTrail} from './prune-trail.ts'
import {goneTrail, type NewEntries, readAfter, type TrailPlace} from './read-after.ts'
import {type SentItems, sentItems} from './sent-items.ts'
import {appendLines, naming, takingBack, withTrail} from './trail-file.ts'
import {EMPTY, type Head, headMigrations, readHead, saidOf, writeHead, writeSaid} from './trail-head.ts'
import {arriveTrail, copyTrail, planTrail, type TrailCopy, type TrailPlan} from './transfer-trail.ts'
import {unexplained, type Verdict, verifyTrail, type Walk, type Witness} from './verify-trail.ts'

export interface BegunTrail extends Pick<AuditEntry, 'osUser' | 'auditUser' | 'caller'> {
  readonly note: string
  readonly explained: Explained
  readonly former: Secret<Buffer> | undefined
}

/** How long lines are kept unless the user says otherwise: PCI DSS 4, 10.5.1 asks for 12 months. */
export const AUDIT_RETENTION_DAYS = 400

export interface AuditOptions {
  /** `audit.ndjson` of the data folder; its head is kept beside it, in a file of that name and `.head`. */
  readonly file: string
  /** ms since 1970. */
  now(): number
  /** The key of the trail, if it has one. */
  readonly key?: Secret<Buffer> | undefined
  /** Who runs the command: a person, a job or an agent. Each entry has it. */
  readonly caller?: string | undefined
  /** How long to wait for other processes, ms; 10,000 by default. */
  readonly busyTimeoutMs?: number | undefined
}

/** @throws Failure STORE_DAMAGED or STORE_UNAVAILABLE. */
export function openAudit({file, now, key, caller, busyTimeoutMs = 10_000}: AuditOptions): Audit {
  const head = openDatabase(`${file}.head`, {kind: 'audit trail', migrations: headMigrations, busyTimeoutMs})
  return new Audit(file, head, {now, key, caller})
}

/**
 * Who did what: an append-only file of hash-chained lines that all processes of a data folder share. A line is on the
 * disk when `append` returns. Its end is signed, so `audit verify` finds lines that were changed, removed, added or moved by
 * somebody without the key. Only an anchor kept elsewhere shows that somebody used the key, or put older copies of all
 * files back.
 */
export class Audit {
  readonly file: string
  readonly #db: Database
  readonly #now: () => number
  readonly #caller: string | undefined
  #key: Secret<Buffer> | undefined

  constructor(file: string, db: Database, options: Pick<AuditOptions, 'now' | 'key' | 'caller'>) {
    this.file = file
    this.#db = db
    this.#now = options.now
    this.#key = options.key
    this.#caller = options.caller
  }

  /** Appends with this key. */
  useKey(key: Secret<Buffer>): void {
    this.#key = key
  }

  /** The public key of the trail, which names it. */
  get publicKey(): string {
    return publicKeyOf(this.#openKey())
  }

  /** Whether there is nothing of a trail here, neither lines nor a head. */
  get isNew(): boolean {
    return this.#locked(() => readHead(this.#db, undefined) === undefined && this.#size() === 0)
  }

  /**
   * Begins a trail with the key that `place` puts into place. While it does, no other process can append.
   *
   * @param place gives the key; undefined where another process was first.
   */
  begin(place: () => Secret<Buffer> | undefined): void {
    this.#locked(() => {
      const isNew = readHead(this.#db, undefined) === undefined && this.#size() === 0
      const key = place()
      if (key && isNew) writeHead(this.#db, EMPTY, key.open())
    })
  }

  /** Says that this trail is in the place of another one. @param former the key of that one, if it is still known. */
  sayBegun({former, note, osUser, auditUser, caller, explained}: BegunTrail): void {
    const at = this.#time()
    const formerSeal = former && signFacts(succession(this.publicKey), former.open())
    this.#append([{at, kind: 'begin', osUser, auditUser, note, caller, ...explained, formerSeal}], at)
  }

  /**
   * Shows that a line could be appended now, and closes off what a killed process left. To be called before an effect:
   * what can't be recorded shouldn't be done.
   */
  ready(): void {
    this.#append([], this.#time())
  }

  /**
   * Appends one line, or several with one write to the disk.
   *
   * @throws Failure CONFIG_UNREADABLE when the file, STORE_UNAVAILABLE or STORE_DAMAGED when the head beside it can't be
   * used. Nothing is half written then.
   */
  append(entries: AuditEntry | readonly AuditEntry[]): void {
    const list: readonly AuditEntry[] = isList(entries) ? entries : [entries]
    const at = this.#time()
    this.#append(
      list.map(entry => toMembers({caller: this.#caller, ...entry}, at)),
      at,
    )
  }

  /**
   * Appends an entry if a thing that others change isn't as it was when the trail last said so.
   *
   * @param state how it is now; undefined if it isn't there. The first entry is of the first state that is one.
   */
  follow(about: string, state: string | undefined, entry: (before: string | undefined) => AuditEntry): void {
    const now = state ?? ''
    // Nearly always nothing has changed, and that needs no lock.
    if ((saidOf(this.#db, about) ?? '') === now) return
    this.#appending(() => {
      const before = saidOf(this.#db, about) ?? ''
      if (before === now) return undefined
      const at = this.#time()
      const line = toMembers({caller: this.#caller, ...entry(before === '' ? undefined : before)}, at)
      const takeBack = appendLines(this.#db, this.file, [line], {at, key: this.#openKey()})
      takingBack(() => writeSaid(this.#db, about, now), takeBack)
      return takeBack
    })
  }

  /** Oldest first, one by one. */
  iterate(filter: AuditFilter = {}): Generator<AuditRecord, void, undefined> {
    return this.#read((descriptor, size) => oldestFirst(descriptor, size, filter))
  }

  /** Newest first, one by one. Reads the trail from its end, and no more of it than is taken. */
  newest(filter: NewestFilter = {}): Generator<AuditRecord, void, undefined> {
    return this.#read((descriptor, size) => newestFirst(descriptor, size, filter))
  }

  /** The requests of an operation whose items were recorded, newest first. @param since ms since 1970; undefined: all. */
  sentItems(operation: string, since: number | undefined): Generator<SentItems, void, undefined> {
    const now = this.#now()
    return this.#read((descriptor, size) => sentItems(descriptor, size, operation, {since, now}))
  }

  /**
   * What came behind a place, oldest first. Only what appends have finished, so that no entry is given that a failed one
   * takes back.
   *
   * @param most how many entries at once
   * @throws Failure INPUT_INVALID if the trail of the place is gone or another one.
   */
  after(place: TrailPlace, most = 1000): NewEntries {
    const nothing = {entries: [], place, isDoubtful: false, hasMore: false}
    if (this.#isAsSeen(place)) return nothing
    const descriptor = this.#open()
    if (descriptor === undefined) {
      if (place.seq === 0) return nothing
      throw goneTrail(this.file)
    }
    try {
      const found = this.#locked(() => fstatSync(descriptor, {bigint: true}))
      return readAfter({descriptor, found}, place, most)
    } finally {
      closeSync(descriptor)
    }
  }

  /**
   * Follows the whole chain. Appends of other processes wait only while the end of it is noted.
   *
   * @param anchor what `audit anchor` printed: that line must be there, or have been pruned in the ordinary way.
   * @param witness what the journals knew before: it must be in the trail, unless a sealed line says why not.
   * @throws Failure USAGE for what is no anchor.
   */
  verify(anchor?: string, witness?: Witness): Verdict {
    return this.#walk(anchor === undefined ? undefined : parseAnchor(anchor), witness).verdict
  }

  /** The last line of a sound trail, for keeping elsewhere; undefined where there is none. */
  anchor(): {readonly verdict: Verdict; readonly last?: Anchor} {
    return this.#walk()
  }

  /**
   * Writes old lines to a file, removes them from the front and leaves a sealed mark in their place.
   *
   * @throws Failure CONFIG_DAMAGED when the trail is broken; INPUT_INVALID when the file for them can't be made.
   */
  prune(options: PruneTrailOptions): PrunedTrail {
    return this.#locked(() => {
      if (this.#size() === 0) return {removed: 0, kept: 0}
      const settings = {at: this.#time(), key: this.#openKey()}
      return naming(this.file, () => pruneTrail(this.#db, this.file, options, settings))
    })
  }

  /**
   * Moves the trail into a file, so that another one can begin here.
   *
   * @throws Failure INPUT_INVALID when the file can't be made.
   */
  moveTo(path: string, removeKey: () => void): void {
    this.#locked(() => {
      naming(this.file, () => {
        if (existsSync(this.file))
          withTrail(this.file, 'read', (descriptor, size) => exportLines(path, descriptor, size))
        removeKey()
        rmSync(this.file, {force: true})
      })
      this.#db.run('DELETE FROM head')
      this.#db.run('DELETE FROM said')
    })
  }

  /**
   * Writes a copy of a sound trail.
   *
   * @returns where it ends; undefined if there is no trail.
   * @throws Failure CONFIG_DAMAGED when the trail is broken.
   */
  copyTo(path: string): Head | undefined {
    if (this.#size() === 0) return undefined
    const key = this.#openKey()
    return this.#locked(() => copyTrail(this.#db, this.file, path, {at: this.#time(), key}))
  }

  /**
   * Compares a copy with the trail of this machine. Changes nothing.
   *
   * @throws Failure CONFIG_DAMAGED if the copy is broken, USAGE if neither continues the other.
   */
  planArrival(copy: TrailCopy): TrailPlan {
    return planTrail(this.#db, this.file, copy)
  }

  /** Puts a copy in the place of the trail that it continues, and moves it there. Doing it again finishes it. */
  arrive(copy: TrailCopy, former: FormerFiles, last: () => void): void {
    this.#locked(() => arriveTrail(this.#db, this.file, copy, former, last))
  }

  close(): void {
    this.#db.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  /** Whether nothing was written since. Takes no lock, because it is asked again and again. */
  #isAsSeen({file}: TrailPlace): boolean {
    if (file === undefined || file.size !== BigInt(file.offset)) return false
    const found = statSync(this.file, {bigint: true, throwIfNoEntry: false})
    return found?.ino === file.ino && found.size === file.size
  }

  #time(): string {
    return new Date(this.#now()).toISOString()
  }

  #append(lines: readonly Record<string, unknown>[], at: string): void {
    const key = this.#openKey()
    this.#appending(() => appendLines(this.#db, this.file, lines, {at, key}))
  }

  /** A head that can't be committed takes its lines along. */
  #appending(append: () => (() => void) | undefined): void {
    let takeBack: (() => void) | undefined
    takingBack(
      () => {
        this.#locked(() => {
          takeBack = append()
        })
      },
      () => takeBack?.(),
    )
  }

  #walk(anchor?: Anchor, witness?: Witness): Walk {
    const key = this.#key?.open()
    const {descriptor, head, size} = this.#locked(() => {
      const descriptor = this.#open()
      const size = descriptor === undefined ? 0 : fstatSync(descriptor).size
      return {descriptor, size, head: readHead(this.#db, key)}
    })
    try {
      if (descriptor !== undefined && key !== undefined)
        return verifyTrail(descriptor, size, {head, key, anchor, witness})
      const isNew = descriptor === undefined && head === undefined && key === undefined
      // A trail that has begun and may have no line yet.
      const hasBegun = descriptor === undefined && head?.seq === 0 && head.sealed
      if ((isNew || hasBegun) && !anchor) {
        const nothing = {marks: new Set<string>(), formerKeys: new Set<string>()}
        return withoutTrail(witness && unexplained(witness, {...nothing, key: key && publicKeyOf(key)}))
      }
      return withoutTrail(
        key === undefined && !isNew
          ? 'The key of the trail is missing, so its seal cannot be checked.'
          : 'The trail was removed.',
      )
    } finally {
      if (descriptor !== undefined) closeSync(descriptor)
    }
  }

  #openKey(): Buffer {
    if (this.#key) return this.#key.open()
    throw new Failure('CONFIG_DAMAGED', {
      message: `The key of the audit trail ${this.file} is missing.`,
      hint: 'Restore it from a backup.',
      effect: 'none',
    })
  }

  *#read<Found>(
    records: (descriptor: number, size: number) => Iterable<Found>,
  ): Generator<Found, void, undefined> {
    const descriptor = this.#open()
    if (descriptor === undefined) return
    try {
      yield* records(descriptor, fstatSync(descriptor).size)
    } finally {
      closeSync(descriptor)
    }
  }

  #size(): number {
    const descriptor = this.#open()
    if (descriptor === undefined) return 0
    try {
      return fstatSync(descriptor).size
    } finally {
      closeSync(descriptor)
    }
  }

  #open(): number | undefined {
    return naming(this.file, () => (existsSync(this.file) ? openOwnFile(this.file) : undefined))
  }

  #locked<T>(work: () => T extends PromiseLike<unknown> ? never : T): T {
    return immediate<T>(this.#db, work)
  }
}

function withoutTrail(why?: string): Walk {
  const nothing = {lines: 0, fragments: 0, pruned: 0, unsealed: 0}
  if (why === undefined) return {verdict: {ok: true, ...nothing}}
  return {verdict: {ok: false, ...nothing, firstBroken: {line: 1, why}}}
}

/** Names are free text, and somebody may have typed a card number there. Members in the order of reading. */
function toMembers(entry: AuditEntry, at: string): Record<string, unknown> {
  return {
    at,
    kind: entry.kind,
    osUser: maskText(entry.osUser),
    auditUser: maskText(entry.auditUser),
    responsible: entry.responsible === undefined ? undefined : maskText(entry.responsible),
    profile: entry.profile,
    operation: entry.operation,
    resources: entry.resources?.length ? entry.resources : undefined,
    members: entry.members?.length ? entry.members : undefined,
    key: entry.key,
    request: entry.request,
    outcome: entry.outcome,
    status: entry.status,
    durationMs: entry.durationMs === undefined ? undefined : Math.round(entry.durationMs),
    note: entry.note,
    proposal: entry.proposal,
    proposedBy: entry.proposedBy,
    ticket: entry.ticket,
    caller: entry.caller,
    clock: entry.isDoubtful ? 'doubtful' : undefined,
    ...entry.explained,
    items: entry.items?.length ? Buffer.from(entry.items).toString('base64') : undefined,
  }
}

function isList(entries: AuditEntry | readonly AuditEntry[]): entries is readonly AuditEntry[] {
  return Array.isArray(entries)
}
