// In the build every module is converted by us and runs when it is first used, so each command must load there too.
import {expect, test} from 'vitest'
import {commands} from '../../src/commands/index.ts'
import {emptyHome, run} from '../helpers/binary.ts'

test('every command loads, and reads its flags', async () => {
  const home = await emptyHome()
  const left = Object.keys(commands)
  const wrong: string[] = []
  const work = async (): Promise<void> => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const {code, stderr} = await run(home, [...id.split(':'), '--no-such-flag'])
      // The flags of x come from a document.
      const expected = id === 'x' ? 'Error USAGE: ' : 'Error USAGE: There is no flag --no-such-flag.'
      if (code !== 2 || !stderr.includes(expected)) wrong.push(`${id}: ${stderr}`)
    }
  }
  expect(left.length).toBeGreaterThan(90)
  await Promise.all([work(), work(), work()])
  expect(wrong).toEqual([])
}, 120_000)
