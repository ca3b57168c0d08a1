import {closeSync, existsSync, fstatSync, openSync} from 'node:fs'
import {maskText} from '../sensitive/mask-text.ts'
import type {Secret} from '../sensitive/secret.ts'
import {type Database, immediate} from '../sqlite/index.ts'
import {appendLines} from './append-lines.ts'
import type {AuditEntry, AuditFilter, AuditRecord} from './audit-entry.ts'
import {listTrail} from './list-trail.ts'
import {type PrunedTrail, type PruneTrailOptions, pruneTrail} from './prune-trail.ts'
import {naming} from './trail-file.ts'
import {type Head, readHead} from './trail-head.ts'
import {type Verdict, verifyTrail} from './verify-trail.ts'

/**
 * Who did what: an append-only file of hash-chained lines that all processes of a data folder share. A line is on the
 * disk when `append` returns. It shows that lines were changed, removed, added or moved, the last ones included; it can't
 * stop somebody with this user's rights from writing a whole new trail together with its head and its key.
 */
export class Audit {
  readonly file: string
  readonly #db: Database
  readonly #now: () => number
  readonly #key: () => Buffer

  constructor(file: string, db: Database, options: {now(): number; key(): Secret<Buffer>}) {
    this.file = file
    this.#db = db
    this.#now = options.now
    this.#key = () => options.key().open()
  }

  /**
   * Shows that a line could be appended now, and closes off what a killed process left. To be called before an effect:
   * what can't be recorded shouldn't be done.
   */
  ready(): void {
    this.#locked(() => appendLines(this.#db, this.file, this.#time(), []))
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
    this.#locked(() =>
      appendLines(
        this.#db,
        this.file,
        at,
        list.map(entry => toMembers(entry, at)),
      ),
    )
  }

  /** Oldest first, one by one. */
  *iterate(filter: AuditFilter = {}): Generator<AuditRecord, void, undefined> {
    const descriptor = this.#open()
    if (descriptor === undefined) return
    try {
      yield* listTrail(descriptor, fstatSync(descriptor).size, filter)
    } finally {
      closeSync(descriptor)
    }
  }

  /** The newest `limit` that pass the filter, newest first. */
  list({
    limit = Number.POSITIVE_INFINITY,
    ...filter
  }: AuditFilter & {readonly limit?: number | undefined} = {}): AuditRecord[] {
    const last: AuditRecord[] = []
    for (const record of this.iterate(filter)) {
      last.push(record)
      if (last.length > limit) last.shift()
    }
    return last.reverse()
  }

  /** Follows the whole chain. Appends of other processes wait only while the end of it is noted. */
  verify(): Verdict {
    const {descriptor, head, size} = this.#locked(() => {
      const descriptor = this.#open()
      const size = descriptor === undefined ? 0 : fstatSync(descriptor).size
      return {descriptor, size, head: readHead(this.#db)}
    })
    if (descriptor === undefined) return withoutFile(head)
    try {
      return verifyTrail(descriptor, size, head, this.#key())
    } finally {
      closeSync(descriptor)
    }
  }

  /**
   * Removes old lines from the front and leaves a signed anchor in their place.
   *
   * @throws Failure CONFIG_DAMAGED when the trail is broken.
   */
  prune(options: PruneTrailOptions): PrunedTrail {
    if (!existsSync(this.file)) return {removed: 0}
    return this.#locked(() =>
      naming(this.file, () => pruneTrail(this.#db, this.file, options, {at: this.#time(), key: this.#key()})),
    )
  }

  close(): void {
    this.#db.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #time(): string {
    return new Date(this.#now()).toISOString()
  }

  #open(): number | undefined {
    return naming(this.file, () => (existsSync(this.file) ? openSync(this.file, 'r') : undefined))
  }

  #locked<T>(work: () => T extends PromiseLike<unknown> ? never : T): T {
    return immediate<T>(this.#db, work)
  }
}

function withoutFile(head: Head | undefined): Verdict {
  const nothing = {lines: 0, fragments: 0, pruned: 0}
  if (head === undefined) return {ok: true, ...nothing}
  return {ok: false, ...nothing, firstBroken: {line: 1, why: 'The file was removed.'}}
}

/** Names are free text, and somebody may have typed a card number there. Members in the order of reading. */
function toMembers(entry: AuditEntry, at: string): Record<string, unknown> {
  return {
    at,
    kind: entry.kind,
    osUser: maskText(entry.osUser),
    auditUser: maskText(entry.auditUser),
    profile: entry.profile,
    operation: entry.operation,
    resource: entry.resource,
    key: entry.key,
    request: entry.request,
    outcome: entry.outcome,
    status: entry.status,
    durationMs: entry.durationMs === undefined ? undefined : Math.round(entry.durationMs),
  }
}

function isList(entries: AuditEntry | readonly AuditEntry[]): entries is readonly AuditEntry[] {
  return Array.isArray(entries)
}
