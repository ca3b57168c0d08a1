import {isDeepStrictEqual} from 'node:util'
import {readRateWindow} from '../limits/rate-window.ts'
import type {Connections} from '../postgres/connect.ts'
import {CombinedLookups} from './combined-lookups.ts'
import {type OpenService, openService, type Sandbox} from './create-sandbox.ts'
import {pagePaths} from './handle.ts'
import {ManySandboxes} from './many-sandboxes.ts'
import type {SandboxOptions} from './options.ts'
import type {Gauges, Health} from './own-pages.ts'
import {emptyResponse, type PlainRequest, type TextResponse} from './plain-http.ts'
import {notFound, Problem} from './problems.ts'
import {systemProcesses} from './process-mark.ts'
import {type SandboxServer, type ServeOptions, serve} from './serve.ts'
import {type PostgresOptions, servingConnections} from './store/postgres/connect.ts'
import {databaseHealth} from './store/postgres/database-health.ts'
import {usableConnections} from './store/postgres/migrate.ts'
import {openPostgresTenant} from './store/postgres/open-postgres-store.ts'
import {SharedRateLimit} from './store/postgres/shared-rate-limit.ts'
import {openWebhook} from './store/postgres/tenant-endpoint.ts'
import {
  type Admitted,
  admitTenant,
  findTenants,
  findTokens,
  removeExpired,
  type Tenant,
  tenantsWithCalls,
} from './store/postgres/tenants.ts'
import {TenantRounds} from './store/postgres/tidy-tenants.ts'
import {tokenDigest} from './store/postgres/tokens.ts'
import {tidyStore} from './tidy.ts'

/** Options of a sandbox with tenants. Credentials, limits and the webhook belong to each tenant. */
export type TenantSandboxOptions = Omit<
  SandboxOptions,
  'file' | 'from' | 'busyTimeoutMs' | 'auth' | 'rateLimit' | 'postgres' | 'webhook' | 'onUnreachable'
> & {
  readonly postgres: PostgresOptions
  /** Hosts of endpoints that are called at any address, as in their URLs. Others may not be on this machine. */
  readonly webhookHosts?: readonly string[]
}

/** Each tenant has its own keys, so its callers need no other name; a snapshot can go to another tenant. */
const CALLER = 'tenant'

/** How long a removed tenant or a changed limit may go unnoticed, ms. */
const KNOWN_MS = 5_000
/** How long a name or token that doesn't exist is not looked up again, ms. */
const MISSING_MS = 1_000
const MOST_KNOWN = 10_000
/** Tenants whose services stay open. The others are opened again with their next request. */
const MOST_OPEN = 200
const SWEEP_MS = 60_000
/** How often to look for tenants whose calls another process has left, ms. */
const CALLS_MS = 5_000

/** `/t/NAME/…`: the rest is a path of the tenant's service. */
const TENANT_PATH = /^\/t\/([A-Za-z0-9._-]{1,100})(\/[^?]*)?(\?.*)?$/s

interface Known {
  readonly admitted: Promise<Admitted | undefined>
  readonly until: number
}

interface Open {
  readonly service: Promise<OpenService>
  readonly tenant: Tenant
}

/**
 * Opens a sandbox in PostgreSQL in which each tenant has a service of its own: data, clock, faults, limits. A request
 * belongs to the tenant whose token it has, and only to that one.
 *
 * @throws Failure INPUT_INVALID, STORE_UNAVAILABLE
 */
export async function createTenantSandbox(
  options: TenantSandboxOptions,
): Promise<Pick<Sandbox, 'serve' | 'close'>> {
  const sandbox = new TenantSandbox(await usableConnections(servingConnections(options.postgres)), options)
  return {
    serve: async (serveOptions: ServeOptions = {}): Promise<SandboxServer> => {
      return serve(sandbox, serveOptions)
    },
    close: () => sandbox.close(),
  }
}

class TenantSandbox extends ManySandboxes {
  readonly #connections: Connections
  readonly #options: TenantSandboxOptions
  readonly #names: CombinedLookups<Tenant>
  readonly #tokens: CombinedLookups<true>
  /** By the name in the path and the digest of the token. */
  readonly #known = new Map<string, Known>()
  /** By tenant, the one that was used last at the end. */
  readonly #open = new Map<number, Open>()
  readonly #health: Health
  readonly #timers: readonly NodeJS.Timeout[]

  constructor(opened: Connections, options: TenantSandboxOptions) {
    super(options)
    this.#connections = opened
    this.#options = options
    this.#health = databaseHealth(opened)
    const times = {foundMs: KNOWN_MS, missingMs: MISSING_MS}
    this.#names = new CombinedLookups({find: names => findTenants(opened, names), ...times})
    this.#tokens = new CombinedLookups({find: digests => findTokens(opened, digests), ...times})
    // Another database may be there now, in which the same id belongs to another tenant.
    opened.pool.on('remove', () => {
      this.#known.clear()
      this.#names.clear()
      this.#tokens.clear()
    })
    const every = (ms: number, work: () => Promise<void>) =>
      setInterval(() => void work().catch(() => undefined), ms).unref()
    const processes = {...systemProcesses(), ...options.processes}
    const rounds = new TenantRounds(opened, store => tidyStore(store, {now: this.now, processes}))
    this.#timers = [
      every(SWEEP_MS, () => removeExpired(opened)),
      every(CALLS_MS, () => this.#openThoseWithCalls()),
      every(SWEEP_MS, () => rounds.next()),
    ]
  }

  isReady(): Promise<boolean> {
    return this.#health.isReady()
  }

  gauges(): Gauges {
    return {
      cardctl_tenants_open: ['Tenants whose services are open.', this.#open.size],
      ...this.#health.gauges(),
    }
  }

  protected services(): readonly Promise<OpenService>[] {
    return [...this.#open.values()].map(({service}) => service)
  }

  override closing(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#connections.pool.end()
  }

  protected async respond(request: PlainRequest): Promise<TextResponse> {
    const [, name, path = '', search = ''] = TENANT_PATH.exec(request.url) ?? []
    const inner = name === undefined ? request : {...request, url: `${path || '/'}${search}`}
    if (name !== undefined && pagePaths.has(path)) {
      const tenant = await this.#names.get(name)
      if (tenant === undefined) throw notFound('tenant')
      return (await this.#serviceOf(tenant)).handle(inner)
    }
    const token = tokenOf(request.headers.authorization)
    const admitted = token === undefined ? undefined : await this.#admit(name, token)
    if (admitted === undefined) return emptyResponse(401, {'www-authenticate': 'Bearer realm="sandbox"'})
    const {tenant} = admitted
    const shown = {tenant: tenant.name, token: admitted.token}
    return (await this.#serviceOf(tenant)).handle(inner, {name: CALLER, shown})
  }

  /** Only who has a token of this database can make it run a transaction. */
  async #admit(name: string | undefined, token: string): Promise<Admitted | undefined> {
    const digest = tokenDigest(token)
    if (digest === undefined || !(await this.#tokens.get(digest))) return undefined
    const key = `${name ?? ''} ${digest}`
    const known = this.#known.get(key)
    if (known && known.until > performance.now()) return known.admitted
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    const admitted = this.#tenantOf(name, token)
    this.#known.set(key, {admitted, until: performance.now() + KNOWN_MS})
    try {
      if ((await admitted) === undefined)
        this.#known.set(key, {admitted, until: performance.now() + MISSING_MS})
    } catch {
      this.#known.delete(key)
    }
    return admitted
  }

  async #tenantOf(name: string | undefined, token: string): Promise<Admitted | undefined> {
    const admitted = await admitTenant(this.#connections, name, token)
    if (admitted === 'too many runs') throw tooManyRuns()
    return admitted
  }

  async #serviceOf(tenant: Tenant): Promise<OpenService> {
    const open = this.#open.get(tenant.id)
    if (open && isSame(open.tenant, tenant)) {
      this.#open.delete(tenant.id)
      this.#open.set(tenant.id, open)
      return open.service
    }
    if (open) this.#forget(tenant.id, open)
    const [[oldest, first] = []] = this.#open
    if (oldest !== undefined && first && this.#open.size >= MOST_OPEN) this.#forget(oldest, first)
    const service = this.#openService(tenant)
    this.#open.set(tenant.id, {service, tenant})
    try {
      return await service
    } catch (error) {
      this.#open.delete(tenant.id)
      throw error
    }
  }

  /** An open service sends the calls again that another process has left. */
  async #openThoseWithCalls(): Promise<void> {
    for (const tenant of await tenantsWithCalls(this.#connections)) {
      if (!this.#open.has(tenant.id)) await this.#serviceOf(tenant)
    }
  }

  /** Requests in progress finish first. */
  #forget(id: number, {service}: Open): void {
    this.#open.delete(id)
    void service.then(each => each.close()).catch(() => undefined)
  }

  async #openService(tenant: Tenant): Promise<OpenService> {
    const {postgres, webhookHosts = [], onWebhookCall, ...options} = this.#options
    const windows = tenant.rate?.split(',').flatMap(part => readRateWindow(part) ?? [])
    const store = openPostgresTenant(this.#connections, tenant, postgres)
    const webhook = tenant.webhook && (await openWebhook(this.#connections, tenant.webhook))
    const opened = await openService(
      store,
      {
        settlement: 'background',
        ...options,
        ...(webhook && {webhook}),
        ...(onWebhookCall && {onWebhookCall: call => onWebhookCall({...call, tenant: tenant.name})}),
      },
      {
        rateLimit: windows && new SharedRateLimit(this.#connections, tenant.id, windows),
        isGuarded: !webhookHosts.includes(URL.parse(webhook?.url ?? '')?.hostname ?? ''),
      },
    )
    opened.service.baseUrl = `${this.url}/t/${tenant.name}`
    return opened
  }
}

const isSame = (one: Tenant, other: Tenant): boolean =>
  one.name === other.name &&
  one.createdAt === other.createdAt &&
  one.rate === other.rate &&
  one.maxRows === other.maxRows &&
  isDeepStrictEqual(one.webhook, other.webhook)

const tooManyRuns = () =>
  new Problem(
    429,
    'too-many-runs',
    'Too many runs',
    'This tenant has 100 runs. Wait until some have expired.',
    {'retry-after': '60'},
  )

/** The token of `Bearer TOKEN`, or the password of Basic. */
function tokenOf(authorization: string | undefined): string | undefined {
  const [, scheme = '', credentials = ''] = /^(\S+) +(\S+)$/.exec(authorization ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return credentials
  if (scheme.toLowerCase() !== 'basic') return undefined
  const text = Buffer.from(credentials, 'base64').toString('utf8')
  return text.includes(':') ? text.slice(text.indexOf(':') + 1) : undefined
}
