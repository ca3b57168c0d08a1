import {Worker} from 'node:worker_threads'
import type {Database} from './database.ts'

const FOLD = 'PRAGMA wal_checkpoint(PASSIVE)'

/** Pages of the log after which a connection that nobody relieves folds it in by itself. */
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

  /** Begins, unless it is at it. What goes wrong is left to the commits: they fold the log in when it grows too long. */
  begin(): void {
    if (this.#state !== 'idle') return
    this.#state = 'working'
    this.#worker ??= this.#start()
    this.#worker.postMessage('fold')
  }

  /** To be awaited before the database is closed, so that its connection is the last one. */
  async close(): Promise<void> {
    this.#state = 'ended'
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(`(${thread})()`, {eval: true, workerData: this.#db.file})
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
      // A commit will meet the same.
    }
  }
}

/** What the thread runs. It is given as text, so nothing around it can be used in it. */
function thread(): void {
  const {DatabaseSync} = globalThis.process.getBuiltinModule('node:sqlite')
  const {parentPort, workerData} = globalThis.process.getBuiltinModule('node:worker_threads')
  const db = new DatabaseSync(workerData as string)
  parentPort?.on('message', () => {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    parentPort.postMessage('done')
  })
}
