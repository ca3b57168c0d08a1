import {accessSync, constants, type Stats, statSync} from 'node:fs'
import {dirname, sep} from 'node:path'
import {errnoOf} from '../errors/system-reason.ts'
import {fileFailure} from '../files/file-failure.ts'
import {makeOwnFolder} from '../files/make-folder.ts'
import type {Notice} from './surroundings.ts'

/**
 * Creates a folder, and its parents, with access only for its owner (0700). An existing folder keeps its mode, because
 * it may be shared on purpose; a notice reports it.
 *
 * @throws Failure CONFIG_UNREADABLE, which names the folder.
 */
export function makeFolder(folder: string, platform: NodeJS.Platform): readonly Notice[] {
  try {
    makeOwnFolder(folder)
  } catch (error) {
    throw fileFailure(folder, 'made', error)
  }
  return [...looseModes([folder], platform), ...writableFolders(dirname(folder), folder, platform)]
}

/** A file or folder that others can access, and its mode in octal. */
type LooseMode = Notice & {readonly path: string; readonly mode: string}

/** A notice for each existing file or folder that users other than its owner can read, write or enter. */
export function looseModes(paths: readonly string[], platform: NodeJS.Platform): readonly LooseMode[] {
  // Windows uses access lists; Node makes up the mode bits there.
  if (platform === 'win32') return []
  return paths.map(path => looseMode(path)).filter(notice => notice !== undefined)
}

/**
 * The same for the config folder and its file, which hold no secret: a read-only mount, as containers have it, is meant
 * to be read by others.
 */
export function looseConfig(paths: readonly string[], platform: NodeJS.Platform): readonly LooseMode[] {
  return looseModes(paths, platform).filter(
    ({path, mode}) => (Number.parseInt(mode, 8) & 0o022) !== 0 || canWrite(path),
  )
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * A notice for each folder, from `folder` up to the root, in which others could replace our files or folders, whatever
 * their modes. `own` and the folders below it should be private; above it, group access is common. In a sticky folder
 * such as /tmp, nobody can replace files of other users.
 */
export function writableFolders(folder: string, own: string, platform: NodeJS.Platform): readonly Notice[] {
  if (platform === 'win32') return []
  const parent = dirname(folder)
  const above = parent === folder ? [] : writableFolders(parent, own, platform)
  const isOwn = folder === own || folder.startsWith(own + sep)
  const found = statOf(folder)
  if (found === undefined || (found.mode & (isOwn ? 0o022 : 0o002)) === 0) return above
  if (!isOwn && (found.mode & 0o1000) !== 0) return above
  const mode = (found.mode & 0o7777).toString(8).padStart(4, '0')
  const message = `Others can write to the folder ${folder} (mode ${mode}) and replace what is in it. Run: chmod go-w ${quoted(folder)}`
  return [...above, {code: 'LOOSE_MODE', path: folder, message}]
}

/** Quoted for a shell. */
const quoted = (path: string): string =>
  /^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`

function looseMode(path: string): LooseMode | undefined {
  const {mode: found = 0} = statOf(path) ?? {}
  if ((found & 0o077) === 0) return undefined
  const mode = (found & 0o777).toString(8).padStart(4, '0')
  const message = `${path} can be used by others (mode ${mode}): chmod go= it.`
  return {code: 'LOOSE_MODE', path, mode, message}
}

/** Undefined if it can't be checked: the command that needs it reports why. Waiting for a thread takes ten times as long. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, {throwIfNoEntry: false})
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}
