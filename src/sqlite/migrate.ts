import {DatabaseSync} from 'node:sqlite'
import {NOT_AS_MADE, storeDamaged, storeUnavailable} from './store-failure.ts'

/**
 * The kinds of databases. Each file contains the number of its kind, so that it isn't mistaken for another kind:
 * https://www.sqlite.org/pragma.html#pragma_application_id. Never change a number.
 */
const kinds = {
  journal: 0x6363_0005,
  'audit trail': 0x6363_0002,
  sandbox: 0x6363_0003,
  recording: 0x6363_0004,
  'day sums': 0x6363_0006,
} as const

type Kind = keyof typeof kinds

/** The kind of a file with this number, if cardctl made it. */
function kindOf(number: number): Kind | undefined {
  return (Object.keys(kinds) as Kind[]).find(kind => kinds[kind] === number)
}

/** What a file is expected to be. */
export interface Schema {
  readonly kind: Kind
  /** SQL in order: the n-th text leads from version n-1 to n. Append only, because each runs once per file. */
  readonly migrations: readonly string[]
  /** The file existed before, so an empty one is damaged, not new. */
  readonly isKnown?: boolean
  /** The file came from elsewhere, so its schema must be exactly what its version has: no other triggers or views. */
  readonly isForeign?: boolean
}

/**
 * Updates the schema, and writes the kind and the version into the file. `user_version` counts the migrations that were
 * applied. Everything happens under one write lock: if many processes start at once, one migrates and the others wait.
 */
export function migrate(db: DatabaseSync, file: string, schema: Schema): void {
  const {kind, migrations} = schema
  if (numberAt(db, 'application_id') === kinds[kind] && version(db, file, schema) === migrations.length)
    return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Read again: another process may have migrated while this one waited for the lock.
    for (const sql of migrations.slice(ownVersion(db, file, schema))) db.exec(sql)
    db.exec(`PRAGMA user_version = ${migrations.length}; PRAGMA application_id = ${kinds[kind]}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * Checks a file before anything is written to it. Another process may be creating it at the same time.
 *
 * @throws Failure STORE_UNAVAILABLE if it is of another kind or program, or of a newer version of cardctl.
 */
export function checkOwner(db: DatabaseSync, file: string, schema: Schema): void {
  // One transaction, so that all reads see the same file.
  db.exec('BEGIN')
  const applied = ownVersion(db, file, schema)
  db.exec('COMMIT')
  if (schema.isKnown && applied === 0) throw storeDamaged(file, 'it is empty, but had content before')
  if (schema.isForeign && !isAsMade(db, schema)) throw storeDamaged(file, NOT_AS_MADE)
}

function ownVersion(db: DatabaseSync, file: string, schema: Schema): number {
  const number = numberAt(db, 'application_id')
  const other = number === kinds[schema.kind] ? undefined : kindOf(number)
  if (other !== undefined) {
    throw foreign(file, `it is a database of another kind (${other}, not ${schema.kind})`)
  }
  const isEmpty = number === 0 && definitionsIn(db).length === 0
  if (number !== kinds[schema.kind] && !isEmpty) throw foreign(file, 'it is a database of another program')
  return version(db, file, schema)
}

function version(db: DatabaseSync, file: string, {migrations}: Schema): number {
  const found = numberAt(db, 'user_version')
  if (found > migrations.length) {
    throw storeUnavailable(
      file,
      `it was written by a newer version of cardctl, or by a build from before the first release (schema ${found}, this one knows ${migrations.length})`,
      undefined,
      'Update cardctl, or use another data folder.',
    )
  }
  return found
}

/**
 * Whether the schema in the file equals the one that the migrations of its version make. A changed byte in it can leave
 * a valid database with other tables or rules; SQLite then reports our statements as wrong.
 */
export function isAsMade(db: DatabaseSync, {migrations}: Schema): boolean {
  try {
    const applied = migrations.slice(0, numberAt(db, 'user_version'))
    return JSON.stringify(definitionsIn(db)) === JSON.stringify(definitionsMadeBy(applied))
  } catch {
    return false
  }
}

const definitionsIn = (db: DatabaseSync): unknown[] =>
  db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()

/** The schema that the migrations make, from a database in memory. */
function definitionsMadeBy(applied: readonly string[]): unknown[] {
  const model = new DatabaseSync(':memory:')
  try {
    for (const sql of applied) model.exec(sql)
    return definitionsIn(model)
  } finally {
    model.close()
  }
}

const numberAt = (db: DatabaseSync, pragma: 'application_id' | 'user_version'): number =>
  Number(db.prepare(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0)

const foreign = (file: string, why: string) => storeUnavailable(file, why, undefined, 'Use another file.')
