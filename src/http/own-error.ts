import type {Operation} from '../contract/operation.ts'
import {isObject} from '../errors/is-object.ts'
import type {WireResponse} from './attempt.ts'
import type {ReceivedBody} from './response-body.ts'
import type {BodyKind} from './retry-rules.ts'

/**
 * What the body of a response other than 2xx is. An error in the shape that the contract describes is the service's
 * own; gateways have pages, texts and JSON of theirs.
 */
export async function bodyKind(
  {form}: Pick<Operation, 'form'>,
  {status, headers}: Pick<WireResponse, 'status' | 'headers'>,
  body: ReceivedBody,
): Promise<BodyKind> {
  if (body.kind === 'file') return 'unreadable'
  if (body.kind !== 'json') return body.kind
  const type = headers['content-type'] ?? ''
  const isOwn =
    form === undefined
      ? isProblem(status, type, body.value)
      : /[/+]json\b/i.test(type) && (await form.isOwnError(status, body.value))
  return isOwn ? 'own' : 'json'
}

/** The contract's `Problem`, which every operation has for its errors (RFC 9457). */
const isProblem = (status: number, type: string, value: unknown): boolean =>
  /^\s*application\/problem\+json\b/i.test(type) &&
  isObject(value) &&
  value.status === status &&
  typeof value.title === 'string' &&
  value.title.trim() !== ''
