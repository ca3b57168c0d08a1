import {randomBytes} from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import {dirname} from 'node:path'
import {errnoOf} from '../errors/system-reason.ts'
import {makeOwnFolder} from './make-folder.ts'

interface PlaceOptions {
  /** Puts it in place of another one. */
  readonly replace?: boolean
  /** Who may read it, whatever the process's umask says. */
  readonly mode?: number
}

/**
 * Makes a file (0600, its folder 0700) with this content unless another process was first. Many may ask at once: each
 * writes a file of its own and links it into place, so the first one wins and nobody reads half of it.
 *
 * @returns whether this content stands there now.
 * @throws the system's error
 */
export function placeFile(
  file: string,
  content: string | Uint8Array,
  {replace = false, mode = 0o600}: PlaceOptions = {},
): boolean {
  makeOwnFolder(dirname(file))
  const own = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`
  const descriptor = openSync(own, 'wx', 0o600)
  try {
    try {
      if (mode !== 0o600) fchmodSync(descriptor, mode)
      writeSync(descriptor, Buffer.from(content))
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    if (!replace) return linkNew(own, file, mode)
    renameSync(own, file)
    return true
  } finally {
    rmSync(own, {force: true})
  }
}

/** Gives a file a name that no other has; false if one has it. @throws the system's error */
export function linkNew(own: string, file: string, mode: number): boolean {
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
  }
  // A file system without hard links: an exclusive copy is the next best.
  try {
    copyFileSync(own, file, constants.COPYFILE_EXCL)
    chmodSync(file, mode)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}
