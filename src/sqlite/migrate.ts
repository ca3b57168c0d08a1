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
    const version = schemaVersion(db, file, migrations.length)
    if (version === 0 && hasTables(db)) {
      throw storeUnavailable(file, 'it is a database of another program', undefined, 'Name another file.')
    }
    for (const sql of migrations.slice(version)) db.exec(sql)
    db.exec(`PRAGMA user_version = ${migrations.length}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
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
