import {isObject} from '../errors/is-object.ts'
import {pointerBelow} from '../sensitive/json-pointer.ts'
import {Secret} from '../sensitive/secret.ts'
import type {Form, Location, MemberRule, Scalar, Shape, ValueMap} from './dialect-file.ts'
import {type Around, decimalsOf, toOurForm, toTheirForm, Unwritable} from './forms.ts'
import {choices, found, leaves, put, valueAt} from './pointer.ts'

/** What rules refer to by name, and what is around the members that they map. */
export interface Mapping {
  readonly values: Readonly<Record<string, ValueMap>>
  readonly shapes: Readonly<Record<string, Shape>>
  /** Items in a page. */
  readonly size?: number | undefined
}

/** What else a response is read from. */
export interface Sources {
  /** The request of ours. */
  readonly request?: unknown
  /** The response to the read before. */
  readonly first?: unknown
  search?(document: unknown, expression: string): unknown
}

/** A member that the other side has no place or no value for. */
export interface Misfit {
  /** JSON pointer into the document that was mapped. */
  readonly pointer: string
  /** A clause about it: "has no value there for CARD_LOST". */
  readonly problem: string
  /** The value was taken as it came. */
  readonly kept?: true
}

export const ruleOf = (rule: Location | MemberRule): MemberRule =>
  typeof rule === 'string' ? {at: rule} : rule

export const shapeOf = (shape: string | Shape, {shapes}: Mapping): Shape =>
  typeof shape === 'string' ? (shapes[shape] ?? {}) : shape

export const mapOf = (values: string | ValueMap, mapping: Pick<Mapping, 'values'>): ValueMap =>
  typeof values === 'string' ? (mapping.values[values] ?? {}) : values

/**
 * A document of ours as theirs. What no rule takes is a misfit: nothing that a user gave may be left out unseen.
 */
export function toTheirs(
  shape: Shape,
  ours: unknown,
  mapping: Mapping,
): {readonly theirs: unknown; readonly misfits: readonly Misfit[]} {
  const {theirs, covered, misfits} = written(shape, ours, mapping)
  const left = leaves(ours).filter(
    leaf =>
      !covered.some(({pointer, whole}) => leaf === pointer || (whole && leaf.startsWith(`${pointer}/`))),
  )
  return {theirs, misfits: [...misfits, ...left.map(pointer => ({pointer, problem: 'has no place there'}))]}
}

interface Covered {
  readonly pointer: string
  /** With all that is in it. */
  readonly whole: boolean
}

interface Written {
  readonly theirs: unknown
  readonly covered: readonly Covered[]
  readonly misfits: readonly Misfit[]
}

function written(shape: Shape, ours: unknown, mapping: Mapping): Written {
  let theirs: unknown
  const covered: Covered[] = []
  const misfits: Misfit[] = []
  for (const [location, given] of Object.entries(shape)) {
    const rule = ruleOf(given)
    const hit = rule.at === undefined ? undefined : found(ours, location)
    if (hit === undefined || rule.at === undefined || hit.value === undefined) continue
    const {value, plain} = hit
    covered.push(...choices(ours, location).map(pointer => ({pointer, whole: false})))
    try {
      const one = member(rule, value, mapping, () => aroundOf(rule, location, ours, mapping))
      covered.push({pointer: plain, whole: one.covered === undefined})
      covered.push(...(one.covered ?? []).map(each => ({...each, pointer: plain + each.pointer})))
      misfits.push(...(one.misfits ?? []).map(each => ({...each, pointer: plain + each.pointer})))
      theirs = put(theirs, rule.at, one.theirs)
    } catch (error) {
      if (!(error instanceof Unwritable)) throw error
      covered.push({pointer: plain, whole: true})
      misfits.push({pointer: plain, problem: error.message})
    }
  }
  return {theirs, covered, misfits}
}

function member(
  rule: MemberRule,
  value: unknown,
  mapping: Mapping,
  around: () => Around,
): {theirs: unknown; covered?: readonly Covered[]; misfits?: readonly Misfit[]} {
  const {values, as, items, shape, except} = rule
  if (except?.some(one => one === value)) throw new Unwritable(`can't be ${String(value)} there`)
  if (value instanceof Secret || (value === null && values === undefined)) return {theirs: value}
  if (items !== undefined) {
    if (!Array.isArray(value)) throw new Unwritable('is no list')
    const each = value.map(item => written(shapeOf(items, mapping), item, mapping))
    const below = <T extends {readonly pointer: string}>(of: (one: Written) => readonly T[]): T[] =>
      each.flatMap((one, at) => of(one).map(part => ({...part, pointer: `/${at}${part.pointer}`})))
    return {
      theirs: each.map(one => one.theirs ?? {}),
      covered: below(one => one.covered),
      misfits: below(one => one.misfits),
    }
  }
  if (shape !== undefined) return written(shapeOf(shape, mapping), value, mapping)
  if (values !== undefined) {
    const theirs = theirValue(value, mapOf(values, mapping))
    if (theirs !== undefined) return {theirs}
    if (as === undefined)
      throw new Unwritable(
        `has no value there; what has one: ${Object.keys(mapOf(values, mapping)).join(', ')}`,
      )
  }
  return {theirs: as === undefined ? value : formed(rule, as, value, around, toTheirForm)}
}

/** In the other form; of amounts by currency, each. */
function formed(
  {currency}: MemberRule,
  as: Form,
  value: unknown,
  around: () => Around,
  form: typeof toTheirForm,
): unknown {
  if (currency !== '*') return form(as, value, around())
  if (!isObject(value)) throw new Unwritable('is no list of amounts by currency')
  return Object.fromEntries(
    Object.entries(value).map(([code, amount]) => [code, form(as, amount, {exponent: decimalsOf(code)})]),
  )
}

function theirValue(value: unknown, map: ValueMap): Scalar | undefined {
  const text = String(value)
  if (!Object.hasOwn(map, text)) return undefined
  return [map[text]].flat()[0] as Scalar
}

/** The value of ours for one of theirs; undefined for one that is not in the map. */
export function ourValue(value: unknown, map: ValueMap, isNumber = false): Scalar | undefined {
  const name = Object.keys(map).find(one => [map[one]].flat().some(theirs => theirs === value))
  return name === undefined ? undefined : scalarOf(name, isNumber)
}

/** Keys of a map are text; true, false and, beside a form of numbers, numbers of ours are written so, too. */
const scalarOf = (text: string, isNumber: boolean): Scalar =>
  text === 'true' || text === 'false' ? text === 'true' : isNumber ? Number(text) : text

function aroundOf(
  {currency, exponent}: MemberRule,
  location: Location,
  ours: unknown,
  {size}: Mapping,
): Around {
  if (exponent !== undefined) return {exponent, size}
  if (currency === undefined) return {size}
  const code = /^[A-Z]{3}$/.test(currency) ? currency : valueAt(ours, location.replace(/[^/]*$/, currency))
  return {exponent: decimalsOf(code), size}
}

/** A document of theirs as ours. What can't be read is left out and listed: a wrong amount is worse than none. */
export function toOurs(
  shape: Shape,
  theirs: unknown,
  mapping: Mapping,
  sources: Sources = {},
): {readonly ours: unknown; readonly misfits: readonly Misfit[]} {
  let ours: unknown
  const misfits: Misfit[] = []
  const entries = Object.entries(shape).map(([location, rule]) => [location, ruleOf(rule)] as const)
  // Amounts last: the member beside them has their currency.
  const inOrder = entries.toSorted(([, a], [, b]) => Number(needsCurrency(a)) - Number(needsCurrency(b)))
  for (const [location, rule] of inOrder) {
    const hit = given(rule, theirs, sources)
    if (hit === undefined || hit.value === undefined) continue
    try {
      const read = ourMember(rule, hit.value, mapping, sources, () => aroundOf(rule, location, ours, mapping))
      misfits.push(...read.misfits.map(each => ({...each, pointer: hit.plain + each.pointer})))
      if (read.ours !== undefined) ours = put(ours, location, read.ours)
    } catch (error) {
      if (!(error instanceof Unwritable)) throw error
      misfits.push({pointer: hit.plain, problem: error.message})
    }
  }
  return {ours, misfits}
}

const needsCurrency = ({as}: MemberRule): boolean => as === 'minor' || as === 'decimal-text'

function given(
  {at, is, input, jmespath, first}: MemberRule,
  theirs: unknown,
  sources: Sources,
): {readonly value: unknown; readonly plain: string} | undefined {
  if (is !== undefined) return {value: is, plain: ''}
  if (input !== undefined) return found(sources.request, input)
  if (first !== undefined) return found(sources.first, first)
  if (jmespath !== undefined) {
    const value = sources.search?.(theirs, jmespath)
    return value === null ? undefined : {value, plain: ''}
  }
  return at === undefined ? undefined : found(theirs, at)
}

function ourMember(
  rule: MemberRule,
  value: unknown,
  mapping: Mapping,
  sources: Sources,
  around: () => Around,
): {readonly ours: unknown; readonly misfits: readonly Misfit[]} {
  const {values, as, items, shape, at} = rule
  if (
    (value === null && values === undefined) ||
    (at === undefined && rule.first === undefined && rule.jmespath === undefined)
  )
    return {ours: value, misfits: []}
  if (items !== undefined) {
    if (!Array.isArray(value)) throw new Unwritable('is no list')
    const each = value.map(item => toOurs(shapeOf(items, mapping), item, mapping, sources))
    return {
      ours: each.map(one => one.ours ?? {}),
      misfits: each.flatMap((one, index) =>
        one.misfits.map(misfit => ({...misfit, pointer: pointerBelow('', String(index)) + misfit.pointer})),
      ),
    }
  }
  if (shape !== undefined) return toOurs(shapeOf(shape, mapping), value, mapping, sources)
  if (values !== undefined) {
    const ours = ourValue(value, mapOf(values, mapping), as !== undefined && as !== 'number')
    if (ours !== undefined) return {ours, misfits: []}
    if (as === undefined)
      return {
        ours: value,
        misfits: [{pointer: '', problem: 'is a value that the dialect does not know', kept: true}],
      }
  }
  const ours = as === undefined ? value : formed(rule, as, value, around, toOurForm)
  // What stands for something else here would be read as that.
  const others = [
    ...Object.keys(values === undefined ? {} : mapOf(values, mapping)),
    ...(rule.except ?? []).map(String),
  ]
  if (others.includes(String(ours)))
    throw new Unwritable(`is ${String(ours)}, which means something else here`)
  return {ours, misfits: []}
}
