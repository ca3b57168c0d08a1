import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {seeded} from '../helpers/random.ts'
import {killRounds} from './kill-rounds.ts'

test('whatever was answered before a kill -9 is recorded, and answered the same afterwards', async () => {
  const home = mkdtempSync(join(tmpdir(), 'cardctl-kills-'))
  onTestFinished(() => rmSync(home, {recursive: true, force: true}))
  const random = seeded(20_261_121)
  const {answered, missing, changed} = await killRounds({home, rounds: 5, durability: 'process', random})
  expect({missing, changed}).toEqual({missing: [], changed: []})
  expect(answered).toBeGreaterThanOrEqual(5)
}, 60_000)
