import {lstat, readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {errnoOf} from '../errors/system-reason.ts'
import {fileFailure} from './file-failure.ts'

export interface ListedFile {
  /** Below the folder, with `/` between names. */
  readonly name: string
  readonly path: string
  readonly bytes: number
}

/**
 * All files below a folder, sorted by name; none if it isn't there. Links are listed, but not followed.
 *
 * @throws Failure CONFIG_UNREADABLE naming the folder.
 */
export async function listFiles(folder: string, below = ''): Promise<readonly ListedFile[]> {
  const entries = await readdir(folder, {withFileTypes: true}).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileFailure(folder, 'read', error)
  })
  const lists = await Promise.all(
    entries
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(async entry => {
        const path = join(folder, entry.name)
        const name = `${below}${entry.name}`
        if (entry.isDirectory()) return listFiles(path, `${name}/`)
        // It may be gone again, as the log of a database is.
        const found = await lstat(path).catch(() => undefined)
        return found === undefined ? [] : [{name, path, bytes: found.size}]
      }),
  )
  return lists.flat()
}

/** All folders below a folder, the deepest first; none if it isn't there. Links are left out. */
export async function listFolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, {withFileTypes: true, recursive: true}).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileFailure(folder, 'read', error)
  })
  return entries
    .filter(entry => entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name))
    .sort((a, b) => b.length - a.length)
}
