import type {SandboxAuth} from './access.ts'
import type {WebhookOptions} from './authorisations/webhook-client.ts'
import type {RandomBytes} from './ids.ts'
import type {ProcessTable} from './process-mark.ts'
import type {RateWindow} from './rate-limit.ts'

/** How a sandbox behaves. Everything has a default; clock, randomness and waiting are parameters for tests. */
export interface SandboxOptions {
  /** The SQLite file that keeps the state, shared with other processes; in memory when absent. */
  readonly file?: string
  /** How long to wait for another process that holds the file, ms; 5,000 by default. */
  readonly busyTimeoutMs?: number
  /** The real clock, epoch ms. The sandbox clock is this plus what `sandbox clock advance` added. */
  readonly now?: () => number
  /** A clock that never jumps, ms; the rate limit counts by it. */
  readonly monotonic?: () => number
  readonly random?: RandomBytes
  /** 0 up to but not 1: whether a fault of some probability strikes. */
  readonly chance?: () => number
  readonly sleep?: (ms: number) => Promise<void>
  /** Tells living processes from dead ones; this machine's by default. */
  readonly processes?: Partial<ProcessTable>
  /** Credentials to ask for; none by default. */
  readonly auth?: SandboxAuth
  /**
   * Names by which a served sandbox without `auth` may be called, besides those of this machine, the one in `baseUrl`, and
   * addresses in digits: `sandbox` for a container of that name.
   */
  readonly allowedHosts?: readonly string[]
  /** Requests per sliding window and credential; no limit by default. */
  readonly rateLimit?: readonly RateWindow[]
  /** Take paths with the prefixes seen in the field (`/card/v4/3001`) instead of those of the contract. */
  readonly prefixes?: boolean
  /** Where `x-idempotency-key` is honoured: where it is documented (default), or on every POST and PATCH that writes. */
  readonly idempotency?: 'documented' | 'all'
  /** Respond with 422 to a known key with a different body, not with the stored response. */
  readonly strictIdempotency?: boolean
  /** When batches are settled: with the next request, or by themselves. By default a server does the latter. */
  readonly settlement?: 'access' | 'background'
  /** How long the card network takes for a remote checkout request, ms by the sandbox clock; 2,000 by default. */
  readonly remoteCheckoutMs?: number
  /** The client's webhook, asked to decide about authorisations; without one the sandbox decides alone. */
  readonly webhook?: WebhookOptions
  /** Told why the webhook doesn't answer a warm-up, once until it answers again. */
  readonly onUnreachable?: (why: string) => void
  /** The address that links in replies point to. */
  readonly baseUrl?: string
  /** Told of every request that was answered; holds nothing secret. */
  readonly onRequest?: (event: RequestEvent) => void
  /** Told of faults of the sandbox itself. */
  readonly onError?: (error: unknown) => void
}

/** A line for a log. */
export interface RequestEvent {
  readonly type: 'request'
  /** Epoch ms, real clock. */
  readonly at: number
  readonly method: string
  /** Path and query, digits that look like a card number masked. */
  readonly url: string
  /** The operation's id, if one was reached. */
  readonly operation: string | null
  /** 0 when the connection was dropped on purpose. */
  readonly status: number
  readonly durationMs: number
  readonly replayed: boolean
}
