import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import type {AddressInfo} from 'node:net'
import type {Duplex} from 'node:stream'
import {webhookCallCheck} from '../contract/validate.ts'
import type {Secret} from '../sensitive/secret.ts'
import {createListener, type ListenerOptions} from './listener.ts'
import {type Problem, unreadable, writtenProblem} from './respond.ts'

/** Errors of callers that disconnect, or send more after a refusal. Their call was already reported. */
const ENDS: ReadonlySet<string> = new Set(['HPE_INVALID_EOF_STATE', 'HPE_CLOSED_CONNECTION'])

type Options = Pick<ListenerOptions, 'recorder' | 'onExchange' | 'newId' | 'now'>

/** What a server emits for a request that has a response. */
const ASKED = ['request', 'checkContinue', 'checkExpectation'] as const

/**
 * Answers, records and reports input that is not HTTP, and requests to a proxy. If a call waits on the connection, its
 * caller would take the answer for its own, so the connection is cut.
 */
function answerNonHttp(server: Server, options: Options): void {
  const newest = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()
  const note = ({socket}: IncomingMessage, response: ServerResponse) => newest.set(socket, response)
  for (const kind of ASKED) server.on(kind, note)
  const refuse = (socket: Duplex, problem: Problem | undefined, method?: string) => {
    // Everything else there is not HTTP either.
    if (refused.has(socket)) return
    refused.add(socket)
    const waits = newest.get(socket)?.writableFinished === false
    if (problem === undefined || waits) socket.destroy()
    else refuseOn(socket, problem, options, method)
  }
  server.on('clientError', (error, socket) => refuse(socket, problemOf(error, socket)))
  server.on('connect', ({method}, socket) => refuse(socket, unreadable.method, method))
}

/** Undefined if there is nothing to answer: silent connections are closed and not reported. */
function problemOf({code = ''}: Error & {code?: string}, socket: Duplex): Problem | undefined {
  if (!socket.writable || !code.startsWith('HPE_') || ENDS.has(code)) return undefined
  return code === 'HPE_HEADER_OVERFLOW' ? unreadable.headers : unreadable.http
}

/** How long a caller has to disconnect after its answer, in ms. */
const LINGER_MS = 1000

/** Writes to the socket, because there is no response object. */
function refuseOn(
  socket: Duplex,
  problem: Problem,
  {recorder, onExchange, newId, now}: Options,
  method = '',
): void {
  const {status, title, detail: reason} = problem
  const rejected = {type: 'rejected', event: newId(), at: now(), durationMs: 0, status, reason} as const
  const exchange = {
    event: rejected,
    request: {method, path: ''},
    reply: writtenProblem(problem, {}),
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
  // An open connection would keep the server from ending, and with unread input the caller would lose the answer.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.on('error', () => undefined).resume()
  Promise.resolve(recorder?.record(exchange)).then(answer, answer)
}

export interface WebhookOptions extends ListenerOptions {
  readonly host: string
  /** 0 means any free port. */
  readonly port: number
  /** PEM. With `clientCa` a caller must show a certificate of that authority (mTLS). */
  readonly tls?: {readonly cert: string; readonly key: Secret; readonly clientCa?: string} | undefined
}

export interface WebhookServer {
  /** Its URL with the path prefix, without a trailing slash. */
  readonly url: string
  /** Stops listening, answers the calls in progress for at most 1.5 s, and frees port, decider and recorder. */
  close(): Promise<void>
}

const DRAIN_MS = 1500

/** Starts the listener on a port. @throws the system's error (`EADDRINUSE` …) if the port is not available. */
export async function serveWebhook(options: WebhookOptions): Promise<WebhookServer> {
  const {host, port, pathPrefix, decider, recorder, tls} = options
  const server = createServerFor(tls)
  const {listener, end} = createListener(await webhookCallCheck(), options)
  answerNonHttp(server, options)
  // A caller that sends `Expect: 100-continue` gets its 100 when the body is about to be read.
  for (const kind of ASKED) server.on(kind, listener)
  server.headersTimeout = 5000
  server.requestTimeout = 10_000
  // Keep a warmed-up connection open.
  server.keepAliveTimeout = 65_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: `${tls ? 'https' : 'http'}://${hostOf(server.address() as AddressInfo)}${pathPrefix}`,
    close: async () => {
      // A decider that is still working then has no time left. Its call is answered before the connections are cut.
      const cut = setTimeout(() => void end().finally(() => server.closeAllConnections()), DRAIN_MS)
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeIdleConnections()
      await closed
      clearTimeout(cut)
      await end()
      await decider.close?.()
      await recorder?.close()
    },
  }
}

function createServerFor(tls: WebhookOptions['tls']): Server {
  // Node would respond without an explanation, and nothing would be reported.
  const common = {connectionsCheckingInterval: 1000, requireHostHeader: false}
  if (!tls) return createServer(common)
  const {cert, key, clientCa} = tls
  const mutual = clientCa === undefined ? {} : {ca: clientCa, requestCert: true, rejectUnauthorized: true}
  return createTlsServer({...common, cert, key: key.open(), ...mutual})
}

const hostOf = ({address, family, port}: AddressInfo): string =>
  `${family === 'IPv6' ? `[${address}]` : address}:${port}`
