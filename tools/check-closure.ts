// Limits what a start and each command load. The bundler's record shows what a command needs at once: no heavy room or
// package, and a maximum of modules and bytes. V8's coverage shows what a run really evaluates.
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {commands} from '../src/commands/index.ts'
import {LAZY_SUFFIX} from './build/lazy-modules.ts'
import {run} from './run.ts'

interface Metafile {
  readonly inputs: Readonly<
    Record<string, {readonly imports: readonly {path: string; original?: string; external?: boolean}[]}>
  >
  readonly outputs: Readonly<
    Record<string, {readonly inputs: Readonly<Record<string, {bytesInOutput: number}>>}>
  >
}

interface Load {
  readonly modules: number
  readonly bytes: number
}

/** Limit of the modules that a command could need without `import()`. A run evaluates few of them. */
const COMMAND_LIMIT: Load = {modules: 185, bytes: 560_000}

const HEAVY_PACKAGES =
  /^(undici|yaml|js-yaml|re2js|ajv|conf|jose|inquirer|cli-table3|openapi-fetch|csv-\w+|@napi-rs|@jmespath-community|@apidevtools)/
const LATE_ROOMS = /^src\/(sandbox|webhook|http|bulk|imported\/document)\//

const {inputs, outputs} = JSON.parse(readFileSync('.reports/meta.json', 'utf8')) as Metafile
const sizes = outputs['dist/cli/cardctl.cjs']?.inputs ?? {}
let faults = 0

function complain(what: string, text: string): void {
  faults++
  process.stderr.write(`${what}: ${text}\n`)
}

function needsOf(entry: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    for (const {path: next, original = '', external} of inputs[path]?.imports ?? [])
      if (!external && !original.endsWith(LAZY_SUFFIX)) visit(next)
  }
  visit(entry)
  return seen
}

let largest: Load = {modules: 0, bytes: 0}
const entries = Object.keys(commands).map(id => `lazy:src/commands/${id.replaceAll(':', '/')}.ts`)
for (const entry of entries) {
  const needed = [...needsOf(entry)]
  if (needed.length < 5) complain(entry, 'is not in the record of the build')
  const bytes = needed.reduce((sum, path) => sum + (sizes[path]?.bytesInOutput ?? 0), 0)
  if (bytes > largest.bytes) largest = {modules: needed.length, bytes}
  if (needed.length > COMMAND_LIMIT.modules || bytes > COMMAND_LIMIT.bytes)
    complain(entry, `needs ${needed.length} modules of ${bytes} bytes`)
  for (const path of needed) {
    const name = path.replace(/^(?:lazy|package):/, '')
    if (path.startsWith('package:') ? HEAVY_PACKAGES.test(name) : LATE_ROOMS.test(name))
      complain(entry, `needs ${name}`)
  }
}

/**
 * Limits of runs on the embedded sandbox: modules of ours that they may evaluate, their bytes, and the packages that
 * they may read.
 */
const RUNS: readonly {argv: readonly string[]; most: Load; packages: readonly string[]}[] = [
  {argv: ['--version'], most: {modules: 9, bytes: 20_000}, packages: ['oclif-core']},
  {argv: ['--help'], most: {modules: 19, bytes: 52_000}, packages: []},
  {argv: ['cards', 'get', '--help'], most: {modules: 18, bytes: 48_000}, packages: []},
  {argv: ['whoami'], most: {modules: 57, bytes: 210_000}, packages: ['oclif-core', 'chalk']},
  {argv: ['cards', 'get', '3001'], most: {modules: 150, bytes: 530_000}, packages: ['oclif-core', 'chalk']},
  {
    argv: ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000'],
    most: {modules: 195, bytes: 655_000},
    packages: ['oclif-core', 'chalk'],
  },
]

/** All of it is compiled at every Tab, because completion has no cache. In bytes. */
const COMPLETION_LIMIT = 172_000
const completion = statSync('dist/cli/complete.cjs').size
if (completion > COMPLETION_LIMIT) complain('completion', `has ${completion} bytes`)

const folder = mkdtempSync(join(tmpdir(), 'cardctl-closure-'))
try {
  const own = {HOME: folder, CARDCTL_PROFILE: 'sandbox'}
  // The first run that opens the sandbox writes the demo data.
  run(process.execPath, ['bin/run.js', 'cards', 'get', '3001'], {quiet: true, env: own})
  for (const {argv, most, packages} of RUNS) {
    const coverage = join(folder, argv.join('-'))
    const env = {...own, NODE_V8_COVERAGE: coverage}
    const {code, output} = run(process.execPath, ['bin/run.js', ...argv], {quiet: true, env})
    if (code !== 0) complain(argv.join(' '), output)
    const {load, files} = evaluatedIn(coverage)
    process.stdout.write(`${argv.slice(0, 3).join(' ')}: ${load.modules} modules, ${load.bytes} bytes\n`)
    if (load.modules > most.modules || load.bytes > most.bytes)
      complain(argv.join(' '), `evaluates more than ${most.modules} modules or ${most.bytes} bytes`)
    const others = files.filter(name => !packages.includes(name))
    if (others.length > 0) complain(argv.join(' '), `reads ${others.join(', ')}`)
  }
} finally {
  rmSync(folder, {recursive: true, force: true})
}
process.stdout.write(
  `${entries.length} commands; the largest needs ${largest.modules} modules, ${largest.bytes} bytes\n`,
)
process.exitCode = faults > 0 ? 1 : 0

/**
 * Our modules that a run evaluated, identified by the functions that the bundler made of them, and the packages that it
 * read.
 */
function evaluatedIn(coverage: string): {load: Load; files: readonly string[]} {
  let modules = 0
  let bytes = 0
  const files = new Set<string>()
  for (const name of readdirSync(coverage)) {
    const {result} = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as Coverage
    for (const {url, functions} of result) {
      const [, read] = /\/dist\/packages\/([\w-]+)\.cjs$/.exec(url) ?? []
      if (read !== undefined) files.add(read)
      if (!url.endsWith('/dist/cli/cardctl.cjs')) continue
      for (const {functionName, ranges} of functions) {
        const [range] = ranges
        if (!functionName.startsWith('lazy:') || !range || range.count === 0) continue
        modules++
        bytes += range.endOffset - range.startOffset
      }
    }
  }
  return {load: {modules, bytes}, files: [...files]}
}

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly {count: number; startOffset: number; endOffset: number}[]
    }[]
  }[]
}
