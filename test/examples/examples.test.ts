// Every example of help and of the pages works as printed: in a new home, in a copy of examples/. The examples of a command
// run in their order, and so do those of a page.
import {readFileSync} from 'node:fs'
import process from 'node:process'
import {afterAll, expect, test} from 'vitest'
import {ROOT} from '../docs/pages.ts'
import {part} from '../helpers/whole.ts'
import {helpExamples, otherBlocks, pageExamples} from './lines.ts'
import {NOT_RUN, OTHER_BLOCKS, RUN_ELSEWHERE} from './not-run.ts'
import {type Outcome, runExamples} from './run-examples.ts'

const ofHelp = await helpExamples()
const shown = [...ofHelp, ...pageExamples()]
const all = shown.filter(({name}) => !Object.hasOwn(RUN_ELSEWHERE, name))
/** The soak has the help of all commands; here every third one, and all pages. */
const left = ofHelp.filter(examples => !part(ofHelp, 8).includes(examples))
const outcomes: Outcome[] = []

test.each(all.filter(examples => !left.includes(examples)))('$name', async examples => {
  const outcome = await runExamples(examples)
  outcomes.push(outcome)
  expect(outcome.failed).toEqual([])
})

test('what is left out is still there', () => {
  const names = shown.map(({name}) => name)
  for (const [page, path] of Object.entries(RUN_ELSEWHERE)) {
    expect(names).toContain(page)
    expect(readFileSync(`${ROOT}${path}`, 'utf8')).toContain(page.slice('docs/'.length))
  }
  const lines = all.flatMap(examples => examples.lines)
  expect(Object.keys(NOT_RUN).filter(line => !lines.includes(line))).toEqual([])
})

test('every other block of the pages says why no line of it runs', () => {
  const reasons = Object.keys(OTHER_BLOCKS)
  const blocks = otherBlocks()
  expect(blocks.filter(block => !reasons.some(begins => block.startsWith(begins)))).toEqual([])
  expect(reasons.filter(begins => !blocks.some(block => block.startsWith(begins)))).toEqual([])
})

afterAll(() => {
  const run = outcomes.reduce((sum, outcome) => sum + outcome.run, 0)
  const leftOut = outcomes.reduce((sum, outcome) => sum + outcome.leftOut.length, 0)
  process.stdout.write(`${run} of ${run + leftOut} examples run\n`)
})
