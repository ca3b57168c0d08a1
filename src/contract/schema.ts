import type {JsonSchema} from './json-schema.ts'
import {schemasFor} from './topics.ts'
import type {OperationId, WebhookId} from './types.ts'

export type {JsonSchema} from './json-schema.ts'

/** The body schema of a request, free of references; undefined if it has no body. */
export async function requestSchema(id: OperationId | WebhookId): Promise<JsonSchema | undefined> {
  return (await schemasFor(id)).requests[id]
}

export interface FieldType {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'unknown'
  readonly nullable: boolean
}

/** The type of a member by its dotted path: `address.city`, `usageLimits.0.code`. */
export function fieldType(schema: JsonSchema, path: string): FieldType {
  const found = memberAt(schema, path.split('.'))
  const types = found?.type === undefined ? [] : [found.type].flat()
  const [type] = types.filter(name => name !== 'null')
  const isKnown = types.filter(name => name !== 'null').length === 1
  return {
    type: isKnown ? (type as FieldType['type']) : 'unknown',
    nullable: types.length === 0 || types.includes('null'),
  }
}

function memberAt(schema: JsonSchema, steps: readonly string[]): JsonSchema | undefined {
  const [step, ...rest] = steps
  if (step === undefined) return schema
  for (const part of [schema, ...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    const own = part.properties && Object.hasOwn(part.properties, step) ? part.properties[step] : undefined
    const next = own ?? (/^\d+$/.test(step) ? part.items : undefined)
    const found = next && memberAt(next, rest)
    if (found) return found
  }
  return undefined
}

/** The members that a schema names, its parts included. */
export function membersOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  return Object.assign({}, ...parts.map(membersOf), schema.properties ?? {})
}

/** A value of the schema's shape to fill in: every member there, values as valid as can be told. */
export function skeleton(schema: JsonSchema): unknown {
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (schema.const !== undefined) return schema.const
  if (schema.enum?.length) return schema.enum.find(value => value !== null) ?? null
  if (types.includes('object') || schema.properties) {
    return Object.fromEntries(
      Object.entries(membersOf(schema)).map(([name, member]) => [name, skeleton(member)]),
    )
  }
  if (types.includes('array')) return schema.items ? [skeleton(schema.items)] : []
  if (types.includes('boolean')) return false
  if (types.includes('integer') || types.includes('number'))
    return schema.minimum ?? (schema.exclusiveMinimum ?? -1) + 1
  if (types.includes('string')) return STRINGS[schema.format ?? ''] ?? ''
  return null
}

const STRINGS: Readonly<Record<string, string>> = {
  date: '2027-01-31',
  'date-time': '2027-01-31T00:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
  email: 'name@example.com',
}
