import {existsSync, linkSync, renameSync, rmSync} from 'node:fs'
import {hostname} from 'node:os'
import {basename, dirname} from 'node:path'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {FormerFiles} from '../files/former-files.ts'
import {readOwnFile} from '../files/open-own-file.ts'
import {placeFile} from '../files/place-file.ts'
import type {Service} from '../profiles/service.ts'
import type {Secret} from '../sensitive/secret.ts'
import {type Database, immediate, openDatabase, storeDamaged} from '../sqlite/index.ts'
import {
  allTablesOf,
  copyTable,
  OF_THIS_MACHINE,
  type Running,
  refuseRunning,
  tablesOf,
} from './adopt-journal.ts'
import {type Home, readHome, writeHome} from './home.ts'
import {journalsIn} from './journal-file.ts'
import {checkKey, keyCheckOf, noteOf, readNote} from './local-key.ts'
import {journalMigrations} from './schema.ts'
import {SENDER_TABLE} from './sender-name.ts'

/** A journal of this machine that can be exported. */
export interface JournalHere {
  readonly id: string
  readonly file: string
  /** Its service, in words. */
  readonly service: string
}

export function journalsHere(folder: string): JournalHere[] {
  if (!existsSync(folder)) return []
  return journalsIn(folder).map(file => ({
    id: basename(file, '.db'),
    file,
    service: readNote(file)?.words ?? '',
  }))
}

const open = (file: string): Database =>
  openDatabase(file, {kind: 'journal', migrations: journalMigrations, isKnown: true, synchronous: 'FULL'})

/**
 * From now on, nothing is sent from the journal, until it is imported here again. A second call changes nothing, so that
 * an export that was killed can be repeated.
 *
 * @throws Failure USAGE if something of it still runs.
 */
export function moveAway(file: string, now: number, running: Running): void {
  using db = open(file)
  immediate(db, () => {
    refuseRunning(db, running)
    const home = readHome(db)
    if (home.state === 'here') writeHome(db, {state: 'moved', moves: home.moves + 1, at: now})
  })
}

/** Writes a copy of the journal, as it is at one moment. */
export function copyJournal(file: string, to: string): void {
  using db = open(file)
  db.run('VACUUM INTO ?', [to])
}

export interface Arrival {
  /** The copy that was exported; it is moved into its place. */
  readonly file: string
  /** Where it belongs. */
  readonly place: string
  /** Whether a service has this place. */
  isIts(identity: string): boolean
  /** The content of the note beside it. */
  readonly note: string
  readonly key: Secret<Buffer>
  /** Whether requests may be sent from here afterwards. */
  readonly active: boolean
  /** When it was exported, ms since 1970. */
  readonly at: number
}

/** How an exported journal can be imported. */
export type ArrivalPlan =
  /** There is no journal of this service here. */
  | 'new'
  /** Nothing was sent from the one here since it was moved, or it is an older backup: this one replaces it. */
  | 'replace'
  /** Requests are sent from the one here. It gets the finished requests that it lacks. */
  | 'merge'
  /** It can't be imported: what was sent could not be compared. */
  | 'other key'

/**
 * Checks the copy, and compares it with the journal of this machine. Changes nothing but the copy.
 *
 * @throws Failure STORE_DAMAGED, STORE_UNAVAILABLE; USAGE if the one here is newer.
 */
export function planArrival({file, place, isIts, key, active, at}: Arrival, keyHere: string): ArrivalPlan {
  takeRows(file)
  using copy = open(file)
  const found = copy.get<{quick_check: string}>('PRAGMA quick_check(1)')?.quick_check
  if (found !== 'ok') throw storeDamaged(file, 'its pages contradict each other')
  // Under another name it would lock a service out, or be found by none.
  if (!isIts(serviceIn(file).identity))
    throw storeDamaged(file, 'it belongs to another service than its name says')
  checkKey(copy, key, undefined)
  const home = readHome(copy)
  immediate(copy, () => {
    // The processes of another machine can't be seen from here, and none of them sends from this copy.
    const gone = `boot|${hostname()}|0`
    copy.run('UPDATE request SET process_mark = ? WHERE outcome IS NULL', [gone])
    copy.run(`UPDATE bulk_job SET process_mark = ? WHERE state IN ('running', 'unread')`, [gone])
    writeHome(copy, {state: active ? 'here' : 'copy', moves: home.moves, at})
  })
  if (readNote(place) === undefined && !existsSync(place)) return 'new'
  using here = open(place)
  if (isUnused(here)) return 'new'
  const keyOfPlace = readOwnFile(keyHere)
  const isSameKey = keyOfPlace?.equals(key.open()) === true && keyCheckOf(here) === keyCheckOf(copy)
  if (!isSameKey) return 'other key'
  // What was erased here stays erased.
  copyTable(here, copy, 'erased')
  const now = readHome(here)
  if (now.state === 'here') return 'merge'
  if (isNewer({...home, at}, now)) return 'replace'
  throw new Failure('USAGE', {
    message: `The journal of ${readNote(place)?.words ?? 'the service'} on this machine is newer than the one in the file.`,
    hint: advice`Import the file of the last export: ${cardctl('data', 'import', {value: 'FILE'})}`,
    effect: 'none',
  })
}

/** The service that a journal says it belongs to. */
export function serviceIn(file: string): Pick<Service, 'identity' | 'words'> {
  using db = open(file)
  const {service: identity} = db.get<{service: string}>('SELECT service FROM belongs_to') ?? {service: ''}
  return {identity, words: readNote(file)?.words ?? ''}
}

/** Of a file from elsewhere only the rows are used, in tables of our own. @throws Failure STORE_DAMAGED, STORE_UNAVAILABLE */
function takeRows(file: string): void {
  const fresh = `${file}.fresh`
  rmSync(fresh, {force: true})
  {
    const journal = {kind: 'journal', migrations: journalMigrations} as const
    using copy = openDatabase(file, {...journal, isKnown: true, isForeign: true})
    using own = openDatabase(fresh, {...journal, shrinks: true})
    immediate(own, () => {
      own.exec('PRAGMA defer_foreign_keys = ON')
      for (const table of allTablesOf(own)) if (table !== SENDER_TABLE) copyTable(copy, own, table)
    })
  }
  renameSync(fresh, file)
}

const isNewer = (file: Pick<Home, 'moves' | 'at'>, here: Home): boolean =>
  file.moves > here.moves || (file.moves === here.moves && file.at >= here.at)

/**
 * Puts the journal into its place, in the place of one that sends nothing. Doing it again after a kill finishes it.
 *
 * @param former gets what is replaced.
 */
export function arrive(
  {file, place, note, key}: Arrival,
  plan: 'new' | 'replace',
  machineKey: string,
  former: FormerFiles,
): void {
  const logs = [`${place}-wal`, `${place}-shm`]
  if (plan === 'replace') {
    {
      using copy = open(file)
      using here = open(place)
      immediate(copy, () => {
        for (const table of OF_THIS_MACHINE) {
          copy.exec(`DELETE FROM ${table}`)
          copyTable(here, copy, table)
        }
      })
    }
    for (const name of [place, ...logs]) former.keep(name)
    for (const name of logs) rmSync(name, {force: true})
    renameSync(file, place)
    return
  }
  removeUnused(place, [noteOf(place), place, ...logs], former)
  // The key first: a journal without its key is damaged.
  placeKey(place, key, machineKey, former)
  linkSync(file, place)
  // The note last: it promises a journal.
  placeFile(noteOf(place), note)
}

/**
 * Gives journals that are in use the finished requests that they lack: all of them, or none if one can't be written.
 *
 * @returns how many requests of each were left out because their outcome is unknown.
 */
export function mergeAll(arrivals: readonly Arrival[]): readonly number[] {
  const journals: Database[] = []
  try {
    const left = arrivals.map(({file, place}) => {
      using copy = open(file)
      const here = open(place)
      journals.push(here)
      here.run('BEGIN IMMEDIATE')
      // Rows may point to later ones.
      here.exec('PRAGMA defer_foreign_keys = ON')
      return mergeFinished(copy, here, tablesOf(copy))
    })
    // A commit needs some of the room that they took.
    for (const {file} of arrivals) rmSync(file)
    for (const here of journals) here.run('COMMIT')
    return left
  } finally {
    // What isn't committed is rolled back.
    for (const here of journals) here.close()
  }
}

/** Whether it has nothing to lose: looking at an empty journal creates its file. */
const isUnused = (db: Database): boolean =>
  db.get('SELECT 1 FROM request LIMIT 1') === undefined &&
  db.get('SELECT 1 FROM bulk_job LIMIT 1') === undefined &&
  db.get('SELECT 1 FROM erased LIMIT 1') === undefined

function removeUnused(place: string, names: readonly string[], former: FormerFiles): void {
  if (existsSync(place)) {
    using db = open(place)
    if (!isUnused(db)) throw new Error(`${place} was used meanwhile`)
  }
  for (const name of names) {
    former.keep(name)
    rmSync(name, {force: true})
  }
}

/** A machine without a key takes this one for its own; otherwise the journal keeps it. */
function placeKey(place: string, key: Secret<Buffer>, machineKey: string, former: FormerFiles): void {
  const known = readOwnFile(machineKey)
  if (known?.equals(key.open())) return
  const isFirst = known === undefined && journalsHere(dirname(place)).length === 0
  const file = isFirst ? machineKey : place.replace(/\.db$/, '.key')
  former.keep(file)
  placeFile(file, key.open())
}

/** The journal here may have resolved or sent what is open in the copy, or have pruned it: that stays away. */
function mergeFinished(copy: Database, here: Database, tables: readonly string[]): number {
  const open = `outcome IS NULL OR outcome = 'unknown'`
  const left = copy.get<{n: number}>(`SELECT count(*) AS n FROM request WHERE ${open}`)?.n ?? 0
  immediate(copy, () => {
    copy.exec(`DELETE FROM request WHERE ${open}`)
    copy.exec(`DELETE FROM bulk_job WHERE state NOT IN ('done', 'cancelled')`)
  })
  for (const {id} of here.all<{id: string}>('SELECT id FROM bulk_job'))
    copy.run('DELETE FROM bulk_job WHERE id = ?', [id])
  for (const table of tables) copyTable(copy, here, table)
  return left
}
