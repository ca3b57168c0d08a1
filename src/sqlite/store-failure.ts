import {statfsSync} from 'node:fs'
import {dirname} from 'node:path'
import {Failure} from '../errors/failure.ts'

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html) that are about the file, not about the SQL. */
const damaged: Readonly<Record<number, string>> = {
  11: 'its content is malformed',
  26: 'it is not a database',
}

const unavailable: Readonly<Record<number, string>> = {
  3: 'access is denied',
  5: 'another process has kept it locked for too long',
  6: 'another process has kept it locked for too long',
  8: 'it is read-only',
  10: 'reading or writing it failed',
  13: 'the disk or the quota is full',
  14: 'it cannot be opened',
  15: 'another process has kept it locked for too long',
  23: 'access is denied',
}

/** The primary result code of an error that node:sqlite threw, without SQLite's extended bits. */
export function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  return error.errcode & 0xff
}

/** Whether SQLite gave up because somebody else held a lock. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error)
  return code === 5 || code === 6 || code === 15
}

/** Why a sound database is damaged all the same. */
export const NOT_AS_MADE = 'its tables are not as the tool made them'

/** A damaged file is named and left alone: only the operator may decide what becomes of it. */
export function storeDamaged(file: string, why: string, cause?: unknown, hint?: string): Failure {
  return new Failure('STORE_DAMAGED', {
    message: `The database ${file} is damaged: ${why}. It was left as it is.`,
    hint,
    cause,
  })
}

export function storeUnavailable(file: string, why: string, cause?: unknown, hint?: string): Failure {
  return new Failure('STORE_UNAVAILABLE', {
    message: `The database ${file} cannot be used: ${why}.`,
    hint,
    cause,
  })
}

/**
 * What a room should throw for an error of node:sqlite: STORE_DAMAGED or STORE_UNAVAILABLE when the file is the trouble,
 * the error itself when the SQL is (a constraint, a wrong statement), which is a fault of ours.
 */
export function asStoreFailure(file: string, error: unknown): unknown {
  const code = primaryCode(error)
  if (code === undefined) return error
  const harm = damaged[code]
  if (harm !== undefined) return storeDamaged(file, harm, error)
  // A shared memory file that finds no room is no more than a failed write to SQLite.
  const trouble = unavailable[code === 10 && isFull(file) ? 13 : code]
  return trouble === undefined ? error : storeUnavailable(file, trouble, error)
}

/** Too little for the 32 KiB of a shared memory file, whatever blocks it comes in. */
const NO_ROOM = 64 * 1024

function isFull(file: string): boolean {
  try {
    const {bavail, bsize} = statfsSync(dirname(file))
    return bavail * bsize < NO_ROOM
  } catch {
    return false
  }
}
