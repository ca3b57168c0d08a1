import {chmodSync, lstatSync, mkdirSync, rmSync} from 'node:fs'
import {enableCompileCache} from 'node:module'
import {homedir, userInfo} from 'node:os'
import {isAbsolute, join} from 'node:path'
import process from 'node:process'

/** What must happen before any other code is loaded. */
export function beforeStart(argv: readonly string[]): void {
  answerForNamelessUser()
  cacheCompiledCode(argv)
}

/** Ids of all commands. The build puts them here. */
declare const COMMAND_IDS: readonly string[]

/**
 * V8 runs what is in its compile cache, so nobody else may be able to write to that folder. Node saves what the first run
 * compiled of each file, so each command has a cache of its own.
 */
export function cacheCompiledCode(argv: readonly string[]): void {
  const folder = cacheFolder()
  if (folder === undefined) return
  try {
    mkdirSync(folder, {recursive: true, mode: 0o700})
    const {mode, uid} = lstatSync(folder)
    // Delete what somebody else could have put there: it is only a cache.
    if ((mode & 0o022) !== 0) {
      rmSync(folder, {recursive: true, force: true})
      mkdirSync(folder, {mode: 0o700})
    } else if (process.getuid !== undefined && uid !== process.getuid()) return
    chmodSync(folder, 0o700)
    enableCompileCache(join(folder, commandOf(argv)))
  } catch {
    // A read-only home only makes the start slower.
  }
}

function commandOf(argv: readonly string[]): string {
  if (argv[0] === '--version') return 'version'
  const ids = [3, 2, 1].map(count => argv.slice(0, count).join(':'))
  const id = ids.find(each => COMMAND_IDS.includes(each))
  if (id === undefined) return 'help'
  return argv.includes('--help') || argv.includes('-h') ? 'help-of-command' : id.replaceAll(':', '-')
}

/** Same as `foldersOf` of the profiles room, which is not loaded yet. */
function cacheFolder(): string | undefined {
  const {CARDCTL_CACHE_DIR: own, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local, HOME: home} = process.env
  if (own && isAbsolute(own)) return join(own, 'compiled')
  if (xdg && isAbsolute(xdg)) return join(xdg, 'cardctl', 'compiled')
  if (process.platform === 'win32') return local ? join(local, 'cardctl', 'Cache', 'compiled') : undefined
  if (!home || !isAbsolute(home)) return undefined
  return join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'cardctl', 'compiled')
}

/**
 * A user id without a name, as in many containers, has no home folder and no shell. Packages that ask the system for
 * these while they load would end the process; they ask the environment first. An empty HOME is no folder either:
 * whoever needs one reports that.
 */
export function answerForNamelessUser(): void {
  const {env} = process
  if (env.HOME === undefined && fails(homedir)) env.HOME = ''
  if (env.SHELL === undefined && fails(userInfo)) env.SHELL = '/bin/sh'
}

function fails(ask: () => unknown): boolean {
  try {
    ask()
    return false
  } catch {
    return true
  }
}
