import type {Database} from './database.ts'

/** A synchronous result: a promise would end after the transaction did. */
type Settled<T> = T extends PromiseLike<unknown> ? never : T

/**
 * Runs `work` under the write lock, commits when it returns and rolls back when it throws. A call inside another joins
 * the outer transaction. The lock is taken at the start, so no transaction fails halfway for a stale snapshot.
 *
 * @throws Failure STORE_UNAVAILABLE when the lock is not had within the busy timeout or the commit finds no room.
 */
export function immediate<T>(db: Database, work: () => Settled<T>): T {
  if (db.inTransaction) return work()
  // As a statement that is kept: there may be thousands a second.
  db.run('BEGIN IMMEDIATE')
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
