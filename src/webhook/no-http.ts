import type {IncomingMessage, Server, ServerResponse} from 'node:http'
import type {Duplex} from 'node:stream'
import type {ListenerOptions} from './listener.ts'
import {type Problem, unreadable} from './problems.ts'

/** Callers who break off, or go on after they were refused: their call has been told of. */
const ENDS: ReadonlySet<string> = new Set(['HPE_INVALID_EOF_STATE', 'HPE_CLOSED_CONNECTION'])

type Options = Pick<ListenerOptions, 'recorder' | 'onExchange' | 'newId' | 'now'>

/** What a server emits for a request that has a response. */
export const ASKED = ['request', 'checkContinue', 'checkExpectation'] as const

/**
 * Answers, records and tells of what is no request, and of who takes us for a proxy. On a connection where a call waits, an
 * answer would be taken for that call's: it is cut.
 */
export function answerNoHttp(server: Server, options: Options): void {
  const newest = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()
  const note = ({socket}: IncomingMessage, response: ServerResponse) => newest.set(socket, response)
  for (const kind of ASKED) server.on(kind, note)
  const refuse = (socket: Duplex, problem: Problem | undefined, method?: string) => {
    // Whatever else comes there is no HTTP either.
    if (refused.has(socket)) return
    refused.add(socket)
    const waits = newest.get(socket)?.writableFinished === false
    if (problem === undefined || waits) socket.destroy()
    else refuseOn(socket, problem, options, method)
  }
  server.on('clientError', (error, socket) => refuse(socket, problemOf(error, socket)))
  server.on('connect', ({method}, socket) => refuse(socket, unreadable.method, method))
}

/** Undefined where there is nothing to answer: connections that say nothing for too long are closed and not told of. */
function problemOf({code = ''}: Error & {code?: string}, socket: Duplex): Problem | undefined {
  if (!socket.writable || !code.startsWith('HPE_') || ENDS.has(code)) return undefined
  return code === 'HPE_HEADER_OVERFLOW' ? unreadable.headers : unreadable.http
}

/** How long a caller has to hang up after its answer, ms. */
const LINGER_MS = 1000

/** There is no response: it is written by hand. */
function refuseOn(
  socket: Duplex,
  problem: Problem,
  {recorder, onExchange, newId, now}: Options,
  method = '',
): void {
  const {status, title, detail: reason} = problem
  const told = {type: 'rejected', event: newId(), at: now(), durationMs: 0, status, reason} as const
  const exchange = {
    event: told,
    request: {method, path: ''},
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
        ...(status === 405 ? ['allow: POST'] : []),
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    )
    onExchange(exchange)
  }
  // Whoever does not hang up would keep the server from its end, and what it sends unread would cost it the answer.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.on('error', () => undefined).resume()
  Promise.resolve(recorder?.record(exchange)).then(answer, answer)
}
