import {isObject} from '../errors/is-object.ts'
import type {ImportedDocument, Schema} from './document/document.ts'

type Keywords = {readonly [keyword: string]: unknown}

/** What a schema says about a value, with references resolved and parts merged. */
export interface SchemaShape {
  /** JSON types; undefined if any is allowed. Leaves out `integer` if `number` is there. */
  readonly types: ReadonlySet<string> | undefined
  /** The only allowed values; undefined if the schema doesn't list them. */
  readonly values: readonly unknown[] | undefined
  readonly members: ReadonlyMap<string, {readonly schema: Schema; readonly required: boolean}>
  readonly items: Schema | undefined
  /** Whether other fields are refused. */
  readonly closed: boolean
  /** Keywords about single values, such as `maxLength` and `pattern`. */
  readonly limits: Keywords
  /** The name of the schema in the document; the same name means the same schema. */
  readonly name: string | undefined
}

export type Schemas = ImportedDocument['schemas']

const LIMITS = [
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
  'default',
  'example',
  'examples',
  'title',
  'description',
  'deprecated',
]
/** Maximum length of a chain of references. */
const DEEPEST = 24
/** Maximum number of parts of one schema that are merged. More would help neither a person nor a comparison. */
const MOST_PARTS = 500

/** Cache by document, then by the name of the schema, or by the schema itself if it has no name. */
const known = new WeakMap<Schemas, Map<Schema | string, SchemaShape>>()

/** The shape of a schema. Alternative parts are merged to a shape that accepts what any of them accepts. */
export function shapeOf(schema: Schema | undefined, schemas: Schemas): SchemaShape {
  const asked = schema ?? true
  const shapes = known.get(schemas) ?? new Map<Schema | string, SchemaShape>()
  known.set(schemas, shapes)
  const key = followed(asked, schemas).name ?? asked
  const found = shapes.get(key)
  if (found !== undefined) return found
  const shape = partShape(asked, schemas, {around: [], left: {parts: MOST_PARTS}})
  shapes.set(key, shape)
  return shape
}

interface Within {
  /** Named schemas around this one. A part that refers to one of them adds nothing. */
  readonly around: readonly string[]
  readonly left: {parts: number}
}

function partShape(schema: Schema, schemas: Schemas, {around, left}: Within): SchemaShape {
  const {keywords, name} = followed(schema, schemas)
  const own = ownShape(keywords, name)
  if (name !== undefined && around.includes(name)) return ownShape({}, name)
  const inside = {around: name === undefined ? around : [...around, name], left}
  const parts = (word: string): SchemaShape[] => {
    const list = keywords[word]
    if (!Array.isArray(list)) return []
    return list.flatMap((part: Schema) => (left.parts-- > 0 ? [partShape(part, schemas, inside)] : []))
  }
  const all = [own, ...parts('allOf')]
  const any = [...parts('oneOf'), ...parts('anyOf')]
  const whole = any.length === 0 ? all : [...all, any.reduce(either)]
  return {...whole.reduce(both), name}
}

/** The target of a reference, and its name in the document. */
function followed(schema: Schema | undefined, schemas: Schemas): {keywords: Keywords; name?: string} {
  let at: Schema | undefined = schema
  let name: string | undefined
  for (let steps = 0; steps < DEEPEST; steps++) {
    if (typeof at !== 'object') return {keywords: {}, ...(name === undefined ? {} : {name})}
    const reference: unknown = at.$ref
    if (typeof reference !== 'string') break
    name = reference.replace('#/$defs/', '')
    at = schemas.get(name)
  }
  const keywords = typeof at === 'object' ? at : {}
  return {keywords, ...(name === undefined ? {} : {name})}
}

function ownShape(keywords: Keywords, name: string | undefined): SchemaShape {
  const required = new Set(Array.isArray(keywords.required) ? (keywords.required as unknown[]) : [])
  const properties = isObject(keywords.properties) ? keywords.properties : {}
  const listed = Array.isArray(keywords.enum) ? keywords.enum : undefined
  return {
    types: typesOf(keywords),
    values: 'const' in keywords ? [keywords.const] : listed,
    members: new Map(
      [...new Set([...Object.keys(properties), ...required])].map(member => [
        String(member),
        {schema: (properties[String(member)] as Schema | undefined) ?? true, required: required.has(member)},
      ]),
    ),
    items: keywords.items as Schema | undefined,
    closed: keywords.additionalProperties === false || keywords.unevaluatedProperties === false,
    limits: Object.fromEntries(LIMITS.flatMap(word => (word in keywords ? [[word, keywords[word]]] : []))),
    name,
  }
}

function typesOf({type, properties, items}: Keywords): ReadonlySet<string> | undefined {
  if (type === undefined) {
    if (isObject(properties)) return new Set(['object'])
    return items === undefined ? undefined : new Set(['array'])
  }
  const types = new Set([type].flat().map(String))
  if (types.has('number')) types.delete('integer')
  return types
}

/** A shape for values that both accept. */
function both(one: SchemaShape, other: SchemaShape): SchemaShape {
  const members = new Map(one.members)
  for (const [name, member] of other.members) {
    const known = members.get(name)
    const schema = known === undefined || known.schema === true ? member.schema : known.schema
    members.set(name, {schema, required: member.required || known?.required === true})
  }
  return {
    types: one.types && other.types ? intersection(one.types, other.types) : (one.types ?? other.types),
    values: one.values ?? other.values,
    members,
    items: one.items ?? other.items,
    closed: one.closed || other.closed,
    limits: {...other.limits, ...one.limits},
    name: one.name,
  }
}

/** A shape for values that at least one of them accepts. */
function either(one: SchemaShape, other: SchemaShape): SchemaShape {
  const members = new Map<string, {schema: Schema; required: boolean}>()
  for (const [name, {schema, required}] of [...one.members, ...other.members]) {
    const inBoth = one.members.has(name) && other.members.has(name)
    members.set(name, {schema, required: inBoth && required && members.get(name)?.required !== false})
  }
  return {
    types: one.types && other.types ? new Set([...one.types, ...other.types]) : undefined,
    values: one.values && other.values ? [...one.values, ...other.values] : undefined,
    members,
    items: one.items ?? other.items,
    closed: one.closed && other.closed,
    limits: {},
    name: undefined,
  }
}

function intersection(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  const shared = [...one].filter(type => other.has(type))
  if (one.has('integer') && other.has('number')) shared.push('integer')
  if (one.has('number') && other.has('integer')) shared.push('integer')
  return new Set(shared)
}
