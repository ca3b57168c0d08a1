import {createServer, type Server} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import type {AddressInfo} from 'node:net'
import {webhookCallCheck} from '../contract/validate.ts'
import type {Secret} from '../sensitive/secret.ts'
import {createListener, type ListenerOptions} from './listener.ts'
import {ASKED, answerNoHttp} from './no-http.ts'

export interface WebhookOptions extends ListenerOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** PEM. With `clientCa` a caller must show a certificate of that authority (mTLS). */
  readonly tls?: {readonly cert: string; readonly key: Secret; readonly clientCa?: string} | undefined
}

export interface WebhookServer {
  /** Where it is, path prefix included, without a trailing slash. */
  readonly url: string
  /** Stops listening, answers what is under way for at most 1.5 s, and lets port, decider and recorder go. */
  close(): Promise<void>
}

const DRAIN_MS = 1500

/** Puts the listener on a port. @throws the system's error (`EADDRINUSE` …) when the port cannot be had. */
export async function serveWebhook(options: WebhookOptions): Promise<WebhookServer> {
  const {host, port, pathPrefix, decider, recorder, tls} = options
  const server = createServerFor(tls)
  const {listener, end} = createListener(await webhookCallCheck(), options)
  answerNoHttp(server, options)
  // Whoever asks first whether to send the body is told when it is about to be read.
  for (const kind of ASKED) server.on(kind, listener)
  server.headersTimeout = 5000
  server.requestTimeout = 10_000
  // A warmed-up connection is there to be used.
  server.keepAliveTimeout = 65_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: `${tls ? 'https' : 'http'}://${hostOf(server.address() as AddressInfo)}${pathPrefix}`,
    close: async () => {
      // Whoever is still asked then has no time left; the answer to that goes out before the connections are cut.
      const cut = setTimeout(() => void end().finally(() => server.closeAllConnections()), DRAIN_MS)
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeIdleConnections()
      await closed
      clearTimeout(cut)
      await end()
      decider.close?.()
      await recorder?.close()
    },
  }
}

function createServerFor(tls: WebhookOptions['tls']): Server {
  // Node would answer without a word, and nobody would be told.
  const common = {connectionsCheckingInterval: 1000, requireHostHeader: false}
  if (!tls) return createServer(common)
  const {cert, key, clientCa} = tls
  const mutual = clientCa === undefined ? {} : {ca: clientCa, requestCert: true, rejectUnauthorized: true}
  return createTlsServer({...common, cert, key: key.open(), ...mutual})
}

const hostOf = ({address, family, port}: AddressInfo): string =>
  `${family === 'IPv6' ? `[${address}]` : address}:${port}`
