import {nearestName} from '../errors/nearest-name.ts'
import {pointerBelow} from '../sensitive/json-pointer.ts'
import {countryExample, isCountry} from './countries.ts'
import type {JsonSchema} from './json-schema.ts'
import {patternWords} from './patterns.ts'
import {fieldSchemaAt, fieldSchemas, pointerSteps, schemaAt, typesOf} from './schema.ts'
import type {SchemaError} from './validator.ts'
import {type BodyDifference, quotableName, type Violation} from './violation.ts'

/** A longer list doesn't help. */
const MOST = 50

/** Removes duplicates and keeps at most 50. */
function distinct(found: Iterable<Explanation | undefined>): readonly Explanation[] {
  const kept = new Map<string, Explanation>()
  for (const explanation of found) {
    if (explanation) kept.set(`${explanation.pointer} ${sentence(explanation)}`, explanation)
    if (kept.size >= MOST) break
  }
  return [...kept.values()]
}

export const distinctViolations = (found: Iterable<Explanation | undefined>): readonly Violation[] =>
  distinct(found).map(toViolation)

export const distinctDifferences = (found: Iterable<Explanation | undefined>): readonly BodyDifference[] =>
  distinct(found).map(explanation => ({
    ...toViolation(explanation),
    problem: explanation.problem,
    ...(explanation.unknown === undefined ? {} : {unknown: explanation.unknown}),
  }))

const sentence = ({subject, problem}: Explanation): string => `${subject} ${problem}`

/** An error of a validator, in the parts of its sentence. */
export interface Explanation {
  readonly pointer: string
  /** What the sentence is about: `address.city`, `the body`. */
  readonly subject: string
  readonly problem: string
  readonly unknown?: BodyDifference['unknown'] | undefined
  readonly suggestion?: string | undefined
}

const toViolation = (explanation: Explanation): Violation => ({
  pointer: explanation.pointer,
  message: sentence(explanation),
  ...(explanation.suggestion === undefined ? {} : {suggestion: explanation.suggestion}),
})

/** An error of a validator about a body; undefined if another error says the same. */
export function explainBody(error: SchemaError, body: unknown, schema?: JsonSchema): Explanation | undefined {
  const pointer = error.instancePath
  const subject = pointer === '' ? 'the body' : nameOf(pointer)
  const place = schema && schemaAt(schema, pointer)
  const unknown = error.params.additionalProperty ?? error.params.unevaluatedProperty
  if (unknown !== undefined) {
    const name = String(unknown)
    return {
      pointer: pointerBelow(pointer, quotableName(name)),
      subject: quotableName(name),
      problem: `is not a field of ${pointer === '' ? (schema?.title ?? subject) : subject}`,
      unknown: 'field',
      suggestion: place && nearestName(name, Object.keys(fieldSchemas(place))),
    }
  }
  if (error.keyword === 'required') {
    const missing = pointerBelow(pointer, String(error.params.missingProperty))
    return {pointer: missing, subject: nameOf(missing), problem: 'is missing'}
  }
  return explainValue(error, {pointer, subject, value: valueAt(body, pointer), schema: place})
}

interface Place {
  readonly pointer: string
  readonly subject: string
  /** Used to find a suggestion, and never quoted. */
  readonly value: unknown
  readonly schema?: JsonSchema | undefined
  /** Values that are never suggested. */
  readonly never?: readonly string[]
}

/** An error about a value, with the allowed value that the user probably meant. Undefined as above. */
export function explainValue(
  error: SchemaError,
  {pointer, subject, value, schema, never = []}: Place,
): Explanation | undefined {
  if (schema && mayBePlaceholder(value) && isPlaceholder(value, schema, pointer)) return unfilled(pointer)
  const problem = problemOf(error, subject, value)
  if (problem === undefined) return undefined
  // Never suggest a value that can't be undone: the user has to type it.
  const marked = schema?.['x-irreversible']
  const lasting = [...never, ...(Array.isArray(marked) ? marked.map(mark => String(mark.value)) : [])]
  const allowed = error.keyword === 'enum' ? error.params.allowedValues : undefined
  const suggestion =
    Array.isArray(allowed) && typeof value === 'string'
      ? nearestName(
          value,
          allowed.map(String).filter(one => !lasting.includes(one)),
        )
      : undefined
  return {pointer, subject, problem, unknown: error.keyword === 'enum' ? 'value' : undefined, suggestion}
}

/** Placeholders of a skeleton that are valid text for the contract. */
export function unfilledPlaceholders(
  value: unknown,
  schema: JsonSchema | undefined,
  pointer = '',
): readonly Explanation[] {
  // The recursion ends with the schema: the validator refuses deeper nesting.
  if (schema === undefined) return []
  if (mayBePlaceholder(value)) return isPlaceholder(value, schema, pointer) ? [unfilled(pointer)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) =>
    unfilledPlaceholders(item, fieldSchemaAt(schema, [name]), pointerBelow(pointer, name)),
  )
}

/** Codes of countries that have the form of one, and that ISO 3166-1 doesn't have: `GER` is DEU. */
export function unknownCountries(body: unknown, pointer = ''): readonly Violation[] {
  if (typeof body === 'object' && body !== null)
    return Object.entries(body).flatMap(([name, item]) => unknownCountries(item, pointerBelow(pointer, name)))
  if (typeof body !== 'string' || !/country$/i.test(pointer)) return []
  if (!/^[A-Z]{3}$/.test(body) || isCountry(body)) return []
  const message = `${nameOf(pointer)} must be a code of ISO 3166-1, such as ${countryExample(body)}`
  return [{pointer, message}]
}

const unfilled = (pointer: string): Explanation => ({
  pointer,
  subject: pointer === '' ? 'the body' : nameOf(pointer),
  problem: 'still has its placeholder; replace or remove it',
})

/** The value at a JSON pointer (RFC 6901), undefined if there is none. */
export function valueAt(body: unknown, pointer: string): unknown {
  let value = body
  for (const step of pointerSteps(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return value
}

/** `/usageLimits/0/code` → `usageLimits[0].code`. */
function nameOf(pointer: string): string {
  return pointerSteps(pointer)
    .map(quotableName)
    .map((step, at) => (/^\d+$/.test(step) ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('')
}

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'text',
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2027-01-31',
  'date-time': 'a time in UTC such as 2027-01-31T10:00:00Z',
  email: 'an e-mail address',
  uri: 'a URL',
  uuid: 'a UUID',
}

/** What is wrong with a value, to follow its name; undefined if another error says the same. */
function problemOf(
  {keyword, params, message}: SchemaError,
  subject: string,
  value: unknown,
): string | undefined {
  const limit = Number(params.limit)
  switch (keyword) {
    case 'if':
    case 'allOf':
      return undefined
    case 'type':
      return `must be ${[params.type].flat().map(named(TYPES)).join(' or ')}`
    case 'enum':
      return `must be one of ${rangesOf(params.allowedValues)}`
    case 'const':
      return 'has another value than the contract allows'
    case 'maxLength':
      return `is longer than ${many(limit, 'character')}`
    case 'minLength':
      return limit === 1 ? 'is empty' : `is shorter than ${many(limit, 'character')}`
    case 'minProperties':
      return limit === 1 ? 'has no fields' : `needs at least ${many(limit, 'field')}`
    case 'maxProperties':
      return `takes at most ${many(limit, 'field')}`
    case 'minItems':
      return limit === 1 ? 'is empty' : `needs at least ${many(limit, 'item')}`
    case 'maxItems':
      return `takes at most ${many(limit, 'item')}`
    case 'uniqueItems':
      return 'has the same item twice'
    case 'minimum':
      return `must be ${limit} or more`
    case 'maximum':
      return `must be ${limit} or less`
    case 'exclusiveMinimum':
      return `must be more than ${limit}`
    case 'exclusiveMaximum':
      return `must be less than ${limit}`
    case 'pattern':
      return `must be ${patternWords(String(params.pattern), subject, value) ?? `of the form ${String(params.pattern)}`}`
    case 'format':
      return `must be ${named(FORMATS)(params.format)}`
    default:
      return message ?? 'does not match'
  }
}

const named =
  (names: Readonly<Record<string, string>>) =>
  (name: unknown): string =>
    names[String(name)] ?? String(name)

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Values as a list; consecutive whole numbers as `1 to 31`. */
function rangesOf(values: unknown): string {
  const parts: string[] = []
  const all: readonly unknown[] = Array.isArray(values) ? values : []
  for (let at = 0; at < all.length; at++) {
    const first = all[at]
    let last = at
    while (typeof first === 'number' && all[last + 1] === Number(all[last]) + 1) last++
    if (last - at >= 2) {
      parts.push(`${first} to ${String(all[last])}`)
      at = last
    } else parts.push(String(first))
  }
  return parts.join(', ')
}

/**
 * A body to fill in: every field once, each value a placeholder that says what to put there (`<number>`,
 * `<text, at most 32 characters>`). A placeholder never matches the contract: cardctl must refuse a forgotten one,
 * because an update would overwrite the field with it.
 */
export function skeleton(schema: JsonSchema, name = ''): unknown {
  const types = typesOf(schema)
  const [only, ...others] = (schema.enum ?? []).filter(value => value !== null)
  if (schema.const !== undefined) return schema.const
  if (only !== undefined && others.length === 0) return only
  const members = Object.entries(fieldSchemas(schema))
  if (members.length > 0) {
    return Object.fromEntries(members.map(([name, member]) => [name, skeleton(member, name)]))
  }
  if (types.includes('array')) return schema.items ? [skeleton(schema.items, name)] : []
  if (types.includes('object')) return {}
  return placeholder(schema, name)
}

/** The placeholder for a value of this schema. */
function placeholder(schema: JsonSchema, name: string): string {
  const types = typesOf(schema)
  const orNull = types.includes('null') || schema.enum?.includes(null) ? ' or null' : ''
  return `<${wantedBy(schema, types, name)}${orNull}>`
}

function wantedBy(schema: JsonSchema, types: readonly string[], name: string): string {
  if (schema.enum) return schema.enum.filter(value => value !== null).join(' | ')
  if (schema['x-money']) return 'amount'
  if (types.filter(type => type !== 'null').length !== 1) return 'any JSON value'
  if (types.includes('boolean')) return 'true or false'
  if (types.includes('integer')) return `whole number${range(schema)}`
  if (types.includes('number')) return `number${range(schema)}`
  const form = FORMS[schema.format ?? ''] ?? patternWords(schema.pattern, name)
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
const mayBePlaceholder = (value: unknown): value is string =>
  typeof value === 'string' && /^<[^<>]+>$/.test(value)

const isPlaceholder = (value: string, schema: JsonSchema, pointer: string): boolean =>
  value === placeholder(schema, pointerSteps(pointer).findLast(step => !/^\d+$/.test(step)) ?? '')
