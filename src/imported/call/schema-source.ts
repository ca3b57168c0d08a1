import type {JsonSchema} from '../../contract/json-schema.ts'
import {isObject} from '../../errors/is-object.ts'
import {fieldSchemas, itemsOf, resolved, typesOf} from '../compile/walk-schema.ts'
import type {Schema} from '../document/document.ts'
import {namesIn} from '../document/schema-forms.ts'

/** Finds the schemas that others refer to, by name. */
export type SchemaSource = (name: string) => Schema | undefined

/** A source as the map that walking through schemas needs. */
export const asMap = (source: SchemaSource): ReadonlyMap<string, Schema> =>
  ({get: source}) as unknown as ReadonlyMap<string, Schema>

/** More steps than any value needs. A hostile document could otherwise cause an endless loop. */
const MOST_STEPS = 50_000

/**
 * A schema with the schemas in its `$defs` that are needed to check one value. Services refer from everything to
 * everything, and checking every possible field would take seconds. Fields that the value doesn't have are left out.
 */
export function withDefinitions(schema: Schema, value: unknown, source: SchemaSource): Schema {
  if (typeof schema === 'boolean') return schema
  const defs = new Map<string, Schema>()
  const seen = new Map<string, Set<unknown>>()
  let steps = 0
  const visit = (at: unknown, held: unknown): void => {
    if (!isObject(at) || ++steps > MOST_STEPS) return
    const {$ref} = at
    if (typeof $ref === 'string') {
      const name = $ref.slice('#/$defs/'.length)
      const values = seen.get(name) ?? new Set()
      seen.set(name, values)
      if (!values.has(held)) {
        values.add(held)
        const target = defs.get(name) ?? source(name) ?? true
        defs.set(name, target)
        visit(target, held)
      }
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      if (Array.isArray(at[keyword])) for (const part of at[keyword]) visit(part, held)
    }
    for (const keyword of ['not', 'if', 'then', 'else']) visit(at[keyword], held)
    if (Array.isArray(held)) {
      const first = Array.isArray(at.prefixItems) ? at.prefixItems : []
      for (const [index, item] of held.entries()) visit(first[index] ?? at.items, item)
      for (const item of held) visit(at.contains, item)
    } else if (isObject(held)) visitMembers(at, held)
  }
  const visitMembers = (
    at: Readonly<Record<string, unknown>>,
    held: Readonly<Record<string, unknown>>,
  ): void => {
    const {properties, patternProperties, dependentSchemas} = at
    for (const [name, member] of Object.entries(held)) {
      if (isObject(properties) && Object.hasOwn(properties, name)) visit(properties[name], member)
      else {
        visit(at.additionalProperties, member)
        visit(at.unevaluatedProperties, member)
      }
      if (isObject(patternProperties)) for (const one of Object.values(patternProperties)) visit(one, member)
      if (isObject(dependentSchemas)) visit(dependentSchemas[name], held)
      visit(at.propertyNames, name)
    }
  }
  visit(schema, value)
  const needed = new Map(defs)
  for (const part of [schema, ...defs.values()]) {
    for (const name of namesIn(part)) if (!needed.has(name)) needed.set(name, true)
  }
  return needed.size === 0 ? schema : {...schema, $defs: Object.fromEntries(needed)}
}

const DEEPEST = 8
const MOST_MEMBERS = 4000

/** A schema without references, down to the depth that flags for a body need: for skeletons, and types of fields. */
export function withoutReferences(schema: Schema | undefined, source: SchemaSource): JsonSchema | undefined {
  if (schema === undefined) return undefined
  const schemas = asMap(source)
  let left = MOST_MEMBERS
  const unfold = (at: unknown, depth: number, open: readonly unknown[]): JsonSchema => {
    const found = resolved(at, schemas)
    if (found === undefined) return {}
    const {$ref: _, properties: __, allOf: ___, anyOf: ____, oneOf: _____, items: ______, ...own} = found
    if (depth > DEEPEST || left <= 0) return own as JsonSchema
    const key = isObject(at) && typeof at.$ref === 'string' ? at.$ref : at
    if (open.includes(key)) return own as JsonSchema
    const inside = [...open, key]
    const members = fieldSchemas(at, schemas).filter(
      ({schema: member}) => resolved(member, schemas)?.readOnly !== true,
    )
    left -= members.length
    const items = itemsOf(at, schemas)
    return {
      ...variantOf(found, schemas),
      ...(own as JsonSchema),
      ...(members.length === 0
        ? {}
        : {
            type: (own.type ?? unionOf(found, schemas) ?? 'object') as JsonSchema['type'] & {},
            properties: Object.fromEntries(
              members.map(({name, schema: member}) => [name, unfold(member, depth + 1, inside)]),
            ),
          }),
      ...(items === undefined ? {} : {items: unfold(items, depth + 1, inside)}),
    }
  }
  return unfold(schema, 0, [])
}

/** The types of the variants, where they are several. */
function unionOf(found: unknown, schemas: ReadonlyMap<string, Schema>): readonly string[] | undefined {
  const types = typesOf(found, schemas)
  return types.length > 1 ? types : undefined
}

/** The keywords of the first variant, for a plain value. */
function variantOf(
  found: Readonly<Record<string, unknown>>,
  schemas: ReadonlyMap<string, Schema>,
): Readonly<Record<string, unknown>> {
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const list = found[keyword]
    if (!Array.isArray(list)) continue
    const parts = list.map(part => resolved(part, schemas)).filter(part => part !== undefined)
    const types = [...new Set(parts.flatMap(part => [part.type ?? []].flat()))]
    const [first] = parts
    if (first === undefined) continue
    const {properties: _, items: __, $ref: ___, required: ____, ...plain} = first
    return types.length > 1 ? {type: types} : plain
  }
  return {}
}
