import type {Operation} from '../contract/operation.ts'
import {isObject} from '../errors/is-object.ts'
import {valuesAt} from '../sensitive/json-pointer.ts'
import type {WireResponse} from './attempt.ts'
import type {ReceivedBody} from './response-body.ts'
import type {BodyKind} from './retry-rules.ts'
import type {BuiltRequest} from './send-types.ts'

/** Where the profile says that an error has its code, and repeats the status of the response: JSON pointers. */
export interface OwnShape {
  readonly code?: string
  readonly status?: string
}

/**
 * What the body of a response other than 2xx is. An error in the shape that the contract describes is the service's
 * own; gateways have pages, texts and JSON of theirs.
 *
 * @param shape of errors, as the profile says.
 */
export async function bodyKind(
  {
    operation: {form},
    translated,
  }: {readonly operation: Pick<Operation, 'form'>} & Pick<BuiltRequest, 'translated'>,
  {status, headers}: Pick<WireResponse, 'status' | 'headers'>,
  body: ReceivedBody,
  shape: OwnShape = {},
): Promise<BodyKind> {
  if (body.kind === 'file') return 'unreadable'
  if (body.kind !== 'json') return body.kind
  const type = headers['content-type'] ?? ''
  const isJson = /[/+]json\b/i.test(type)
  const isOwn =
    translated?.isOwnError(body.value) && isJson
      ? true
      : form === undefined
        ? isProblem(status, type, body.value) || (isJson && hasShape(shape, status, body.value))
        : isJson && (await form.isOwnError(status, body.value))
  return isOwn ? 'own' : 'json'
}

/** Gateways have a code and a message too. Together with the status, at the places that the profile names, it is no chance. */
const hasShape = ({code, status: place}: OwnShape, status: number, value: unknown): boolean =>
  code !== undefined &&
  place !== undefined &&
  valuesAt(value, place).some(found => found === status || found === String(status)) &&
  valuesAt(value, code).some(found =>
    typeof found === 'string' ? found.trim() !== '' : Number.isInteger(found),
  )

/** The contract's `Problem`, which every operation has for its errors (RFC 9457). */
const isProblem = (status: number, type: string, value: unknown): boolean =>
  /^\s*application\/problem\+json\b/i.test(type) &&
  isObject(value) &&
  value.status === status &&
  typeof value.title === 'string' &&
  value.title.trim() !== ''
