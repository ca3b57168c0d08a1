import type {Exchange} from '../../exchange.ts'
import {callIdOf, isObject, withId} from '../../received-call.ts'
import type {SendRequest} from '../wire.ts'

/** Whether an exchange can be sent again: it came to one of the two paths, with JSON. */
export const canReplay = ({request}: Exchange): boolean =>
  /\/(auth|warm-up)$/.test(request.path) && typeof request.body === 'object' && request.body !== null

/** The same call once more, under another id: the same id would get the same answer. */
export function replayOf({request}: Exchange, newId: string): SendRequest {
  const path = request.path.endsWith('/warm-up') ? '/warm-up' : '/auth'
  const {body} = request
  return {path, body: path === '/auth' && isObject(body) ? withId(body, newId) : body}
}

/** `metadata.id` of a call, where there is one. */
export const idOf = (body: unknown): string | undefined => (isObject(body) ? callIdOf(body) : undefined)
