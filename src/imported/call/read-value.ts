import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {resolved, typesOf} from '../compile/walk-schema.ts'
import type {ImportedParameter} from '../contract-form.ts'
import {asMap, type SchemaSource} from './schema-source.ts'

/** The kind of flag that a parameter needs. */
export type ValueKind = 'boolean' | 'list' | 'object' | 'plain'

export function kindOfValue({schema, mediaType}: ImportedParameter, source: SchemaSource): ValueKind {
  if (mediaType !== undefined) return 'object'
  const types = typesOf(schema, asMap(source)).filter(type => type !== 'null')
  if (types.length === 1 && types[0] === 'boolean') return 'boolean'
  if (types.includes('string') || types.includes('integer') || types.includes('number')) return 'plain'
  if (types.includes('array')) return 'list'
  return types.includes('object') ? 'object' : 'plain'
}

/**
 * The value of a parameter's flag, converted to the type in the document.
 *
 * @param number reads a number that a person typed, as JSON writes it.
 * @throws Failure USAGE for an object that is neither name=value nor JSON
 */
export async function readValue(
  parameter: ImportedParameter,
  given: unknown,
  source: SchemaSource,
  number: ReadNumber,
): Promise<unknown> {
  const schema = resolved(parameter.schema, asMap(source))
  switch (kindOfValue(parameter, source)) {
    case 'boolean':
      return given
    case 'list': {
      const items: unknown[] = []
      for (const text of texts(given)) items.push(await typed(text, schema?.items, source, number))
      return items
    }
    case 'object':
      return objectOf(parameter, texts(given), schema, source, number)
    case 'plain':
      return typed(String(given), parameter.schema, source, number)
  }
}

const texts = (given: unknown): string[] => [given].flat().map(String)

type ReadNumber = (text: string) => Promise<string>

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
  return text
}

async function objectOf(
  {flag}: ImportedParameter,
  given: readonly string[],
  schema: Readonly<Record<string, unknown>> | undefined,
  source: SchemaSource,
  number: ReadNumber,
): Promise<unknown> {
  const [only = ''] = given
  if (given.length === 1 && /^\s*[[{]/.test(only)) {
    try {
      return JSON.parse(only)
    } catch {
      throw new Failure('USAGE', {message: `The value of --${flag} is not valid JSON.`})
    }
  }
  const members = isObject(schema?.properties) ? schema.properties : {}
  const value: Record<string, unknown> = {}
  for (const text of given) {
    const at = text.indexOf('=')
    if (at < 1) throw new Failure('USAGE', {message: `--${flag} takes name=value, or all of it as JSON.`})
    const steps = text.slice(0, at).split('.')
    set(
      value,
      steps,
      await typed(
        text.slice(at + 1),
        steps.length === 1 ? members[steps[0] ?? ''] : undefined,
        source,
        number,
      ),
    )
  }
  return value
}

function set(holder: Record<string, unknown>, [step = '', ...rest]: readonly string[], value: unknown): void {
  const define = (member: unknown): void => {
    Object.defineProperty(holder, step, {value: member, enumerable: true, configurable: true, writable: true})
  }
  if (rest.length === 0) {
    define(value)
    return
  }
  const known = Object.hasOwn(holder, step) ? holder[step] : undefined
  const inner = isObject(known) ? {...known} : {}
  set(inner, rest, value)
  define(inner)
}
