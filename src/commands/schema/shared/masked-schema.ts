import type {JsonSchema} from '../../../contract/json-schema.ts'

const SENSITIVE = {
  type: 'string',
  description: 'Sensitive: masked, unless the command exists to hand it out.',
}

/**
 * The schema of what is printed of a response: sensitive text may be a mask, free text may have masked digits, an amount
 * with more digits than JSON keeps is text, and fields of newer versions of the service are there too.
 */
export function masksIn(schema: JsonSchema): JsonSchema {
  if (schema['x-sensitive'] === true) return SENSITIVE
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(schema)) {
    if (name.startsWith('x-') || (name === 'additionalProperties' && value === false)) continue
    if (schema['x-free-text'] === true && ['pattern', 'maxLength'].includes(name)) continue
    shown[name] = MAPS.has(name) ? eachOf(value) : inside(value)
  }
  if (schema['x-money'] === true && schema.type === 'number') shown.type = ['number', 'string']
  return shown
}

const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties'])

/** Values of `enum` and `const` aren't schemas, and have no keywords of ours. */
const inside = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(inside) : isSchema(value) ? masksIn(value) : value

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

const eachOf = (schemas: object): unknown =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inside(schema)]))
