// In the build every module is converted by us and runs when it is first used, so each command must load there too.
import {spawnSync} from 'node:child_process'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {commands} from '../../src/commands/index.ts'
import {emptyHome, plainEnv, run} from '../helpers/binary.ts'
import {isWhole} from '../helpers/whole.ts'

const ids = Object.keys(commands)

/** Runs one command after the other in the same process, as `bin/run.js` runs one. */
const PROGRAM = `
const [, folder, ...ids] = process.argv
const program = require(folder + 'load-program.cjs').loadProgram(folder + 'cardctl.cjs', ['help'])
const all = async () => {
  for (const id of ids) {
    process.argv = [process.execPath, 'cardctl', ...id.split(':'), '--no-such-flag']
    await program.start({isHangUpIgnored: false})
    process.stderr.write('ended ' + id + ' ' + process.exitCode + '\\n')
  }
}
all()
`

// The flags of x come from a document.
const expected = (id: string): string =>
  id === 'x' ? 'Error USAGE: ' : 'Error USAGE: There is no flag --no-such-flag.'

// A command may find loaded what those before it have loaded, so they also come the other way round.
test.each([
  ['forwards', ids],
  ['backwards', ids.toReversed()],
])('every command loads, and reads its flags, %s', async (_, order) => {
  const home = await emptyHome()
  const folder = fileURLToPath(new URL('../../dist/cli/', import.meta.url))
  const {stderr} = spawnSync(process.execPath, ['-e', PROGRAM, folder, ...order], {
    cwd: home,
    env: plainEnv(home),
    encoding: 'utf8',
  })
  const said = stderr.split(/^ended (.*)\n/m)
  const wrong = order.filter(
    (id, at) => said[2 * at + 1] !== `${id} 2` || !said[2 * at]?.includes(expected(id)),
  )
  expect(order.length).toBeGreaterThan(90)
  expect(wrong, stderr).toEqual([])
})

if (isWhole) {
  test('every command loads in a process of its own', {timeout: 600_000}, async () => {
    const home = await emptyHome()
    const wrong: string[] = []
    for (const id of ids) {
      const {code, stderr} = await run(home, [...id.split(':'), '--no-such-flag'])
      if (code !== 2 || !stderr.includes(expected(id))) wrong.push(`${id}: ${stderr}`)
    }
    expect(wrong).toEqual([])
  })
}
