// A mutation whose line is no longer in the sources shows nothing, and a long run is the wrong place to notice.
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {leniencies} from '../soak/leniency-mutation-lines.ts'
import {mutations} from '../soak/mask-mutation-lines.ts'

const ROOT = join(import.meta.dirname, '../..')
const all = [...mutations, ...leniencies]

test('each mutation changes exactly one place of the sources', () => {
  const wrong = all
    .map(({file, from}) => ({file, from, found: timesIn(file, from)}))
    .filter(({found}) => found !== 1)
  expect(all.length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

test('the tests that have to fail exist', () => {
  const tests = new Set(all.flatMap(({tests}) => tests))
  expect([...tests].filter(file => !existsSync(join(ROOT, file)))).toEqual([])
})

function timesIn(file: string, text: string): number {
  const path = join(ROOT, file)
  return existsSync(path) ? readFileSync(path, 'utf8').split(text).length - 1 : 0
}
