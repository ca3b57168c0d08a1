import type {Schema} from '../document/document.ts'
import {type SchemaShape, type Schemas, shapeOf} from '../shapes.ts'
import type {Difference} from './difference.ts'

/** A schema of one document and one of another. */
export interface Compared {
  readonly before: Schema | undefined
  readonly after: Schema | undefined
  readonly schemas: {readonly before: Schemas; readonly after: Schemas}
  readonly side: 'request' | 'answer'
  /** Of a parameter: `query:size`. */
  readonly place?: string
}

const DEEPEST = 24

/**
 * What is different between two schemas. A request breaks where the new one takes less than the old one did; an answer
 * never does by itself, since answers are read leniently: what a command needs is looked at apart.
 */
export function compareSchemas(compared: Compared): readonly Difference[] {
  const {before, after, schemas, side, place = ''} = compared
  const found: Difference[] = []
  const seen = new Set<string>()
  const add = (
    pointer: string,
    change: Difference['change'],
    message: string,
    breaks: boolean = false,
  ): void => {
    found.push({side, change, pointer: place + pointer, message, breaks: breaks && side === 'request'})
  }

  const walk = (pointer: string, one: Schema | undefined, other: Schema | undefined, depth: number): void => {
    const was = shapeOf(one, schemas.before)
    const is = shapeOf(other, schemas.after)
    // What refers to itself is compared once.
    if (was.name !== undefined && is.name !== undefined) {
      const pair = `${was.name}\n${is.name}`
      if (seen.has(pair)) return
      seen.add(pair)
    }
    if (depth > DEEPEST) return
    if (types(pointer, was, is)) return
    values(pointer, was, is)
    limits(pointer, was, is)
    members(pointer, was, is, depth)
    if (was.items !== undefined && is.items !== undefined)
      walk(`${pointer}/*`, was.items, is.items, depth + 1)
  }

  /** True where nothing below can be compared. */
  const types = (pointer: string, was: SchemaShape, is: SchemaShape): boolean => {
    if (is.types === undefined || was.types === undefined) {
      if (was.types === is.types) return false
      const isNarrower = is.types !== undefined
      add(pointer, 'changed', `${namesOf(is.types)} instead of ${namesOf(was.types)}`, isNarrower)
      return false
    }
    const lost = [...was.types].filter(type => !takes(is.types, type))
    const gained = [...is.types].filter(type => !takes(was.types, type))
    if (lost.length === 0 && gained.length === 0) return false
    // Absent values may be null in this family of services, so that null alone breaks nothing.
    const breaks = lost.some(type => type !== 'null')
    add(pointer, 'changed', `${namesOf(is.types)} instead of ${namesOf(was.types)}`, breaks)
    return [...is.types].every(type => type === 'null' || !takes(was.types, type))
  }

  const values = (pointer: string, was: SchemaShape, is: SchemaShape): void => {
    if (was.values === undefined && is.values === undefined) return
    if (is.values === undefined || was.values === undefined) {
      const message = is.values === undefined ? 'takes any value now' : `takes ${listed(is.values)} only`
      add(pointer, 'changed', message, is.values !== undefined)
      return
    }
    const known = new Set(is.values.map(value => JSON.stringify(value)))
    const before = new Set(was.values.map(value => JSON.stringify(value)))
    const lost = was.values.filter(value => value !== null && !known.has(JSON.stringify(value)))
    const gained = is.values.filter(value => value !== null && !before.has(JSON.stringify(value)))
    if (lost.length > 0) add(pointer, 'removed', `no longer ${listed(lost)}`, true)
    if (gained.length > 0) add(pointer, 'added', `also ${listed(gained)}`)
  }

  const limits = (pointer: string, was: SchemaShape, is: SchemaShape): void => {
    for (const [word, raises] of Object.entries(LIMITS)) {
      const [old, now] = [was.limits[word], is.limits[word]]
      if (old === now) continue
      const narrower =
        typeof now === 'number' && (typeof old !== 'number' || (raises ? now > old : now < old))
      add(pointer, 'changed', `${word} ${shown(now)} instead of ${shown(old)}`, narrower)
    }
    for (const word of ['pattern', 'format']) {
      const [old, now] = [was.limits[word], is.limits[word]]
      if (old !== now) add(pointer, 'changed', `${word} ${shown(now)} instead of ${shown(old)}`)
    }
    if (is.limits.deprecated === true && was.limits.deprecated !== true) {
      add(pointer, 'deprecated', 'is deprecated')
    }
  }

  const members = (pointer: string, was: SchemaShape, is: SchemaShape, depth: number): void => {
    for (const [name, member] of was.members) {
      const at = `${pointer}/${escaped(name)}`
      const now = is.members.get(name)
      if (now === undefined) {
        // A schema that names no members at all says nothing about them.
        if (is.members.size > 0 || is.closed) add(at, 'removed', 'is not there any more', is.closed)
        continue
      }
      if (now.required && !member.required) {
        add(at, 'changed', side === 'request' ? 'is required now' : 'is always there now', true)
      }
      if (!now.required && member.required) {
        add(at, 'changed', side === 'request' ? 'is optional now' : 'may be absent now')
      }
      walk(at, member.schema, now.schema, depth + 1)
    }
    for (const [name, {required}] of is.members) {
      if (was.members.has(name)) continue
      add(`${pointer}/${escaped(name)}`, 'added', required ? 'is new and required' : 'is new', required)
    }
  }

  walk('', before, after, 0)
  return found
}

/** Keywords with a number: whether a greater one takes less. */
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
