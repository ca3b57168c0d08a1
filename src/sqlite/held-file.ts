import {existsSync, rmSync} from 'node:fs'
import process from 'node:process'
import {DatabaseSync} from 'node:sqlite'
import {preparePrivateFile} from './open-database.ts'
import {isBusy} from './store-failure.ts'

/** An empty file that this process keeps locked. */
export interface HeldFile extends Disposable {
  readonly file: string
}

/**
 * Creates a file and keeps it locked until this process ends, however it ends: the system takes the lock away. Other
 * processes see that with `isHeld`, also from another container, and whatever happens to the clock. node:fs has no locks,
 * so this is a database in which nothing is ever written.
 *
 * @param file a name that was never used before.
 * @returns undefined where the file system has no locks, or the file can't be created.
 */
export function holdFile(file: string): HeldFile | undefined {
  let db: DatabaseSync | undefined
  try {
    preparePrivateFile(file)
    db = new DatabaseSync(file, {timeout: 0})
    lock(db)
    // A process that removes an abandoned file holds its lock while it does.
    if (!existsSync(file)) throw new Error('it was removed before it was locked')
    const held = db
    return {
      file,
      [Symbol.dispose]: () => {
        release(file, held)
      },
    }
  } catch {
    db?.close()
    return undefined
  }
}

/** Whether a process holds the file; false also if it isn't there. Undefined if that can't be found out. */
export const isHeld = (file: string): boolean | undefined => ask(file, () => undefined)

/** Removes the file unless a process holds it. */
export function removeUnheld(file: string): void {
  ask(file, held => release(file, held))
}

/**
 * Removes a file before its lock is given up, so that no process takes it for one that was left behind. Windows removes
 * no open file: there it is closed first, and stays if another process has opened it by then, which removes it in turn.
 */
function release(file: string, held: DatabaseSync): void {
  const isWindows = process.platform === 'win32'
  if (isWindows && held.isOpen) held.close()
  try {
    rmSync(file, {force: true})
  } catch (error) {
    if (!isWindows) throw error
  }
  if (held.isOpen) held.close()
}

function ask(file: string, whileFree: (held: DatabaseSync) => void): boolean | undefined {
  let db: DatabaseSync | undefined
  try {
    if (!existsSync(file)) return false
    db = new DatabaseSync(file, {timeout: 0})
    lock(db)
    whileFree(db)
    return false
  } catch (error) {
    return isBusy(error) ? true : undefined
  } finally {
    if (db?.isOpen) db.close()
  }
}

function lock(db: DatabaseSync): void {
  // Otherwise, a second file would appear beside it.
  db.exec('PRAGMA journal_mode = MEMORY')
  db.exec('BEGIN IMMEDIATE')
}
