// Calls that nobody wrote by hand: a right endpoint passes them, a failure is the smallest one, as a suite that shows the same.
import * as fc from 'fast-check'
import {expect, test} from 'vitest'
import {anySequence} from '../../../src/webhook/certify/generated/sequences.ts'
import {readSuite} from '../../../src/webhook/suite/index.ts'
import {isWhole} from '../../helpers/whole.ts'
import {certified, EXAMPLE, patched, plantedFaults} from './planted.ts'

const HELP = {behaviour: [], withoutRestart: true}

const generated = async (source: string, seed: number, withoutProbe: boolean) =>
  (await certified(source, {...HELP, seed, withoutProbe})).checks.filter(({part}) => part === 'generated')

// With a probe, and ten times: `npm run soak -- planted`.
test.runIf(isWhole)('a right endpoint passes', {timeout: 120_000}, async () => {
  const checks = await generated(EXAMPLE, 2, true)
  expect(checks.map(({state, name}) => `${name}: ${state}`)).toEqual(
    checks.map(({name}) => `${name}: passed`),
  )
  expect(checks).toHaveLength(5)
})

const sourceOf = (fault: string) => patched(plantedFaults.find(each => each.fault === fault)?.patch ?? [])

test
  .runIf(isWhole)
  .each([['replaces the hold by the increment', ['pay 0', 'increment pay 0', 'what is left']]])(
  'an endpoint that %s is shown by the smallest suite, which anyone can keep',
  {timeout: 120_000},
  async (fault, steps) => {
    const source = sourceOf(fault)
    const checks = await generated(source, 8, true)
    const failed = checks.find(({state}) => state === 'failed')
    const {suite: text = '', curl = []} = failed?.reproduction ?? {}
    expect(curl[0]).toBe('N=$(date +%s%N)')
    expect(curl.at(-1)).toMatch(/^echo ' {2}\^ expected: /)
    expect(curl.at(-2)).toMatch(
      /^curl -sS -w '\\n' -H 'content-type: application\/json' --data-binary '\{.*\}' 'http:.*\/auth'$/,
    )
    const {suite, problems} = await readSuite(text, 'kept')
    expect(problems).toEqual([])
    expect(suite?.steps.map(({name}) => name)).toEqual(steps)
    const own = suite ? [suite] : []
    const kept = async (endpoint: string) =>
      (await certified(endpoint, {...HELP, own})).checks
        .filter(({part}) => part === 'kept')
        .map(({state}) => state)
    expect(await kept(source)).toContain('failed')
    expect(await kept(EXAMPLE)).not.toContain('failed')
  },
)

test('every sequence can be kept as a suite', async () => {
  const {arbitrary, steps, available} = anySequence(fc)
  for (const sequence of fc.sample(arbitrary, {numRuns: 300, seed: 1})) {
    const lines = steps(sequence).map(step => `  - ${JSON.stringify(step)}`)
    const text = `available: ${available?.(sequence)}\ncard: new\nsteps:\n${lines.join('\n')}\n`
    const {problems} = await readSuite(text, 'kept')
    expect(problems, text).toEqual([])
  }
})

test.runIf(isWhole)('the same seed finds the same', {timeout: 60_000}, async () => {
  const shown = async (seed: number) => {
    const checks = await generated(sourceOf('releases nothing'), seed, true)
    return checks.map(({reproduction}) => reproduction?.suite)
  }
  expect(await shown(5)).toEqual(await shown(5))
})
