import {matchesGlob} from '../rules/values.ts'
import type {Step, Suite} from './suite-file.ts'

/**
 * The suite with only the steps whose names match one of the patterns (`*` is any characters), the steps that these need,
 * and what moves the clock or the balance before them. Undefined if no name matches.
 */
export function chooseSteps(suite: Suite, patterns: readonly string[]): Suite | undefined {
  const isWanted = ({name}: Step) => patterns.some(pattern => matchesGlob(name, pattern))
  const kept = new Set(suite.steps.filter(isWanted).map(({name}) => name))
  if (kept.size === 0) return undefined
  // Steps need only earlier ones.
  for (const {name, needs} of suite.steps.toReversed()) {
    if (kept.has(name)) for (const need of needs) kept.add(need)
  }
  const last = suite.steps.findLastIndex(({name}) => kept.has(name))
  const steps = suite.steps.filter(({name, verb}, at) => kept.has(name) || (verb === 'clock' && at < last))
  return {...suite, steps}
}
