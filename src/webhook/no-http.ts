import type {IncomingMessage} from 'node:http'
import type {Socket} from 'node:net'
import {maskText} from '../sensitive/mask-text.ts'
import type {Exchange} from './exchange.ts'
import type {ListenerOptions} from './listener.ts'
import {type Problem, unreadable} from './problems.ts'

type Options = Pick<ListenerOptions, 'recorder' | 'onExchange' | 'newId' | 'now'>

/** Callers who break off, or go on after they were refused: their call has been told of. */
const ENDS: ReadonlySet<string> = new Set(['HPE_INVALID_EOF_STATE', 'HPE_CLOSED_CONNECTION'])

/** How long a caller has to hang up after its answer, ms. */
const LINGER_MS = 1000

/** Answers what no request could be made of. Connections that say nothing for too long are closed and not told of. */
export function answerNoHttp(error: Error & {code?: string}, socket: Socket, options: Options): void {
  const {code = ''} = error
  if (!socket.writable || !code.startsWith('HPE_') || ENDS.has(code)) return void socket.destroy()
  const problem = code === 'HPE_HEADER_OVERFLOW' ? unreadable.headers : unreadable.http
  refuse(problem, {method: '', path: ''}, socket, options)
}

/** Answers who takes us for a proxy. */
export function answerConnect(
  {method = '', url = ''}: IncomingMessage,
  socket: Socket,
  options: Options,
): void {
  socket.on('error', () => undefined)
  refuse(unreadable.method, {method, path: maskText(url)}, socket, options)
}

/** There is no response to write to: it is written by hand. */
function refuse(problem: Problem, request: Exchange['request'], socket: Socket, options: Options): void {
  const {recorder, onExchange, newId, now} = options
  const {status, title, detail: reason} = problem
  const told = {type: 'rejected', event: newId(), at: now(), durationMs: 0, status, reason} as const
  const exchange = {event: told, request, reply: {status, body: problem}, steps: []}
  const body = JSON.stringify(problem)
  const answer = () => {
    // Whoever does not hang up would keep the server from its end.
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
    socket
      .resume()
      .end(
        [
          `HTTP/1.1 ${status} ${title}`,
          'content-type: application/problem+json',
          `content-length: ${Buffer.byteLength(body)}`,
          ...(status === 405 ? ['allow: POST'] : []),
          'connection: close',
          '',
          body,
        ].join('\r\n'),
      )
    onExchange(exchange)
  }
  Promise.resolve(recorder?.record(exchange)).then(answer, answer)
}
