import type {ClientRequest, IncomingMessage, OutgoingHttpHeaders} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import {Failure} from '../errors/failure.ts'
import {LIMITS} from '../limits/limits.ts'
import {type OutgoingTls, openOutgoing} from '../network/outgoing.ts'
import type {Secret} from '../sensitive/secret.ts'
import {BodyFault, readBody} from './read-body.ts'

export interface EndpointOptions {
  /** The URL above the paths of calls. */
  readonly base: URL
  /** Sent with every call. Names are in lower case. */
  readonly headers?: Readonly<Record<string, string | Secret>> | undefined
  /** The authorities of the endpoint's certificate, and our own certificate if it requires one. */
  readonly tls?: OutgoingTls | undefined
}

export interface EndpointAnswer {
  readonly status: number
  /** With names in lower case. */
  readonly headers: Readonly<NodeJS.Dict<string[]>>
  readonly body: Buffer
}

/**
 * Where we drop the connection of a call: with half of its body sent; with all of its JSON sent, but not the last chunk or
 * the last byte of its length; all of it sent, where the connection is closed or, a moment later, reset; or an answer begun.
 */
export type Drop =
  | 'in the request'
  | 'before the last chunk'
  | 'before its length'
  | 'before the answer'
  | 'by a reset before the answer'
  | 'in the answer'

/**
 * How a request is written: its body in chunks without Content-Length, also of one byte each, or byte by byte; names of
 * headers in capitals; or a parameter of its Content-Type.
 */
export type Transport =
  | 'in chunks'
  | 'in chunks of a byte'
  | 'byte by byte'
  | 'headers in capitals'
  | 'with a charset'

export interface PostSettings {
  readonly transport?: Transport | undefined
  /** GET only asks whether anybody is there. */
  readonly method?: 'POST' | 'GET'
  /** Sends the body in pieces over this time, in ms. */
  readonly slowMs?: number | undefined
  /** The last byte of the body is sent after this, so that several calls are whole at the same time. */
  readonly lastByteAfter?: Promise<void> | undefined
  /** Of this call. Names are in lower case. Those of the endpoint take precedence. */
  readonly headers?: Readonly<Record<string, string | string[]>> | undefined
  /** By which the call proves who sends it. They take precedence over all others. */
  readonly credentials?: Readonly<Record<string, string>> | undefined
  readonly drop?: Drop | undefined
  /** For a reset: when it comes, after the body. An endpoint may still be deciding then. */
  readonly resetAfterMs?: number | undefined
}

/** An endpoint for the service's calls, over connections that are kept open. */
export interface Endpoint {
  /** @throws EndpointFault; redirects are answers like any other. */
  post(path: string, body: Buffer, signal: AbortSignal, settings?: PostSettings): Promise<EndpointAnswer>
  close(): void
}

const WORDS = {
  unreachable: "the endpoint can't be reached",
  untrusted: 'no trusted TLS connection',
  cut: 'the connection was closed before the end of an answer',
  'too-large': `the answer has more than ${LIMITS.call.bytes} bytes`,
  aborted: 'no answer in time',
  dropped: 'cardctl dropped the connection',
} as const

/**
 * Why there is no complete answer; the message says it as a sentence without a full stop. `untrusted`: the TLS
 * connection failed; `cut`: the connection was closed before the end of the answer; `dropped`: by us.
 */
export class EndpointFault extends Error {
  override readonly name = 'EndpointFault'
  readonly reason: keyof typeof WORDS

  constructor(reason: EndpointFault['reason'], cause?: unknown) {
    // The system's code, such as ECONNREFUSED.
    const because =
      reason !== 'aborted' && cause instanceof Error && 'code' in cause ? ` (${cause.code})` : ''
    super(WORDS[reason] + because, {cause})
    this.reason = reason
  }
}

/** The other side may close a connection that was idle for longer just when it is used. */
const IDLE_MS = 4000

export function openEndpoint({base, headers = {}, tls}: EndpointOptions): Endpoint {
  const isSecure = base.protocol === 'https:'
  const outgoing = openOutgoing(base.protocol, {keepAlive: true, timeout: IDLE_MS, tls})

  function post(
    path: string,
    body: Buffer,
    signal: AbortSignal,
    settings: PostSettings = {},
  ): Promise<EndpointAnswer> {
    const {slowMs = 0, drop, method = 'POST', transport, lastByteAfter, resetAfterMs = 0} = settings
    return new Promise((resolve, reject) => {
      const request = outgoing.request(below(base, path), {
        method,
        signal,
        headers: written(transport, {
          'content-type':
            transport === 'with a charset' ? 'application/json; charset=utf-8' : 'application/json',
          accept: 'application/json',
          ...settings.headers,
          ...opened(headers),
          ...settings.credentials,
          ...lengthOf(body, settings),
          ...(path === '/warm-up' ? {'x-warmup': 'true'} : {}),
        }),
      })
      let reached: Reached = 'nobody'
      request.on('socket', socket => {
        if (request.reusedSocket) {
          reached = 'endpoint'
          return
        }
        socket.once('connect', () => {
          reached = isSecure ? 'machine' : 'endpoint'
        })
        socket.once('secureConnect', () => {
          reached = 'endpoint'
        })
      })
      let answered = false
      let isDropped = false
      const dropNow = () => {
        isDropped = true
        request.destroy()
        reject(new EndpointFault('dropped'))
      }
      request.on('response', response => {
        answered = true
        if (drop !== undefined) dropNow()
        else readAnswer(response, signal).then(resolve, reject)
      })
      request.on('error', error => {
        // An idle connection may be closed just when it is used. The same id means the same call, so send it again.
        const isStale = request.reusedSocket && !answered && !signal.aborted && !isDropped
        if (isStale) post(path, body, signal, settings).then(resolve, reject)
        else
          reject(
            new EndpointFault(
              signal.aborted ? 'aborted' : isAlert(error) ? 'untrusted' : FAULTS[reached],
              error,
            ),
          )
      })
      if (drop === 'in the request') request.write(body.subarray(0, body.length / 2), dropNow)
      else if (drop === 'before the last chunk' || drop === 'before its length') {
        request.write(body, () => setTimeout(dropNow, READ_MS))
      } else if (drop === 'before the answer') request.end(body, dropNow)
      else if (drop === 'by a reset before the answer') {
        request.end(body, () =>
          setTimeout(() => {
            request.socket?.resetAndDestroy()
            dropNow()
          }, resetAfterMs),
        )
      } else if (lastByteAfter) {
        request.write(body.subarray(0, -1))
        void lastByteAfter.then(() => request.end(body.subarray(-1)))
      } else if (slowMs > 0) void sendSlowly(request, body, slowMs)
      else if (transport === 'in chunks') sendPieces(request, body, Math.ceil(body.length / PIECES))
      else if (transport === 'byte by byte' || transport === 'in chunks of a byte')
        sendPieces(request, body, 1)
      else request.end(body)
    })
  }

  return {post, close: () => outgoing.close()}
}

const PIECES = 10

/** An endpoint has read by then what came. */
const READ_MS = 50

/** Without it, the body goes in chunks. */
function lengthOf({length}: Buffer, {transport, drop}: PostSettings): {readonly 'content-length'?: number} {
  const isChunked = transport === 'in chunks' || transport === 'in chunks of a byte'
  if (isChunked || drop === 'before the last chunk') return {}
  return {'content-length': drop === 'before its length' ? length + 1 : length}
}

function written(
  transport: Transport | undefined,
  headers: Readonly<Record<string, string | string[] | number>>,
): OutgoingHttpHeaders {
  if (transport !== 'headers in capitals') return headers
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
}

/** Each piece is a write to the socket of its own. */
function sendPieces(request: ClientRequest, body: Buffer, length: number): void {
  request.setNoDelay(true)
  for (let at = 0; at < body.length; at += length) request.write(body.subarray(at, at + length))
  request.end()
}

/** Sends a body in pieces, until the connection closes. */
async function sendSlowly(request: ClientRequest, body: Buffer, overMs: number): Promise<void> {
  const length = Math.ceil(body.length / PIECES)
  for (let at = 0; at < body.length && !request.destroyed; at += length) {
    request.write(body.subarray(at, at + length))
    await delay(overMs / PIECES)
  }
  if (!request.destroyed) request.end()
}

/** How far a request came: with TLS a machine may be reached although its endpoint can't be trusted. */
type Reached = 'nobody' | 'machine' | 'endpoint'

/** With TLS 1.3 a missing or refused client certificate shows only after the handshake. */
const isAlert = ({code}: NodeJS.ErrnoException): boolean => /^ERR_SSL_.*_ALERT_/.test(code ?? '')

const FAULTS = {nobody: 'unreachable', machine: 'untrusted', endpoint: 'cut'} as const

async function readAnswer(response: IncomingMessage, signal: AbortSignal): Promise<EndpointAnswer> {
  try {
    return {
      status: response.statusCode ?? 0,
      headers: response.headersDistinct,
      body: await readBody(response, {limit: LIMITS.call.bytes, signal}),
    }
  } catch (error) {
    response.destroy()
    const reason = error instanceof BodyFault ? error.reason : 'cut'
    throw new EndpointFault(reason === 'too-slow' ? 'aborted' : reason, error)
  }
}

const opened = (headers: NonNullable<EndpointOptions['headers']>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.open()]),
  )

function below(base: URL, path: string): URL {
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${path}`
  return url
}

/**
 * Reads the URL above `/auth` and `/warm-up` from a flag.
 *
 * @throws Failure USAGE; SENSITIVE_IN_ARGV for one that holds credentials.
 */
export function parseAddress(address: string, flag: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Failure('USAGE', {
      message: `${flag} takes an http or https URL without a query, for example http://127.0.0.1:3000.`,
    })
  }
  if (url.username !== '' || url.password !== '') {
    throw new Failure('SENSITIVE_IN_ARGV', {
      message: `The URL of ${flag} contains credentials, and other users can see the command line.`,
      hint: 'Remove them from the URL.',
    })
  }
  const [end] = ENDS.exec(url.pathname) ?? []
  if (end !== undefined) {
    throw new Failure('USAGE', {
      message: `${flag} takes the URL without ${end}, which cardctl adds.`,
      hint: `Did you mean ${url.href.slice(0, -end.length)}? If the path above ${end} has the same name, end it with a slash.`,
    })
  }
  return url
}

/** What is below an endpoint's URL. */
const ENDS = /\/(?:auth|warm-up)$/
