import {operations} from '../../contract/operations.gen.ts'
import {patternWords} from '../../contract/patterns.ts'
import {fieldSchemas, type JsonSchema, requestSchema, schemaAt, typesOf} from '../../contract/schema.ts'
import type {OperationId} from '../../contract/types.ts'
import {pathSteps} from '../body.ts'

/** A field of a body that can be set with -F. */
export interface BodyField {
  /** `address.city`. */
  readonly path: string
  readonly required: boolean
  /** What fits: "a number, 0 or more". */
  readonly fits: string
}

/** The fields of the body of an operation, without what is secret: that is never asked for here. */
export async function bodyFields(id: OperationId): Promise<readonly BodyField[]> {
  const schema = await requestSchema(id)
  if (schema === undefined) return []
  const secret: readonly string[] = operations[id].sensitive.request
  return [...fieldsOf(schema, [], true)].filter(({path}) => !secret.includes(`/${path.replaceAll('.', '/')}`))
}

/** `cardOverrides.city` as "Card overrides / city", `certificates[0]` as "Certificates / 1". */
export function fieldWords(path: string): string {
  const words = pathSteps(path)
    .map(step => (/^\d+$/.test(step) ? String(Number(step) + 1) : inWords(step)))
    .join(' / ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

/** Abbreviations such as BID stay as they are. */
const inWords = (name: string): string =>
  name.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').replace(/\b[A-Z](?=[a-z])/g, letter => letter.toLowerCase())

function* fieldsOf(schema: JsonSchema, path: readonly string[], isNeeded: boolean): Generator<BodyField> {
  for (const [name, field] of Object.entries(fieldSchemas(schema))) {
    const required = isNeeded && schema.required?.includes(name) === true
    const types = typesOf(field)
    if (types.includes('object')) yield* fieldsOf(field, [...path, name], required)
    else if (field['x-sensitive'] !== true)
      yield {path: [...path, name].join('.'), required, fits: fitsOf(field, name)}
  }
}

/** A part of an item of a list. */
interface ItemField {
  /** `.code`; empty if the item is a plain value. */
  readonly name: string
  readonly required: boolean
}

/** What an item of a list consists of; undefined if the field is no list. */
export async function itemFields(id: OperationId, path: string): Promise<readonly ItemField[] | undefined> {
  const schema = await requestSchema(id)
  const field = schema && schemaAt(schema, `/${pathSteps(path).join('/')}`)
  if (field?.items === undefined || !typesOf(field).includes('array')) return undefined
  if (!typesOf(field.items).includes('object')) return [{name: '', required: true}]
  return [...fieldsOf(field.items, [], true)].map(part => ({name: `.${part.path}`, required: part.required}))
}

/** The values that the contract lists for a field; none if it takes others. */
export async function valuesOfField(id: OperationId, path: string): Promise<readonly string[]> {
  const schema = await requestSchema(id)
  const field = schema && schemaAt(schema, `/${pathSteps(path).join('/')}`)
  if (field === undefined) return []
  if (typesOf(field).includes('boolean')) return ['true', 'false']
  return (field.enum ?? []).map(value => String(value))
}

function fitsOf(field: JsonSchema, name: string): string {
  const types = typesOf(field)
  const nullable = types.includes('null') ? '; null clears it' : ''
  return `${wordsFor(field, types, name)}${nullable}`
}

function wordsFor(
  {enum: values, format, minimum, maxLength, pattern}: JsonSchema,
  types: readonly string[],
  name: string,
): string {
  if (types.includes('array')) return 'A list; you give one item after another'
  if (values) return `One of ${values.filter(value => value !== null).join(', ')}`
  if (format === 'date') return 'A date, for example 2027-01-15'
  if (format === 'date-time') return 'A time, for example 2027-01-15T00:00:00Z'
  if (types.includes('boolean')) return 'true or false'
  if (types.includes('number') || types.includes('integer'))
    return minimum === undefined ? 'A number' : `A number, ${minimum} or more`
  const formed = patternWords(pattern, name)
  if (formed !== undefined) return `${formed[0]?.toUpperCase()}${formed.slice(1)}`
  return maxLength === undefined ? 'Text' : `Text, at most ${maxLength} characters`
}
