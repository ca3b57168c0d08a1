import {existsSync} from 'node:fs'
import {DatabaseSync} from 'node:sqlite'
import {pathToFileURL} from 'node:url'
import {preparePrivateFile, tighten} from './private-file.ts'
import {isBusy} from './store-failure.ts'

export interface ConnectOptions {
  /**
   * NORMAL survives the death of the process; FULL also power loss, at the price of one fsync per commit.
   * https://www.sqlite.org/pragma.html#pragma_synchronous
   */
  readonly synchronous: 'NORMAL' | 'FULL'
  readonly busyTimeoutMs: number
  /** The file was there before: it is not made anew where it is missing or empty. */
  readonly isKnown: boolean
  /** https://www.sqlite.org/pragma.html#pragma_auto_vacuum: to be said before anything is written. */
  readonly shrinks: boolean
  /** Looks at a file that has content, read-only, before anything of it is changed; throws for one that is not ours. */
  inspect(db: DatabaseSync): void
}

/** Opens the connection with WAL, foreign keys and the busy timeout; throws what node:sqlite throws. */
export function connect(file: string, options: ConnectOptions): DatabaseSync {
  const inMemory = file === ':memory:'
  const isNew = !inMemory && !preparePrivateFile(file, options.isKnown)
  if (!inMemory) {
    if (!isNew) probe(file, options)
    tighten(file)
  }
  const db = new DatabaseSync(file, {timeout: options.busyTimeoutMs, enableForeignKeyConstraints: true})
  try {
    if (!inMemory) {
      // Said again it is a write each time.
      if (isNew && options.shrinks) db.exec('PRAGMA auto_vacuum = INCREMENTAL')
      useWriteAheadLog(db, options.busyTimeoutMs)
      db.exec(`PRAGMA synchronous = ${options.synchronous}`)
    }
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Looks at the file through a read-only connection first. A writable one would fold a left-over `-wal` into a damaged
 * file when it closes, and damage must be left as it was found. Where there is no `-wal`, nobody writes: then the file is
 * read as one that does not change, for else SQLite would make a `-wal` and a `-shm` that a reader cannot remove.
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
      // What was seen while another process began to write proves nothing.
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
 * Turning WAL on needs the file for itself for a moment, and SQLite answers "busy" there without asking the busy
 * timeout when two processes try at once, so the wait is ours.
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
