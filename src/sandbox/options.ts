import type {RateWindow} from '../limits/rate-window.ts'
import type {SandboxAuth} from './access.ts'
import type {WebhookOptions} from './authorisations/endpoint-client.ts'
import type {RandomBytes} from './ids.ts'
import type {ProcessTable} from './process-mark.ts'
import type {Snapshot} from './snapshot/snapshot.ts'
import type {PostgresOptions} from './store/postgres/options.ts'

/** How a sandbox behaves. Every option has a default; clock, randomness and waiting are options for tests. */
export interface SandboxOptions {
  /** The SQLite file of the state, which other processes may share. In memory if absent. */
  readonly file?: string
  /** A PostgreSQL database for the state instead, which processes of several machines may share. */
  readonly postgres?: PostgresOptions
  /** What a new sandbox begins with, instead of the demo data. */
  readonly from?: Snapshot
  /** How long to wait for the lock of another process, ms; 5,000 by default. */
  readonly busyTimeoutMs?: number
  /** The real clock, epoch ms. The sandbox clock is this plus what `sandbox clock advance` added. */
  readonly now?: () => number
  /** A monotonic clock, ms, for the rate limit. */
  readonly monotonic?: () => number
  readonly random?: RandomBytes
  /** A random number from 0 (inclusive) to 1 (exclusive), for the probability of faults. */
  readonly chance?: () => number
  readonly sleep?: (ms: number) => Promise<void>
  /** Reports which processes still run; those of this machine by default. */
  readonly processes?: Partial<ProcessTable>
  /** Required credentials; none by default. */
  readonly auth?: SandboxAuth
  /**
   * Host names that a server without `auth` accepts, besides those of this machine, that of `baseUrl` and IP addresses;
   * for example the name of its container.
   */
  readonly allowedHosts?: readonly string[]
  /** Requests per sliding window and credential; no limit by default. */
  readonly rateLimit?: readonly RateWindow[]
  /** Also accept paths with a prefix, as some services have them (`/card/v4/3001`). */
  readonly prefixes?: boolean
  /**
   * Where `x-idempotency-key` is honoured: where it is documented (default), or on every POST and PATCH that writes.
   */
  readonly idempotency?: 'documented' | 'all'
  /** Respond with 422 to a known key with a different body, not with the stored response. */
  readonly strictIdempotency?: boolean
  /** When batches are settled: with the next request, or in the background (default of a server). */
  readonly settlement?: 'access' | 'background'
  /** How long the card network takes for a remote checkout request, ms by the sandbox clock; 2,000 by default. */
  readonly remoteCheckoutMs?: number
  /** The endpoint to ask about authorisations. Without it, the sandbox decides alone. */
  readonly webhook?: WebhookOptions
  /** Called with the reason when the endpoint doesn't answer a warm-up, and not again until it answers. */
  readonly onUnreachable?: (why: string) => void
  /** Base URL of the links in responses. */
  readonly baseUrl?: string
  /** Called after every request, without secrets. */
  readonly onRequest?: (event: RequestEvent) => void
  /** Called after every call to the endpoint, warm-ups too. */
  readonly onWebhookCall?: (event: WebhookCallEvent) => void
  /** Called with errors of the sandbox itself. */
  readonly onError?: (error: unknown) => void
}

/** A line for a log. */
export interface RequestEvent {
  readonly type: 'request'
  /** Epoch ms, real clock. */
  readonly at: number
  readonly method: string
  /** Path and query. Digits that look like a card number are masked. */
  readonly url: string
  /** Id of the operation, if the request had one. */
  readonly operation: string | null
  /** 0 if a fault dropped the connection. */
  readonly status: number
  readonly durationMs: number
  readonly replayed: boolean
  /** The tenant that it belongs to, in a sandbox with tenants. */
  readonly tenant?: string
  /** The name of the tenant's token that it had. */
  readonly token?: string
  /** The id of the trace that its `traceparent` names (W3C Trace Context). */
  readonly trace?: string
}

/** A call to the endpoint of a webhook, for a log. It has no bodies. */
export interface WebhookCallEvent {
  readonly type: 'webhook'
  /** When it was sent, epoch ms, real clock. */
  readonly at: number
  /** The tenant whose endpoint it is, in a sandbox with tenants. */
  readonly tenant?: string
  /** Scheme, host and port of the endpoint: a path may be a secret. Absent for a handler in the process. */
  readonly to?: string
  readonly path: '/auth' | '/warm-up'
  /** Absent without an answer. */
  readonly status?: number
  /** The response code of the answer, two digits, if it has one of the contract. */
  readonly code?: string
  /** Why there was no answer, as a sentence without a full stop. */
  readonly why?: string
  readonly durationMs: number
  /** The id of the trace of the request that it follows from. */
  readonly trace?: string
}
