// Makes the package for Linux on ARM64 and tries it in qemu, in a Debian of its own (tools/arm-root.ts). Then runs tests of the
// sources with the package's Node.js, a room after the other. ROOMS names some rooms or none, TIME_LIMIT the minutes after
// which no further room begins. qemu shows a process a /proc/self/stat of its own, so a test of the marks of processes fails
// in it, and so do tests that time something themselves. Needs root, debootstrap, qemu-user-static, Debian's
// packages and the registry of npm.
import {execFileSync, type StdioOptions} from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {basename, dirname, join} from 'node:path'
import process from 'node:process'
import pjson from '../../package.json' with {type: 'json'}
import {makeArmRoot, runOnArm, SHARED_ON_ARM} from '../../tools/arm-root.ts'

const NAME = `cardctl-${pjson.version}-linux-arm64`
const NODE = `${SHARED_ON_ARM}/${NAME}/runtime/node`
const {SEED: seed = String(Date.now() % 1_000_000), ROOMS, TIME_LIMIT = '600'} = process.env
/** qemu takes about as many times as long as the processor itself. */
const SLOWNESS = 8
const HOUR = 3_600_000

const quiet = {stdio: ['ignore', 'ignore', 'inherit'] satisfies StdioOptions}
const folder = mkdtempSync(join(tmpdir(), 'cardctl-arm-'))
let faults = 0
try {
  makeArmRoot()
  execFileSync('node', ['tools/package.ts', '--platform', 'linux-arm64', '--fast', '--out', folder], quiet)
  execFileSync('tar', ['-xzf', join(folder, `${NAME}.tar.gz`), '-C', folder])
  tryProgram()
  if (rooms().length > 0) layTests()
  const until = Date.now() + Number(TIME_LIMIT) * 60_000
  const left: string[] = []
  for (const room of rooms()) {
    if (Date.now() < until) runRoom(room)
    else left.push(room)
  }
  process.stdout.write(`${left.length} rooms not run: ${left.join(' ')}\n`)
  process.exitCode = faults > 0 ? 1 : 0
} finally {
  rmSync(folder, {recursive: true, force: true})
}

/** The unpacked program, as users have it. */
function tryProgram(): void {
  const echo = join(folder, 'echo')
  mkdirSync(join(echo, 'bin'), {recursive: true})
  copyFileSync(join(folder, NAME, 'cardctl'), join(echo, 'cardctl'))
  cpSync(join(folder, NAME, 'runtime'), join(echo, 'runtime'), {recursive: true})
  writeFileSync(join(echo, 'bin/run.js'), 'process.stdout.write(JSON.stringify(process.argv.slice(2)))\n')
  copyFileSync(join(import.meta.dirname, 'platform-lines.cjs'), join(folder, 'checks.cjs'))
  const argv = [NODE, 'checks.cjs', `${SHARED_ON_ARM}/${NAME}`, `${SHARED_ON_ARM}/echo`, seed, `${SLOWNESS}`]
  const {status, stdout} = runOnArm(argv, {folder, timeout: HOUR})
  process.stdout.write(stdout)
  const lines = stdout.split('\n')
  const good = lines.filter(line => line.startsWith('ok\t')).length
  const bad = lines.filter(line => line.startsWith('FAULT\t')).length
  process.stdout.write(
    `The package: ${good} checks good, ${bad} faults, seed ${seed}, ended with ${status}\n`,
  )
  if (bad > 0 || status !== 0 || !lines.includes('end')) faults++
}

/** The sources with what is generated, and the packages that npm chooses for ARM64. */
function layTests(): void {
  const work = join(folder, 'work')
  mkdirSync(work)
  const copy = 'tar -c --exclude=./node_modules --exclude=./.git . | tar -x -C "$1"'
  execFileSync('sh', ['-ec', copy, 'copy', work], quiet)
  for (const path of globSync('test/**/*.ts', {cwd: work})) giveTime(join(work, path))
  const platform = [
    '--os=linux',
    '--cpu=arm64',
    '--libc=glibc',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ]
  execFileSync('npm', ['ci', ...platform], {cwd: work, ...quiet})
  const runtime = join(work, 'node_modules/node/bin/node')
  mkdirSync(dirname(runtime))
  copyFileSync(join(folder, NAME, 'runtime/node'), runtime)
}

/** How long tests of a file may wait for a thing or take, in the forms `{timeout: 60_000}` and `}, 60_000)`. */
function giveTime(file: string): void {
  const text = readFileSync(file, 'utf8')
  const longer = text.replace(
    /(\btimeout: |^ *\}, )(\d+(?:_\d{3})+)\b/gm,
    (_, before: string, ms: string) => {
      return `${before}${Number(ms.replaceAll('_', '')) * SLOWNESS}`
    },
  )
  if (longer !== text) writeFileSync(file, longer)
}

/** Those first whose work differs most between processors. What needs a browser, a terminal or PostgreSQL is not run here. */
function rooms(): readonly string[] {
  const FIRST = ['money', 'card-crypto', 'journal', 'sqlite', 'rows', 'audit', 'http', 'sandbox', 'commands']
  const WITHOUT = /^(?:binary|examples|fleet|journeys|package|page|postgres|site|supply-chain)$/
  const found = globSync('test/*/')
    .map(path => basename(path))
    .filter(room => globSync(`test/${room}/**/*.test.ts`).length > 0)
  const all = [...new Set([...FIRST, ...found.sort()])].filter(room => !WITHOUT.test(room))
  return ROOMS === undefined ? all : ROOMS.split(' ').filter(room => room !== '')
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

function runRoom(room: string): void {
  const work = join(folder, 'work')
  const file = join(work, 'report.json')
  rmSync(file, {force: true})
  const began = Date.now()
  runOnArm(
    [
      'node',
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project=rooms',
      '--maxWorkers=2',
      '--testTimeout=900000',
      '--hookTimeout=900000',
      '--reporter=json',
      '--outputFile.json=report.json',
      `test/${room}/`,
    ],
    {
      folder: work,
      timeout: HOUR,
      env: {
        PATH: `${SHARED_ON_ARM}/node_modules/node/bin:${SHARED_ON_ARM}/node_modules/.bin:/usr/sbin:/usr/bin:/sbin:/bin`,
      },
    },
  )
  const minutes = ((Date.now() - began) / 60_000).toFixed(1)
  if (!existsSync(file)) {
    faults++
    process.stdout.write(`FAULT\ttest/${room}: no report after ${minutes} minutes\n`)
    return
  }
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  const {numPassedTests, numFailedTests, numPendingTests, testResults} = report
  const broken = testResults.filter(({message}) => message !== '')
  const counts = `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`
  process.stdout.write(`test/${room}: ${counts}, ${minutes} minutes\n`)
  for (const {name, message} of broken) process.stdout.write(`FAULT\t${name}: ${message.slice(0, 300)}\n`)
  for (const {assertionResults} of testResults)
    for (const {status, fullName, failureMessages} of assertionResults)
      if (status === 'failed')
        process.stdout.write(`FAULT\t${fullName}: ${failureMessages?.[0]?.slice(0, 300)}\n`)
  if (numFailedTests > 0 || broken.length > 0) faults++
}
