import {isObject} from '../../../errors/is-object.ts'
import type {Exchange} from '../../exchange.ts'
import {callIdOf, withId} from '../../received-call.ts'
import {isBrief, type SendRequest, type Target} from '../wire.ts'
import {plainJson} from './text.ts'

/** A command for a POSIX shell that sends a call again. Credentials are variables of the shell: the page has none. */
export function asCurl({url, auth, authHeader}: Target, path: string, body: unknown): string {
  const credentials =
    auth === 'basic'
      ? ['--user "$WEBHOOK_USER:$WEBHOOK_PASSWORD"']
      : auth === 'bearer'
        ? ['--header "authorization: Bearer $WEBHOOK_TOKEN"']
        : auth === 'header'
          ? [`--header "${authHeader}: $WEBHOOK_CREDENTIAL"`]
          : []
  const text = typeof body === 'string' ? body : plainJson(body)
  return [
    `curl --silent --show-error ${quoted(url + path)}`,
    `--header 'content-type: application/json'`,
    ...credentials,
    `--data-raw ${quoted(text)}`,
  ].join(' \\\n  ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Whether an exchange can be sent again: it came to one of the two paths, with JSON, and the page has all of it. */
export const canReplay = (exchange: Exchange): boolean => {
  const {path, body} = exchange.request
  return !isBrief(exchange) && /\/(auth|warm-up)$/.test(path) && typeof body === 'object' && body !== null
}

/** The same call once more, under another id: the same id would get the same answer. */
export function replayOf({request}: Exchange, newId: string): SendRequest {
  const path = request.path.endsWith('/warm-up') ? '/warm-up' : '/auth'
  const {body} = request
  return {path, body: path === '/auth' && isObject(body) ? withId(body, newId) : body}
}

/** The id of a replay names the call that was sent again, so that every window can show then and now. */
export const replayId = (event: string, random: string): string => `replay-${event}-${random.slice(0, 8)}`

/** The event of the call that this id is a replay of. */
export const replayedEvent = (id: string | undefined): string | undefined =>
  /^replay-(e_\w+)-[0-9a-f]{8}$/.exec(id ?? '')?.[1]

/** `metadata.id` of a call, where there is one. */
export const idOf = (body: unknown): string | undefined => (isObject(body) ? callIdOf(body) : undefined)
