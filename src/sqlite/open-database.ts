import type {DatabaseSync} from 'node:sqlite'
import {connect} from './connect.ts'
import {Database} from './database.ts'
import {checkOwner, isAsMade, migrate, type Schema} from './migrate.ts'
import {asStoreFailure, NOT_AS_MADE, primaryCode, storeDamaged} from './store-failure.ts'

export interface DatabaseOptions extends Schema {
  /** NORMAL (default) survives `kill -9`; FULL also power loss. */
  readonly synchronous?: 'NORMAL' | 'FULL'
  /** How long a call waits for another process's lock, in ms; 5,000 by default. */
  readonly busyTimeoutMs?: number
  /** Whether the file can be made smaller after rows were removed; set when it is made, see `shrink`. */
  readonly shrinks?: boolean
}

/**
 * Opens a database file that many processes may hold at once, or `:memory:`. Makes the folder 0700 and the file 0600.
 *
 * @throws Failure STORE_DAMAGED when the file is no sound database (it is left untouched); STORE_UNAVAILABLE when it
 * cannot be opened, locked or written, is of another kind or program, or was written by a newer version of the tool.
 */
export function openDatabase(file: string, options: DatabaseOptions): Database {
  try {
    const {synchronous = 'NORMAL', busyTimeoutMs = 5_000} = options
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
    return new Database(file, db, () => isAsMade(db, options))
  } catch (error) {
    throw asStoreFailure(file, error)
  }
}

/** A migration that fails as SQL is a fault of ours, unless the file is not what its version says. */
function explainMigration(db: DatabaseSync, file: string, options: DatabaseOptions, error: unknown): unknown {
  if (asStoreFailure(file, error) !== error || primaryCode(error) === undefined) return error
  return isAsMade(db, options) ? error : storeDamaged(file, NOT_AS_MADE, error)
}
