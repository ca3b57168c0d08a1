import {type Database, immediate} from '../sqlite/index.ts'

/**
 * A transaction that survives the death of the process but is not forced to the disk. What it holds may be lost with
 * the power, together with everything that was written lightly after the last full commit.
 */
export function lightly<T>(db: Database, work: () => T extends PromiseLike<unknown> ? never : T): T {
  if (db.inTransaction) return work()
  db.exec('PRAGMA synchronous = NORMAL')
  try {
    return immediate<T>(db, work)
  } finally {
    db.exec('PRAGMA synchronous = FULL')
  }
}
