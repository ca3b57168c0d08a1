import type {AddressInfo} from 'node:net'
import type {FastifyReply, FastifyRequest} from 'fastify'
import {LIMITS} from '../limits/limits.ts'
import {refuse} from './handle.ts'
import {bodyTooLarge, type Origin, type PlainReply, type PlainRequest} from './plain-http.ts'
import {type Service, settleInBackground} from './service.ts'

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

/** After this part of `drainMs` the last server no longer waits for answers of the endpoint. */
const HURRY = 2 / 3

/** A listening server. */
export interface SandboxServer {
  /** Base URL, without a trailing slash. */
  readonly url: string
  /** The certificate of a TLS server, PEM: what a client must trust. */
  readonly cert: string | undefined
  /** Stops listening, finishes requests in progress within `drainMs`, and releases the port. */
  close(): Promise<void>
}

type Handle = (request: PlainRequest) => Promise<PlainReply>

/**
 * Serves a sandbox on a port. Fastify only transports bytes: no schemas, no parsing, no coercion.
 *
 * @throws the system's error (`EADDRINUSE` …) if the port is in use or not allowed.
 */
export async function serve(
  service: Service,
  handle: Handle,
  options: ServeOptions = {},
): Promise<SandboxServer> {
  const {host = '127.0.0.1', port = 0, drainMs = 1500} = options
  const tls = await tlsOf(service, host, options.tls)
  const {fastify} = await import('fastify')
  const app = fastify({
    bodyLimit: LIMITS.request.bytes,
    // For the request to arrive, not for its response: a half-sent body must not stay forever.
    requestTimeout: 60_000,
    // One route: the contract finds the operation.
    rewriteUrl: () => '/',
    https: tls === undefined ? null : serverOptions(tls),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', {parseAs: 'buffer'}, (_request, body, done) => done(null, body))
  app.all('/', async (request, reply) => send(reply, await handle(plainRequest(request))))
  app.setNotFoundHandler(async (request, reply) => send(reply, await handle(plainRequest(request))))
  app.setErrorHandler((error: {code?: string}, request, reply) => {
    const problem = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? bodyTooLarge() : error
    return send(reply, refuse(service, plainRequest(request), problem))
  })
  await app.listen({host, port})
  service.servers++
  const url = urlOf(tls === undefined ? 'http' : 'https', app.server.address() as AddressInfo)
  if (service.options.settlement !== 'access') settleInBackground(service)
  service.baseUrl = service.options.baseUrl ?? url
  return {
    url,
    cert: tls?.cert,
    close: async () => {
      service.servers--
      const hurry = setTimeout(() => {
        if (service.servers === 0) service.webhook?.giveUp()
      }, drainMs * HURRY)
      const cut = setTimeout(() => app.server.closeAllConnections(), drainMs)
      await app.close()
      clearTimeout(hurry)
      clearTimeout(cut)
    },
  }
}

function plainRequest(request: FastifyRequest): PlainRequest {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return {
    method: request.method,
    url: request.originalUrl,
    headers,
    body: request.body instanceof Uint8Array ? request.body : new Uint8Array(0),
    origin: originOf(request.raw.socket.remoteAddress),
  }
}

function originOf(address = ''): Origin {
  return address === '::1' || /^(::ffff:)?127\./.test(address) ? 'loopback' : 'network'
}

function send(reply: FastifyReply, answer: PlainReply): FastifyReply {
  if (answer.drop) {
    reply.hijack()
    reply.raw.socket?.destroy()
    return reply
  }
  return reply.code(answer.status).headers(answer.headers).send(Buffer.from(answer.body))
}

async function tlsOf(
  service: Service,
  host: string,
  tls: ServeOptions['tls'],
): Promise<TlsOptions | undefined> {
  if (tls !== 'self-made') return tls
  const {makeCertificate} = await import('../certificates/index.ts')
  return makeCertificate(host, service.now(), service.random)
}

function serverOptions({cert, key, clientCa}: TlsOptions) {
  const mutual = {ca: clientCa, requestCert: true, rejectUnauthorized: true}
  return {cert, key, ...(clientCa === undefined ? {} : mutual)}
}

function urlOf(scheme: string, {address, family, port}: AddressInfo): string {
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
