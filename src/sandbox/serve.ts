import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import type {AddressInfo} from 'node:net'
import {makeCertificate} from '../certificates/index.ts'
import {LIMITS} from '../limits/limits.ts'
import {bodyTooLarge, type Origin, type PlainRequest, type TextResponse} from './plain-http.ts'
import type {Problem} from './problems.ts'
import type {Service} from './service.ts'

/** A certificate and its key, PEM. */
export interface TlsOptions {
  readonly cert: string
  readonly key: string
  /** The CA of clients that may connect (mTLS), PEM. Without it, any client may. */
  readonly clientCa?: string
}

export interface ServeOptions {
  /** 127.0.0.1 by default. */
  readonly host?: string
  /** 0, the default, chooses a free one. */
  readonly port?: number
  /** `self-made` creates a certificate for this run. */
  readonly tls?: TlsOptions | 'self-made'
  /** How long `close` waits for requests in progress, in ms; 1,500 by default. */
  readonly drainMs?: number
}

/** After this fraction of `drainMs`, the last server stops waiting for answers of the endpoint. */
const HURRY = 2 / 3

/** Limits the arrival of a request, not its response: a half-sent body must not stay forever. */
const REQUEST_TIMEOUT_MS = 60_000
/** How long an unused connection stays open. */
const KEEP_ALIVE_MS = 72_000

/** A listening server. */
export interface SandboxServer {
  /** Base URL, without a trailing slash. */
  readonly url: string
  /** The certificate of a TLS server, PEM, for clients to trust. */
  readonly cert: string | undefined
  /** Stops listening, finishes requests in progress within `drainMs`, and releases the port. */
  close(): Promise<void>
}

/** What a server serves. */
export interface Served extends Pick<Service, 'now' | 'random'> {
  handle(request: PlainRequest): Promise<TextResponse>
  refuse(request: PlainRequest, problem: Problem): TextResponse
  /** The server listens at this URL. */
  opened(url: string): void
  /** The server no longer listens. */
  closing(): void
  /** There is little time left for requests in progress. */
  hurry(): void
}

/**
 * Serves a sandbox, or those of several tenants, on a port.
 *
 * @throws the system's error (`EADDRINUSE` …) if the port is in use or not allowed.
 */
export async function serve(served: Served, options: ServeOptions = {}): Promise<SandboxServer> {
  const {host = '127.0.0.1', port = 0, drainMs = 1500} = options
  const tls = await tlsOf(served, host, options.tls)
  const server = serverFor(tls, async (request, response) => {
    const reply = await answer(served, request)
    if (reply === undefined) return
    // Closing the server waits for keep-alive connections.
    if (!server.listening) response.setHeader('connection', 'close')
    send(response, reply)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const url = urlOf(tls === undefined ? 'http' : 'https', server.address() as AddressInfo)
  served.opened(url)
  return {
    url,
    cert: tls?.cert,
    close: async () => {
      served.closing()
      const hurry = setTimeout(() => served.hurry(), drainMs * HURRY)
      const cut = setTimeout(() => server.closeAllConnections(), drainMs)
      await new Promise(resolve => server.close(resolve))
      clearTimeout(hurry)
      clearTimeout(cut)
    },
  }
}

function serverFor(tls: TlsOptions | undefined, listener: RequestListener): Server {
  const common = {requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS}
  if (tls === undefined) return createServer(common, listener)
  const {cert, key, clientCa} = tls
  const mutual = clientCa === undefined ? {} : {ca: clientCa, requestCert: true, rejectUnauthorized: true}
  return createTlsServer({...common, cert, key, ...mutual}, listener)
}

/** Undefined if the client disconnected in the middle of the request. */
async function answer(served: Served, request: IncomingMessage): Promise<TextResponse | undefined> {
  if (!hasBody(request)) return served.handle(plainRequest(request, NO_BYTES))
  const body = await readBody(request)
  if (body === 'too large') return served.refuse(plainRequest(request, NO_BYTES), bodyTooLarge())
  return body && served.handle(plainRequest(request, body))
}

const NO_BYTES = new Uint8Array(0)

/** The body of a GET has no meaning (RFC 9110, 9.3.1). */
function hasBody({method, headers}: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** The bytes; undefined if the client disconnects before the end. */
function readBody(request: IncomingMessage): Promise<Uint8Array | 'too large' | undefined> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > LIMITS.request.bytes) resolve('too large')
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    request.on('close', () => resolve(undefined))
  })
}

function plainRequest(request: IncomingMessage, body: Uint8Array): PlainRequest {
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: plainHeaders(request),
    body,
    origin: originOf(request.socket.remoteAddress),
  }
}

/** Node joins repeated headers with commas, except for set-cookie, which belongs in responses. */
function plainHeaders({headers}: IncomingMessage): Record<string, string> {
  delete headers['set-cookie']
  return headers as Record<string, string>
}

function originOf(address = ''): Origin {
  return address === '::1' || /^(::ffff:)?127\./.test(address) ? 'loopback' : 'network'
}

function send(response: ServerResponse, {status, headers, text, drop}: TextResponse): void {
  if (drop) return void response.socket?.destroy()
  if (response.destroyed) return
  response.writeHead(status, headers)
  response.end(text)
}

async function tlsOf(
  {now, random}: Pick<Service, 'now' | 'random'>,
  host: string,
  tls: ServeOptions['tls'],
): Promise<TlsOptions | undefined> {
  if (tls !== 'self-made') return tls
  return makeCertificate(host, now(), random)
}

function urlOf(scheme: string, {address, family, port}: AddressInfo): string {
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
