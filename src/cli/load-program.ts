import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {createRequire} from 'node:module'
import {homedir, userInfo} from 'node:os'
import {dirname, isAbsolute, join, relative} from 'node:path'
import process from 'node:process'
import {constants, Script} from 'node:vm'

/** Ids of all commands, and a digest of the files of the build. The build puts both here. */
declare const COMMAND_IDS: readonly string[]
declare const BUILD_ID: string

/** Of one build. A command takes about 1 MB. */
const MOST_COMMANDS = 48
const KEPT_BUILDS_MS = 30 * 86_400_000

/**
 * Loads the program with what V8 compiled of it when this command ran before. Node's own compile cache keeps a file as it
 * was before it ran, without the functions that a run compiles, which takes a quarter of a short run. So each command has a
 * cache of its own, written when a run that succeeded ends.
 */
export function loadProgram(file: string, argv: readonly string[]): unknown {
  // Completion creates no files, and its own file is small.
  if (argv[0] === '__complete') return createRequire(file)('./complete.cjs')
  answerForNamelessUser()
  const cache = cacheOf(argv)
  const scripts = new Map<string, {readonly script: Script; readonly exports: object}>()
  let isComplete = true

  function load(path: string): object {
    const known = scripts.get(path)
    if (known) return known.exports
    // The build writes ASCII alone.
    const source = readFileSync(path, 'latin1')
    const cachedData = cache && readCached(join(cache, cachedName(path)))
    const script = new Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
      filename: path,
      ...(cachedData && {cachedData}),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    if (!cachedData || script.cachedDataRejected) isComplete = false
    const module = {exports: {}}
    const entry = {
      script,
      get exports() {
        return module.exports
      },
    }
    scripts.set(path, entry)
    const installed = createRequire(path)
    const require = (name: string): unknown =>
      name.endsWith('.cjs') ? load(join(dirname(path), name)) : installed(name)
    script.runInThisContext()(module.exports, require, module, path, dirname(path))
    return module.exports
  }

  const cachedName = (path: string): string =>
    relative(dirname(dirname(file)), path).replaceAll(/[/\\]/g, '-')
  if (cache)
    process.on('exit', code => {
      if (code === 0 && !isComplete) keep(cache, scripts, cachedName)
    })
  return load(file)
}

function readCached(path: string): Buffer | undefined {
  try {
    const content = readFileSync(path)
    const data = content.subarray(SUM_BYTES)
    return sumOf(data).equals(content.subarray(0, SUM_BYTES)) ? data : undefined
  } catch {
    return undefined
  }
}

const SUM_BYTES = 8

/**
 * Finds a file of another length and damaged bytes. V8 doesn't look for damage, and would end the process. A loop here
 * would make V8 optimise it, which takes 5 MB; node:zlib takes 1 MB and 2 ms, the digests of node:crypto more.
 */
function sumOf(data: Buffer): Buffer {
  const sum = Buffer.alloc(SUM_BYTES)
  sum.writeUInt32LE(process.getBuiltinModule('node:zlib').crc32(data))
  sum.writeUInt32LE(data.length, 4)
  return sum
}

/** Writes each file as a whole, after its sum. */
function keep(
  folder: string,
  scripts: ReadonlyMap<string, {readonly script: Script}>,
  cachedName: (path: string) => string,
): void {
  try {
    prune(dirname(dirname(folder)), KEPT_BUILDS_MS)
    mkdirSync(folder, {recursive: true, mode: 0o700})
    pruneCommands(dirname(folder))
    for (const [path, {script}] of scripts) {
      const target = join(folder, cachedName(path))
      const unfinished = `${target}.${process.pid}`
      const data = script.createCachedData()
      const content = Buffer.concat([sumOf(data), data])
      writeFileSync(unfinished, content, {flag: 'wx', mode: 0o600, flush: true})
      renameSync(unfinished, target)
    }
  } catch {
    // A full disk only makes the next start slower.
  }
}

/** Removes the folders that have been unchanged for longer than `ageMs`. A build that is still used is cached again. */
function prune(folder: string, ageMs: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < Date.now() - ageMs) rmSync(path, {recursive: true, force: true})
  }
}

function pruneCommands(folder: string): void {
  const paths = readdirSync(folder).map(name => join(folder, name))
  const byAge = paths.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const path of byAge.slice(MOST_COMMANDS)) rmSync(path, {recursive: true, force: true})
}

/** The cache of a command; undefined where there can be none. */
function cacheOf(argv: readonly string[]): string | undefined {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined
  const folder = ownFolder()
  const build = `${BUILD_ID}-${process.version}-${process.arch}`
  return folder && join(folder, build, commandOf(argv))
}

/** V8 runs what is in its compile cache, so nobody else may be able to write to that folder. */
export function ownFolder(): string | undefined {
  const folder = cacheFolder()
  if (folder === undefined) return undefined
  try {
    mkdirSync(folder, {recursive: true, mode: 0o700})
    const {mode, uid} = lstatSync(folder)
    // Delete what somebody else could have put there: it is only a cache.
    if ((mode & 0o022) !== 0) {
      rmSync(folder, {recursive: true, force: true})
      mkdirSync(folder, {mode: 0o700})
    } else if (process.getuid !== undefined && uid !== process.getuid()) return undefined
    chmodSync(folder, 0o700)
    return folder
  } catch {
    // A read-only home only makes the start slower.
    return undefined
  }
}

function commandOf(argv: readonly string[]): string {
  if (argv[0] === '--version') return 'version'
  // Global flags may stand before the command.
  const ids = argv.flatMap((_, at) => [3, 2, 1].map(count => argv.slice(at, at + count).join(':')))
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
 * these while they load would end the process; they ask the environment first. An empty HOME is no folder either. Code
 * that needs a folder reports that.
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
