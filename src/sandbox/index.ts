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
export {Failure} from '../errors/failure.ts'
export type {RateWindow} from '../limits/rate-window.ts'
export {Secret} from '../sensitive/secret.ts'
export type {SandboxAuth} from './access.ts'
export type {RecordedCall, WebhookHandler, WebhookOptions} from './authorisations/endpoint-client.ts'
export type {AuthorisationResult, Purchase} from './authorise-purchase.ts'
export {createSandbox, type Sandbox} from './create-sandbox.ts'
export type {RequestEvent, SandboxOptions, WebhookCallEvent} from './options.ts'
export type {HandledRequest, Origin, PlainRequest, PlainResponse} from './plain-http.ts'
export type {SandboxServer, ServeOptions, TlsOptions} from './serve.ts'
export {checkSnapshot, type Snapshot} from './snapshot/snapshot.ts'
