import {shrink, storeDamaged} from '../sqlite/index.ts'
import type {JournalStore} from './journal-store.ts'
import {
  keptByClock,
  type Pruned,
  type PrunedJobs,
  type PruneOptions,
  pruneJobs,
  pruneRequests,
  removeFinished,
} from './prune.ts'
import {splitResources} from './request-record.ts'

/** Maximum number of requests, and of rows of jobs, that are removed beside other work. */
const TIDIED = 500

/** Checks a journal, and removes what is old. */
export class Upkeep {
  readonly #store: JournalStore

  constructor(store: JournalStore) {
    this.#store = store
  }

  /**
   * Reads the whole file, compares the local key, and begins to write, which a lock or the mode of the file may prevent.
   *
   * @throws Failure STORE_DAMAGED, CONFIG_DAMAGED, FILE_LOCKED, STORE_UNAVAILABLE
   */
  checkSound(): void {
    const {db, keys} = this.#store
    const found = db.get<{quick_check: string}>('PRAGMA quick_check(1)')?.quick_check
    if (found !== 'ok') throw storeDamaged(db.file, 'its pages contradict each other')
    keys()
    db.exec('BEGIN IMMEDIATE')
    db.exec('ROLLBACK')
  }

  prune(options: PruneOptions): Pruned {
    const store = this.#store
    if (!store.isBelieved()) return keptByClock(store.db, options)
    return pruneRequests(store.db, options, store.earliest(), store.goneJudge())
  }

  /** Removes finished bulk jobs that were last worked on before this time, in ms since 1970. */
  pruneJobs(before: number, mostRows?: number): PrunedJobs {
    const store = this.#store
    return pruneJobs(store.db, {
      before,
      now: store.earliest(),
      isBelieved: store.isBelieved(),
      mostRows,
      isRunning: owner => store.isRunning(owner),
    })
  }

  /** Removes some of what is finished and old, but so little that nobody has to wait for it. */
  tidy({before, guarded}: Pick<PruneOptions, 'before' | 'guarded'>): void {
    const store = this.#store
    const isDue =
      store.db.get('SELECT 1 FROM request WHERE begun_at < ? LIMIT 1', [before]) ??
      store.db.get('SELECT 1 FROM bulk_job WHERE claimed_at < ? LIMIT 1', [before])
    if (isDue === undefined || !store.isBelieved()) return
    const requests = removeFinished(store.db, {before, guarded}, store.earliest(), TIDIED)
    const {rows} = this.pruneJobs(before, TIDIED)
    if (requests + rows > 0) store.db.exec(`PRAGMA incremental_vacuum(${TIDIED})`)
  }

  /** Returns the space of what was removed to the system. Returns the number of bytes. */
  shrink(): number {
    return shrink(this.#store.db)
  }

  /** Remembers what was erased, as `card:3004`, without its ids. */
  rememberErased(resources: readonly string[]): void {
    for (const one of resources)
      this.#store.db.run('INSERT OR IGNORE INTO erased VALUES (?)', [this.#erasedDigest(one)])
  }

  /** What this journal has of what was erased once: an import brought it. */
  erasedBefore(): string[] {
    const {db} = this.#store
    if (db.get('SELECT 1 FROM erased LIMIT 1') === undefined) return []
    const known = db.all<{resources: string}>('SELECT DISTINCT resources FROM request')
    const all = new Set(known.flatMap(({resources}) => splitResources(resources)))
    return [...all].filter(one => db.get('SELECT 1 FROM erased WHERE digest = ?', [this.#erasedDigest(one)]))
  }

  /** Whether anything about one of these was erased. */
  wereErased(resources: readonly string[]): boolean {
    const {db} = this.#store
    return resources.some(
      one => db.get('SELECT 1 FROM erased WHERE digest = ?', [this.#erasedDigest(one)]) !== undefined,
    )
  }

  #erasedDigest(resource: string): string {
    return this.#store.digest(['erased', resource])
  }
}
