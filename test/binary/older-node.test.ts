// What a Node.js that is too old says, in an installation that has no other.
import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import runtimes from '../../bin/runtimes.json' with {type: 'json'}
import pjson from '../../package.json' with {type: 'json'}
import {emptyHome} from '../helpers/binary.ts'
import {olderNode} from '../helpers/older-node.ts'

const older = olderNode()

/** The files that an older Node runs, as a global installation has them. */
async function installation(): Promise<{modules: string; start(...argv: string[]): ReturnType<typeof exec>}> {
  const modules = join(await emptyHome(), 'lib/node_modules')
  cpSync('bin', join(modules, 'cardctl/bin'), {recursive: true})
  return {modules, start: (...argv) => exec(join(modules, 'cardctl/bin/run.js'), ...argv)}
}

function exec(...argv: string[]) {
  const {status, stdout, stderr} = spawnSync(older ?? '', argv, {encoding: 'utf8'})
  return {code: status, stdout, stderr}
}

const FOUND = String.raw`^cardctl needs Node\.js 24\.15 or later, and \S+ is \d+\.\d+\.\d+\. `
const refusal = (advice: string): RegExp => new RegExp(`${FOUND}${advice}\\.\\n$`)

const REFUSAL = refusal(
  'Its own runtime is not installed: install cardctl again without --omit=optional, or a newer Node.js from https://nodejs.org',
)
const withLibrary = (fault: string): RegExp =>
  refusal(
    `Its own runtime needs glibc 2.28 or later, and ${fault}: install a newer Node.js that is built for this system`,
  )

test('the refusal names the version that package.json asks for', () => {
  expect(pjson.engines.node).toBe('>=24.15.0')
  expect(readFileSync('bin/needs-node.js', 'utf8')).toContain('OLDEST = [24, 15]')
})

test.skipIf(!older)(
  'an older Node says what is wrong and what to do, in one line, and ends with 3',
  async () => {
    const {start} = await installation()
    for (const argv of [['--version'], ['--help'], ['cards', 'get', '3001'], ['__complete']]) {
      const {code, stdout, stderr} = start(...argv)
      expect({code, stdout}).toEqual({code: 3, stdout: ''})
      expect(stderr).toMatch(REFUSAL)
    }
  },
)

/** A package beside cardctl, whose runtime is the script, or whatever stands in its place. */
function layRuntime(modules: string, name: string, script: string): void {
  const bin = join(modules, name, 'bin')
  mkdirSync(bin, {recursive: true})
  writeFileSync(join(modules, name, 'package.json'), JSON.stringify({name, version: '26.10.0'}))
  writeFileSync(join(bin, 'node'), script, {mode: 0o755})
}

test.skipIf(!older || process.platform === 'win32')(
  'what ends the program before it can say anything is said, and what to do next',
  async () => {
    const {modules, start} = await installation()
    layRuntime(
      modules,
      runtimes[`linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}`],
      '#!/bin/sh\nkill -9 $$\n',
    )
    const {stdout, stderr} = start('bulk', 'run')
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      /^Error: cardctl was ended by SIGKILL, .*\n {2}What was sent: cardctl requests list\. /,
    )
    for (const argv of [['--log-format', 'json'], ['--log-format=json']])
      expect(JSON.parse(start('bulk', 'run', ...argv).stderr)).toMatchObject({
        level: 'error',
        hint: expect.stringContaining('cardctl bulk resume last'),
      })
  },
)

/** Lets `process.report` of an older Node speak of another system. */
const onLibrary = (modules: string, header: object): readonly string[] => {
  const path = join(modules, 'system.cjs')
  writeFileSync(path, `process.report.getReport = () => (${JSON.stringify({header})})`)
  return ['--require', path]
}

test.skipIf(!older || process.platform !== 'linux')(
  'on a system whose C library is not that of the runtime, an older Node says so',
  async () => {
    const {modules} = await installation()
    const on = (header: object, ...flags: string[]) =>
      exec(...onLibrary(modules, header), ...flags, join(modules, 'cardctl/bin/run.js'), '--version')
    const musl = withLibrary('this system has another C library, such as musl')
    expect(on({})).toMatchObject({code: 3, stderr: expect.stringMatching(musl)})
    // Its loader is missing, as that of glibc is with musl.
    layRuntime(modules, runtimes['linux-x64'], '#!/no/loader\n')
    expect(on({})).toMatchObject({code: 3, stderr: expect.stringMatching(musl)})
    layRuntime(modules, runtimes['linux-x64'], '#!/bin/sh\nexit 1\n')
    const old = withLibrary('this system has 2.17')
    expect(on({glibcVersionRuntime: '2.17'})).toMatchObject({code: 3, stderr: expect.stringMatching(old)})
    expect(on({glibcVersionRuntime: '2.36'})).toMatchObject({code: 1, stderr: ''})
  },
)

test.skipIf(!older)('on a platform without a runtime, an older Node says so', async () => {
  const {modules} = await installation()
  const path = join(modules, 'system.cjs')
  writeFileSync(path, "Object.defineProperty(process, 'arch', {value: 'ppc64'})")
  expect(exec('--require', path, join(modules, 'cardctl/bin/run.js'), '--version')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      refusal(
        String.raw`There is no runtime of cardctl for \w+ on ppc64: install a newer Node.js from https://nodejs.org`,
      ),
    ),
  })
})

test.skipIf(!older)('a program on an older Node that imports cardctl is told what it needs', () => {
  const entries = Object.values(pjson.exports).flatMap(entry =>
    typeof entry === 'string' ? [] : [entry.default],
  )
  expect(entries.length).toBeGreaterThan(2)
  for (const entry of entries) {
    const {code, stderr} = exec(entry)
    expect(code, entry).toBe(1)
    expect(stderr).toMatch(/Error: cardctl needs Node\.js 24\.15 or later, and \S+ is [\d.]+\.$/m)
  }
})

test.skipIf(!older)('an older Node uses the runtime of a package node beside cardctl', async () => {
  const {modules, start} = await installation()
  const runtime = join(modules, 'node')
  mkdirSync(join(runtime, 'bin'), {recursive: true})
  symlinkSync(process.execPath, join(runtime, 'bin/node'))
  // The program itself isn't there: enough to see which Node looks for it.
  const describeRuntime = (version: string) =>
    writeFileSync(join(runtime, 'package.json'), JSON.stringify({name: 'node', version}))
  describeRuntime('20.20.2')
  expect(start('--version').stderr).toMatch(REFUSAL)
  describeRuntime('26.10.0')
  expect(start('--version').stderr).toContain(`Node.js ${process.version}`)
})
