import type {JsonSchema} from '../../contract/json-schema.ts'
import {itemsOf, membersOf, resolved} from '../compile/walk-schema.ts'
import type {Schema} from '../document/document.ts'
import {isObject} from '../document/members.ts'
import {namesIn} from '../document/schema-names.ts'

/** Where the schemas that others refer to are found by name. */
export type SchemaSource = (name: string) => Schema | undefined

/** A source as the map that a walk through schemas asks. */
export const asMap = (source: SchemaSource): ReadonlyMap<string, Schema> =>
  ({get: source}) as unknown as ReadonlyMap<string, Schema>

/**
 * A schema with all that it refers to in its `$defs`, to be checked with. Answers of some services refer to everything
 * that the service knows: what is further away than `most` schemas is not checked.
 */
export function whole(schema: Schema, source: SchemaSource, most: number): Schema {
  const defs = new Map<string, Schema>()
  const waiting = [...namesIn(schema)]
  for (let at = 0; at < waiting.length; at++) {
    const name = waiting[at] ?? ''
    if (defs.has(name)) continue
    const found = defs.size < most ? source(name) : undefined
    defs.set(name, found ?? true)
    if (found !== undefined) waiting.push(...namesIn(found))
  }
  if (typeof schema === 'boolean' || defs.size === 0) return schema
  return {...schema, $defs: Object.fromEntries(defs)}
}

const DEEPEST = 8
const MOST_MEMBERS = 4000

/** A schema without references, as deep as anybody fills in a body by flags: for skeletons, and types of fields. */
export function unfolded(schema: Schema | undefined, source: SchemaSource): JsonSchema | undefined {
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
    const members = membersOf(at, schemas).filter(
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
            type: own.type === undefined ? 'object' : (own.type as string),
            properties: Object.fromEntries(
              members.map(({name, schema: member}) => [name, unfold(member, depth + 1, inside)]),
            ),
          }),
      ...(items === undefined ? {} : {items: unfold(items, depth + 1, inside)}),
    }
  }
  return unfold(schema, 0, [])
}

/** What the first variant says of a plain value. */
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
