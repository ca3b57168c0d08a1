import {randomBytes} from 'node:crypto'
import {existsSync, readdirSync, rmSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import type {Witness} from '../audit/index.ts'
import {Failure} from '../errors/failure.ts'
import {type Database, immediate, openDatabase, type SqlValue} from '../sqlite/index.ts'
import {movedAway, readHome} from './home.ts'
import {keyCheckOf, noteOf, readNote} from './local-key.ts'
import type {RequestRow} from './request-record.ts'
import {journalMigrations} from './schema.ts'

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
const LEFT_BEHIND = [...OF_THIS_MACHINE, 'home']

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

const openOther = (file: string): Database =>
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
    hint: 'Before the first request to the new base URL, export it from the other machine with data export --move.',
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

/** A journal of another service in the same folder. */
export interface OtherJournal {
  /** The name of its file. */
  readonly id: string
  readonly file: string
  /** Its service, in words. */
  readonly service: string
}

/** How to look for a journal: by the id of a request or bulk job, or by a profile that was used with it. */
interface Held {
  readonly request?: string
  readonly job?: string
  readonly profile?: string
}

const questions = {
  request: 'SELECT 1 FROM request WHERE id = ?',
  job: 'SELECT 1 FROM bulk_job WHERE id = ?',
  profile: 'SELECT 1 FROM profile WHERE name = ?',
} as const

/** The journals of other services that have this. Unreadable ones are skipped. */
export const otherJournalsWith = (file: string, held: Held): OtherJournal[] =>
  otherJournals(file).filter(other => holds(other.file, held))

/** The journals of other services in the same folder. */
export function otherJournals(file: string): OtherJournal[] {
  if (file === ':memory:') return []
  return journalsIn(dirname(file))
    .filter(other => other !== file)
    .map(other => ({id: basename(other, '.db'), file: other, service: readNote(other)?.words ?? ''}))
}

function holds(file: string, held: Held): boolean {
  try {
    using db = openDatabase(file, {kind: 'journal', migrations: journalMigrations, isKnown: true})
    return Object.entries(questions).some(([name, sql]) => {
      const value = held[name as keyof Held]
      return value !== undefined && db.get(sql, [value]) !== undefined
    })
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/**
 * What the journals of a folder know about the audit trail. A request without an effect needs no entry, and one whose end
 * was only found out later may have none: its process ended first.
 */
export function trailWitness(folder: string): Witness {
  const requests: Witness['requests'] = new Map()
  const keys = new Map<string, string>()
  for (const journal of existsSync(folder) ? journalsIn(folder) : []) {
    using db = openOther(journal)
    for (const {id, mark} of db.iterate<{id: string; mark: string | null}>(
      `SELECT id, excused_by AS mark FROM request WHERE ${NEEDS_ENTRY}`,
    ))
      requests.set(id, {mark, journal})
    for (const {public_key: key} of db.all<{public_key: string}>('SELECT public_key FROM trail_key'))
      keys.set(key, journal)
  }
  return {requests, keys}
}

/**
 * Notes in the journals of a folder that what ended so far may have no entry, once a sealed line of the trail names the
 * marks. Whatever ends later needs one, by any clock.
 *
 * @returns the marks of all requests, earlier ones too.
 */
export function excuseRequests(folder: string): string[] {
  const mark = randomBytes(8).toString('hex')
  const marks = new Set<string>()
  for (const journal of existsSync(folder) ? journalsIn(folder) : []) {
    using db = openOther(journal)
    db.run(`UPDATE request SET excused_by = ? WHERE excused_by IS NULL AND ${NEEDS_ENTRY}`, [mark])
    for (const row of db.all<{mark: string}>(
      'SELECT DISTINCT excused_by AS mark FROM request WHERE excused_by IS NOT NULL',
    ))
      marks.add(row.mark)
  }
  return [...marks]
}

const NEEDS_ENTRY = `outcome <> 'none' AND resolved_at IS NULL`

/** @throws Failure USAGE if something of a journal of the folder still runs. */
export function refuseRunningIn(folder: string, running: Running): void {
  for (const journal of existsSync(folder) ? journalsIn(folder) : []) {
    using db = openOther(journal)
    refuseRunning(db, running)
  }
}

export const journalsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => join(folder, name.replace(/\.json$/, '.db')))

/** @throws Failure OTHER_SERVICE if a request or job belongs to another service. */
export function refuseElsewhere(
  {file, service}: {file: string; service: {words: string}},
  held: Pick<Held, 'request' | 'job'>,
): void {
  const [other] = otherJournalsWith(file, held)
  if (other === undefined) return
  const what = held.job === undefined ? `Request ${held.request}` : `Bulk job ${held.job}`
  throw otherService(what, other.service, service.words)
}

/** What belongs to one service is not continued at another. Names both. */
export function otherService(what: string, theirs: string, ours: string): Failure {
  return new Failure('OTHER_SERVICE', {
    message: `${what} belongs to ${theirs}, and this profile leads to ${ours}.`,
    effect: 'none',
    data: {service: theirs, profileService: ours},
  })
}
