import {mkdir, stat} from 'node:fs/promises'
import {dirname, posix, sep, win32} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {errnoOf} from '../errors/system-reason.ts'
import {fileFailure} from '../files/open-own-file.ts'
import {type Notice, type ProfileSurroundings, variable} from './surroundings.ts'

/** Absolute paths. Nothing is made here: a folder appears when something is first written into it. */
export interface Folders {
  /** Profiles. */
  readonly config: string
  /** Databases, recordings, and secrets where no keyring answers. */
  readonly data: string
  /** What may be deleted at any time. */
  readonly cache: string
}

type Purpose = keyof Folders
type Given = Pick<ProfileSurroundings, 'env' | 'platform' | 'homedir' | 'cwd'>

const purposes: Readonly<Record<Purpose, {own: string; xdg: string; mac: string; unix: string}>> = {
  config: {
    own: 'CARDCTL_CONFIG_DIR',
    xdg: 'XDG_CONFIG_HOME',
    mac: 'Library/Preferences',
    unix: '.config',
  },
  data: {
    own: 'CARDCTL_DATA_DIR',
    xdg: 'XDG_DATA_HOME',
    mac: 'Library/Application Support',
    unix: '.local/share',
  },
  cache: {own: 'CARDCTL_CACHE_DIR', xdg: 'XDG_CACHE_HOME', mac: 'Library/Caches', unix: '.cache'},
}

/**
 * Where the tool keeps its files: CARDCTL_CONFIG_DIR, CARDCTL_DATA_DIR and CARDCTL_CACHE_DIR as they are (relative ones
 * from the working folder); else `cardctl` below the XDG base directories, if set and absolute as that specification
 * demands; else `cardctl` below the platform's own place.
 * Each is found when it is asked for, and throws Failure CONFIG_UNREADABLE if there is no home folder to fall back to.
 */
export function foldersOf(given: Given): Folders {
  return {
    get config() {
      return folderFor('config', given)
    },
    get data() {
      return folderFor('data', given)
    },
    get cache() {
      return folderFor('cache', given)
    },
  }
}

function folderFor(purpose: Purpose, given: Given): string {
  const {env, platform, cwd} = given
  const path = platform === 'win32' ? win32 : posix
  const {own, xdg, mac, unix} = purposes[purpose]
  const chosen = variable(env, own)
  if (chosen !== undefined) return path.resolve(cwd ?? '', chosen)
  const base = variable(env, xdg)
  if (base !== undefined && path.isAbsolute(base)) return path.join(base, 'cardctl')
  if (platform === 'darwin') return path.join(homeOf(given, own), mac, 'cardctl')
  if (platform === 'win32') return windowsFolder(purpose, given, own)
  return path.join(homeOf(given, own), unix, 'cardctl')
}

function windowsFolder(purpose: Purpose, given: Given, own: string): string {
  // Profiles roam with the user's account; databases and caches stay on the machine.
  const [name, fallback] =
    purpose === 'config' ? (['APPDATA', 'Roaming'] as const) : (['LOCALAPPDATA', 'Local'] as const)
  const base = variable(given.env, name) ?? win32.join(homeOf(given, own), 'AppData', fallback)
  const below = {config: 'Config', data: 'Data', cache: 'Cache'}[purpose]
  return win32.join(base, 'cardctl', below)
}

function homeOf({homedir, platform}: Given, own: string): string {
  const path = platform === 'win32' ? win32 : posix
  if (path.isAbsolute(homedir)) return homedir
  throw new Failure('CONFIG_UNREADABLE', {
    message: 'There is no home folder to keep files in.',
    hint: `Set HOME, or say where with ${own}.`,
    effect: 'none',
  })
}

/**
 * Makes a folder that only its owner may enter (0700), parents included. One that exists keeps its mode: it may be
 * somebody's shared folder, so it is reported instead.
 *
 * @throws Failure CONFIG_UNREADABLE naming the folder.
 */
export async function makeFolder(folder: string, platform: NodeJS.Platform): Promise<readonly Notice[]> {
  try {
    await mkdir(folder, {recursive: true, mode: 0o700})
  } catch (error) {
    throw fileFailure(folder, 'made', error)
  }
  return [
    ...(await looseModes([folder], platform)),
    ...(await writableFolders(dirname(folder), folder, platform)),
  ]
}

/** A file or folder with rights for others than its owner, and its mode in octal. */
export type LooseMode = Notice & {readonly path: string; readonly mode: string}

/** A notice for each file or folder that is there and that others than its owner can read, write or enter. */
export async function looseModes(
  paths: readonly string[],
  platform: NodeJS.Platform,
): Promise<readonly LooseMode[]> {
  // Windows keeps access lists; the mode bits that Node makes up there say nothing.
  if (platform === 'win32') return []
  const found = await Promise.all(paths.map(path => looseMode(path)))
  return found.filter(notice => notice !== undefined)
}

/**
 * A notice for each folder, from `folder` up to the root, in which others could put another file or folder in place of
 * ours, whatever the modes of these. In `own` and below nobody else has business; above, a group often shares a folder,
 * and in a sticky one such as /tmp nobody can move what is another's.
 */
export async function writableFolders(
  folder: string,
  own: string,
  platform: NodeJS.Platform,
): Promise<readonly Notice[]> {
  if (platform === 'win32') return []
  const parent = dirname(folder)
  const above = parent === folder ? [] : await writableFolders(parent, own, platform)
  const isOwn = folder === own || folder.startsWith(own + sep)
  const found = await stat(folder).catch(() => undefined)
  if (found === undefined || (found.mode & (isOwn ? 0o022 : 0o002)) === 0) return above
  if (!isOwn && (found.mode & 0o1000) !== 0) return above
  const mode = (found.mode & 0o7777).toString(8).padStart(4, '0')
  const message = `Others can write to the folder ${folder} (mode ${mode}) and replace what is in it. Run: chmod go-w ${quoted(folder)}`
  return [...above, {code: 'LOOSE_MODE', path: folder, message}]
}

/** For a shell. */
const quoted = (path: string): string =>
  /^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`

async function looseMode(path: string): Promise<LooseMode | undefined> {
  try {
    const {mode: found} = await stat(path)
    if ((found & 0o077) === 0) return undefined
    const mode = (found & 0o777).toString(8).padStart(4, '0')
    const message = `${path} can be used by others (mode ${mode}): chmod go= it.`
    return {code: 'LOOSE_MODE', path, mode, message}
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    // What cannot be looked at is reported by whoever wants to read it.
    return undefined
  }
}
