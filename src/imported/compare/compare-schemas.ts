import type {Schema} from '../document/document.ts'
import {type SchemaShape, type Schemas, shapeOf} from '../shapes.ts'

export type Side = 'request' | 'answer' | 'operation'
export type Change = 'added' | 'removed' | 'changed' | 'deprecated'

/** One difference, from the view of a client of the operation. */
export interface Difference {
  readonly side: Side
  readonly change: Change
  /** `path:id`, `query:size`, or a JSON pointer into the body, with `*` for every item. Empty for the whole body. */
  readonly pointer: string
  readonly message: string
  /** The service now refuses what it accepted before, or a response lacks a field that a command needs. */
  readonly breaks: boolean
}

/** A schema of one document and one of another. */
export interface Compared {
  readonly before: Schema | undefined
  readonly after: Schema | undefined
  readonly schemas: {readonly before: Schemas; readonly after: Schemas}
  readonly side: 'request' | 'answer'
  /** Of a parameter: `query:size`. */
  readonly place?: string
}

type Documents = Compared['schemas']

/** The differences of one schema itself, and the places below it to compare next. */
interface Local {
  readonly differences: readonly Omit<Difference, 'side'>[]
  readonly below: readonly (readonly [pointer: string, before: Schema, after: Schema])[]
}

/** Pairs of named schemas that many operations share, by documents, side and names. */
const known = new WeakMap<Documents, Map<string, Local>>()

/**
 * The differences between two schemas. A request breaks if the new schema accepts less than the old one. A response never
 * breaks by itself, because cardctl reads responses leniently; the fields that commands need are checked separately. A
 * schema that refers to itself is compared once, at the place nearest to the top.
 */
export function compareSchemas({before, after, schemas, side, place = ''}: Compared): readonly Difference[] {
  const found: Difference[] = []
  const seen = new Set<string>()
  const waiting: [pointer: string, before: Schema, after: Schema][] = [['', before ?? true, after ?? true]]
  for (let at = 0; at < waiting.length; at++) {
    const [pointer = '', one = true, other = true] = waiting[at] ?? []
    const was = shapeOf(one, schemas.before)
    const is = shapeOf(other, schemas.after)
    const pair = was.name === undefined || is.name === undefined ? undefined : `${was.name}\n${is.name}`
    if (pair !== undefined && seen.has(pair)) continue
    if (pair !== undefined) seen.add(pair)
    const {differences, below} = localOf(was, is, schemas, side, pair)
    for (const difference of differences) {
      const breaks = difference.breaks && side === 'request'
      found.push({...difference, side, pointer: place + pointer + difference.pointer, breaks})
    }
    for (const [step, ...pairBelow] of below) waiting.push([pointer + step, ...pairBelow])
  }
  return found
}

function localOf(
  was: SchemaShape,
  is: SchemaShape,
  schemas: Documents,
  side: Compared['side'],
  pair: string | undefined,
): Local {
  if (pair === undefined) return compareShapes(was, is, side)
  const pairs = known.get(schemas) ?? new Map<string, Local>()
  known.set(schemas, pairs)
  const key = `${side}\n${pair}`
  const local = pairs.get(key) ?? compareShapes(was, is, side)
  pairs.set(key, local)
  return local
}

function compareShapes(was: SchemaShape, is: SchemaShape, side: Compared['side']): Local {
  const differences: Omit<Difference, 'side'>[] = []
  const below: [string, Schema, Schema][] = []
  const add: Add = (pointer, change, message, breaks = false) =>
    void differences.push({pointer, change, message, breaks})
  if (types(was, is, add)) return {differences, below}
  values(was, is, add)
  limits(was, is, add)
  for (const [name, {schema, required}] of was.members) {
    const at = `/${escaped(name)}`
    const now = is.members.get(name)
    if (now === undefined) {
      // A schema without fields says nothing about them.
      if (is.members.size > 0 || is.closed) add(at, 'removed', 'no longer exists', is.closed)
      continue
    }
    if (now.required && !required) {
      add(at, 'changed', side === 'request' ? 'is required now' : 'is always there now', true)
    }
    if (!now.required && required) {
      add(at, 'changed', side === 'request' ? 'is optional now' : 'may be absent now')
    }
    below.push([at, schema, now.schema])
  }
  for (const [name, {required}] of is.members) {
    if (was.members.has(name)) continue
    add(`/${escaped(name)}`, 'added', required ? 'is new and required' : 'is new', required)
  }
  if (was.items !== undefined && is.items !== undefined) below.push(['/*', was.items, is.items])
  return {differences, below}
}

type Add = (pointer: string, change: Difference['change'], message: string, breaks?: boolean) => void

/** True if there is nothing below it to compare. */
function types(was: SchemaShape, is: SchemaShape, add: Add): boolean {
  if (is.types === undefined || was.types === undefined) {
    if (was.types === is.types) return false
    add('', 'changed', `${namesOf(is.types)} instead of ${namesOf(was.types)}`, is.types !== undefined)
    return false
  }
  const lost = [...was.types].filter(type => !takes(is.types, type))
  const gained = [...is.types].filter(type => !takes(was.types, type))
  if (lost.length === 0 && gained.length === 0) return false
  // These services may write absent values as null, so null alone breaks nothing.
  const breaks = lost.some(type => type !== 'null')
  add('', 'changed', `${namesOf(is.types)} instead of ${namesOf(was.types)}`, breaks)
  return [...is.types].every(type => type === 'null' || !takes(was.types, type))
}

function values(was: SchemaShape, is: SchemaShape, add: Add): void {
  if (was.values === undefined && is.values === undefined) return
  if (is.values === undefined || was.values === undefined) {
    const message = is.values === undefined ? 'takes any value now' : `takes ${listed(is.values)} only`
    add('', 'changed', message, is.values !== undefined)
    return
  }
  const now = new Set(is.values.map(value => JSON.stringify(value)))
  const before = new Set(was.values.map(value => JSON.stringify(value)))
  const lost = was.values.filter(value => value !== null && !now.has(JSON.stringify(value)))
  const gained = is.values.filter(value => value !== null && !before.has(JSON.stringify(value)))
  if (lost.length > 0) add('', 'removed', `no longer ${listed(lost)}`, true)
  if (gained.length > 0) add('', 'added', `also ${listed(gained)}`)
}

function limits(was: SchemaShape, is: SchemaShape, add: Add): void {
  for (const [word, raises] of Object.entries(LIMITS)) {
    const [old, now] = [was.limits[word], is.limits[word]]
    if (old === now) continue
    const narrower = typeof now === 'number' && (typeof old !== 'number' || (raises ? now > old : now < old))
    add('', 'changed', `${word} ${shown(now)} instead of ${shown(old)}`, narrower)
  }
  for (const word of ['pattern', 'format']) {
    const [old, now] = [was.limits[word], is.limits[word]]
    if (old !== now) add('', 'changed', `${word} ${shown(now)} instead of ${shown(old)}`)
  }
  if (is.limits.deprecated === true && was.limits.deprecated !== true) add('', 'deprecated', 'is deprecated')
}

/** Keywords with a number, and whether a greater number accepts less. */
const LIMITS: Readonly<Record<string, boolean>> = {
  minimum: true,
  exclusiveMinimum: true,
  minLength: true,
  minItems: true,
  minProperties: true,
  maximum: false,
  exclusiveMaximum: false,
  maxLength: false,
  maxItems: false,
  maxProperties: false,
}

/** An integer is a number. */
const takes = (types: ReadonlySet<string> | undefined, type: string): boolean =>
  types === undefined || types.has(type) || (type === 'integer' && types.has('number'))

const namesOf = (types: ReadonlySet<string> | undefined): string =>
  types === undefined ? 'any type' : [...types].sort().join(' or ')

const MOST_LISTED = 6

const listed = (values: readonly unknown[]): string => {
  const shownValues = values.slice(0, MOST_LISTED).map(value => JSON.stringify(value))
  return `${shownValues.join(', ')}${values.length > MOST_LISTED ? ` and ${values.length - MOST_LISTED} more` : ''}`
}

const shown = (value: unknown): string => (value === undefined ? 'none' : String(value).slice(0, 60))

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
