import {closeSync, fdatasync, openSync} from 'node:fs'
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
