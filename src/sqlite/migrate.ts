import {DatabaseSync} from 'node:sqlite'
import {formerKind, type Kind, kindOf, kinds} from './kinds.ts'
import {storeDamaged, storeUnavailable} from './store-failure.ts'

/** What a file should be. */
export interface Schema {
  readonly kind: Kind
  /** SQL texts in order; the n-th brings schema n-1 to n. Append only: they run once per file. */
  readonly migrations: readonly string[]
  /** The file was there before, so an empty one is damaged, not new. */
  readonly isKnown?: boolean
}

/**
 * Brings the schema up to date and says in the file what it is. `user_version` counts the migrations that were applied, so
 * a list may only ever be appended to. Everything happens under one write lock: of many processes that start at once, one
 * migrates, the others wait and find it done.
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
 * Looks at a file that others may be making meanwhile.
 *
 * @throws Failure STORE_UNAVAILABLE for one of another kind or program, or of a newer version of the tool.
 */
export function checkOwner(db: DatabaseSync, file: string, schema: Schema): void {
  // One transaction, so that all looks see the same file.
  db.exec('BEGIN')
  const applied = ownVersion(db, file, schema)
  db.exec('COMMIT')
  if (schema.isKnown && applied === 0) throw storeDamaged(file, 'it is empty, and it was not before')
}

function ownVersion(db: DatabaseSync, file: string, schema: Schema): number {
  const number = numberAt(db, 'application_id')
  const former = formerKind(number)
  if (former !== undefined) throw formerLayout(file, former)
  const other = number === kinds[schema.kind] ? undefined : kindOf(number)
  if (other !== undefined) {
    throw foreign(file, `it is a database of another kind (${other}, not ${schema.kind})`)
  }
  const known = version(db, file, schema)
  if (number !== kinds[schema.kind] && !(number === 0 && isUnnumbered(db, schema.migrations.slice(0, known))))
    throw foreign(file, 'it is a database of another program')
  return known
}

function version(db: DatabaseSync, file: string, {migrations}: Schema): number {
  const found = numberAt(db, 'user_version')
  if (found > migrations.length) {
    throw storeUnavailable(
      file,
      `a newer version of the tool wrote it (schema ${found}, this one knows ${migrations.length})`,
      undefined,
      'Update the tool, or use another data folder.',
    )
  }
  return found
}

/** Whether a file without a number is empty, or ours from before there were numbers: then it has the tables of its version. */
function isUnnumbered(db: DatabaseSync, applied: readonly string[]): boolean {
  const tables = tablesOf(db)
  return applied.length === 0
    ? tables.length === 0
    : tablesMadeBy(applied).every(name => tables.includes(name))
}

/**
 * Whether everything in the file's schema is as the migrations of its version make it. A changed byte there may leave a sound database
 * whose tables have other names or rules: SQLite then takes our statements for wrong ones.
 */
export function isAsMade(db: DatabaseSync, {migrations}: Schema): boolean {
  try {
    const applied = migrations.slice(0, numberAt(db, 'user_version'))
    return JSON.stringify(definitionsIn(db)) === JSON.stringify(inModel(applied, definitionsIn))
  } catch {
    return false
  }
}

const definitionsIn = (db: DatabaseSync): unknown[] =>
  db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()

const tablesMadeBy = (applied: readonly string[]): unknown[] => inModel(applied, tablesOf)

function inModel<T>(applied: readonly string[], look: (model: DatabaseSync) => T): T {
  const model = new DatabaseSync(':memory:')
  try {
    for (const sql of applied) model.exec(sql)
    return look(model)
  } finally {
    model.close()
  }
}

function tablesOf(db: DatabaseSync): unknown[] {
  const rows = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
  return rows.map(({name}) => name)
}

const numberAt = (db: DatabaseSync, pragma: 'application_id' | 'user_version'): number =>
  Number(db.prepare(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0)

export const formerLayout = (file: string, what: string) =>
  storeUnavailable(
    file,
    `it is ${what}, which this version does not read`,
    undefined,
    'Finish what is open in it with the version that wrote it, then move it to another folder. What it holds protects nothing from here on.',
  )

const foreign = (file: string, why: string) => storeUnavailable(file, why, undefined, 'Name another file.')
