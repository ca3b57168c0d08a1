import {createHash, timingSafeEqual} from 'node:crypto'
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {Socket} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {Failure} from '../../../errors/failure.ts'
import {isAllowedHost, isCrossSite} from '../../../network/browser-guard.ts'
import type {Secret} from '../../../sensitive/secret.ts'
import {refusalBudget} from './caller-limits.ts'
import {problem, type Reply} from './reply.ts'
import {MOST_BYTES, type RawRequest} from './strict-request.ts'

/** How long a request may take to arrive, its head and all of it, ms. */
const HEAD_MS = 5_000
const ARRIVAL_MS = 20_000
const KEEP_ALIVE_MS = 10_000
/** Of one caller at once, and on a port also of those that have not shown its token. */
const MOST_CONNECTIONS = 64
const MOST_REQUESTS = 16

/** A server for one caller. */
export interface CallerServer {
  /** Stops listening, and waits for the requests in progress. */
  close(): Promise<void>
}

export interface ListenOptions {
  /** The path of a socket, or a port of 127.0.0.1. */
  readonly at: string | number
  /** What the caller must show, as it is now; undefined on a socket, which nobody else can reach. */
  readonly token: (() => Promise<Secret>) | undefined
  answer(request: RawRequest): Promise<Reply>
  /** Told of what is refused before it is read. @param isCaller whether the caller sent it, or anybody. */
  refused(why: string, isCaller: boolean): void
}

/** Serves one caller. Limits what arrives; what it means is for `answer`. */
export async function listenFor({at, token, answer, refused}: ListenOptions): Promise<CallerServer> {
  const running = new Set<Promise<unknown>>()
  const wrong = refusalBudget()
  const strangers = new Set<Socket>()
  const handle = async (request: IncomingMessage): Promise<Reply | undefined> => {
    const barred = await barredBy(request, token)
    if (barred !== undefined) {
      refused(barred.why ?? '', false)
      // Who guesses waits, and keeps nobody else out.
      if (wrong.seconds() > 0) await delay(GUESS_MS)
      else wrong.add()
      return barred
    }
    strangers.delete(request.socket)
    if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) {
      refused(tooLarge.why ?? '', true)
      return tooLarge
    }
    if (running.size >= MOST_REQUESTS) {
      refused('Too many requests at once', true)
      return problem(
        429,
        {title: 'Too many requests at once', detail: `At most ${MOST_REQUESTS} are served.`},
        {
          'retry-after': '1',
        },
      )
    }
    const answered = readAndAnswer(request, answer).then(reply => {
      if (reply === tooLarge) refused(tooLarge.why ?? '', true)
      return reply
    })
    running.add(answered)
    return answered.finally(() => running.delete(answered))
  }
  const server = createServer(
    {
      headersTimeout: HEAD_MS,
      requestTimeout: ARRIVAL_MS,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: 16 * 1024,
      insecureHTTPParser: false,
    },
    (request, response) => {
      void handle(request).then(
        reply => send(response, reply, server.listening),
        () => response.destroy(),
      )
    },
  )
  server.maxConnections = token === undefined ? MOST_CONNECTIONS : 2 * MOST_CONNECTIONS
  if (token !== undefined) server.on('connection', socket => welcome(socket, strangers))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (!isLate) refused('Not a request of HTTP', token === undefined)
    socket.end(`HTTP/1.1 ${isLate ? '408 Request Timeout' : '400 Bad Request'}\r\nconnection: close\r\n\r\n`)
  })
  for (const kind of ['upgrade', 'connect'] as const)
    server.on(kind, (_, socket) => {
      refused('Not a request of HTTP', token === undefined)
      socket.destroy()
    })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    if (typeof at === 'number') server.listen(at, '127.0.0.1', resolve)
    else server.listen(at, resolve)
  })
  return {
    close: async () => {
      await closed(server)
      // A caller that is gone does not end what it has asked for.
      await Promise.allSettled(running)
    },
  }
}

/** Others who connect don't keep the caller out: the one that has shown no token for the longest time goes. */
function welcome(socket: Socket, strangers: Set<Socket>): void {
  strangers.add(socket)
  socket.once('close', () => strangers.delete(socket))
  const [first] = strangers
  if (strangers.size > MOST_CONNECTIONS) first?.destroy()
}

async function readAndAnswer(
  request: IncomingMessage,
  answer: ListenOptions['answer'],
): Promise<Reply | undefined> {
  const body = await readBody(request)
  if (body === undefined) return undefined
  if (body === 'too large') return tooLarge
  const {method = '', url = '', rawHeaders} = request
  return answer({method, url, rawHeaders, body})
}

/** How long the next wrong token waits, after many. */
const GUESS_MS = 1_000

const tooLarge = problem(413, {
  title: 'The body is too large',
  detail: `The body is larger than ${MOST_BYTES / 1024 / 1024} MiB.`,
})

/** On a port, every program of the machine can connect, and every page of a browser on it. */
async function barredBy(
  {method = '', headers}: IncomingMessage,
  read: ListenOptions['token'],
): Promise<Reply | undefined> {
  if (read === undefined) return undefined
  if (isCrossSite(method, headers) || !isAllowedHost(headers.host))
    return problem(403, {title: 'Refused', detail: 'A page of a browser is not served.'})
  const given = /^Bearer ([\x21-\x7e]+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const token = await read().catch((error: unknown) => {
    if (error instanceof Failure) return undefined
    throw error
  })
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return token !== undefined && timingSafeEqual(digest(given), digest(token.open()))
    ? undefined
    : problem(401, {title: 'Not known', detail: 'The token is missing or wrong.'})
}

/** The bytes; undefined if the caller disconnects before the end. */
function readBody(request: IncomingMessage): Promise<Buffer | 'too large' | undefined> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= MOST_BYTES) chunks.push(chunk)
      else {
        chunks.length = 0
        resolve('too large')
      }
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('close', () => resolve(undefined))
  })
}

function send(response: ServerResponse, reply: Reply | undefined, isListening: boolean): void {
  if (reply === undefined || response.destroyed) return void response.destroy()
  const isWhole = response.req.complete
  response.writeHead(reply.status, {
    ...reply.headers,
    'content-length': String(Buffer.byteLength(reply.text)),
    'cache-control': 'no-store',
    // What is left of a body that was not read isn't another request.
    ...(isListening && isWhole ? {} : {connection: 'close'}),
  })
  response.end(response.req.method === 'HEAD' ? '' : reply.text, () => {
    if (!isWhole) response.req.destroy()
  })
}

async function closed(server: Server): Promise<void> {
  const ended = new Promise(resolve => server.close(resolve))
  server.closeIdleConnections()
  await ended
}
