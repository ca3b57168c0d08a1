import {KEY_HEADER} from '../contract/idempotency-key.ts'
import type {Operation} from '../contract/operation.ts'
import {MAX_KEY_LENGTH, scopeOf} from './idempotency.ts'
import {nodeCrypto} from './node-crypto.ts'
import type {PlainRequest} from './plain-http.ts'
import {badRequest} from './problems.ts'

interface Honoured {
  readonly scope: string
  readonly bodyDigest: string
}

/**
 * The request's key, where the sandbox honours one: where it is documented, or on every POST and PATCH that writes.
 * A reply that discloses something is never kept, so a key means nothing there.
 *
 * @throws Problem 400 for a key that is empty or too long, on any POST or PATCH.
 */
export function honouredKey(
  request: PlainRequest,
  operation: Operation,
  credential: string,
  where: 'documented' | 'all',
): Honoured | undefined {
  const key = request.headers[KEY_HEADER]
  const {method, effect, idempotent} = operation
  if (key === undefined || (method !== 'POST' && method !== 'PATCH')) return undefined
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw badRequest('invalid-idempotency-key', `${KEY_HEADER} must have 1 to ${MAX_KEY_LENGTH} characters.`)
  }
  const honoured = idempotent || (where === 'all' && (effect === 'write' || effect === 'destroy'))
  if (!honoured || operation.group === 'sandbox') return undefined
  const [path = ''] = request.url.split('?')
  return {
    scope: scopeOf(credential, method, path, key),
    bodyDigest: nodeCrypto().hash('sha256', request.body, 'base64url'),
  }
}
