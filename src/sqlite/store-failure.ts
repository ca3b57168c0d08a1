import {
  accessSync,
  closeSync,
  constants,
  ftruncateSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import {dirname} from 'node:path'
import process from 'node:process'
import {diskFull, isDiskFull} from '../errors/disk-full.ts'
import {Failure} from '../errors/failure.ts'
import {errnoOf, reasonOf} from '../errors/system-reason.ts'

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html) that are about the file, not about the SQL. */
const damaged: Readonly<Record<number, string>> = {
  11: 'its content is invalid',
  26: 'it is not a database',
}

const unavailable: Readonly<Record<number, string>> = {
  3: 'access is denied',
  8: 'it is read-only',
  10: 'reading or writing it failed',
  14: 'it cannot be opened',
  23: 'access is denied',
}

/** The disk, or the quota. */
const FULL = 13

const IO_ERROR = 10
const IO_HINT = 'Look for a fault of the disk, for example with dmesg.'

/** The primary result code of an error that node:sqlite threw, without SQLite's extended bits. */
export function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  return error.errcode & 0xff
}

/** Whether SQLite gave up waiting for a lock. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error)
  return code === 5 || code === 6 || code === 15
}

/** The reason for a damaged database that SQLite can read. */
export const NOT_AS_MADE = 'its tables are not as a release of cardctl makes them'

/** A damaged file stays as it is: only its owner may decide what to do with it. */
export function storeDamaged(file: string, why: string, cause?: unknown): Failure {
  return new Failure('STORE_DAMAGED', {
    message: `The database ${file} is damaged: ${why}. It was not changed.`,
    cause,
  })
}

export function storeUnavailable(file: string, why: string, cause?: unknown, hint?: string): Failure {
  if (isDiskFull(cause)) return diskFull(file, {cause})
  return new Failure('STORE_UNAVAILABLE', {
    message: `The database ${file} cannot be used: ${why}.`,
    hint,
    cause,
  })
}

/**
 * The error to throw for an error of node:sqlite: STORE_DAMAGED, STORE_UNAVAILABLE, DISK_FULL or FILE_LOCKED if the file is the
 * cause. If the SQL is the cause (a constraint, a wrong statement), that is a bug of cardctl, and the error stays as it is.
 */
export function asStoreFailure(file: string, error: unknown): unknown {
  const code = primaryCode(error)
  if (code === undefined) return error
  const harm = damaged[code]
  if (harm !== undefined) return storeDamaged(file, harm, error)
  if (isBusy(error)) {
    return new Failure('FILE_LOCKED', {
      message: `Another process keeps the database ${file} locked.`,
      hint: 'A backup or another program may hold it. On Linux and macOS, fuser names the processes that have the file open.',
      cause: error,
    })
  }
  // If the disk is too full for the shared memory file, SQLite reports a failed write.
  if (code === FULL || (code === IO_ERROR && hasNoRoom(file))) return diskFull(file, {cause: error})
  const trouble = unavailable[code]
  if (trouble === undefined) return error
  const refusal = refusalOf(file)
  if (refusal !== undefined) return storeUnavailable(file, reasonOf(refusal), refusal)
  return storeUnavailable(file, trouble, error, code === IO_ERROR ? IO_HINT : undefined)
}

/** More than a transaction adds to a file. */
const ROOM = 16 * 1024 * 1024

/** Files of a database that SQLite has open: itself, its log and its shared memory. */
const FILES = 3

/**
 * What the system has against writing the file. SQLite keeps that to itself, so the system is asked again, by a file
 * beside it: closing any descriptor of the database would drop the locks that SQLite has on it.
 */
function refusalOf(file: string): unknown {
  const beside = `${file}.${process.pid}.tmp`
  const probes: number[] = []
  try {
    const sizes = [file, `${file}-wal`].map(name => statSync(name, {throwIfNoEntry: false})?.size)
    // It is in memory, or gone.
    if (sizes[0] === undefined) return undefined
    accessSync(file, constants.R_OK | constants.W_OK)
    const probe = openSync(beside, 'wx', 0o600)
    probes.push(probe)
    while (probes.length < FILES) probes.push(openSync(beside, 'r'))
    rmSync(beside)
    ftruncateSync(probe, Math.max(...sizes.map(size => size ?? 0)) + ROOM)
    return undefined
  } catch (error) {
    return errnoOf(error) === 'EEXIST' ? undefined : error
  } finally {
    for (const each of probes) closeSync(each)
    rmSync(beside, {force: true})
  }
}

/** Too little for the 32 KiB of a shared memory file, with any block size. */
const NO_ROOM = 64 * 1024

function hasNoRoom(file: string): boolean {
  try {
    const {bavail, bsize} = statfsSync(dirname(file))
    return bavail * bsize < NO_ROOM
  } catch {
    return false
  }
}
