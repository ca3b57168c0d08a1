import {chmodSync, closeSync, existsSync, openSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {pathToFileURL} from 'node:url'
import {reasonOf} from '../errors/system-reason.ts'
import {makeOwnFolder} from '../files/make-folder.ts'
import {isOfOther} from '../files/open-own-file.ts'
import {Database, type TellHeld} from './database.ts'
import {checkOwner, isAsMade, migrate, type Schema} from './migrate.ts'
import {
  asStoreFailure,
  isBusy,
  NOT_AS_MADE,
  primaryCode,
  storeDamaged,
  storeUnavailable,
} from './store-failure.ts'

export interface DatabaseOptions extends Schema {
  /** NORMAL (default) survives `kill -9`; FULL also power loss. */
  readonly synchronous?: 'NORMAL' | 'FULL'
  /** How long a call waits for another process's lock, in ms; 5,000 by default. */
  readonly busyTimeoutMs?: number
  /** Told in the middle of that time. */
  readonly held?: TellHeld | undefined
  /** Whether the file can become smaller after rows are removed. Decided when the file is created, see `shrink`. */
  readonly shrinks?: boolean
}

/**
 * Opens a database file that many processes can use at once, or `:memory:`. Creates the folder with mode 0700 and the
 * file with mode 0600.
 *
 * @throws Failure STORE_DAMAGED if the file is not a valid database (the file isn't changed); STORE_UNAVAILABLE if it
 * cannot be opened, locked or written, is of another kind or program, or was written by a newer version of cardctl.
 */
export function openDatabase(file: string, options: DatabaseOptions): Database {
  try {
    const {synchronous = 'NORMAL', held} = options
    const waitMs = options.busyTimeoutMs ?? 5_000
    const busyTimeoutMs = held ? waitMs / 2 : waitMs
    const db = connect(file, {
      synchronous,
      busyTimeoutMs,
      isKnown: options.isKnown ?? false,
      shrinks: options.shrinks ?? false,
      inspect: probe => checkOwner(probe, file, options),
    })
    try {
      migrate(db, file, options)
    } catch (error) {
      const explained = explainMigration(db, file, options, error)
      db.close()
      throw explained
    }
    return new Database(file, db, () => isAsMade(db, options), held)
  } catch (error) {
    throw asStoreFailure(file, error)
  }
}

/** Opens a database in memory that begins with the `content` of another one: copying its bytes takes a tenth of a ms. */
export function openCopy(content: Uint8Array): Database {
  const db = new DatabaseSync(':memory:', {enableForeignKeyConstraints: true})
  db.deserialize(content)
  return new Database(':memory:', db, () => true)
}

/** A migration that fails as SQL is a bug of cardctl, unless the schema in the file was changed. */
function explainMigration(db: DatabaseSync, file: string, options: DatabaseOptions, error: unknown): unknown {
  if (asStoreFailure(file, error) !== error || primaryCode(error) === undefined) return error
  return isAsMade(db, options) ? error : storeDamaged(file, NOT_AS_MADE, error)
}

interface ConnectOptions {
  /**
   * NORMAL survives the death of the process. FULL also survives power loss, but costs one fsync per commit.
   * https://www.sqlite.org/pragma.html#pragma_synchronous
   */
  readonly synchronous: 'NORMAL' | 'FULL'
  readonly busyTimeoutMs: number
  /** The file existed before: it is not created again if it is missing or empty. */
  readonly isKnown: boolean
  /** https://www.sqlite.org/pragma.html#pragma_auto_vacuum: must be set before anything is written. */
  readonly shrinks: boolean
  /** Checks a file with content, read-only, before anything in it changes; throws for one of another kind. */
  inspect(db: DatabaseSync): void
}

/** Opens the connection with WAL, foreign keys and the busy timeout; throws what node:sqlite throws. */
function connect(file: string, options: ConnectOptions): DatabaseSync {
  const inMemory = file === ':memory:'
  const isNew = !inMemory && !preparePrivateFile(file, options.isKnown)
  if (!inMemory) {
    if (!isNew) probe(file, options)
    tighten(file)
  }
  const db = new DatabaseSync(file, {timeout: options.busyTimeoutMs, enableForeignKeyConstraints: true})
  try {
    // Most tables have few rows, and many sandboxes may be open: half of the memory.
    if (inMemory) db.exec('PRAGMA page_size = 1024')
    else {
      // Only for a new file: setting it again would write each time.
      if (isNew && options.shrinks) db.exec('PRAGMA auto_vacuum = INCREMENTAL')
      useWriteAheadLog(db, options.busyTimeoutMs)
      db.exec(`PRAGMA synchronous = ${options.synchronous}`)
      // There, a sync alone leaves data in the cache of the drive: https://www.sqlite.org/pragma.html#pragma_fullfsync
      if (process.platform === 'darwin') db.exec('PRAGMA fullfsync = ON')
    }
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Checks the file through a read-only connection first. A writable one would checkpoint a left-over `-wal` into a
 * damaged file when it closes, and a damaged file must not change. Without a `-wal`, nobody writes, so the file is
 * opened as immutable: otherwise SQLite would create a `-wal` and a `-shm` that a reader can't remove.
 */
function probe(file: string, options: ConnectOptions): void {
  const isQuiet = () => !existsSync(`${file}-wal`)
  if (isQuiet()) {
    const unchanging = pathToFileURL(file)
    unchanging.searchParams.set('immutable', '1')
    try {
      look(unchanging, options)
      return
    } catch (error) {
      // Another process may have started to write meanwhile.
      if (isQuiet()) throw error
    }
  }
  look(file, options)
}

function look(file: string | URL, {busyTimeoutMs, inspect}: ConnectOptions): void {
  const db = new DatabaseSync(file, {readOnly: true, timeout: busyTimeoutMs})
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    inspect(db)
  } finally {
    db.close()
  }
}

/**
 * Turning WAL on needs exclusive access for a moment. If two processes try at once, SQLite reports "busy" without
 * waiting for the busy timeout, so this function retries.
 */
function useWriteAheadLog(db: DatabaseSync, busyTimeoutMs: number): void {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; ; waited += 5) {
    try {
      const mode = db.prepare('PRAGMA journal_mode').get()?.journal_mode
      if (mode !== 'wal') db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || waited >= busyTimeoutMs) throw error
      Atomics.wait(cell, 0, 0, 5)
    }
  }
}

/** Excludes promises: they would settle after the transaction. */
type Settled<T> = T extends PromiseLike<unknown> ? never : T

/**
 * Runs `work` under the write lock, commits when it returns and rolls back when it throws. A nested call joins the
 * outer transaction. The lock is taken at the start, so no transaction fails halfway because of a stale snapshot.
 *
 * @throws Failure FILE_LOCKED if the lock stays taken for the busy timeout, DISK_FULL.
 */
export function immediate<T>(db: Database, work: () => Settled<T>): T {
  if (db.inTransaction) return work()
  db.begin()
  try {
    const result = work()
    db.run('COMMIT')
    return result
  } catch (error) {
    // SQLite itself may have rolled back already, e.g. on a full disk.
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * `immediate` without forcing the commit to the disk. It survives the death of the process, but power loss may take it
 * and everything else since the last full commit.
 */
export function immediateUnsynced<T>(db: Database, work: () => Settled<T>): T {
  if (db.inTransaction) return work()
  db.exec('PRAGMA synchronous = NORMAL')
  try {
    return immediate<T>(db, work)
  } finally {
    db.exec('PRAGMA synchronous = FULL')
  }
}

/** The smallest page of SQLite. SQLite would treat a shorter file as empty and overwrite it. */
const SMALLEST_PAGE = 512

/**
 * Creates the folder (0700) and an empty file (0600) if they are missing. SQLite gives `-wal` and `-shm` the mode of
 * the file.
 *
 * @param isKnown the file existed before, so it is damaged if it is missing or empty.
 * @returns whether a file with content exists.
 */
export function preparePrivateFile(file: string, isKnown = false): boolean {
  try {
    const existing = statSync(file, {throwIfNoEntry: false})
    if (existing) {
      if (!existing.isFile()) throw storeUnavailable(file, 'it is not a regular file')
      if (isOfOther(existing.uid))
        throw storeUnavailable(file, `it belongs to another user (${existing.uid})`)
      if (existing.size > 0 && existing.size < SMALLEST_PAGE) throw storeDamaged(file, 'it is truncated')
      if (isKnown && existing.size === 0) throw storeDamaged(file, 'it is empty, but had content before')
      return existing.size > 0
    }
    if (isKnown) throw storeDamaged(file, 'it no longer exists')
    makeOwnFolder(dirname(file))
    // 'wx' only. Closing any descriptor of a file drops this process's POSIX locks on it, including SQLite's. So a file
    // that may already be open here must never be opened a second time.
    closeSync(openSync(file, 'wx', 0o600))
    return false
  } catch (error) {
    if (errnoOf(error) === 'EEXIST' && statSync(file, {throwIfNoEntry: false})?.isFile()) return true
    const reason = systemReason(error)
    if (reason !== undefined) throw storeUnavailable(file, reason, error)
    throw error
  }
}

/** Why the system refused a file; undefined for other errors. */
export function systemReason(error: unknown): string | undefined {
  const code = errnoOf(error)
  if (code === undefined) return undefined
  // Of making a folder with its parents.
  return code === 'EEXIST' ? 'a part of its path is not a folder' : reasonOf(error)
}

/** Removes the rights of group and others from a database, its `-wal` and its `-shm`. */
function tighten(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      if (((statSync(name, {throwIfNoEntry: false})?.mode ?? 0) & 0o077) !== 0) chmodSync(name, 0o600)
    } catch {
      // The file of another user, or a read-only disk: opening it reports the error.
    }
  }
}

function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return 'syscall' in error ? error.code : undefined
}
