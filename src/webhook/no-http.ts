import type {Socket} from 'node:net'
import type {ListenerOptions} from './listener.ts'
import {unreadable} from './problems.ts'

/** Callers who break off, or go on after they were refused: their call has been told of. */
const ENDS: ReadonlySet<string> = new Set(['HPE_INVALID_EOF_STATE', 'HPE_CLOSED_CONNECTION'])

/** Answers what no request could be made of. Connections that say nothing for too long are closed and not told of. */
export function answerNoHttp(
  error: Error & {code?: string},
  socket: Socket,
  {recorder, onExchange, newId, now}: Pick<ListenerOptions, 'recorder' | 'onExchange' | 'newId' | 'now'>,
): void {
  const {code = ''} = error
  if (!socket.writable || !code.startsWith('HPE_') || ENDS.has(code)) return void socket.destroy()
  const problem = code === 'HPE_HEADER_OVERFLOW' ? unreadable.headers : unreadable.http
  const {status, title, detail: reason} = problem
  const told = {type: 'rejected', event: newId(), at: now(), durationMs: 0, status, reason} as const
  const exchange = {
    event: told,
    request: {method: '', path: ''},
    reply: {status, body: problem},
    steps: [],
  }
  const body = JSON.stringify(problem)
  const answer = () => {
    socket.end(
      [
        `HTTP/1.1 ${status} ${title}`,
        'content-type: application/problem+json',
        `content-length: ${Buffer.byteLength(body)}`,
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    )
    onExchange(exchange)
  }
  Promise.resolve(recorder?.record(exchange)).then(answer, answer)
}
