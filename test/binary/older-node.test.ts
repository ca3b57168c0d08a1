// What a Node.js that is too old says, in an installation that has no other.
import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
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

const REFUSAL =
  /^cardctl needs Node\.js 24\.15 or later, and \S+ is \d+\.\d+\.\d+: install a newer one from https:\/\/nodejs\.org, or install cardctl with its own runtime\.\n$/

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
