import {rmSync} from 'node:fs'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {type Database, immediate, openDatabase, type SqlValue} from '../sqlite/index.ts'
import {movedAway, readHome} from './home.ts'
import {journalsIn} from './journal-file.ts'
import {keyCheckOf, noteOf, readNote} from './local-key.ts'
import type {RequestRow} from './request-record.ts'
import {journalMigrations} from './schema.ts'
import {SENDER_TABLE} from './sender-name.ts'

/** How much a journal took over from another. */
export interface Adopted {
  readonly requests: number
  readonly jobs: number
}

/** The requests and jobs of the other journal that still run. */
export interface Running {
  isGone(row: RequestRow): boolean
  isRunning(owner: {readonly pid: number; readonly mark: string; readonly since: number}): boolean
}

interface JobOwner {
  readonly pid: number
  readonly process_mark: string
  readonly claimed_at: number
}

/**
 * The rate of a base URL, and the name of the service, stay behind. Everything else, also in later versions, is taken
 * over.
 */
export const OF_THIS_MACHINE = ['belongs_to', 'pace_brake', 'pace_grant', 'pace_share']
const LEFT_BEHIND = [...OF_THIS_MACHINE, 'home', SENDER_TABLE]

export const tablesOf = (db: Database): string[] =>
  allTablesOf(db).filter(name => !LEFT_BEHIND.includes(name))

export const allTablesOf = (db: Database): string[] =>
  db
    .all<{name: string}>(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid`)
    .map(({name}) => name)
    .filter(name => !name.startsWith('sqlite_'))

/** The number of entries in another journal. */
export function sizeOfJournal(file: string): Adopted {
  using other = openOther(file)
  return count(other)
}

/**
 * Takes all requests and jobs of another journal into this one, and removes the other. Copies first and removes then:
 * if the process is killed in between, both are there and the next run finishes it.
 *
 * @throws Failure USAGE if something of the other still runs.
 */
export function adoptJournal(db: Database, file: string, running: Running): Adopted {
  using other = openOther(file)
  const adopted = immediate(other, () => {
    refuseRunning(other, running)
    const {state} = readHome(other)
    if (state !== 'here') throw movedAway(state, readNote(file)?.words ?? 'the other service')
    refuseOtherKey(other, db)
    const size = count(other)
    const tables = tablesOf(other)
    immediate(db, () => {
      // Rows may point to later ones.
      db.exec('PRAGMA defer_foreign_keys = ON')
      for (const table of tables) copyTable(other, db, table)
    })
    // The note first: a journal without a note may be created again.
    rmSync(noteOf(file))
    for (const table of tables) other.exec(`DELETE FROM ${table}`)
    return size
  })
  other.close()
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, {force: true})
  return adopted
}

/** Ids are equal on both sides only if an earlier attempt copied them. */
export function copyTable(from: Database, to: Database, table: string): void {
  for (const row of from.iterate<Record<string, SqlValue>>(`SELECT * FROM ${table}`)) {
    const values = Object.values(row)
    to.run(`INSERT OR IGNORE INTO ${table} VALUES (${values.map(() => '?').join()})`, values)
  }
}

export const openOther = (file: string): Database =>
  openDatabase(file, {kind: 'journal', migrations: journalMigrations, isKnown: true})

function count(db: Database): Adopted {
  const rowsOf = (table: string): number => db.get<{n: number}>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0
  return {requests: rowsOf('request'), jobs: rowsOf('bulk_job')}
}

/** What one key encrypted can't be read with another. */
function refuseOtherKey(other: Database, db: Database): void {
  if (keyCheckOf(other) === keyCheckOf(db)) return
  throw new Failure('USAGE', {
    message: `The journal ${other.file} was written with the key of another machine and can't be taken over.`,
    hint: advice`Before the first request to the new base URL, export it from the other machine: ${cardctl('data', 'export', {value: 'FILE'}, '--move')}`,
    effect: 'none',
  })
}

export function refuseRunning(db: Database, {isGone, isRunning}: Running): void {
  const requests = db
    .all<RequestRow>('SELECT * FROM request WHERE outcome IS NULL')
    .filter(row => !isGone(row))
  const jobs = db
    .all<JobOwner>(`SELECT pid, process_mark, claimed_at FROM bulk_job WHERE state IN ('running', 'unread')`)
    .filter(({pid, process_mark: mark, claimed_at: since}) => isRunning({pid, mark, since}))
  if (requests.length + jobs.length === 0) return
  throw new Failure('USAGE', {
    message: `${requests.length} requests and ${jobs.length} bulk jobs of it are still running.`,
    hint: 'Wait until they end, then run the command again.',
    effect: 'none',
  })
}

/** @throws Failure USAGE if something of a journal of the folder still runs. */
export function refuseRunningIn(folder: string, running: Running): void {
  for (const journal of journalsIn(folder)) {
    using db = openOther(journal)
    refuseRunning(db, running)
  }
}
