import {maskText} from '../../sensitive/mask-text.ts'
import type {Outgoing} from '../decide.ts'
import type {ReceivedCall} from '../received-call.ts'
import {type Action, compileAction, compileFallback, letsPass} from './actions.ts'
import {fieldOf, wordsOf} from './fields.ts'
import {
  inside,
  type Place,
  type RuleFile,
  type RuleSpec,
  type TimeSpec,
  type ValueSpec,
  type WhenSpec,
} from './rule-file.ts'
import {compileCountry, compileMcc, compileValue, type Test} from './values.ts'
import {compileVelocity, type Velocity} from './velocity.ts'

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WHOLE_DAY = 24 * 60

/** Whether a time, in milliseconds since 1970, is in a window of the clock and the week. */
function compileTime({from, to, days, zone = 'UTC'}: TimeSpec, place: Place): (at: number) => boolean {
  const clock = clockOf(zone)
  if (!clock) {
    place.report(inside(place, 'zone').pointer, 'unknown time zone; for example Europe/Helsinki')
    return () => false
  }
  const begin = from === undefined ? 0 : minutesOf(from)
  const end = to === undefined ? WHOLE_DAY : minutesOf(to)
  // 22:00 to 06:00 ends on the day after.
  const length = end > begin ? end - begin : end - begin + WHOLE_DAY
  return at => {
    const {day, minutes} = clock(at)
    const begunToday = minutes >= begin
    const since = begunToday ? minutes - begin : minutes - begin + WHOLE_DAY
    const began = begunToday ? day : (day + 6) % 7
    return since < length && (days === undefined || days.some(day => day === DAYS[began]))
  }
}

function clockOf(timeZone: string): ((at: number) => {day: number; minutes: number}) | undefined {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  } catch {
    return undefined
  }
  return at => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({type, value}) => [type, value]))
    return {
      day: DAYS.indexOf((parts.weekday ?? '').toLowerCase()),
      minutes: Number(parts.hour) * 60 + Number(parts.minute),
    }
  }
}

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(':')
  return Number(hours) * 60 + Number(minutes)
}

/** Why a call doesn't meet a condition, or why that is unknown; undefined if it does. */
type Condition = (call: ReceivedCall, at: number) => Unmet | undefined

interface Unmet {
  /** In a few words. */
  readonly why: string
  /** The call lacks the field of the condition, or its value is unreadable. */
  readonly inDoubt: boolean
}

/** A rule that is ready to judge calls. */
export interface Rule {
  /** Its name, or `rule 3`. */
  readonly name: string
  /** Conditions that depend only on the call and its time. */
  readonly conditions: readonly Condition[]
  /** Starts with its counts at zero. */
  readonly velocity?: () => Velocity
  /** The probability that it matches a call, 0 to 1. */
  readonly probability: number
  /** Among the calls that meet everything else: how many to skip, then how many to match. */
  readonly after: number
  readonly first: number
  readonly action: Action
  /** The answer if it cannot be evaluated. Without one it doesn't match then. */
  readonly fallback?: Outgoing
}

/** Compiles rules that match the schema. Reports, at its place, what the schema can't check. */
export function compileRules(file: RuleFile, report: Place['report']): readonly Rule[] {
  const fallback = compileFallback(file.fallback, {pointer: '/fallback', report})
  return file.rules.map((rule, at) => compileRule(rule, at + 1, fallback, {pointer: `/rules/${at}`, report}))
}

/** Whether nothing is left for the following rules. */
export const decidesEveryCall = ({conditions, velocity, probability, after, first, action}: Rule): boolean =>
  conditions.length === 0 &&
  !velocity &&
  probability === 1 &&
  after === 0 &&
  first === Number.POSITIVE_INFINITY &&
  action.answer !== undefined

function compileRule(
  {name, when = {}, then}: RuleSpec,
  number: number,
  fallback: Outgoing,
  place: Place,
): Rule {
  const below = inside(place, 'when')
  // If in doubt, approve nothing and let nothing pass.
  const careful = letsPass(then)
  const {time, velocity, probability, after = 0, first = Number.POSITIVE_INFINITY, ...fields} = when
  const conditions = Object.entries(fields as Omit<WhenSpec, keyof WhenSpec>).map(([field, spec]) =>
    compileField(field, spec as ValueSpec, careful, inside(below, field)),
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
    ...(!careful && {fallback}),
  }
}

function compileField(name: string, spec: ValueSpec, careful: boolean, place: Place): Condition {
  const field = fieldOf(name)
  const test = testOf(name, spec, careful, place)
  return call => {
    const values = field(call)
    const holds = test(values)
    if (holds === true) return undefined
    if (holds === false) return {why: `${name} is ${wordsOf(values)}`, inDoubt: false}
    return {why: `${name} is ${values.found.length === 0 ? 'absent' : 'unreadable'}`, inDoubt: true}
  }
}

function testOf(name: string, spec: ValueSpec, careful: boolean, place: Place): Test {
  if (name === 'mcc') return compileMcc(spec as never, careful, place)
  if (name === 'country') return compileCountry(spec as never, careful, place)
  return compileValue(spec, careful, place)
}

function compileMoment(spec: Parameters<typeof compileTime>[0], place: Place): Condition {
  const isIn = compileTime(spec, place)
  return (_call, at) => (isIn(at) ? undefined : {why: 'not at this time', inDoubt: false})
}

function readShare(text: string, {pointer, report}: Place): number {
  const share = Number(text.slice(0, -1)) / 100
  if (share > 1) report(pointer, 'a percentage is at most 100%')
  return share
}
