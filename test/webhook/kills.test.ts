import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {seeded} from '../helpers/random.ts'
import {isWhole} from '../helpers/whole.ts'
import {killRounds} from './kill-rounds.ts'

const ROUNDS = isWhole ? 5 : 2

test('whatever was answered before a kill -9 is recorded, and answered the same afterwards', async () => {
  const home = mkdtempSync(join(tmpdir(), 'cardctl-kills-'))
  onTestFinished(() => rmSync(home, {recursive: true, force: true}))
  const random = seeded(20_261_121)
  const {answered, missing, changed} = await killRounds({home, rounds: ROUNDS, durability: 'process', random})
  expect({missing, changed}).toEqual({missing: [], changed: []})
  expect(answered).toBeGreaterThanOrEqual(ROUNDS)
}, 60_000)
