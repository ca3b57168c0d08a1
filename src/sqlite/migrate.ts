import type {DatabaseSync} from 'node:sqlite'
import {storeUnavailable} from './store-failure.ts'

/**
 * Brings the schema up to date. `user_version` counts the migrations that were applied, so a list may only ever be
 * appended to. Everything happens under one write lock: of many processes that start at once, one migrates, the others
 * wait and find it done.
 */
export function migrate(db: DatabaseSync, file: string, migrations: readonly string[]): void {
  if (schemaVersion(db, file, migrations.length) === migrations.length) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Read again: another process may have migrated while this one waited for the lock.
    const version = ownVersion(db, file, migrations.length)
    for (const sql of migrations.slice(version)) db.exec(sql)
    db.exec(`PRAGMA user_version = ${migrations.length}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * Looks at a file that others may be making meanwhile.
 *
 * @throws Failure STORE_UNAVAILABLE for one of another program, or of a newer version of the tool.
 */
export function checkOwner(db: DatabaseSync, file: string, migrations: readonly string[]): void {
  // One transaction, so that both looks see the same file.
  db.exec('BEGIN')
  ownVersion(db, file, migrations.length)
  db.exec('COMMIT')
}

function ownVersion(db: DatabaseSync, file: string, known: number): number {
  const version = schemaVersion(db, file, known)
  if (version === 0 && hasTables(db)) {
    throw storeUnavailable(file, 'it is a database of another program', undefined, 'Name another file.')
  }
  return version
}

function schemaVersion(db: DatabaseSync, file: string, known: number): number {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0)
  if (version > known) {
    throw storeUnavailable(
      file,
      `a newer version of the tool wrote it (schema ${version}, this one knows ${known})`,
      undefined,
      'Update the tool, or use another data folder.',
    )
  }
  return version
}

function hasTables(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined
}
