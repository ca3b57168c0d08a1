import {maskText} from '../../sensitive/mask-text.ts'
import type {AuthCall} from '../call-kind.ts'
import {type Action, compileAction} from './actions.ts'
import {fieldOf, wordsOf} from './fields.ts'
import {inside, type Place} from './place.ts'
import type {RuleFile, RuleSpec, ValueSpec, WhenSpec} from './rule-file.ts'
import {compileTime} from './time-window.ts'
import {compileMcc, compileValue} from './values.ts'
import {compileVelocity, type Velocity} from './velocity.ts'

/** Why a call doesn't meet a condition, in a few words; undefined if it does. */
export type Condition = (call: AuthCall, at: number) => string | undefined

/** A rule that is ready to judge calls. */
export interface Rule {
  /** Its name, or `rule 3`. */
  readonly name: string
  /** What depends on the call and its moment alone. */
  readonly conditions: readonly Condition[]
  /** Begins to count with nothing. */
  readonly velocity?: () => Velocity
  /** How likely it takes a call, 0 to 1. */
  readonly probability: number
  /** Of the calls that meet everything else: so many are left out, then so many are taken. */
  readonly after: number
  readonly first: number
  readonly action: Action
}

/** Rules from a file that fits the schema. What the schema can't say is told of at its place. */
export function compileRules({rules}: RuleFile, report: Place['report']): readonly Rule[] {
  return rules.map((rule, at) => compileRule(rule, at + 1, {pointer: `/rules/${at}`, report}))
}

/** Whether nothing is left for the rules behind it. */
export const decidesAll = ({conditions, velocity, probability, after, first, action}: Rule): boolean =>
  conditions.length === 0 &&
  !velocity &&
  probability === 1 &&
  after === 0 &&
  first === Number.POSITIVE_INFINITY &&
  action.answer !== undefined

function compileRule({name, when = {}, then}: RuleSpec, number: number, place: Place): Rule {
  const below = inside(place, 'when')
  const {time, velocity, probability, after = 0, first = Number.POSITIVE_INFINITY, ...fields} = when
  const conditions = Object.entries(fields as Omit<WhenSpec, keyof WhenSpec>).map(([field, spec]) =>
    compileField(field, spec as ValueSpec, inside(below, field)),
  )
  if (time) conditions.push(compileMoment(time, inside(below, 'time')))
  return {
    name: name === undefined ? `rule ${number}` : maskText(name),
    conditions,
    ...(velocity && {velocity: compileVelocity(velocity, inside(below, 'velocity'))}),
    probability: probability === undefined ? 1 : readShare(probability, inside(below, 'probability')),
    after,
    first,
    action: compileAction(then, inside(place, 'then')),
  }
}

function compileField(name: string, spec: ValueSpec, place: Place): Condition {
  const field = fieldOf(name)
  const fits = name === 'mcc' ? compileMcc(spec as never, place) : compileValue(spec, place)
  return call => {
    const values = field(call)
    return fits(values) ? undefined : `${name} is ${wordsOf(values)}`
  }
}

function compileMoment(spec: Parameters<typeof compileTime>[0], place: Place): Condition {
  const isIn = compileTime(spec, place)
  return (_call, at) => (isIn(at) ? undefined : 'not at this time')
}

function readShare(text: string, {pointer, report}: Place): number {
  const share = Number(text.slice(0, -1)) / 100
  if (share > 1) report(pointer, 'a share is at most 100%')
  return share
}
