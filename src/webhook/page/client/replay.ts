import type {Exchange} from '../../exchange.ts'
import type {SendRequest} from '../wire.ts'

/** Whether an exchange can be sent again: it came to one of the two paths, with JSON. */
export const canReplay = ({request}: Exchange): boolean =>
  /\/(auth|warm-up)$/.test(request.path) && typeof request.body === 'object' && request.body !== null

/** The same call once more, under another id: the same id would get the same answer. */
export function replayOf({request}: Exchange, newId: string): SendRequest {
  const path = request.path.endsWith('/warm-up') ? '/warm-up' : '/auth'
  const {body} = request
  return {path, body: path === '/auth' ? withId(body, newId) : body}
}

function withId(body: unknown, id: string): unknown {
  if (typeof body !== 'object' || body === null || !('metadata' in body)) return body
  const {metadata} = body
  return typeof metadata === 'object' && metadata !== null ? {...body, metadata: {...metadata, id}} : body
}

/** `metadata.id` of a call, where there is one. */
export function idOf(body: unknown): string | undefined {
  const {metadata} = (body ?? {}) as {metadata?: {id?: unknown}}
  return typeof metadata?.id === 'string' ? metadata.id : undefined
}
