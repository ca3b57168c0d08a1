import type {JsonSchema} from './json-schema.ts'
import {loaders} from './topics.gen.ts'
import type {OperationId, WebhookId} from './types.ts'
import type {Validators} from './validator.ts'

export type {JsonSchema} from './json-schema.ts'

/** The body schema of a request, free of references; undefined if it has no body. */
export async function requestSchema(id: OperationId | WebhookId): Promise<JsonSchema | undefined> {
  return (await schemasFor(id)).requests[id]
}

/** The types that a schema takes, `null` among them; empty if it takes any. */
export const typesOf = ({type}: JsonSchema): readonly string[] => (type === undefined ? [] : [type].flat())

export interface FieldType {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'unknown'
  readonly nullable: boolean
  /** One of several types is text, and none is a number or a boolean. */
  readonly isText?: true
  /** Of text that is a day or a time. */
  readonly format?: 'date' | 'date-time'
}

/** The type of a field by its dotted path: `address.city`, `usageLimits.0.code`. */
export function fieldType(schema: JsonSchema, path: string): FieldType {
  const found = fieldSchemaAt(schema, path.split('.'))
  const types = found ? typesOf(found) : []
  const [type, ...others] = types.filter(name => name !== 'null')
  const isText =
    others.length > 0 &&
    types.includes('string') &&
    !types.some(one => /^(?:number|integer|boolean)$/.test(one))
  const format = found?.format
  return {
    ...(isText ? {isText} : {}),
    ...(format === 'date' || format === 'date-time' ? {format} : {}),
    type: type !== undefined && others.length === 0 ? (type as FieldType['type']) : 'unknown',
    nullable: types.length === 0 || types.includes('null'),
  }
}

/** The schema of a field by the steps of its pointer; undefined if the schema doesn't describe it. */
export function fieldSchemaAt(schema: JsonSchema, steps: readonly string[]): JsonSchema | undefined {
  const [step, ...rest] = steps
  if (step === undefined) return schema
  for (const part of [schema, ...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    const own = part.properties && Object.hasOwn(part.properties, step) ? part.properties[step] : undefined
    const next = own ?? (/^\d+$/.test(step) ? part.items : undefined)
    const found = next && fieldSchemaAt(next, rest)
    if (found) return found
  }
  return undefined
}

/** The fields that a schema describes, including those of its parts. */
export function fieldSchemas(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  return Object.assign({}, ...parts.map(fieldSchemas), schema.properties ?? {})
}

/** The schema of the value at a JSON pointer; undefined if the schema doesn't describe it. */
export function schemaAt(schema: JsonSchema, pointer: string): JsonSchema | undefined {
  return fieldSchemaAt(schema, pointerSteps(pointer))
}

/** The field names and array positions of a JSON pointer (RFC 6901). */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

interface TopicSchemas {
  readonly requests: Readonly<Record<string, JsonSchema>>
  readonly replies: Readonly<Record<string, JsonSchema>>
}

interface Topic {
  validators(): Promise<{validators: Validators}>
  schemas(): Promise<{default: unknown}>
}

const topics: Readonly<Record<string, Topic>> = loaders

/** The names of all topics, `webhook` among them. */
export const topicNames: readonly string[] = Object.keys(topics)

/** The topic of an operation: the beginning of its id. */
function topicOf(id: string): Topic {
  const topic = topics[id.split('.', 1)[0] ?? '']
  if (!topic) throw new Error(`The contract has no topic for ${id}.`)
  return topic
}

/**
 * Caches loaded modules: even for a loaded module, `import()` costs a look-up, which a bulk job would repeat for every
 * row.
 */
function once<Value>(load: (id: string) => Promise<Value>): (id: string) => Promise<Value> {
  const loaded = new Map<string, Promise<Value>>()
  return id => {
    const known = loaded.get(id) ?? load(id)
    loaded.set(id, known)
    return known
  }
}

export const validatorsFor = once(async id => (await topicOf(id).validators()).validators)

export const schemasFor = once(async id => (await topicOf(id).schemas()).default as TopicSchemas)
