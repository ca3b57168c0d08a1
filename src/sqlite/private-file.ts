import {chmodSync, closeSync, mkdirSync, openSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {storeDamaged, storeUnavailable} from './store-failure.ts'

/** The smallest page SQLite has. It takes a shorter file for an empty one and would write over it. */
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
  // What Node makes of a read-only file system when it makes folders with their parents.
  ENOENT: 'its folder cannot be made, as where the file system is read-only',
}

/**
 * Makes the folder (0700) and an empty file (0600) where they are missing. SQLite gives `-wal` and `-shm` the mode of the
 * file itself, so they follow.
 *
 * @param isKnown the file was there before: one that is missing or empty is damaged.
 *
 * @returns whether there is a file with content already.
 */
export function preparePrivateFile(file: string, isKnown = false): boolean {
  try {
    const existing = statSync(file, {throwIfNoEntry: false})
    if (existing) {
      if (!existing.isFile()) throw storeUnavailable(file, 'it is not a regular file')
      if (existing.size > 0 && existing.size < SMALLEST_PAGE) throw storeDamaged(file, 'it is cut short')
      if (isKnown && existing.size === 0) throw storeDamaged(file, 'it is empty, and it was not before')
      return existing.size > 0
    }
    if (isKnown) throw storeDamaged(file, 'it is gone')
    mkdirSync(dirname(file), {recursive: true, mode: 0o700})
    // 'wx' only: closing any descriptor of a file drops this process's POSIX locks on it, SQLite's included, so a file
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

/** Why the system refused a file, in words; undefined for an error that isn't the system's. */
export function systemReason(error: unknown): string | undefined {
  const code = errnoOf(error)
  return code === undefined ? undefined : (reasons[code] ?? `the system says ${code}`)
}

/** Takes group and others' rights away from a database that has them, and from what a killed process left beside it. */
export function tighten(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      if (((statSync(name, {throwIfNoEntry: false})?.mode ?? 0) & 0o077) !== 0) chmodSync(name, 0o600)
    } catch {
      // Somebody else's file or a read-only disk: opening it will tell.
    }
  }
}

function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return 'syscall' in error ? error.code : undefined
}
