import {Settler, settleNextTransfers} from './a2a/settlement.ts'
import type {WebhookClient} from './authorisations/endpoint-client.ts'
import {type RandomBytes, systemRandom} from './ids.ts'
import type {SandboxOptions} from './options.ts'
import {type ProcessTable, systemProcesses} from './process-mark.ts'
import {type CallLimit, RateLimit} from './rate-limit.ts'
import {RepeatedReads} from './repeated-reads.ts'
import {type Sealer, sealerOf} from './seal.ts'
import type {Store, Transaction} from './store/store.ts'

/** Expired keys are removed after this number of requests with a key: more of them than requests came. */
export const TIDY_EVERY = 64

/**
 * What the parts of a running sandbox share: the store, the options with their defaults, and state beyond one request.
 */
export interface Service {
  readonly store: Store
  readonly options: SandboxOptions
  readonly processes: ProcessTable
  readonly rateLimit: CallLimit | undefined
  readonly repeatedReads: RepeatedReads
  readonly random: RandomBytes
  /** The real clock, epoch ms. */
  readonly now: () => number
  readonly monotonic: () => number
  readonly chance: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Gets the errors of the sandbox itself. */
  readonly onError: (error: unknown) => void
  /** Base URL of the links in responses, without a trailing slash. A server sets it when it knows its port. */
  baseUrl: string
  /** Number of servers of this sandbox. */
  servers: number
  readonly sealer: (tx: Transaction) => Promise<Sealer>
  /** Settles batches in the background; undefined if the next request settles them. */
  settler: Settler | undefined
  /** The client's endpoint, once connected. */
  webhook: WebhookClient | undefined
  /** Ends what sends the calls again that other processes have left; undefined if nothing does. */
  stopResuming: (() => void) | undefined
  /** Whether this request removes expired keys. */
  readonly isTimeToTidy: () => boolean
}

/** What responds to requests, whether or not they belong to a service. */
export type Responder = Pick<Service, 'now' | 'random' | 'onError'>

export const createResponder = ({now, random, onError}: SandboxOptions): Responder => ({
  now: now ?? Date.now,
  random: random ?? systemRandom,
  onError: onError ?? (() => undefined),
})

/** @param rateLimit instead of one of this process. */
export function createService(store: Store, options: SandboxOptions, rateLimit?: CallLimit): Service {
  let asked = 0
  return {
    ...createResponder(options),
    store,
    options,
    processes: {...systemProcesses(), ...options.processes},
    rateLimit: rateLimit ?? (options.rateLimit && new RateLimit(options.rateLimit)),
    repeatedReads: new RepeatedReads(),
    monotonic: options.monotonic ?? (() => performance.now()),
    chance: options.chance ?? Math.random,
    sleep: options.sleep ?? (ms => new Promise(resolve => setTimeout(resolve, ms))),
    baseUrl: options.baseUrl ?? 'http://sandbox.embedded',
    // The store keeps its row. Kept here, a key would outlive a database that goes back to before it.
    sealer: sealerOf,
    servers: 0,
    settler: undefined,
    webhook: undefined,
    stopResuming: undefined,
    isTimeToTidy: () => asked++ % TIDY_EVERY === 0,
  }
}

/** Settles batches in the background from now on, including those that an earlier process left open. */
export function settleInBackground(service: Service): void {
  const {store, now, onError} = service
  service.settler ??= new Settler(() => settleNextTransfers(store, now), onError)
  service.settler.kick()
}
