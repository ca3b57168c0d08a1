import {requestSchema} from '../../contract/schema.ts'
import {contractRules} from '../../contract/webhook-contract.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {type Forms, type Issue, inOrder, once, schemaProblems} from '../../user-files/index.ts'
import {inside, type Place} from '../rules/rule-file.ts'
import {checkPaths, fieldNames, type Report} from './check-paths.ts'
import {checkMoney, checkStep} from './check-step.ts'
import {expandCases} from './expand-cases.ts'
import {specsOf} from './expectations.ts'
import {readWritten} from './read-steps.ts'
import {FOLLOW_UPS, type Step, type StepSpec, type Suite, VERBS, type Verb} from './suite-file.ts'
import {validators} from './validators.gen.js'

export interface ReadSuite {
  /** Absent if there are problems. */
  readonly suite?: Suite
  readonly problems: readonly Issue[]
}

const loadSchema = () => import('../../../docs/webhook-suite.schema.json', {with: {type: 'json'}})

/** A suite as written, apart from its steps. */
interface SuiteSpec extends Omit<Suite, 'name' | 'steps'> {
  readonly name?: string
  readonly steps: readonly StepSpec[]
}

/**
 * Reads a suite, YAML or NDJSON, and reports everything that is wrong with it, in order. For invalid YAML, only that.
 *
 * @param fallbackName its name if it has none of its own.
 */
export async function readSuite(text: string, fallbackName: string): Promise<ReadSuite> {
  const written = await readWritten(text)
  if (written.problems.length > 0) return {problems: written.problems}
  const {value, at, stepAt} = expandCases(written.value, written.at)
  const {issues} = await schemaProblems(value, at, {validate: validators.suite, loadSchema, forms: FORMS})
  if (issues.length > 0) return {problems: inOrder(once(issues))}
  const spec = value as SuiteSpec
  const problems: Issue[] = []
  const report: Report = (pointer, message, what) => void problems.push({...at(pointer, what), message})
  const names = new Map<string, number>()
  const steps: Step[] = []
  const fields = fieldNames((await requestSchema('webhook.auth')) ?? {})
  checkPaths(Object.keys(spec.set ?? {}), '/set', report, fields)
  if (spec.available !== undefined) checkMoney(spec.available, {pointer: '/available', report})
  for (const [index, step] of spec.steps.entries()) {
    const place: Place = {pointer: `/steps/${index}`, report}
    const verb = verbOf(step, place)
    if (verb === undefined) continue
    const name = step.name ?? freeName(defaultName(step, verb), names)
    if (names.has(name)) report(`${place.pointer}/name`, 'an earlier step has the same name')
    checkPaths(Object.keys(step.set ?? {}), `${place.pointer}/set`, report, fields)
    checkPaths(step.without ?? [], `${place.pointer}/without`, report, fields)
    const stated = await withRules(step, place)
    const needs = await checkStep(stated, verb, [...names.keys()], place)
    names.set(name, index)
    steps.push({spec: stated, verb, name, needs, at: stepAt(index)})
  }
  if (problems.length > 0) return {problems: inOrder(once(problems))}
  const {name = fallbackName, description, available, within, card, set} = spec
  return {suite: {name, description, available, within, card, set, steps}, problems: []}
}

/** The patterns of the schema in words. */
const FORMS: Forms = [
  [/\\\+\\d/, 'a time such as 2027-01-31T22:00Z, or a time to add, such as +8d'],
  [/\[A-Z\]/, 'an amount with its currency, such as 12.50 EUR'],
  [/%/, 'a share such as 99.9%'],
  [/\/\(s\|min/, 'a rate such as 50/s'],
  [/\(ms\|s\|m\)/, 'a time such as 500ms, 5s or 2m'],
  [/\(ms\|s\)/, 'a time such as 300ms or 1.5s'],
  [/\(s\|m\|h\|d\)/, 'a time such as 30s, 10m, 24h or 8d'],
]

/** A step whose expectations say what their rules say. */
async function withRules(step: StepSpec, place: Place): Promise<StepSpec> {
  const written = specsOf(step.expect)
  if (written.every(({rule}) => rule === undefined)) return step
  const rules = await contractRules()
  const expect = written.map(spec => {
    if (spec.rule === undefined) return spec
    const found = rules.get(spec.rule)
    if (found) return {basis: found.source, why: `${found.about}: ${found.text}`, ...spec}
    const meant = nearestName(spec.rule, [...rules.keys()])
    const hint = meant === undefined ? `: see ${cardctl('webhook', 'contract')}` : `; did you mean ${meant}?`
    place.report(inside(place, 'expect').pointer, `the contract has no such rule${hint}`)
    return spec
  })
  return {...step, expect: Array.isArray(step.expect) ? expect : (expect[0] ?? {})}
}

function verbOf(step: StepSpec, place: Place): Verb | undefined {
  const found = VERBS.filter(verb => step[verb] !== undefined)
  const [verb, second] = found
  if (verb === undefined) place.report(place.pointer, `a step has one of ${VERBS.join(', ')}`)
  if (second !== undefined) {
    place.report(inside(place, second).pointer, `a step does one thing, found ${found.join(', ')}`)
    return undefined
  }
  return verb
}

function defaultName(step: StepSpec, verb: Verb): string {
  if (verb === 'send') return step.send ?? verb
  if (verb === 'warmUp') return 'warm-up'
  const of = FOLLOW_UPS.find(each => each === verb)
  return of ? `${verb} ${step[of]}` : verb
}

/** `coffee`, then `coffee 2`: a step needs no name of its own. */
function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`
  return name
}
