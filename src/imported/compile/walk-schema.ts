import {isObject} from '../../errors/is-object.ts'
import type {Schema} from '../document/document.ts'

type Schemas = ReadonlyMap<string, Schema>
type Members = Readonly<Record<string, unknown>>

/** The schema itself, or the target of its reference. */
export function resolved(schema: unknown, schemas: Schemas): Members | undefined {
  let found = schema
  for (let links = 0; links < 64 && isObject(found) && typeof found.$ref === 'string'; links++) {
    const rest = {...found}
    delete rest.$ref
    const target: unknown = schemas.get(found.$ref.slice('#/$defs/'.length))
    if (!isObject(target)) return undefined
    found = {...target, ...rest}
  }
  return isObject(found) ? found : undefined
}

/** A field that a value of a schema may have. */
export interface Member {
  readonly name: string
  readonly schema: unknown
  readonly required: boolean
}

/** The fields of all variants. */
export function fieldSchemas(schema: unknown, schemas: Schemas, depth = 8): Member[] {
  const found = resolved(schema, schemas)
  if (found === undefined || depth === 0) return []
  const required = Array.isArray(found.required) ? found.required : []
  const own = isObject(found.properties)
    ? Object.entries(found.properties).map(([name, member]) => ({
        name,
        schema: member,
        required: required.includes(name),
      }))
    : []
  const inner = (['allOf', 'anyOf', 'oneOf'] as const).flatMap(keyword =>
    (Array.isArray(found[keyword]) ? found[keyword] : []).flatMap((part: unknown) =>
      fieldSchemas(part, schemas, depth - 1).map(member =>
        keyword === 'allOf'
          ? {...member, required: member.required || required.includes(member.name)}
          : {...member, required: false},
      ),
    ),
  )
  const all = new Map<string, Member>()
  for (const member of [...inner, ...own]) all.set(member.name, member)
  return [...all.values()]
}

/** The types that a value may have; all of them if the schema names none. */
export function typesOf(schema: unknown, schemas: Schemas, depth = 8): readonly string[] {
  const found = resolved(schema, schemas)
  if (found === undefined || depth === 0) return []
  if (found.type !== undefined) return [found.type].flat().map(String)
  if (Array.isArray(found.enum)) return [...new Set(found.enum.map(jsonType))]
  if (found.const !== undefined) return [jsonType(found.const)]
  if (isObject(found.properties)) return ['object']
  if (found.items !== undefined) return ['array']
  const parts = [found.allOf, found.anyOf, found.oneOf].flatMap(list => (Array.isArray(list) ? list : []))
  return [...new Set(parts.flatMap(part => typesOf(part, schemas, depth - 1)))]
}

/** The variants of a schema, or the schema itself if it has none. */
export function variantsOf(schema: unknown, schemas: Schemas, depth = 8): Members[] {
  const found = resolved(schema, schemas)
  if (found === undefined || depth === 0) return []
  const parts = [found.anyOf, found.oneOf].flatMap(list => (Array.isArray(list) ? list : []))
  return parts.length === 0 ? [found] : parts.flatMap(part => variantsOf(part, schemas, depth - 1))
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

/** The schema of a list's items, even if the list is one of several variants. */
export function itemsOf(schema: unknown, schemas: Schemas, depth = 8): unknown {
  const found = resolved(schema, schemas)
  if (found === undefined || depth === 0) return undefined
  if (found.items !== undefined) return found.items
  for (const part of [found.allOf, found.anyOf, found.oneOf].flatMap(list =>
    Array.isArray(list) ? list : [],
  )) {
    const items = itemsOf(part, schemas, depth - 1)
    if (items !== undefined) return items
  }
  return undefined
}
