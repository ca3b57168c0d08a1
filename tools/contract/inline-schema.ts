import {isAnnotation, mergeAllOf} from './merge-all-of.ts'
import {type Contract, isNode, type Node} from './read-contract.ts'

type Components = Contract['components']

/** Annotations that cardctl uses; all others are dropped. */
const KEPT: ReadonlySet<string> = new Set([
  'title',
  'x-sensitive',
  'x-irreversible',
  'x-hazard',
  'x-whole',
  'x-money',
  'x-open',
  'x-free-text',
])

/** Keywords whose value is a schema, a list of schemas, or a mapping of names to schemas. */
const ONE = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
]
const MANY = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const NAMED = ['properties', 'patternProperties', 'dependentSchemas']

/** A self-contained schema: every `$ref` is replaced by its target, and the `allOf`s of objects are merged. */
export function inlineSchema(schema: Node, components: Components, depth = 0): Node {
  if (depth > 40) throw new Error('Schemas refer to each other in a circle.')
  const inner = (value: unknown): unknown =>
    isNode(value) ? inlineSchema(value, components, depth + 1) : value
  const inlined: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(mergeAllOf(schema, components))) {
    if (isAnnotation(keyword) && !KEPT.has(keyword)) continue
    if (ONE.includes(keyword)) inlined[keyword] = inner(value)
    else if (MANY.includes(keyword) && Array.isArray(value)) inlined[keyword] = value.map(inner)
    else if (NAMED.includes(keyword) && isNode(value)) {
      inlined[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, inner(member)]),
      )
    } else inlined[keyword] = value
  }
  return inlined
}

/** Applies `change` to a schema and every schema inside it, from the inside out. Conditions (`if`) stay as they are. */
export function mapSchema(schema: Node, change: (schema: Node) => Node): Node {
  const inner = (value: unknown): unknown => (isNode(value) ? mapSchema(value, change) : value)
  const mapped: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword !== 'if' && ONE.includes(keyword)) mapped[keyword] = inner(value)
    else if (MANY.includes(keyword) && Array.isArray(value)) mapped[keyword] = value.map(inner)
    else if (NAMED.includes(keyword) && isNode(value)) {
      mapped[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, inner(member)]),
      )
    } else mapped[keyword] = value
  }
  return change(mapped)
}

/** The same schema, but refusing unknown fields, except where it is marked open or names no field. */
export function closeSchema(schema: Node): Node {
  return mapSchema(schema, node =>
    // A schema without a type is a condition (`if`, `then`), which names only the fields that it checks.
    node.type !== undefined &&
    isNode(node.properties) &&
    node.additionalProperties === undefined &&
    node['x-open'] !== true
      ? {...node, additionalProperties: false}
      : node,
  )
}

/** The same schema, but accepting enum values and fields newer than the contract. */
export function openSchema(schema: Node): Node {
  return mapSchema(schema, ({enum: _, additionalProperties, ...node}) =>
    isNode(additionalProperties) ? {...node, additionalProperties} : node,
  )
}

/** JSON pointers (`*` for list items) of fields whose schema passes the test, each with that schema. */
export function* pointersOf(
  schema: Node,
  test: (node: Node) => boolean,
  pointer = '',
): Generator<[string, Node]> {
  if (test(schema)) yield [pointer, schema]
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const parts = schema[keyword]
    if (Array.isArray(parts))
      for (const part of parts) if (isNode(part)) yield* pointersOf(part, test, pointer)
  }
  for (const keyword of ['then', 'else']) {
    const part = schema[keyword]
    if (isNode(part)) yield* pointersOf(part, test, pointer)
  }
  if (isNode(schema.properties)) {
    for (const [name, member] of Object.entries(schema.properties)) {
      if (isNode(member))
        yield* pointersOf(member, test, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
  }
  if (isNode(schema.items)) yield* pointersOf(schema.items, test, `${pointer}/*`)
}
