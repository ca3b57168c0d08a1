import {nearestName} from '../errors/nearest-name.ts'
import {
  distinctDifferences,
  distinctViolations,
  type Explanation,
  explainBody,
  explainValue,
  unfilledPlaceholders,
  valueAt,
} from './explain-errors.ts'
import type {AnyInput, Operation} from './operation.ts'
import {operations} from './operations.gen.ts'
import {type JsonSchema, requestSchema, validatorsFor} from './schema.ts'
import type {OperationId, WebhookId} from './types.ts'
import type {SchemaError, Validator} from './validator.ts'
import {type BodyDifference, quotableName, type Violation} from './violation.ts'

export type {BodyDifference, Violation} from './violation.ts'

/** How a request differs from the contract. Unknown fields and placeholders that were not filled in are violations too. */
export async function checkInput(id: OperationId, input: AnyInput): Promise<readonly Violation[]> {
  const validate = (await validatorsFor(id))[`${id} request`]
  if (!validate) throw new Error(`No validator for requests of ${id}.`)
  const {path, query, body} = input
  const given = {path, query: withoutUndefined(query), ...(body === undefined ? {} : {body})}
  const fits = validate(given)
  const schema = body === undefined ? undefined : await requestSchema(id)
  const unfilled = unfilledPlaceholders(body, schema)
  if (fits && unfilled.length === 0) return []
  return distinctViolations([
    ...(validate.errors ?? []).map(error =>
      isInBody(error)
        ? explainBody({...error, instancePath: error.instancePath.slice('/body'.length)}, body, schema)
        : explainParameter(error, id, input),
    ),
    ...unfilled,
  ])
}

/** How a response differs from the contract, for a client: fields and enum values newer than the contract are fine. */
export function checkResponse(
  id: OperationId | WebhookId,
  status: number,
  body: unknown,
): Promise<readonly BodyDifference[]> {
  return checkResponseAs('open', id, status, body)
}

/**
 * How a success of a service differs from the contract, for a client that accepts it anyway. These are no differences:
 * fields that the contract doesn't know, null (services write absent values that way), and a number that is kept as
 * text because a double can't hold its digits.
 */
export async function responseDifferences(
  id: OperationId,
  status: number,
  body: unknown,
): Promise<readonly BodyDifference[]> {
  const {success} = operations[id]
  const [expectedStatus = status] = success
  const isExpected = (success as readonly number[]).includes(status)
  const found =
    body === undefined
      ? []
      : await checkResponseAs('open', id, isExpected ? status : expectedStatus, body, isUsualVariant)
  const problem = `is ${status}, not ${success.join(' or ')}`
  return isExpected ? found : [{pointer: '', message: `the status ${problem}`, problem}, ...found]
}

/** How a response differs from the contract, for its author: unknown fields and enum values are violations too. */
export function checkResponseStrict(
  id: OperationId | WebhookId,
  status: number,
  body: unknown,
): Promise<readonly BodyDifference[]> {
  return checkResponseAs('closed', id, status, body)
}

/** How an authorisation call differs from the contract. Unknown fields and enum values are fine. */
export async function checkWebhookCall(id: WebhookId, body: unknown): Promise<readonly Violation[]> {
  return (await webhookCallCheck())(id, body)
}

/** The same as a synchronous function, for callers that check thousands of calls a second. */
export async function webhookCallCheck(): Promise<WebhookCallCheck> {
  const validators = await validatorsFor('webhook')
  return (id, body) => {
    const validate = validators[`${id} request`]
    if (!validate) throw new Error(`No validator for calls of ${id}.`)
    return explained(validate, body)
  }
}

export type WebhookCallCheck = (id: WebhookId, body: unknown) => readonly Violation[]

/** How a call differs from the contract, for its author: unknown fields and enum values are violations too. */
export async function checkWebhookCallStrict(id: WebhookId, body: unknown): Promise<readonly Violation[]> {
  const validate = (await validatorsFor('webhook'))[`${id} request closed`]
  if (!validate) throw new Error(`No closed validator for calls of ${id}.`)
  return explained(validate, body, await requestSchema(id))
}

/** How an answer to a call differs from the contract. If the contract describes no body, any is ignored. */
export async function checkWebhookAnswer(id: WebhookId, body: unknown): Promise<readonly Violation[]> {
  const validate = (await validatorsFor('webhook'))[`${id} 200 open`]
  return validate ? explained(validate, body) : []
}

async function checkResponseAs(
  kind: 'open' | 'closed',
  id: OperationId | WebhookId,
  status: number,
  body: unknown,
  isFine: (error: SchemaError, body: unknown) => boolean = () => false,
): Promise<readonly BodyDifference[]> {
  const validators = await validatorsFor(id)
  // The contract describes the body of an error response, but the body may be absent.
  const fallback = status >= 400 && body !== undefined ? validators[`${id} default ${kind}`] : undefined
  const validate = validators[`${id} ${status} ${kind}`] ?? fallback
  if (validate) {
    if (validate(body)) return []
    const errors = (validate.errors ?? []).filter(error => !isFine(error, body))
    if (errors.length === 0) return []
    return distinctDifferences(errors.map(error => explainBody(error, body)))
  }
  if (body === undefined) return []
  const problem = `is not in the contract for status ${status}`
  return [{pointer: '', message: `the body ${problem}`, problem}]
}

function explained(validate: Validator, body: unknown, schema?: JsonSchema): readonly Violation[] {
  if (validate(body)) return []
  const errors = (validate.errors ?? []).slice(0, MOST_EXPLAINED)
  return distinctViolations(errors.map(error => explainBody(error, body, schema)))
}

/** Nobody reads more, and each is compared with all names of its place. */
const MOST_EXPLAINED = 1000

const LONG_NUMBER = /^-?[\d.]{16,}(?:[eE][+-]?\d+)?$/

function isUsualVariant({instancePath, keyword, params}: SchemaError, body: unknown): boolean {
  const value = valueAt(body, instancePath)
  if (value === null) return true
  return (
    keyword === 'type' &&
    [params.type].flat().includes('number') &&
    typeof value === 'string' &&
    LONG_NUMBER.test(value)
  )
}

const isInBody = ({instancePath}: SchemaError): boolean => /^\/body(\/|$)/.test(instancePath)

/** A violation in a path or query parameter, or a body that is missing or not allowed. */
function explainParameter(error: SchemaError, id: OperationId, input: AnyInput): Explanation | undefined {
  const [, place = '', inside] = error.instancePath.split('/')
  const {missingProperty, additionalProperty} = error.params
  if (place === '') {
    return {
      pointer: '',
      subject: 'the request',
      problem: additionalProperty === undefined ? 'has no fields' : 'takes no fields',
    }
  }
  const name = quotableName(inside ?? String(missingProperty ?? additionalProperty))
  const pointer = `${place}:${name}`
  const subject = `the ${place} parameter ${name}`
  if (missingProperty !== undefined && inside === undefined) return {pointer, subject, problem: 'is missing'}
  if (additionalProperty !== undefined && inside === undefined) {
    const suggestion = nearestName(name, parametersOf(operations[id], place))
    return {pointer, subject, problem: 'is unknown', suggestion}
  }
  const values: Readonly<Record<string, unknown>> = place === 'path' ? input.path : input.query
  const never = operations[id].irreversible.flatMap(mark => (mark.pointer === pointer ? mark.values : []))
  return explainValue(error, {pointer, subject, value: values[name], never})
}

const parametersOf = ({pathParams, query}: Operation, place: string): readonly string[] =>
  place === 'path' ? pathParams : query.map(({name}) => name)

function withoutUndefined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
