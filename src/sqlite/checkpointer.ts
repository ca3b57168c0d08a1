import {closeSync, fdatasync, openSync} from 'node:fs'
import {Worker} from 'node:worker_threads'
import type {Database} from './database.ts'
import {systemReason} from './private-file.ts'
import {storeUnavailable} from './store-failure.ts'

/**
 * Forces the write-ahead log of an open database to the disk beside the work of this process: a commit with
 * `synchronous = NORMAL`, followed by this, survives power loss as one with FULL does. (FULL is NORMAL with the log
 * synced at each commit, https://www.sqlite.org/pragma.html#pragma_synchronous.) SQLite locks the database and `-shm`,
 * never the log, so a descriptor of its own does no harm to locks.
 */
export class LogSync {
  readonly #db: Database
  #descriptor: number | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** @throws Failure STORE_UNAVAILABLE */
  async sync(): Promise<void> {
    const {file} = this.#db
    if (file === ':memory:') return
    try {
      this.#descriptor ??= openSync(`${file}-wal`, 'r+')
      const descriptor = this.#descriptor
      await new Promise<void>((resolve, reject) => {
        fdatasync(descriptor, error => (error ? reject(error) : resolve()))
      })
    } catch (error) {
      const reason = systemReason(error)
      throw reason === undefined ? error : storeUnavailable(file, reason, error)
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}

const FOLD = 'PRAGMA wal_checkpoint(PASSIVE)'

/** Pages of the log after which a connection folds it in itself. */
const UNRELIEVED_PAGES = 40_000

/**
 * Folds the write-ahead log of an open database into its file, in a thread of its own: thousands of pages are copied and
 * forced to the disk there, while this thread goes on writing. What was written meanwhile is left for this thread, for
 * the log begins anew only when all of it is folded in (https://www.sqlite.org/wal.html, "Avoiding Excessively Large WAL
 * Files").
 */
export class Checkpointer {
  readonly #db: Database
  #worker: Worker | undefined
  #state: 'idle' | 'working' | 'ended' = 'idle'

  constructor(db: Database) {
    this.#db = db
    db.exec(`PRAGMA wal_autocheckpoint = ${UNRELIEVED_PAGES}`)
  }

  /** Starts, unless it is running. If it fails, commits fold the log in when it grows too long. */
  begin(): void {
    if (this.#state !== 'idle') return
    this.#state = 'working'
    this.#worker ??= this.#start()
    this.#worker.postMessage('fold')
  }

  /** Await it before you close the database, so that the database's connection is the last one. */
  async close(): Promise<void> {
    this.#state = 'ended'
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(`(${thread})()`, {
      eval: true,
      workerData: this.#db.file,
      trackUnmanagedFds: false,
    })
    worker.unref()
    worker.on('message', () => this.#foldRest())
    worker.on('error', () => {
      this.#state = 'ended'
    })
    return worker
  }

  #foldRest(): void {
    if (this.#state !== 'working') return
    this.#state = 'idle'
    try {
      this.#db.exec(FOLD)
    } catch {
      // The next commit reports the same error.
    }
  }
}

/**
 * Runs in the thread. It is passed as text, so it can use nothing around it. SQLite syncs the file only when it has folded
 * in everything, which is rare here, so this thread syncs it too. It never closes its descriptor, as this process would
 * lose its locks on the file.
 */
function thread(): void {
  const {fsyncSync, openSync} = globalThis.process.getBuiltinModule('node:fs')
  const {DatabaseSync} = globalThis.process.getBuiltinModule('node:sqlite')
  const {parentPort, workerData} = globalThis.process.getBuiltinModule('node:worker_threads')
  const db = new DatabaseSync(workerData as string)
  const descriptor = openSync(workerData as string, 'r+')
  parentPort?.on('message', () => {
    // The second round folds in what was written during the first, and is short.
    for (let time = 0; time < 2; time++) {
      db.exec('PRAGMA wal_checkpoint(PASSIVE)')
      fsyncSync(descriptor)
    }
    parentPort.postMessage('done')
  })
}
