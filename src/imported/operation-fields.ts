import type {ImportedDocument, Schema} from './document/document.ts'
import {type SchemaShape, type Schemas, shapeOf} from './shapes.ts'

/** A field of a body, as one line. */
export interface OperationField {
  /** Dotted: `usageLimits[].code`. Empty for a body that isn't an object. */
  readonly name: string
  /** In words: `text, one of A | B, or null`. */
  readonly type: string
  readonly required: boolean
}

const DEEPEST = 6
/** Maximum number of lines; the schema has all fields. */
const MOST = 300

/** The fields of a body in the order of the document. A schema that refers to itself ends with its name. */
export function fieldsOf(schema: Schema | undefined, schemas: Schemas, name = ''): readonly OperationField[] {
  const found: OperationField[] = []
  for (const member of walk(schema, schemas, {name, required: true, around: [], depth: 0})) {
    if (found.length >= MOST) return [...found, {name: '…', type: 'more fields', required: false}]
    found.push(member)
  }
  return found
}

interface Place {
  readonly name: string
  readonly required: boolean
  readonly around: readonly string[]
  readonly depth: number
}

function* walk(schema: Schema | undefined, schemas: Schemas, place: Place): Generator<OperationField> {
  const shape = shapeOf(schema, schemas)
  const items = shape.items === undefined ? undefined : shapeOf(shape.items, schemas)
  const inner = items ?? shape
  const name = items === undefined ? place.name : `${place.name}[]`
  if (place.name !== '' || inner.members.size === 0) {
    yield {name: place.name, type: typeWords(shape, items), required: place.required}
  }
  const own = inner.name
  if (place.depth >= DEEPEST || (own !== undefined && place.around.includes(own))) return
  const around = own === undefined ? place.around : [...place.around, own]
  for (const [member, {schema: below, required}] of inner.members) {
    yield* walk(below, schemas, {
      name: name === '' ? member : `${name}.${member}`,
      required,
      around,
      depth: place.depth + 1,
    })
  }
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'list',
}
const MOST_LISTED = 8

function typeWords(shape: SchemaShape, items?: SchemaShape): string {
  const {types, values, limits} = shape
  if (items !== undefined) return `list of ${items.members.size > 0 ? 'objects' : typeWords(items)}`
  const isNullable = types?.has('null') === true || values?.includes(null) === true
  const listed = values?.filter(value => value !== null).map(String)
  const named = [...(types ?? [])].filter(type => type !== 'null').map(type => WORDS[type] ?? type)
  const base =
    listed !== undefined && listed.length > 0
      ? `${listed.slice(0, MOST_LISTED).join(' | ')}${listed.length > MOST_LISTED ? ' | …' : ''}`
      : named.length === 0
        ? 'any'
        : named.join(' or ')
  const details = [
    ...(typeof limits.format === 'string' ? [limits.format] : []),
    ...(typeof limits.maxLength === 'number' ? [`at most ${limits.maxLength} characters`] : []),
  ]
  return [base, ...details].join(', ') + (isNullable ? ', or null' : '')
}

/** The schema with all schemas that it refers to, so that it can be used on its own. */
export function selfContained(schema: Schema, schemas: ImportedDocument['schemas']): Schema {
  if (typeof schema === 'boolean') return schema
  const found = new Map<string, Schema>()
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const reference =
      '$ref' in value && typeof value.$ref === 'string' ? value.$ref.replace('#/$defs/', '') : undefined
    if (reference !== undefined && !found.has(reference)) {
      const target = schemas.get(reference)
      if (target !== undefined) {
        found.set(reference, target)
        collect(target)
      }
    }
    for (const below of Object.values(value)) collect(below)
  }
  collect(schema)
  return found.size === 0 ? schema : {...schema, $defs: Object.fromEntries(found)}
}
