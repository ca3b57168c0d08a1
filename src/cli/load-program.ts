import {
  chmodSync,
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import {createRequire} from 'node:module'
import {homedir, userInfo} from 'node:os'
import {dirname, isAbsolute, join, relative} from 'node:path'
import process from 'node:process'
import {isatty} from 'node:tty'
import {constants, Script} from 'node:vm'

/** Ids of all commands, a digest of the files of the build, and the version. The build puts them here. */
declare const COMMAND_IDS: readonly string[]
declare const BUILD_ID: string
declare const VERSION: string

/** Of one build. A command takes about 1 MB. */
const MOST_COMMANDS = 48
const KEPT_BUILDS_MS = 30 * 86_400_000

/** A longer run has lost compiled code that it no longer used. */
const LONGEST_ADDITION_MS = 5_000

/**
 * Loads the program with what V8 compiled of it when this command ran before. Node's own compile cache keeps a file as it
 * was before it ran, without the functions that a run compiles, which takes a quarter of a short run. So each command has a
 * cache of its own, written when a run that succeeded ends. A run that goes another way, such as one after a preview, adds
 * what it compiled.
 *
 * @returns undefined if nothing is left to do
 */
export function loadProgram(file: string, argv: readonly string[]): Program | undefined {
  // Completion creates no files, and its own file is small.
  if (argv[0] === '__complete') return createRequire(file)('./complete.cjs')
  if (argv.length === 1 && argv[0] === '--version' && printsVersion()) return undefined
  answerForNamelessUser()
  const cache = cacheOf(argv)
  const scripts = new Map<string, Loaded>()
  let isComplete = true

  function load(path: string): object {
    const known = scripts.get(path)
    if (known) return known.exports
    const cached = cache ? readCached(join(cache, cachedName(path))) : undefined
    const script = new Script(readAsFunction(path), {
      filename: path,
      ...(cached && {cachedData: cached.data}),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    if (cached) release(cached.content)
    if (!cached || script.cachedDataRejected) isComplete = false
    const module = {exports: {}}
    const entry: Loaded = {
      script,
      cachedModules: cached?.modules ?? [],
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
      if (code !== 0 || (isComplete && !hasNewModules(scripts.values()))) return
      keep(cache, scripts, cachedName)
    })
  return load(file) as Program
}

/** Without the program, which says why where nothing arrives: Node opens a device in the place of a closed stdout. */
function printsVersion(): boolean {
  try {
    if (fstatSync(1).isCharacterDevice() && !isatty(1)) return false
    const text = `cardctl/${VERSION} ${process.platform}-${process.arch} node-${process.version}\n`
    return writeSync(1, text) === text.length
  } catch {
    return false
  }
}

const BEFORE = '(function(exports,require,module,__filename,__dirname){'
const AFTER = '\n})'

/** A file as the body of a function. Only one copy of the text remains, because the largest has 3 MB. */
function readAsFunction(path: string): string {
  const file = openSync(path, 'r')
  try {
    const {size} = fstatSync(file)
    const bytes = Buffer.alloc(BEFORE.length + size + AFTER.length)
    bytes.write(BEFORE, 'latin1')
    let count = 1
    for (let at = 0; at < size && count > 0; at += count)
      count = readSync(file, bytes, BEFORE.length + at, size - at, at)
    bytes.write(AFTER, BEFORE.length + size, 'latin1')
    // The build writes ASCII alone.
    const text = bytes.toString('latin1')
    release(bytes)
    return text
  } finally {
    closeSync(file)
  }
}

/** Frees the memory of bytes at once: the next garbage collection may be after the end. Small buffers share theirs. */
function release({buffer, byteLength}: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** What the build makes of the program. */
interface Program {
  start(settings: {isHangUpIgnored: boolean; early: () => void}): Promise<void>
  /** The numbers that the build gave to the modules that have run. */
  modulesThatRan(): readonly number[]
}

interface Loaded {
  readonly script: Script
  readonly exports: object & Partial<Program>
  /** The modules whose compiled code was in the cache. */
  readonly cachedModules: readonly number[]
}

function hasNewModules(scripts: Iterable<Loaded>): boolean {
  if (performance.now() > LONGEST_ADDITION_MS) return false
  return [...scripts].some(({exports, cachedModules}) => {
    const cached = new Set(cachedModules)
    return exports.modulesThatRan?.().some(module => !cached.has(module))
  })
}

interface Cached {
  readonly content: Buffer
  /** A part of the content. */
  readonly data: Buffer
  readonly modules: readonly number[]
}

const SUM_BYTES = 8
const NUMBER_BYTES = 2

/** A file has a sum, the data, the modules that had run, and their count. V8 copies data that isn't aligned. */
function readCached(path: string): Cached | undefined {
  try {
    const content = readFileSync(path)
    if (!sumOf(content.subarray(SUM_BYTES)).equals(content.subarray(0, SUM_BYTES))) return undefined
    const end = content.length - NUMBER_BYTES
    const count = content.readUInt16LE(end)
    const first = end - count * NUMBER_BYTES
    const modules = Array.from({length: count}, (_, at) => content.readUInt16LE(first + at * NUMBER_BYTES))
    return {content, data: content.subarray(SUM_BYTES, first), modules}
  } catch {
    return undefined
  }
}

function encoded(data: Buffer, modules: readonly number[]): Buffer {
  const numbers = Buffer.alloc((modules.length + 1) * NUMBER_BYTES)
  for (const [at, number] of [...modules, modules.length].entries())
    numbers.writeUInt16LE(number, at * NUMBER_BYTES)
  const summed = Buffer.concat([data, numbers])
  return Buffer.concat([sumOf(summed), summed])
}

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

/** Writes each file as a whole. */
function keep(
  folder: string,
  scripts: ReadonlyMap<string, Loaded>,
  cachedName: (path: string) => string,
): void {
  try {
    prune(dirname(dirname(folder)), KEPT_BUILDS_MS)
    mkdirSync(folder, {recursive: true, mode: 0o700})
    pruneCommands(dirname(folder))
    for (const [path, {script, exports, cachedModules}] of scripts) {
      const target = join(folder, cachedName(path))
      const unfinished = `${target}.${process.pid}`
      const modules = new Set([...cachedModules, ...(exports.modulesThatRan?.() ?? [])])
      const content = encoded(script.createCachedData(), [...modules])
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
