import type {JsonSchema} from './json-schema.ts'
import {PATTERNS} from './patterns.ts'
import {fieldSchemas, typesOf} from './schema.ts'

/**
 * A body to fill in: every field once, each value a placeholder that says what to put there (`<number>`,
 * `<text, at most 32 characters>`). A placeholder never matches the contract: cardctl must refuse a forgotten one,
 * because an update would overwrite the field with it.
 */
export function skeleton(schema: JsonSchema): unknown {
  const types = typesOf(schema)
  const [only, ...others] = (schema.enum ?? []).filter(value => value !== null)
  if (schema.const !== undefined) return schema.const
  if (only !== undefined && others.length === 0) return only
  const members = Object.entries(fieldSchemas(schema))
  if (members.length > 0) {
    return Object.fromEntries(members.map(([name, member]) => [name, skeleton(member)]))
  }
  if (types.includes('array')) return schema.items ? [skeleton(schema.items)] : []
  if (types.includes('object')) return {}
  return placeholder(schema)
}

/** The placeholder for a value of this schema. */
export function placeholder(schema: JsonSchema): string {
  const types = typesOf(schema)
  const orNull = types.includes('null') || schema.enum?.includes(null) ? ' or null' : ''
  return `<${wantedBy(schema, types)}${orNull}>`
}

function wantedBy(schema: JsonSchema, types: readonly string[]): string {
  if (schema.enum) return schema.enum.filter(value => value !== null).join(' | ')
  if (schema['x-money']) return 'amount'
  if (types.filter(type => type !== 'null').length !== 1) return 'any JSON value'
  if (types.includes('boolean')) return 'true or false'
  if (types.includes('integer')) return `whole number${range(schema)}`
  if (types.includes('number')) return `number${range(schema)}`
  const form = FORMS[schema.format ?? ''] ?? PATTERNS[schema.pattern ?? '']
  if (form !== undefined) return form
  return schema.maxLength === undefined ? 'text' : `text, at most ${schema.maxLength} characters`
}

const range = ({minimum, maximum}: JsonSchema): string =>
  minimum === undefined || maximum === undefined ? '' : `, ${minimum} to ${maximum}`

const FORMS: Readonly<Record<string, string>> = {
  date: 'date YYYY-MM-DD',
  'date-time': 'time YYYY-MM-DDTHH:MM:SSZ',
  uuid: 'UUID',
  uri: 'URL',
  email: 'e-mail address',
}

/** Whether a text looks like a placeholder. Only the schema says for what. */
export const mayBePlaceholder = (value: unknown): value is string =>
  typeof value === 'string' && /^<[^<>]+>$/.test(value)
