import type {Hello} from '../wire.ts'
import {plainJson} from './text.ts'

/** A command for a POSIX shell that sends a call again. Credentials are variables of the shell: the page has none. */
export function asCurl({url, auth}: Pick<Hello, 'url' | 'auth'>, path: string, body: unknown): string {
  const credentials =
    auth === 'basic'
      ? ['--user "$WEBHOOK_USER:$WEBHOOK_PASSWORD"']
      : auth === 'bearer'
        ? ['--header "authorization: Bearer $WEBHOOK_TOKEN"']
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
