// Of a long table of cases, a commit runs every third; `npm run soak -- sampled` runs them all.
import {describe, expect, it, test} from 'vitest'
import {isWhole} from './whole.ts'

/** Tables that are no longer than this run whole. */
const SHORT = 4
const ONE_IN = 3

/** Their tables are lists of what must hold for every command, page or value, or they choose among their cases themselves. */
const WHOLE =
  /\/test\/(?:(?:stability|docs|contract|money|sensitive|card-crypto|canary|examples)\/|commands\/(?:schema|operations)\.)/

type Each = (cases: unknown, ...rest: unknown[]) => unknown

/** What Vitest exports to make tests: `test`, `it` and `describe`. */
interface Tests {
  each: unknown
  skipIf(condition: unknown): Tests
  runIf(condition: unknown): Tests
}

const sampled = new WeakSet<Tests>()

/** Makes a function of Vitest sample the tables that it is given. */
function sampleTables(tests: Tests): Tests {
  if (sampled.has(tests)) return tests
  const {each, skipIf, runIf} = tests
  const sampling: Each = function (this: unknown, cases, ...rest) {
    const isLong = Array.isArray(cases) && !('raw' in cases) && cases.length > SHORT
    const isSampled = isLong && !WHOLE.test(expect.getState().testPath ?? '')
    return (each as Each).call(this, isSampled ? cases.filter((_, at) => at % ONE_IN === 0) : cases, ...rest)
  }
  sampled.add(tests)
  return Object.assign(tests, {
    each: sampling,
    skipIf: (condition: unknown) => sampleTables(skipIf.call(tests, condition)),
    runIf: (condition: unknown) => sampleTables(runIf.call(tests, condition)),
  })
}

if (!isWhole) for (const tests of [describe, it, test]) sampleTables(tests as unknown as Tests)
