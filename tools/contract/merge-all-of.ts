import {type Contract, componentName, isNode, type Node, nodeOf} from './read-contract.ts'

type Components = Contract['components']

/** Keywords that say nothing about which values are valid. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'discriminator',
  'externalDocs',
  'xml',
  '$comment',
])

export const isAnnotation = (keyword: string): boolean => ANNOTATIONS.has(keyword) || keyword.startsWith('x-')

/** The component with this name, which must exist. */
export function component(components: Components, name: string): Node {
  const schema = components[name]
  if (schema === undefined) throw new Error(`There is no component schema ${name}.`)
  return schema
}

/**
 * A schema without a `$ref` and without an `allOf` of objects at its top: their fields are merged into one list, so
 * that it can be closed, shown and filled. Conditions (`if`, a bare `anyOf`) stay under `allOf`. Deeper levels don't
 * change.
 */
export function mergeAllOf(schema: Node, components: Components, depth = 0): Node {
  if (depth > 20) throw new Error('Schemas refer to each other in a circle.')
  const name = componentName(schema)
  const {$ref: _, allOf, ...own} = schema
  const parts = Array.isArray(allOf) ? allOf.filter(isNode) : []
  if (name !== undefined) parts.unshift(component(components, name))
  if (parts.length === 0) return own

  let merged: Node = {}
  const conditions: Node[] = []
  for (const part of [...parts.map(part => mergeAllOf(part, components, depth + 1)), own]) {
    if (isCondition(part)) conditions.push(part)
    else merged = mergeTwo(merged, part)
  }
  const kept = [...(Array.isArray(merged.allOf) ? merged.allOf : []), ...conditions]
  return kept.length === 0 ? merged : {...merged, allOf: kept}
}

/** Whether the schema is only a condition, without fields of its own. */
const isCondition = (schema: Node): boolean =>
  schema.type === undefined &&
  schema.properties === undefined &&
  schema.enum === undefined &&
  ['if', 'anyOf', 'oneOf', 'not', 'dependentRequired'].some(keyword => schema[keyword] !== undefined)

function mergeTwo(first: Node, second: Node): Node {
  const merged: Record<string, unknown> = {...first}
  for (const [keyword, value] of Object.entries(second)) {
    if (keyword === 'properties') merged.properties = mergeProperties(nodeOf(first.properties), nodeOf(value))
    else if (keyword === 'required') merged.required = union(first.required, value)
    else if (keyword === 'allOf') merged.allOf = [...asList(first.allOf), ...asList(value)]
    else merged[keyword] = value
  }
  return merged
}

function mergeProperties(first: Node, second: Node): Node {
  const merged: Record<string, unknown> = {...first}
  for (const [name, schema] of Object.entries(second)) {
    // A field in two parts must satisfy both.
    merged[name] = merged[name] === undefined ? schema : {allOf: [merged[name], schema]}
  }
  return merged
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const union = (first: unknown, second: unknown): unknown[] => [
  ...new Set([...asList(first), ...asList(second)]),
]
