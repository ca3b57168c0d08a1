/**
 * `cardctl/sandbox`: a card issuing and payment service of your own, for tests and for a developer's machine. It keeps
 * state, in memory or in a SQLite file, and behaves as the service does.
 *
 * @example
 * const sandbox = await createSandbox()
 * const reply = await sandbox.handle({method: 'GET', url: '/v4/3001?auditUser=test'})
 *
 * @example
 * const server = await sandbox.serve({port: 0})
 * await fetch(`${server.url}/v4/3001?auditUser=test`)
 * await server.close()
 *
 * @module
 */
import {checkSandboxOptions, checkServeOptions, requestOf} from './check-options.ts'
import {openSandbox} from './open-sandbox.ts'
import type {SandboxOptions} from './options.ts'
import {type HandledRequest, type PlainResponse, plainResponse} from './plain-http.ts'
import type {SandboxServer, ServeOptions} from './serve.ts'

export {Failure} from '../errors/failure.ts'
export type {RateWindow} from '../limits/rate-window.ts'
export {Secret} from '../sensitive/secret.ts'
export type {SandboxAuth} from './access.ts'
export type {WebhookOptions} from './authorisations/webhook-client.ts'
export type {RequestEvent, SandboxOptions} from './options.ts'
export type {HandledRequest, Origin, PlainRequest, PlainResponse} from './plain-http.ts'
export type {SandboxServer, ServeOptions, TlsOptions} from './serve.ts'

/** A service with state. */
export interface Sandbox {
  /** Responds to one request, as a server would. @throws Failure INPUT_INVALID if it is not a request; nothing else. */
  handle(request: HandledRequest): Promise<PlainResponse>
  /** Serves the sandbox on a port. A sandbox may have several servers. */
  serve(options?: ServeOptions): Promise<SandboxServer>
  /** Finishes requests in progress and closes the file. Close its servers first. */
  close(): Promise<void>
}

/**
 * Opens a sandbox. A new or empty file gets the demo data.
 *
 * @throws Failure INPUT_INVALID for an unknown or invalid option; STORE_DAMAGED or STORE_UNAVAILABLE, naming the file.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkSandboxOptions(options)
  const {handle, close, service} = await openSandbox(options)
  return {
    handle: async request => plainResponse(await handle(requestOf(request))),
    close,
    serve: async (serveOptions = {}) => {
      checkServeOptions(serveOptions)
      // The embedded sandbox never needs a server.
      const {serve} = await import('./serve.ts')
      return serve(service, handle, serveOptions)
    },
  }
}
