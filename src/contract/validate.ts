import type {JsonSchema} from './json-schema.ts'
import {nearestName} from './nearest-name.ts'
import type {AnyInput, Operation} from './operation.ts'
import {operations} from './operations.gen.ts'
import {membersOf, requestSchema} from './schema.ts'
import {validatorsFor} from './topics.ts'
import type {OperationId, WebhookId} from './types.ts'
import type {SchemaError, Validator} from './validator.ts'

/** Something that does not fit the contract. Values are never quoted: they may be secret. */
export interface Violation {
  /** JSON pointer into the body (`/address/city`, '' for all of it), `path:NAME` or `query:NAME`. */
  readonly pointer: string
  /** A sentence without a full stop: "creditlimit is not a member of the body". */
  readonly message: string
  /** What was probably meant. */
  readonly suggestion?: string
}

/** What is wrong with a request, before it is sent or served. Unknown members are violations. */
export async function checkInput(id: OperationId, input: AnyInput): Promise<readonly Violation[]> {
  const validate = (await validatorsFor(id))[`${id} request`]
  if (!validate) throw new Error(`No validator for requests of ${id}.`)
  const {hasBody, value} = readable(id, input)
  if (validate(value)) return []
  const schema = hasBody ? await requestSchema(id) : undefined
  return violationsOf(validate, error => inRequest(error, id, schema))
}

/** What is wrong with a reply, for a reader: members that came later than the contract are fine. */
export function checkReply(
  id: OperationId | WebhookId,
  status: number,
  body: unknown,
): Promise<readonly Violation[]> {
  return checkReplyAs('open', id, status, body)
}

/** What is wrong with a reply, for its author: unknown members are violations too. */
export function checkReplyStrict(
  id: OperationId | WebhookId,
  status: number,
  body: unknown,
): Promise<readonly Violation[]> {
  return checkReplyAs('closed', id, status, body)
}

/** What is wrong with a call of the service to its client; unknown members and enum values are fine. */
export async function checkWebhookCall(id: WebhookId, body: unknown): Promise<readonly Violation[]> {
  const validate = (await validatorsFor('webhook'))[`${id} request`]
  if (!validate) throw new Error(`No validator for calls of ${id}.`)
  return validate(body) ? [] : violationsOf(validate, inBody)
}

/** What is wrong with the client's answer to a call. */
export function checkWebhookReply(id: WebhookId, body: unknown): Promise<readonly Violation[]> {
  return checkReplyAs('open', id, 200, body)
}

async function checkReplyAs(
  kind: 'open' | 'closed',
  id: OperationId | WebhookId,
  status: number,
  body: unknown,
): Promise<readonly Violation[]> {
  const validators = await validatorsFor(id)
  const validate = validators[`${id} ${status} ${kind}`]
  if (validate) return validate(body) ? [] : violationsOf(validate, inBody)
  if (body === undefined) return []
  const fallback = status >= 400 ? validators[`${id} default ${kind}`] : undefined
  if (fallback) return fallback(body) ? [] : violationsOf(fallback, inBody)
  return [{pointer: '', message: `the contract knows no body for status ${status}`}]
}

function readable(id: OperationId, {path, query, body}: AnyInput) {
  const operation: Operation = operations[id]
  const value = {path, query: withoutUndefined(query), ...(body === undefined ? {} : {body})}
  return {hasBody: operation.body !== 'none', value}
}

function withoutUndefined(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** More complaints than these help nobody. */
const MOST = 50

function violationsOf(
  validate: Validator,
  toViolation: (error: SchemaError) => Violation | undefined,
): readonly Violation[] {
  const found = new Map<string, Violation>()
  for (const error of validate.errors ?? []) {
    const violation = toViolation(error)
    if (violation) found.set(`${violation.pointer} ${violation.message}`, violation)
    if (found.size >= MOST) break
  }
  return [...found.values()]
}

function inRequest(
  error: SchemaError,
  id: OperationId,
  schema: JsonSchema | undefined,
): Violation | undefined {
  const [, place = '', ...rest] = error.instancePath.split('/')
  if (place === 'body')
    return inBody({...error, instancePath: rest.length > 0 ? `/${rest.join('/')}` : ''}, schema)
  const {missingProperty, additionalProperty} = error.params as Record<string, string | undefined>
  const name = rest[0] ?? missingProperty ?? additionalProperty ?? place
  const what = place === 'path' ? `the path parameter ${name}` : `the query parameter ${name}`
  if (place === '') {
    if (error.keyword === 'required') return {pointer: '', message: `${id} needs a body`}
    if (error.keyword === 'additionalProperties') return {pointer: '', message: `${id} takes no body`}
  }
  if (error.keyword === 'required') return {pointer: `${place}:${name}`, message: `${what} is missing`}
  if (error.keyword === 'additionalProperties')
    return {pointer: `${place}:${name}`, message: `${what} is unknown`}
  return wordsOf(error, {pointer: `${place}:${name}`, what})
}

function inBody(error: SchemaError, schema?: JsonSchema): Violation | undefined {
  const pointer = error.instancePath
  const what = pointer === '' ? 'the body' : nameOf(pointer)
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    const name = String(error.params.additionalProperty ?? error.params.unevaluatedProperty)
    const place = schema && schemaAt(schema, pointer)
    const suggestion = place && nearestName(name, Object.keys(membersOf(place)))
    return {
      pointer: `${pointer}/${name}`,
      message: `${name} is not a member of ${what}`,
      ...(suggestion === undefined ? {} : {suggestion}),
    }
  }
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty)
    return {
      pointer: `${pointer}/${name}`,
      message: `${pointer === '' ? name : nameOf(`${pointer}/${name}`)} is missing`,
    }
  }
  return wordsOf(error, {pointer, what})
}

/** Says what is wrong with the value at a place, or undefined where another complaint says it already. */
function wordsOf(
  {keyword, params, message}: SchemaError,
  {pointer, what}: {pointer: string; what: string},
): Violation | undefined {
  const limit = String(params.limit)
  switch (keyword) {
    case 'if':
    case 'allOf':
      return undefined
    case 'type':
      return {pointer, message: `${what} must be ${[params.type].flat().join(' or ')}`}
    case 'enum':
      return {pointer, message: `${what} must be one of ${listOf(params.allowedValues)}`}
    case 'maxLength':
      return {pointer, message: `${what} is longer than ${limit} characters`}
    case 'minLength':
      return {
        pointer,
        message: limit === '1' ? `${what} is empty` : `${what} is shorter than ${limit} characters`,
      }
    case 'minProperties':
      return {pointer, message: `${what} has no members`}
    case 'pattern':
      return {
        pointer,
        message: `${what} ${FORMS[String(params.pattern)] ?? `does not have the form ${params.pattern}`}`,
      }
    case 'format':
      return {pointer, message: `${what} is not a valid ${params.format}`}
    default:
      return {pointer, message: `${what} ${message ?? 'does not fit'}`}
  }
}

/** What people call the forms that the contract writes as patterns. */
const FORMS: Readonly<Record<string, string>> = {
  '^[0-9]+$': 'must be digits only',
  '^-?[0-9]{1,19}$': 'must be a whole number of at most 19 digits',
  '^[0-9]{12,19}$': 'must be 12 to 19 digits',
  '^[A-Z]{3}$': 'must be three capital letters',
  '^[A-Za-z0-9+/]+={0,2}$': 'must be base64',
  Z$: 'must be in UTC and end in Z',
}

const listOf = (values: unknown): string =>
  Array.isArray(values) ? values.map(value => String(value)).join(', ') : ''

/** `/usageLimits/0/code` → `usageLimits[0].code`. */
function nameOf(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step, at) => (/^\d+$/.test(step) ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('')
}

function schemaAt(schema: JsonSchema, pointer: string): JsonSchema | undefined {
  let place: JsonSchema | undefined = schema
  for (const step of pointer.split('/').slice(1)) {
    place = place && (/^\d+$/.test(step) && place.items ? place.items : membersOf(place)[step])
  }
  return place
}
