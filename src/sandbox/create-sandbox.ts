import {setTimeout as pause} from 'node:timers/promises'
import {REPLAYED_HEADER} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {maskUrl} from '../sensitive/mask-request.ts'
import {type RecordedCall, WebhookClient} from './authorisations/endpoint-client.ts'
import {resumeCalls} from './authorisations/resume-calls.ts'
import {type AuthorisationResult, authorisePurchase, type Purchase} from './authorise-purchase.ts'
import {checkSandboxOptions, checkServeOptions, requestOf} from './check-options.ts'
import {seed} from './demo-data.ts'
import {type Handled, handle, refuse} from './handle.ts'
import type {RequestEvent, SandboxOptions} from './options.ts'
import {type Health, OwnPages} from './own-pages.ts'
import {
  type HandledRequest,
  type PlainRequest,
  type PlainResponse,
  plainResponse,
  type TextResponse,
} from './plain-http.ts'
import type {CallLimit} from './rate-limit.ts'
import {type SandboxServer, type Served, type ServeOptions, serve} from './serve.ts'
import {createService, type Service, settleInBackground} from './service.ts'
import type {Snapshot} from './snapshot/snapshot.ts'
import {loadSnapshot, takeSnapshot} from './snapshot/state.ts'
import {openPostgresStore} from './store/postgres/open-postgres-store.ts'
import {openSqliteStore} from './store/sqlite-store.ts'
import type {Store, Transaction} from './store/store.ts'
import {SEEDED} from './store/tables.ts'
import {tidyStore} from './tidy.ts'
import {traceMember, withinTrace} from './trace-context.ts'
import type {Tracing} from './tracing.ts'

/** How often a server removes what has expired, ms. */
const TIDY_MS = 60_000

/** How long `close` waits for requests in progress. The delay of a fault may be longer. */
const CLOSING_MS = 500

/** A service with state. */
export interface Sandbox {
  /** Responds to one request, as a server would. @throws Failure INPUT_INVALID if it is not a request; nothing else. */
  handle(request: HandledRequest): Promise<PlainResponse>
  /**
   * Runs an authorisation: the checks of the service, then the call to the `webhook`, then the hold.
   *
   * @example
   * const {status, responseCode} = await sandbox.authorise({cardId: '3001', scenario: 'hotel'})
   * @throws Failure INPUT_INVALID for an unknown card or scenario, or a wrong field, naming it.
   */
  authorise(purchase: Purchase): Promise<AuthorisationResult>
  /**
   * The whole state at this moment: rows, clock, faults, idempotency keys. It is plain JSON, and holds the test card
   * numbers and keys.
   *
   * @throws Failure INPUT_INVALID if it is too large.
   */
  snapshot(): Promise<Snapshot>
  /**
   * Replaces the whole state by that of a snapshot, in one transaction. The clock goes on from where it was.
   *
   * @example
   * const start = await sandbox.snapshot()
   * afterEach(() => sandbox.load(start))
   * @throws Failure INPUT_INVALID if it is damaged, or of a newer version; nothing has changed then.
   */
  load(snapshot: Snapshot): Promise<void>
  /** The calls to the `webhook` with its answers, oldest first: the newest 1,000. */
  readonly calls: readonly RecordedCall[]
  /** Serves the sandbox on a port. A sandbox may have several servers. */
  serve(options?: ServeOptions): Promise<SandboxServer>
  /** Finishes requests in progress and closes the file. Close its servers first. */
  close(): Promise<void>
}

/**
 * Opens a sandbox. A new or empty file gets the demo data, or the state of `from`.
 *
 * @throws Failure INPUT_INVALID for an unknown or invalid option, or `from` for a file with a state; STORE_DAMAGED or STORE_UNAVAILABLE, naming the file.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkSandboxOptions(options)
  const {service, handle: respond, close} = await openService(await openStore(options), options)
  let isClosed = false
  const refuseClosed = (): void => {
    if (!isClosed) return
    throw new Failure('INPUT_INVALID', {
      message: 'The sandbox is closed.',
      hint: 'Call close() last, or open another one with createSandbox().',
    })
  }
  return {
    handle: async request => {
      refuseClosed()
      return plainResponse(await respond(requestOf(request)))
    },
    authorise: async purchase => {
      refuseClosed()
      // Commands never authorise this way.
      return authorisePurchase(purchase, options, respond)
    },
    snapshot: async () => {
      refuseClosed()
      const {store} = service
      return store.read(tx => takeSnapshot(service, tx))
    },
    load: async snapshot => {
      refuseClosed()
      await service.store.transaction(tx => loadSnapshot(service, tx, snapshot))
    },
    get calls() {
      return [...(service.webhook?.calls ?? [])]
    },
    serve: async (serveOptions = {}) => {
      refuseClosed()
      checkServeOptions(serveOptions)
      // The embedded sandbox never needs a server.
      return serve(servedService(service, respond), serveOptions)
    },
    close: async () => {
      isClosed = true
      await close()
    },
  }
}

/** The service on one store. */
export interface OpenService {
  readonly service: Service
  /** @param caller whose credentials were checked before. */
  handle(request: PlainRequest, caller?: Caller): Promise<TextResponse>
  /** Finishes requests in progress and closes the store. */
  close(): Promise<void>
}

/** A caller whose credentials were checked before. */
export interface Caller {
  /** As for `handle`. */
  readonly name: string
  /** For the log. */
  readonly shown: Pick<RequestEvent, 'tenant' | 'token'>
}

/** What a server of several tenants sets for each. */
export interface TenantRules {
  /** Instead of one of this process. */
  readonly rateLimit?: CallLimit | undefined
  /** As in `CallingOptions`. */
  readonly isGuarded?: boolean
}

const isSeeded = async (tx: Transaction): Promise<boolean> => (await tx.settings.get(SEEDED)) !== undefined

/** Opens the service on a store, and writes the demo data if it is new. @throws Failure, and closes the store then */
export async function openService(
  store: Store,
  options: SandboxOptions,
  {rateLimit, isGuarded = false}: TenantRules = {},
): Promise<OpenService> {
  const service = createService(store, options, rateLimit)
  try {
    const {from} = options
    if (!(await store.read(isSeeded))) {
      // If several processes start at once, only one writes the data.
      await store.transaction(async tx => {
        if (await isSeeded(tx)) return from && refuseState()
        if (from) await loadSnapshot(service, tx, from)
        else await seed(tx, await service.sealer(tx), service.now())
      })
    } else if (from) refuseState()
  } catch (error) {
    await store.close()
    throw error
  }
  await openWebhook(service, isGuarded)
  if (options.settlement === 'background') workInBackground(service)
  const traced = await openTracing()
  let inProgress = 0
  let onIdle: (() => void) | undefined
  return {
    service,
    handle: async (request, caller) => {
      inProgress++
      try {
        const respond = () => handle(service, request, caller?.name)
        const answer = traced ? () => traced(request, respond) : respond
        return await withinTrace(request.headers, () => observed(service, request, answer, caller))
      } finally {
        if (--inProgress === 0) onIdle?.()
      }
    },
    close: async () => {
      service.stopResuming?.()
      await service.settler?.stop()
      service.webhook?.close()
      const idle = new Promise<void>(resolve => {
        onIdle = resolve
        if (inProgress === 0) resolve()
      })
      await Promise.race([idle, pause(CLOSING_MS, undefined, {ref: false})])
      await store.close()
    },
  }
}

function refuseState(): never {
  throw new Failure('INPUT_INVALID', {
    message: 'createSandbox: from is for a new sandbox, and this one has a state already.',
    hint: 'Open it without from, and replace its state with load().',
  })
}

/** A file is there if it can be read. */
const storeHealth = (store: Store): Health =>
  store.health ?? {
    isReady: () =>
      store.read(isSeeded).then(
        () => true,
        () => false,
      ),
    gauges: () => ({}),
  }

function servedService(service: Service, handleRequest: OpenService['handle']): Served {
  const {options, now, random} = service
  const pages = new OwnPages(storeHealth(service.store))
  let tidying: NodeJS.Timeout | undefined
  return {
    now,
    random,
    handle: request => pages.respond(request, handleRequest),
    refuse: (request, problem) => refuse(service, request, problem),
    opened: url => {
      service.servers++
      tidying = setInterval(
        () => void tidyStore(service.store, service).catch(() => undefined),
        TIDY_MS,
      ).unref()
      if (options.settlement !== 'access') workInBackground(service)
      service.baseUrl = options.baseUrl ?? url
    },
    closing: () => {
      clearInterval(tidying)
      service.servers--
    },
    hurry: () => {
      if (service.servers === 0) service.webhook?.giveUp()
    },
  }
}

async function openStore({file, busyTimeoutMs, postgres}: SandboxOptions): Promise<Store> {
  if (postgres === undefined) return openSqliteStore(file, busyTimeoutMs)
  return openPostgresStore(postgres)
}

/** Where an SDK of OpenTelemetry registers itself, for any copy of its API of version 1. */
const TRACING = Symbol.for('opentelemetry.js.api.1')

/** Loads what traces need only if the user has started an SDK in this process. */
async function openTracing(): Promise<Tracing | undefined> {
  return TRACING in globalThis ? (await import('./tracing.ts')).openTracing() : undefined
}

/** Settles batches, and sends the calls to the endpoint that other processes have left. */
function workInBackground(service: Service): void {
  settleInBackground(service)
  if (service.webhook === undefined || service.stopResuming) return
  let isStopped = false
  service.stopResuming = () => {
    isStopped = true
  }
  // The server listens first.
  setImmediate(() => {
    if (!isStopped) service.stopResuming = resumeCalls(service)
  })
}

/** Sends the first warm-up, without waiting for it. */
async function openWebhook(service: Service, isGuarded: boolean): Promise<void> {
  const {webhook, onUnreachable, onWebhookCall: onCall} = service.options
  if (webhook === undefined) return
  const {monotonic, options} = service
  service.webhook = new WebhookClient(webhook, {
    monotonic,
    onUnreachable,
    onCall,
    isGuarded,
    now: options.now,
  })
  void service.webhook.warmUp(service.now())
}

async function observed(
  service: Service,
  request: PlainRequest,
  respond: () => Promise<Handled>,
  caller: Caller | undefined,
): Promise<TextResponse> {
  const {onRequest} = service.options
  if (onRequest === undefined) return (await respond()).reply
  const began = service.monotonic()
  const at = service.now()
  const handled = await respond()
  onRequest({
    type: 'request',
    at,
    method: request.method,
    url: maskUrl(request.url),
    operation: handled.operation,
    status: handled.reply.status,
    durationMs: service.monotonic() - began,
    replayed: isReplayed(handled),
    ...caller?.shown,
    ...traceMember(),
  })
  return handled.reply
}

const isReplayed = ({reply}: Handled) => reply.headers[REPLAYED_HEADER] === 'true'
