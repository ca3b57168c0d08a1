import {isObject} from '../../../errors/is-object.ts'
import type {Exchange} from '../../exchange.ts'
import {callIdOf, withId} from '../../received-call.ts'
import type {Hello, SendRequest} from '../wire.ts'
import {plainJson} from './text.ts'

/** A command for a POSIX shell that sends a call again. Credentials are variables of the shell: the page has none. */
export function asCurl(
  {url, auth, authHeader}: Pick<Hello, 'url' | 'auth' | 'authHeader'>,
  path: string,
  body: unknown,
): string {
  const credentials =
    auth === 'basic'
      ? ['--user "$WEBHOOK_USER:$WEBHOOK_PASSWORD"']
      : auth === 'bearer'
        ? ['--header "authorization: Bearer $WEBHOOK_TOKEN"']
        : auth === 'header'
          ? [`--header "${authHeader}: $WEBHOOK_CREDENTIAL"`]
          : []
  // The address is this machine's, and its certificate may be made for this run.
  const trust = url.startsWith('https:') ? ['--insecure'] : []
  const text = typeof body === 'string' ? body : plainJson(body)
  return [
    `curl --silent --show-error ${quoted(url + path)}`,
    `--header 'content-type: application/json'`,
    ...trust,
    ...credentials,
    `--data-raw ${quoted(text)}`,
  ].join(' \\\n  ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

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
