import {isObject} from './members.ts'

/** Keywords of JSON Schema that hold a schema, a list of schemas, or schemas by name. */
export const ONE = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'additionalItems',
]
export const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
export const MAPS = ['properties', 'patternProperties', 'dependentSchemas']

/** Names of the schemas that a schema refers to directly. */
export function* namesIn(schema: unknown): Generator<string> {
  if (!isObject(schema)) return
  const {$ref} = schema
  if (typeof $ref === 'string') yield $ref.slice('#/$defs/'.length)
  for (const part of partsOf(schema)) yield* namesIn(part)
}

/** The schemas that stand directly in a schema. */
export function* partsOf(schema: Readonly<Record<string, unknown>>): Generator<unknown> {
  for (const keyword of [...ONE, 'items']) if (keyword in schema) yield schema[keyword]
  for (const keyword of LISTS) if (Array.isArray(schema[keyword])) yield* schema[keyword]
  for (const keyword of MAPS) if (isObject(schema[keyword])) yield* Object.values(schema[keyword])
}
