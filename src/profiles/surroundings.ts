import {posix, win32} from 'node:path'
import {Failure} from '../errors/failure.ts'
import type {Keyring} from './keyring.ts'
import type {Loosening} from './setting-change.ts'

/** What a write to the stored profiles changed. */
export interface ProfileChange {
  readonly profile: string
  readonly what: 'add' | 'edit' | 'remove' | 'use'
  /** Dotted names of the settings. */
  readonly settings: readonly string[]
  /** What a person agreed to, setting by setting: `readOnly true → false`. */
  readonly loosened: readonly string[]
}

/** A warning for the user. The caller decides where to show it. */
export interface Notice {
  readonly code: 'LOOSE_MODE' | 'SECRET_IN_FILE' | 'SECRET_LEFT' | 'CURRENT_REMOVED'
  readonly message: string
  /** The file or folder that it is about. */
  readonly path?: string
}

/** What this folder needs from the outside world. */
export interface ProfileSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly homedir: string
  /** The base of relative paths from the user. Default: the process's working folder. */
  readonly cwd?: string
  /** The user name at the operating system: the audit user of profiles that aren't live. */
  readonly osUser: string
  /** The command line. Variables that its references name are hidden from programs that cardctl starts. */
  readonly argv?: readonly string[]
  /** Ends waiting for a pipe that a secret comes from. */
  readonly signal?: AbortSignal
  /** Milliseconds since 1970. */
  now(): number
  /** A new random name, for example a UUID. */
  newKey(): string
  /** The store for secrets. Default: the keyring of the operating system. */
  readonly openKeyring?: () => Promise<Keyring>
  notify?(notice: Notice): void
  /** Asks a person whether a live profile may be loosened. By default nobody agrees. @throws if they don't */
  agree?(loosening: Loosening): Promise<void>
  /** Runs a write, and records what it changed. */
  record?(write: () => Promise<readonly ProfileChange[]>): Promise<void>
}

/** A variable of the environment; an empty one counts as absent. */
export function variable(env: ProfileSurroundings['env'], name: string): string | undefined {
  const value = env[name]
  return value === '' ? undefined : value
}

/** Variables that most environments have, and that give no setting and no flag. */
const USUAL =
  /^CARDCTL_(PROFILE|BASE_URL|AUDIT_USER|TOKEN|STRICT|CONFIG_DIR|DATA_DIR|CACHE_DIR|KEEP|AGENT|PAGER|NO_INPUT|DEBUG|ACCESSIBLE|ASCII)$/

/** Whether a variable may give a setting or a flag. If none does, the code that reads them isn't loaded. */
export const mayGiveSettings = (env: ProfileSurroundings['env']): boolean =>
  Object.keys(env).some(name => name.startsWith('CARDCTL_') && !USUAL.test(name))

/** Absolute paths. A folder is created when cardctl first writes to it. */
export interface Folders {
  /** Profiles. */
  readonly config: string
  /** Databases, recordings, and the secrets on a machine without a keyring. */
  readonly data: string
  /** May be deleted at any time. */
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
 * Where cardctl keeps its files: the folders in CARDCTL_CONFIG_DIR, CARDCTL_DATA_DIR and CARDCTL_CACHE_DIR (relative to
 * the working folder); else `cardctl` below the XDG base directories, which must be absolute as their specification
 * requires; else `cardctl` in the usual place of the platform. Each is computed once, when first needed, and throws
 * Failure CONFIG_UNREADABLE if it needs a home folder and there is none.
 */
export function foldersOf(given: Given): Folders {
  const folders = {}
  for (const purpose of ['config', 'data', 'cache'] as const) {
    const facts = {enumerable: true, configurable: true}
    const once = (): string => {
      const value = folderFor(purpose, given)
      Object.defineProperty(folders, purpose, {...facts, value})
      return value
    }
    Object.defineProperty(folders, purpose, {...facts, get: once})
  }
  return folders as Folders
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
  // Profiles roam with the user's Windows account; databases and caches stay on the machine.
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
