import {findScenario, scenarios} from '../../contract/scenarios.ts'
import {fieldSchemas, type JsonSchema, requestSchema} from '../../contract/schema.ts'
import {isObject} from '../../errors/is-object.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {readRateWindow} from '../../limits/rate-window.ts'
import type {Issue, Position} from '../parse-text.ts'
import {readMoney} from '../rules/amounts.ts'
import {inside, type Place} from '../rules/rule-file.ts'
import {type Forms, inOrder, once, schemaProblems} from '../schema-problems.ts'
import {compileExpectation, LOAD_FIELDS, specsOf} from './expectations.ts'
import {readWritten} from './read-steps.ts'
import {
  type ExpectSpec,
  FOLLOW_UPS,
  type Step,
  type StepSpec,
  type Suite,
  VERBS,
  type Verb,
} from './suite-file.ts'
import {validators} from './validators.gen.js'
import {splitVariable, substitute, Unknown, valueAtPath, variablesIn} from './variables.ts'

export interface ReadSuite {
  /** Absent if there are problems. */
  readonly suite?: Suite
  readonly problems: readonly Issue[]
}

/** Takes the JSON pointer of a value, or of its key. */
type Report = (pointer: string, message: string, what?: 'key') => void

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
    const needs = await checkStep(step, verb, [...names.keys()], place)
    names.set(name, index)
    steps.push({spec: step, verb, name, needs, at: stepAt(index)})
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

interface Expanded {
  readonly value: unknown
  /** The place in the file, where the step of a case is written once for all. */
  at(pointer: string, what?: 'key'): Position
  /** The place of a step, or of its row in the table of cases. */
  stepAt(index: number): Position
}

/** One step for each row of a table of cases. Places stay those of the file. */
function expandCases(value: unknown, at: Expanded['at']): Expanded {
  const origins: string[][] = []
  const origin = (index: number | string): readonly string[] => origins[Number(index)] ?? [String(index)]
  const stepAt = (index: number): Position => at(['', 'steps', ...origin(index)].join('/'))
  if (!isObject(value) || !Array.isArray(value.steps)) return {value, at, stepAt}
  const steps = value.steps.flatMap((step: unknown, index) => {
    const rows = isObject(step) && Array.isArray(step.cases) ? step.cases : []
    if (!isObject(step) || !rows.some(isObject)) {
      origins.push([String(index)])
      return [step]
    }
    return [...rows.entries()].flatMap(([number, row]) => {
      if (!isObject(row)) return []
      origins.push([String(index), 'cases', String(number)])
      const {name} = step
      const isNamed = typeof name === 'string' && /\$\{\s*case\./.test(name)
      const numbered = typeof name === 'string' && !isNamed ? {name: `${name} ${number + 1}`} : {}
      return [inCase({...step, ...numbered}, row)]
    })
  })
  return {
    value: {...value, steps},
    at: (pointer, what) => {
      const [, first, index = '', ...rest] = pointer.split('/')
      if (first !== 'steps' || index === '') return at(pointer, what)
      return at(['', 'steps', origin(index)[0] ?? index, ...rest].join('/'), what)
    },
    stepAt,
  }
}

function inCase(step: Readonly<Record<string, unknown>>, row: Readonly<Record<string, unknown>>): unknown {
  const look = (variable: string) =>
    variable.startsWith('case.') ? valueAtPath(row, variable.slice('case.'.length)) : undefined
  try {
    const {cases: _, ...rest} = step
    return substitute(rest, look)
  } catch (error) {
    if (error instanceof Unknown) return step
    throw error
  }
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

/** The dotted paths of all fields of a call. */
function fieldNames(schema: JsonSchema, above = ''): readonly string[] {
  return Object.entries(fieldSchemas(schema)).flatMap(([name, field]) => {
    const path = `${above}${name}`
    return [path, ...fieldNames(field, `${path}.`)]
  })
}

/**
 * Reports paths that are a slip: near a field of the call, or without the objects above it. Others are fields that the
 * contract doesn't know, which a suite may send.
 */
function checkPaths(
  paths: readonly string[],
  pointer: string,
  report: Report,
  fields: readonly string[],
): void {
  for (const [index, path] of paths.entries()) {
    if (hasVariable(path) || fields.includes(path)) continue
    const above = path.slice(0, path.lastIndexOf('.') + 1)
    const beside = fields.filter(name => name.startsWith(above) && !name.slice(above.length).includes('.'))
    const meant =
      nearestName(path, beside.length > 0 ? beside : fields) ??
      fields.find(name => name.endsWith(`.${path}`)) ??
      nearestName(path, fields)
    if (meant === undefined || isBelow(path, fields)) continue
    const isKey = pointer.endsWith('/set')
    const last = isKey ? path.replaceAll('~', '~0').replaceAll('/', '~1') : index
    const message = `a call has no field ${path}; did you mean ${meant}?`
    report(`${pointer}/${last}`, message, isKey ? 'key' : undefined)
  }
}

/** Whether a path leads into a list or a field without fields of its own. */
const isBelow = (path: string, fields: readonly string[]): boolean =>
  fields.some(name => path.startsWith(`${name}.`) && !fields.some(other => other.startsWith(`${name}.`)))

const CALL_OPTIONS = [
  'set',
  'without',
  'times',
  'parallel',
  'after',
  'slow',
  'padTo',
  'credentials',
  'signature',
  'certificate',
  'expect',
] as const

/** The fields that a step takes beside its verb. */
const TAKES: Readonly<Record<Verb, readonly (keyof StepSpec)[]>> = {
  send: ['amount', 'card', ...CALL_OPTIONS],
  body: ['keepId', ...CALL_OPTIONS],
  raw: ['times', 'parallel', 'slow', 'expect'],
  warmUp: ['times', 'parallel', 'expect'],
  repeat: [...CALL_OPTIONS],
  increment: ['amount', ...CALL_OPTIONS],
  reverse: ['remaining', ...CALL_OPTIONS],
  clear: ['amount'],
  wait: [],
  clock: [],
  load: ['set', 'expect'],
}

/** Reports what the schema can't check. Returns the names of the steps that a step needs. */
async function checkStep(
  step: StepSpec,
  verb: Verb,
  earlier: readonly string[],
  place: Place,
): Promise<readonly string[]> {
  const needs = new Set<string>()
  const refer = (name: string, pointer: string) => {
    if (earlier.includes(name)) return needs.add(name)
    const meant = nearestName(name, earlier)
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    place.report(pointer, `no earlier step has this name${hint}`)
  }
  for (const option of Object.keys(step) as (keyof StepSpec)[]) {
    if (option === verb || option === 'name' || option === 'cases' || TAKES[verb].includes(option)) continue
    place.report(inside(place, option).pointer, `${verb} takes no ${option}`)
  }
  if (verb === 'send' && !hasVariable(step.send) && findScenario(step.send ?? '') === undefined) {
    scenarioProblem(step.send ?? '', inside(place, 'send'))
  }
  for (const name of verb === 'load' ? Object.keys(step.load?.mix ?? {}) : []) {
    if (findScenario(name) === undefined) scenarioProblem(name, inside(place, 'load', 'mix', name))
  }
  if (step.load) {
    const {count, windowMs} = readRateWindow(step.load.rate) ?? {count: 0, windowMs: 1}
    const perSecond = (count * 1000) / windowMs
    const isRate = perSecond > 0 && perSecond <= 5000
    if (!isRate) place.report(inside(place, 'load', 'rate').pointer, 'a rate is at most 5000/s and above 0')
  }
  if (verb === 'increment' && step.amount === undefined) {
    place.report(place.pointer, 'increment needs an amount')
  }
  for (const option of ['amount', 'remaining'] as const) {
    const text = step[option]
    if (text !== undefined) checkMoney(text, inside(place, option))
  }
  const of = FOLLOW_UPS.find(each => each === verb)
  if (of && !hasVariable(step[of])) refer(step[of] ?? '', inside(place, of).pointer)
  for (const {pointer, variable} of variablesIn({...step, name: undefined, cases: undefined})) {
    const [name] = splitVariable(variable, earlier)
    if (name === 'case') place.report(place.pointer + pointer, 'no case has a value for this column')
    else refer(name, place.pointer + pointer)
  }
  await checkExpected(step, verb, place, refer)
  return [...needs]
}

function scenarioProblem(name: string, place: Place): void {
  const meant = nearestName(name, Object.keys(scenarios))
  const hint = meant === undefined ? ': see cardctl webhook scenarios' : `; did you mean ${meant}?`
  place.report(place.pointer, `there is no such scenario${hint}`)
}

const hasVariable = (value: unknown): boolean => variablesIn(value).length > 0

function checkMoney(text: string, place: Place): void {
  if (!hasVariable(text)) readMoney(text, place)
}

async function checkExpected(
  {expect}: StepSpec,
  verb: Verb,
  place: Place,
  refer: (name: string, pointer: string) => void,
): Promise<void> {
  const isList = Array.isArray(expect)
  for (const [index, spec] of specsOf(expect).entries()) {
    const below = isList ? inside(place, 'expect', index) : inside(place, 'expect')
    const isText = typeof (isList ? expect[index] : expect) === 'string'
    const ofLoad = LOAD_FIELDS.filter(field => spec[field] !== undefined)
    const wrong = verb === 'load' ? notOfLoad(spec) : ofLoad
    for (const field of wrong) {
      const where = verb === 'load' ? 'a load is judged by its times and counts' : 'only a load has'
      place.report(
        inside(below, field).pointer,
        verb === 'load' ? `${where}, not by ${field}` : `${where} ${field}`,
      )
    }
    if (spec.sameAs !== undefined && !hasVariable(spec.sameAs)) {
      refer(spec.sameAs, inside(below, 'sameAs').pointer)
    }
    if (!hasVariable(spec)) {
      // A text has no fields of its own to point at.
      const report: Place['report'] = (pointer, message) =>
        place.report(isText ? below.pointer : pointer, message)
      await compileExpectation(spec, {pointer: below.pointer, report})
    }
  }
}

const notOfLoad = (spec: ExpectSpec): readonly string[] =>
  Object.keys(spec).filter(
    field => !(LOAD_FIELDS as readonly string[]).includes(field) && field !== 'basis' && field !== 'why',
  )
