import {closeSync, constants, fstatSync, openSync, readSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import process from 'node:process'
import {Failure} from '../errors/failure.ts'
import {errnoOf, reasonOf, remedyOf} from '../errors/system-reason.ts'

/** No file that is read whole comes near this, in bytes; something else has its name then. */
const LARGEST = 4 * 1024 * 1024

/** Windows has none. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

/**
 * Opens a file of the tool. As with ssh, it has to belong to the user or to root. Anything else under its name is refused at
 * once: a pipe would wait for a writer for ever, a folder fails only when it is read.
 *
 * @throws Failure CONFIG_UNREADABLE naming the file; the system's ENOENT passes.
 */
export function openOwnFile(path: string, flags: number = constants.O_RDONLY): number {
  const descriptor = openRegularFile(path, flags)
  try {
    refuseOtherOwner(path, fstatSync(descriptor).uid)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function openRegularFile(path: string, flags: number): number {
  const descriptor = orFailure(path, () => {
    try {
      return openSync(path, flags | (constants.O_NONBLOCK ?? 0), 0o600)
    } catch (error) {
      if (errnoOf(error) === 'ELOOP' && (flags & NO_FOLLOW) !== 0)
        throw unreadable(path, 'it is a link', error)
      throw error
    }
  })
  try {
    const found = fstatSync(descriptor)
    if (found.isFile()) return descriptor
    throw unreadable(path, found.isDirectory() ? 'it is a folder' : 'it is not a regular file')
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Reads a file of the tool whole; undefined if it isn't there. @throws as `openOwnFile`; CONFIG_DAMAGED for a huge one */
export function readOwnFile(path: string, largest = LARGEST): Buffer | undefined {
  return readFile(path, largest, openOwnFile)?.content
}

/** The same for a file that says what is done. Its folder has to belong to the user or to root, too. */
export function readConfiguration(path: string, largest = LARGEST): Buffer | undefined {
  const content = readOwnFile(path, largest)
  if (content !== undefined) refuseOtherFolder(dirname(path))
  return content
}

/** Who owns a folder can replace every file in it. @throws Failure CONFIG_UNREADABLE */
export function refuseOtherFolder(path: string): void {
  const found = statSync(path, {throwIfNoEntry: false})
  if (found !== undefined) refuseOtherOwner(path, found.uid)
}

function refuseOtherOwner(path: string, owner: number): void {
  if (isOfOther(owner)) throw unreadable(path, `it belongs to another user (${owner})`)
}

/** Whether a file's owner is neither the user nor root. Windows has no such owners. */
export function isOfOther(owner: number): boolean {
  const user = process.getuid?.()
  return user !== undefined && owner !== user && owner !== 0
}

export interface FileWithOwner {
  readonly content: Buffer
  readonly uid: number
  readonly mode: number
  /** How many names it has. */
  readonly links: number
  /** When the system last recorded a change of it, ms since 1970. Nobody can set that. */
  readonly changedAt: number
}

/** Reads a file of anybody, and says whose it is. A link is not followed: its owner says nothing about the file that it leads to. */
export function readWithOwner(path: string, largest = LARGEST): FileWithOwner | undefined {
  return readFile(path, largest, each => openRegularFile(each, constants.O_RDONLY | NO_FOLLOW))
}

function readFile(path: string, largest: number, open: (path: string) => number): FileWithOwner | undefined {
  let descriptor: number
  try {
    descriptor = open(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const {size, uid, mode, nlink: links, ctimeMs: changedAt} = fstatSync(descriptor)
    if (size > largest) throw tooLarge(path)
    return {content: orFailure(path, () => readAll(descriptor, size)), uid, mode, links, changedAt}
  } finally {
    closeSync(descriptor)
  }
}

function readAll(descriptor: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let done = 0
  while (done < size) {
    const length = readSync(descriptor, bytes, done, size - done, done)
    if (length === 0) break
    done += length
  }
  return bytes.subarray(0, done)
}

function orFailure<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = errnoOf(error)
    if (error instanceof Failure || code === undefined || code === 'ENOENT') throw error
    throw unreadable(path, reasonOf(error), error)
  }
}

function tooLarge(path: string): Failure {
  return new Failure('CONFIG_DAMAGED', {
    message: `${path} is far too large; it was left as it is.`,
    effect: 'none',
  })
}

function unreadable(path: string, why: string, cause?: unknown): Failure {
  return new Failure('CONFIG_UNREADABLE', {
    message: `${path} cannot be read: ${why}.`,
    hint:
      remedyOf(cause) ?? 'Check what has that name, its owner and its mode; move it away if it is not yours.',
    effect: 'none',
    cause,
  })
}
