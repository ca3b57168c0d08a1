// A file that is given to the command of one change leads to the command for the rows of a file, which takes that change.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {commands} from '../../src/commands/index.ts'
import {openHome} from '../helpers/cli.ts'

const HINT =
  /^ {2}For (?:a change in each row of a file|many accounts .*): cardctl (bulk run .*) --from FILE/m

test('each command of a change leads to a bulk job that knows it', async () => {
  const home = await openHome()
  onTestFinished(() => home.remove())
  const file = join(home.folder, 'rows.csv')
  await writeFile(file, 'nothing\nx\n')
  const led: string[] = []
  for (const id of Object.keys(commands)) {
    const {stderr} = await home.run([...id.split(':'), '--from', file])
    const line = HINT.exec(stderr)?.[1]
    if (line === undefined) continue
    led.push(id)
    const ran = await home.run([...line.split(' '), '--from', file])
    expect(ran.stderr, id).not.toMatch(
      /neither an operation|never handle|Use its own command|batches of its own/,
    )
  }
  expect(led).toEqual(expect.arrayContaining(['accounts:patch', 'accounts:block', 'pricelists:patch']))
  expect(led).not.toContain('pin:set')
})
