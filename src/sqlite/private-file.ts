import {chmodSync, closeSync, mkdirSync, openSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {storeDamaged, storeUnavailable} from './store-failure.ts'

/** The smallest page of SQLite. SQLite would treat a shorter file as empty and overwrite it. */
const SMALLEST_PAGE = 512

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EFBIG: 'the limit on file sizes is reached',
  EDQUOT: 'the quota is full',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  // Node reports this for a read-only file system when it creates a folder with its parents.
  ENOENT: 'its folder cannot be created, for example because the file system is read-only',
}

/**
 * Creates the folder (0700) and an empty file (0600) if they are missing. SQLite gives `-wal` and `-shm` the mode of
 * the file.
 *
 * @param isKnown the file existed before, so it is damaged if it is missing or empty.
 * @returns whether a file with content exists.
 */
export function preparePrivateFile(file: string, isKnown = false): boolean {
  try {
    const existing = statSync(file, {throwIfNoEntry: false})
    if (existing) {
      if (!existing.isFile()) throw storeUnavailable(file, 'it is not a regular file')
      if (existing.size > 0 && existing.size < SMALLEST_PAGE) throw storeDamaged(file, 'it is truncated')
      if (isKnown && existing.size === 0) throw storeDamaged(file, 'it is empty, but had content before')
      return existing.size > 0
    }
    if (isKnown) throw storeDamaged(file, 'it no longer exists')
    mkdirSync(dirname(file), {recursive: true, mode: 0o700})
    // 'wx' only. Closing any descriptor of a file drops this process's POSIX locks on it, including SQLite's. So a file
    // that may already be open here must never be opened a second time.
    closeSync(openSync(file, 'wx', 0o600))
    return false
  } catch (error) {
    if (errnoOf(error) === 'EEXIST' && statSync(file, {throwIfNoEntry: false})?.isFile()) return true
    const reason = systemReason(error)
    if (reason !== undefined) throw storeUnavailable(file, reason, error)
    throw error
  }
}

/** Why the system refused a file; undefined for other errors. */
export function systemReason(error: unknown): string | undefined {
  const code = errnoOf(error)
  return code === undefined ? undefined : (reasons[code] ?? `the system reports ${code}`)
}

/** Removes the rights of group and others from a database, its `-wal` and its `-shm`. */
export function tighten(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      if (((statSync(name, {throwIfNoEntry: false})?.mode ?? 0) & 0o077) !== 0) chmodSync(name, 0o600)
    } catch {
      // The file of another user, or a read-only disk: opening it reports the error.
    }
  }
}

function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return 'syscall' in error ? error.code : undefined
}
