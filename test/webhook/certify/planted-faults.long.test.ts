// The rules of the contract, the checks of a certificate, and copies of the example with a planted fault: each rule has a check,
// each check a rule, and the first check that fails names the rule that the fault breaks. Here one fault of every sixth rule meets the
// checks of that rule, a sample meets all, and an endpoint has a probe only if its fault shows by nothing else.
// `npm run soak -- planted` certifies each with all checks, with and without a probe.
import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {contractRules} from '../../../src/contract/webhook-contract.ts'
import {behaviourChecks} from '../../../src/webhook/certify/behaviour.ts'
import {longChecks} from '../../../src/webhook/certify/index.ts'
import {specsOf} from '../../../src/webhook/suite/expectations.ts'
import {ROOT} from '../../docs/pages.ts'
import {isWhole} from '../../helpers/whole.ts'
import {
  certified,
  certifiedFault,
  EXAMPLE,
  firstRule,
  named,
  patched,
  plantedFaults,
  SUITES,
  shippedSuite,
} from './planted.ts'

const rules = [...(await contractRules()).keys()]

/** Shows only after the calls of the other checks. */
const AFTER_OTHERS = 'kept-ids'

const firstOfRules = rules
  .filter((rule, at) => rule !== AFTER_OTHERS && at % 12 === 0)
  .flatMap(rule => plantedFaults.find(planted => planted.rule === rule) ?? [])
const sampleOfAll = plantedFaults.filter(
  ({rule}, place) => (isWhole && rule === AFTER_OTHERS) || place % 128 === 7,
)

describe('the rules of the contract', () => {
  test('each has a check, and each check a rule', async () => {
    const suites = await Promise.all([...SUITES, 'load'].map(shippedSuite))
    const ofSteps = suites.flatMap(({steps}) =>
      steps.flatMap(({spec}) => specsOf(spec.expect).map(({rule}) => rule)),
    )
    const checked = [
      ...behaviourChecks.map(({rule}) => rule),
      ...longChecks.map(({rule}) => rule),
      ...ofSteps,
    ]
    expect(rules.filter(rule => !checked.includes(rule))).toEqual([])
    expect(checked.filter(rule => rule === undefined || !rules.includes(rule))).toEqual([])
  })

  test('each has a planted fault', () => {
    const broken = plantedFaults.map(({rule}) => rule)
    expect(rules.filter(rule => !broken.includes(rule))).toEqual([])
    expect(broken.filter(rule => !rules.includes(rule))).toEqual([])
  })

  test('each is in the page', () => {
    const page = readFileSync(`${ROOT}docs/commands/webhook-contract.md`, 'utf8')
    expect(rules.filter(rule => !page.includes(`| \`${rule}\` |`))).toEqual([])
  })
})

describe('a certificate', () => {
  // Some of the time they wait: for a restart, for a call that is late.
  describe.concurrent('names the rule that is broken by an endpoint that', {timeout: 120_000}, () => {
    test.for(firstOfRules)('$fault', async (planted, {expect}) => {
      const {rule, needsProbe} = planted
      const behaviour = behaviourChecks.filter(check => check.rule === rule)
      const run = await certifiedFault(planted, {withoutProbe: !needsProbe, behaviour})
      expect(firstRule(run), named(run, 'failed').join(', ')).toBe(rule)
    })

    test.for(sampleOfAll)('$fault, among all checks', async (planted, {expect}) => {
      const run = await certifiedFault(planted, {withoutProbe: !planted.needsProbe})
      expect(firstRule(run), named(run, 'failed').join(', ')).toBe(planted.rule)
    })
  })

  test('finds no fault without a probe and a restart, and counts what needs them as not checked', async () => {
    const run = await certified(EXAMPLE, {
      suites: SUITES,
      calls: 250,
      withoutProbe: true,
      withoutRestart: true,
    })
    const {checks} = run
    expect(named(run, 'failed').filter(name => !name.includes('deadline'))).toEqual([])
    const open = checks.filter(({state}) => state === 'not checked')
    expect(new Set(open.map(({reason}) => reason?.replace(/\d+$/, 'N')))).toEqual(
      new Set([
        'it needs --probe',
        'it needs --restart',
        'it needs 10000 calls, and --calls was N',
        'it needs 10000 calls between, and there were N',
        'it needs 87 s between, and there were N',
      ]),
    )
  })

  test.runIf(isWhole)('does not say decided once of an endpoint that shows no holds at all', async () => {
    const approvesAll = patched([
      ['let part = Math.min(minor, Math.max(0, room))', 'let part = Math.min(minor, room + minor + 1e15)'],
    ])
    const {checks} = await certified(approvesAll, {withoutProbe: true, withoutRestart: true})
    const once = checks.filter(
      ({name, part, reason}) =>
        part === 'behaviour' && name.endsWith('decided once') && reason !== 'it needs --restart',
    )
    expect(new Set(once.map(({state, reason}) => `${state}: ${reason}`))).toEqual(
      new Set([
        'not checked: it needs --probe, because calls do not show what the endpoint holds: it declines none for lack of funds',
      ]),
    )
  })

  test('says of the rest of an endpoint that ended that it was not checked', async () => {
    const [ends] = plantedFaults.filter(({fault}) => fault === 'ends at a huge body')
    const run = await certified(patched(ends?.patch ?? []), {
      suites: ['hostile'],
      behaviour: [],
      withoutRestart: true,
    })
    expect(run.checks.at(-1)).toMatchObject({
      state: 'not checked',
      reason: expect.stringMatching(/^the endpoint no longer answered; this showed first at: .*huge/),
    })
    // Whether the call itself or the next one finds nobody depends on the connection that it used.
    expect(named(run, 'failed')).toEqual([expect.stringMatching(/^(a huge call|after the huge one)$/)])
  })
})
