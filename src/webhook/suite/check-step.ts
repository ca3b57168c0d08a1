import {findScenario, scenarios} from '../../contract/scenarios.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {readRateWindow} from '../../limits/rate-window.ts'
import {readMoney} from '../rules/amounts.ts'
import {inside, type Place} from '../rules/rule-file.ts'
import {compileExpectation, LOAD_FIELDS, specsOf} from './expectations.ts'
import {type ExpectSpec, FOLLOW_UPS, type StepSpec, type Verb} from './suite-file.ts'
import {hasVariable, splitVariable, variablesIn} from './variables.ts'

const CALL_OPTIONS = [
  'set',
  'without',
  'times',
  'parallel',
  'after',
  'slow',
  'drop',
  'padTo',
  'credentials',
  'signature',
  'certificate',
  'expect',
] as const

/** The fields that a step takes beside its verb. */
const TAKES: Readonly<Record<Verb, readonly (keyof StepSpec)[]>> = {
  send: ['amount', 'card', 'sameId', ...CALL_OPTIONS],
  body: ['keepId', 'sameId', ...CALL_OPTIONS],
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
export async function checkStep(
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
  const hint = meant === undefined ? `: see ${cardctl('webhook', 'scenarios')}` : `; did you mean ${meant}?`
  place.report(place.pointer, `there is no such scenario${hint}`)
}

/** Reports an amount that can't be read, unless it has variables. */
export function checkMoney(text: string, place: Place): void {
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
    field => !(LOAD_FIELDS as readonly string[]).includes(field) && !['rule', 'basis', 'why'].includes(field),
  )
