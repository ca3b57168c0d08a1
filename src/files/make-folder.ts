import {accessSync, constants, existsSync, mkdirSync} from 'node:fs'
import {dirname} from 'node:path'
import {errnoOf} from '../errors/system-reason.ts'

/**
 * Makes a folder, and its parents, with access only for its owner (0700). An existing one keeps its mode.
 *
 * @throws the system's error
 */
export function makeOwnFolder(folder: string): void {
  try {
    mkdirSync(folder, {recursive: true, mode: 0o700})
  } catch (error) {
    // What Node makes of a read-only file system, too.
    if (errnoOf(error) === 'ENOENT') accessSync(nearest(folder), constants.W_OK)
    throw error
  }
}

const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)))
