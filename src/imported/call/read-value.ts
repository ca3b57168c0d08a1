import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {fieldSchemas, itemsOf, resolved, typesOf, variantsOf} from '../compile/walk-schema.ts'
import type {ImportedParameter} from '../contract-form.ts'
import {asMap, type SchemaSource} from './schema-source.ts'

/** The kind of flag that a parameter needs. One that may be a list or an object can be repeated, whatever else it may be. */
export type ValueKind = 'boolean' | 'list' | 'object' | 'plain'

export function kindOfValue({schema, mediaType}: ImportedParameter, source: SchemaSource): ValueKind {
  if (mediaType !== undefined) return 'object'
  const types = typesOf(schema, asMap(source)).filter(type => type !== 'null')
  if (types.length === 1 && types[0] === 'boolean') return 'boolean'
  if (types.includes('object')) return 'object'
  return types.includes('array') ? 'list' : 'plain'
}

/**
 * The value of a parameter's flag, converted to the type in the document. Of several types, an object is
 * `name=value` or JSON, a list is what was repeated or what no single value can be, and anything else is one value.
 *
 * @param number reads a number that a person typed, as JSON writes it.
 * @throws Failure USAGE for what is none of them
 */
export async function readValue(
  parameter: ImportedParameter,
  given: unknown,
  source: SchemaSource,
  number: ReadNumber,
): Promise<unknown> {
  const {flag, schema, mediaType} = parameter
  const kind = kindOfValue(parameter, source)
  if (kind === 'boolean') return given
  const texts = [given].flat().map(String)
  const [only = ''] = texts
  if (kind === 'plain') return typed(only, schema, source, number)
  const schemas = asMap(source)
  const types = mediaType === undefined ? typesOf(schema, schemas) : ['object']
  const isScalar = types.some(type => !['object', 'array', 'null'].includes(type))
  if (types.includes('object')) {
    const known = new Set(fieldSchemas(schema, schemas).map(({name}) => name))
    const isMember = (text: string): boolean => {
      const [name = ''] = text.split(/[.=]/, 1)
      // Any text may have a sign of equality.
      return text.indexOf('=') > 0 && (known.has(name) || !types.includes('string'))
    }
    if (texts.length === 1 && /^\s*[[{]/.test(only)) return parsed(flag, only)
    if (texts.every(isMember)) return objectOf(texts, schema, source, number)
  }
  const isOne = texts.length === 1 && isScalar && (!types.includes('array') || fitsOne(only, schema, source))
  if (isOne) return typed(only, schema, source, number)
  if (types.includes('array')) return listOf(texts, itemsOf(schema, schemas), source, number)
  const one = isScalar ? 'takes one value, or name=value for a field of it' : 'takes name=value'
  throw new Failure('USAGE', {message: `--${flag} ${one}, or all of it as JSON.`})
}

type ReadNumber = (text: string) => Promise<string>

async function listOf(
  texts: readonly string[],
  schema: unknown,
  source: SchemaSource,
  number: ReadNumber,
): Promise<unknown[]> {
  const items: unknown[] = []
  for (const text of texts) items.push(await typed(text, schema, source, number))
  return items
}

/** Whether a plain value may have this text. A variant of the type string may take only some. */
function fitsOne(text: string, schema: unknown, source: SchemaSource): boolean {
  return variantsOf(schema, asMap(source)).some(variant => {
    const isPlain = typesOf(variant, asMap(source)).every(type => type !== 'array' && type !== 'object')
    return isPlain && (!Array.isArray(variant.enum) || variant.enum.map(String).includes(text))
  })
}

/** "0123" stays text if the document types it as text. */
async function typed(
  given: string,
  schema: unknown,
  source: SchemaSource,
  number: ReadNumber,
): Promise<unknown> {
  const types = typesOf(schema, asMap(source))
  if (types.includes('string') || types.length === 0) return given
  if (types.includes('null') && given === 'null') return null
  const isNumber = types.includes('integer') || types.includes('number')
  const text = isNumber ? await number(given) : given
  // A number with more digits than a double holds is sent as written.
  if (isNumber && /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text)) return Number(text)
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true'
  if (/^\s*[[{]/.test(text)) return jsonOf(text) ?? text
  return text
}

function parsed(flag: string, text: string): unknown {
  const value = jsonOf(text)
  if (value === undefined) throw new Failure('USAGE', {message: `The value of --${flag} is not valid JSON.`})
  return value
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Fields from `name=value` or `name.field=value`. A field that is a list has one for each item. */
async function objectOf(
  texts: readonly string[],
  schema: unknown,
  source: SchemaSource,
  number: ReadNumber,
): Promise<Readonly<Record<string, unknown>>> {
  const value: Record<string, unknown> = {}
  for (const text of texts) {
    const at = text.indexOf('=')
    const steps = text.slice(0, at).split('.')
    const member = steps.reduce<unknown>(
      (found, step) => fieldSchemas(found, asMap(source)).find(({name}) => name === step)?.schema,
      schema,
    )
    const isList = typesOf(member, asMap(source)).includes('array')
    const schemaOfIt = isList ? itemsOf(member, asMap(source)) : member
    const read = await typed(text.slice(at + 1), schemaOfIt, source, number)
    set(value, steps, before => (isList ? [...(Array.isArray(before) ? before : []), read] : read))
  }
  return value
}

function set(
  holder: Record<string, unknown>,
  [step = '', ...rest]: readonly string[],
  change: (before: unknown) => unknown,
): void {
  const known = Object.hasOwn(holder, step) ? holder[step] : undefined
  let value: unknown
  if (rest.length === 0) value = change(known)
  else {
    const inner = isObject(known) ? {...known} : {}
    set(inner, rest, change)
    value = inner
  }
  Object.defineProperty(holder, step, {value, enumerable: true, configurable: true, writable: true})
}

/**
 * The list or object that the text of a path parameter stands for: `a,b`, `name=value,name=value`, or JSON. Any other
 * value is what it is.
 *
 * @throws Failure USAGE for an object that is neither
 */
export function pathValue({flag, schema}: ImportedParameter, given: unknown, source: SchemaSource): unknown {
  if (typeof given !== 'string') return given
  const types = typesOf(schema, asMap(source)).filter(type => type !== 'null')
  const isObjectLike = types.includes('object')
  if (types.length === 0 || !types.every(type => type === 'array' || type === 'object')) return given
  if (/^\s*[[{]/.test(given)) return parsed(flag, given)
  const parts = given.split(',')
  if (!isObjectLike) return parts
  if (parts.every(part => part.indexOf('=') > 0))
    return Object.fromEntries(
      parts.map(part => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
    )
  if (types.includes('array')) return parts
  throw new Failure('USAGE', {
    message: `The argument ${flag.toUpperCase()} takes name=value,name=value, or all of it as JSON.`,
  })
}

/** A value as its schema types it, where it came as text. */
export function asTyped(value: unknown, schema: unknown, source: SchemaSource): unknown {
  const schemas = asMap(source)
  if (Array.isArray(value)) {
    const items = itemsOf(schema, schemas)
    return value.map(item => asTyped(item, items, source))
  }
  if (isObject(value)) {
    const fields = new Map(fieldSchemas(schema, schemas).map(({name, schema: member}) => [name, member]))
    const {additionalProperties} = resolved(schema, schemas) ?? {}
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        asTyped(member, fields.get(name) ?? additionalProperties, source),
      ]),
    )
  }
  const types = typesOf(schema, schemas)
  if (typeof value === 'number' && types.includes('string') && !types.includes('number')) return String(value)
  if (typeof value !== 'string' || types.includes('string')) return value
  if (types.some(type => type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(value))
    return Number(value)
  if (types.includes('boolean') && /^(?:true|false)$/.test(value)) return value === 'true'
  return value
}
