// Limits what runs at a start and in a few commands: the modules that V8's coverage shows, their bytes, and the packages
// that are read.
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {run} from './run.ts'

interface Load {
  readonly modules: number
  readonly bytes: number
}

let faults = 0

function complain(what: string, text: string): void {
  faults++
  process.stderr.write(`${what}: ${text}\n`)
}

/** The files of the program that every run reads. */
const ALWAYS = new Set(['load-program', 'cardctl'])

/** A run may evaluate this much more than was measured. */
const ROOM = 1.05

/**
 * Runs on the embedded sandbox: the modules of ours that they evaluated when this was written, their bytes, and the
 * other files of the program and packages that they may read.
 */
const RUNS: readonly {argv: readonly string[]; measured: Load; reads: readonly string[]}[] = [
  {argv: ['--version'], measured: {modules: 0, bytes: 0}, reads: []},
  {argv: ['--help'], measured: {modules: 20, bytes: 59_200}, reads: []},
  {argv: ['cards', 'get', '--help'], measured: {modules: 18, bytes: 50_800}, reads: []},
  {argv: ['whoami'], measured: {modules: 61, bytes: 264_300}, reads: ['oclif-core', 'chalk']},
  {
    argv: ['cards', 'get', '3001'],
    measured: {modules: 153, bytes: 653_000},
    reads: ['sandbox', 'oclif-core', 'chalk'],
  },
  {
    argv: ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000'],
    measured: {modules: 190, bytes: 784_600},
    reads: ['sandbox', 'oclif-core', 'chalk'],
  },
]

/** All of it is compiled at every Tab, because completion has no cache. In bytes. */
const COMPLETION_LIMIT = 234_000
const completion = statSync('dist/cli/complete.cjs').size
if (completion > COMPLETION_LIMIT) complain('completion', `has ${completion} bytes`)

const folder = mkdtempSync(join(tmpdir(), 'cardctl-closure-'))
try {
  const own = {HOME: folder, CARDCTL_PROFILE: 'sandbox'}
  // The first run that opens the sandbox writes the demo data.
  run(process.execPath, ['bin/run.js', 'cards', 'get', '3001'], {quiet: true, env: own})
  for (const {argv, measured, reads} of RUNS) {
    const most = {modules: Math.ceil(measured.modules * ROOM), bytes: Math.ceil(measured.bytes * ROOM)}
    const coverage = join(folder, argv.join('-'))
    const env = {...own, NODE_V8_COVERAGE: coverage}
    const {code, output} = run(process.execPath, ['bin/run.js', ...argv], {quiet: true, env})
    if (code !== 0) complain(argv.join(' '), output)
    const {load, files} = evaluatedIn(coverage)
    process.stdout.write(`${argv.slice(0, 3).join(' ')}: ${load.modules} modules, ${load.bytes} bytes\n`)
    if (load.modules > most.modules || load.bytes > most.bytes)
      complain(argv.join(' '), `evaluates more than ${most.modules} modules or ${most.bytes} bytes`)
    const others = files.filter(name => !reads.includes(name))
    if (others.length > 0) complain(argv.join(' '), `reads ${others.join(', ')}`)
  }
} finally {
  rmSync(folder, {recursive: true, force: true})
}
process.exitCode = faults > 0 ? 1 : 0

/**
 * Our modules that a run evaluated, identified by the functions that the bundler made of them, and the other files
 * that it read.
 */
function evaluatedIn(coverage: string): {load: Load; files: readonly string[]} {
  let modules = 0
  let bytes = 0
  const files = new Set<string>()
  for (const name of readdirSync(coverage)) {
    const {result} = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as Coverage
    for (const {url, functions} of result) {
      const [, folder, read] = /\/dist\/(cli|packages)\/([\w-]+)\.cjs$/.exec(url) ?? []
      if (read !== undefined && !ALWAYS.has(read)) files.add(read)
      if (folder !== 'cli') continue
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
