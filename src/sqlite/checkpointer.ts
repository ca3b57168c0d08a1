import {closeSync, fdatasync, openSync} from 'node:fs'
import {Worker} from 'node:worker_threads'
import type {Database} from './database.ts'
import {systemReason} from './open-database.ts'
import {storeUnavailable} from './store-failure.ts'

/**
 * Syncs the write-ahead log of an open database to the disk, without blocking this thread. Together with this sync, a
 * commit with `synchronous = NORMAL` survives power loss like a commit with FULL. (FULL is NORMAL with a sync of the
 * log at each commit, https://www.sqlite.org/pragma.html#pragma_synchronous.) SQLite locks the database and `-shm`,
 * never the log, so closing another descriptor of the log drops no locks.
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

const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)'

/** Pages in the log after which a commit runs a checkpoint itself. */
const PAGES_BEFORE_COMMIT_CHECKPOINT = 40_000

/**
 * Runs checkpoints of an open database in a worker thread, which copies and syncs thousands of pages while this thread
 * continues to write. This thread checkpoints the pages that were written meanwhile, because the log only starts from
 * the beginning after a complete checkpoint (https://www.sqlite.org/wal.html, "Avoiding Excessively Large WAL Files").
 */
export class Checkpointer {
  readonly #db: Database
  #worker: Worker | undefined
  #state: 'idle' | 'working' | 'ended' = 'idle'

  constructor(db: Database) {
    this.#db = db
    db.exec(`PRAGMA wal_autocheckpoint = ${PAGES_BEFORE_COMMIT_CHECKPOINT}`)
  }

  /** Starts a checkpoint, unless one is running. If it fails, commits run checkpoints when the log becomes too long. */
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
      this.#db.exec(CHECKPOINT)
    } catch {
      // The next commit reports the same error.
    }
  }
}

/**
 * Runs in the worker thread. It is passed as text, so it can't use anything outside itself. SQLite syncs the file only
 * after a complete checkpoint, which is rare here, so this thread syncs it too. It never closes its descriptor, because
 * this process would lose its locks on the file.
 */
function thread(): void {
  const {fsyncSync, openSync} = globalThis.process.getBuiltinModule('node:fs')
  const {DatabaseSync} = globalThis.process.getBuiltinModule('node:sqlite')
  const {parentPort, workerData} = globalThis.process.getBuiltinModule('node:worker_threads')
  const db = new DatabaseSync(workerData as string)
  const descriptor = openSync(workerData as string, 'r+')
  parentPort?.on('message', () => {
    // The second round is short: it copies what was written during the first.
    for (let time = 0; time < 2; time++) {
      db.exec('PRAGMA wal_checkpoint(PASSIVE)')
      fsyncSync(descriptor)
    }
    parentPort.postMessage('done')
  })
}
