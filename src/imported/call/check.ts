import {
  distinctDifferences,
  distinctViolations,
  type Explanation,
  explainBody,
  explainValue,
  unfilledPlaceholders,
} from '../../contract/explain-errors.ts'
import type {JsonSchema} from '../../contract/json-schema.ts'
import type {AnyInput} from '../../contract/operation.ts'
import type {SchemaError} from '../../contract/validator.ts'
import type {BodyDifference, Violation} from '../../contract/violation.ts'
import {isObject} from '../../errors/is-object.ts'
import {Secret} from '../../sensitive/secret.ts'
import {resolved} from '../compile/walk-schema.ts'
import type {ImportedOperation, ImportedParameter} from '../contract-form.ts'
import type {Schema} from '../document/document.ts'
import {asTyped, pathValue} from './read-value.ts'
import {asMap, type SchemaSource, withDefinitions, withoutReferences} from './schema-source.ts'
import {validate} from './validate.ts'

/** How a person gives a parameter on the command line. */
const typedName = ({in: place, flag}: ImportedParameter): string =>
  place === 'path' ? `the argument ${flag.toUpperCase()}` : `--${flag}`

/** What is wrong with a request, according to the document. @param nameOf what messages call a parameter */
export async function checkInput(
  {parameters, body}: ImportedOperation,
  input: AnyInput,
  source: SchemaSource,
  nameOf: (parameter: ImportedParameter) => string = typedName,
): Promise<readonly Violation[]> {
  const found: (Explanation | undefined)[] = []
  for (const parameter of parameters)
    found.push(...(await checkParameter(parameter, nameOf(parameter), input, source)))
  const subject = 'the request'
  if (body?.required === true && input.body === undefined) {
    found.push({pointer: '', subject, problem: 'has no fields'})
  }
  if (body === undefined && input.body !== undefined) {
    found.push({pointer: '', subject, problem: 'takes no fields'})
  }
  // Bytes are sent as they are.
  if (body?.schema !== undefined && body.kind !== 'other' && input.body !== undefined) {
    const schema = withoutReferences(body.schema, source)
    const errors = isPlainlyFine(body.schema, input.body, source)
      ? []
      : await errorsOf(withDefinitions(body.schema, input.body, source), input.body, 'request')
    found.push(...errors.map(error => explainBody(error, input.body, schema)))
    found.push(...unfilledPlaceholders(input.body, schema))
  }
  return distinctViolations(found)
}

/** How a response differs from the imported contract. */
export async function checkResponse(
  imported: ImportedOperation,
  status: number,
  body: unknown,
  source: SchemaSource,
): Promise<readonly BodyDifference[]> {
  if (body === undefined) return []
  const schema = replySchema(imported, status)
  if (schema === undefined) return []
  const errors = await errorsOf(withDefinitions(schema, body, source), body, 'reply')
  return distinctDifferences(errors.map(error => explainBody(error, body)))
}

/** The schema of a response with this status, if the document has one. */
export function replySchema(
  {replies}: Pick<ImportedOperation, 'replies'>,
  status: number,
): Schema | undefined {
  const names = [String(status), `${Math.floor(status / 100)}XX`, 'default']
  const name = names.find(one => Object.hasOwn(replies, one))
  return name === undefined ? undefined : replies[name]
}

const PLACES = {path: 'path', query: 'query', header: 'headers', cookie: 'cookies'} as const

async function checkParameter(
  parameter: ImportedParameter,
  subject: string,
  input: AnyInput,
  source: SchemaSource,
): Promise<(Explanation | undefined)[]> {
  const {name, in: place, required, schema} = parameter
  const given = input[PLACES[place]]
  const value: unknown = given && Object.hasOwn(given, name) ? given[name] : undefined
  const pointer = `${place}:${name}`
  if (value === undefined) return required ? [{pointer, subject, problem: 'is missing'}] : []
  const text = value instanceof Secret ? String(value.open()) : value
  const open = place === 'path' ? pathValue(parameter, text, source) : text
  if (isPlainlyFine(schema, open, source)) return []
  const read = asTyped(open, schema, source)
  const errors = await errorsOf(withDefinitions(schema, read, source), read, 'request')
  return errors.map(error =>
    explainValue(error, {pointer, subject, value: open, schema: schema as JsonSchema}),
  )
}

/** Keywords that don't restrict a value, and those that are looked at here. */
const LOOKED_AT = new Set(
  (
    'title description example examples default deprecated readOnly writeOnly ' +
    'type enum minLength maxLength minimum maximum properties required additionalProperties items'
  ).split(' '),
)

/** Certainly what the schema says. True for most parameters and many bodies; loading the validator takes longer. */
function isPlainlyFine(given: unknown, value: unknown, source: SchemaSource): boolean {
  const schema = resolved(given, asMap(source))
  if (schema === undefined) return false
  if (!Object.keys(schema).every(keyword => LOOKED_AT.has(keyword) || keyword.startsWith('x-'))) return false
  const {type, properties, required, additionalProperties, items} = schema
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false
  const isWithin = (size: number, least: unknown, most: unknown): boolean =>
    (typeof least !== 'number' || size >= least) && (typeof most !== 'number' || size <= most)
  switch (typeof value) {
    case 'string':
      return isType(type, 'string') && isWithin([...value].length, schema.minLength, schema.maxLength)
    case 'number':
      return (
        (isType(type, 'number') || (isType(type, 'integer') && Number.isSafeInteger(value))) &&
        isWithin(value, schema.minimum, schema.maximum)
      )
    case 'boolean':
      return isType(type, 'boolean')
    default:
  }
  if (Array.isArray(value))
    return (
      isType(type, 'array') &&
      (items === undefined || value.every(item => isPlainlyFine(items, item, source)))
    )
  if (!isObject(value) || value instanceof Secret || !isType(type, 'object')) return false
  if (Array.isArray(required) && !required.every(name => Object.hasOwn(value, name))) return false
  return Object.entries(value).every(([name, member]) =>
    isObject(properties) && Object.hasOwn(properties, name)
      ? isPlainlyFine(properties[name], member, source)
      : additionalProperties === undefined || additionalProperties === true,
  )
}

const isType = (type: unknown, name: string): boolean =>
  type === undefined || type === name || (Array.isArray(type) && type.includes(name))

async function errorsOf(
  schema: Schema,
  value: unknown,
  direction: 'request' | 'reply',
): Promise<readonly SchemaError[]> {
  return validate(schema, value, direction)
}
