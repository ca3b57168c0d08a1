import {authenticate, challenge, guardBrowsers, guardControl} from './access.ts'
import {type OpenService, openService, type Sandbox} from './create-sandbox.ts'
import {ManySandboxes} from './many-sandboxes.ts'
import type {RequestEvent, SandboxOptions} from './options.ts'
import type {Gauges} from './own-pages.ts'
import {
  emptyResponse,
  jsonResponse,
  type PlainRequest,
  readJsonBody,
  type TextResponse,
} from './plain-http.ts'
import {badRequest, conflict, existing, Problem} from './problems.ts'
import {readIsolatedSandbox} from './read-isolated-sandbox.ts'
import {ReadyStores} from './ready-stores.ts'
import {type ServeOptions, serve} from './serve.ts'

/** Options of a server of isolated sandboxes. All of them are in memory, and a sandbox may have an endpoint of its own. */
export type IsolatedOptions = Omit<SandboxOptions, 'file' | 'postgres' | 'busyTimeoutMs' | 'settlement'> & {
  /** How many may be open at once; 1,000 by default. */
  readonly most?: number
  /** Says why an endpoint of a sandbox may not be called. */
  readonly refusedUrl?: (url: URL) => Promise<string | undefined>
}

/** Older requests are forgotten. */
const MOST_REQUESTS = 1_000

/** `/s/NAME/…`: the rest is a path of the sandbox's service. */
const SANDBOX_PATH = /^\/s\/([A-Za-z0-9._-]{1,100})(\/[^?]*)?(\?.*)?$/s
/** `/_sandboxes`, and `/_sandboxes/NAME` or `/_sandboxes/NAME/calls`. */
const CONTROL_PATH = /^\/_sandboxes(?:\/([A-Za-z0-9._-]{1,100})(\/calls)?)?\/?(?:\?.*)?$/

interface Isolated {
  readonly opened: OpenService
  /** The newest requests, oldest first. */
  readonly requests: RequestEvent[]
}

/**
 * Opens a server of isolated sandboxes, for tests in any language: `POST /_sandboxes` makes one, in memory, whose service
 * is below `/s/NAME`. Each has its own data, clock, faults, keys and endpoint, and begins with the demo data or with `from`.
 */
export async function createIsolatedSandboxes(
  options: IsolatedOptions,
): Promise<Pick<Sandbox, 'serve' | 'close'>> {
  const sandboxes = new IsolatedSandboxes(options, await ReadyStores.open(options))
  return {
    serve: (serveOptions: ServeOptions = {}) => serve(sandboxes, serveOptions),
    close: () => sandboxes.close(),
  }
}

class IsolatedSandboxes extends ManySandboxes {
  readonly #options: Omit<IsolatedOptions, 'most'>
  readonly #stores: ReadyStores
  readonly #open = new Map<string, Promise<Isolated>>()
  readonly #most: number
  #made = 0

  constructor({most = 1_000, ...options}: IsolatedOptions, stores: ReadyStores) {
    super(options)
    this.#options = options
    this.#most = most
    this.#stores = stores
  }

  async isReady(): Promise<boolean> {
    return true
  }

  gauges(): Gauges {
    return {cardctl_sandboxes_open: ['Isolated sandboxes that are open.', this.#open.size]}
  }

  protected services(): readonly Promise<OpenService>[] {
    return [...this.#open.values()].map(async isolated => (await isolated).opened)
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#stores.close()
  }

  protected async respond(request: PlainRequest): Promise<TextResponse> {
    const [, name, path = '/', search = ''] = SANDBOX_PATH.exec(request.url) ?? []
    if (name !== undefined) {
      const {opened} = await existing(this.#open.get(name), 'sandbox')
      return opened.handle({...request, url: `${path}${search}`})
    }
    const control = CONTROL_PATH.exec(request.url)
    if (control === null) throw notHere()
    const {auth} = this.#options
    const isGuarded = auth !== undefined
    guardBrowsers(request, '/_sandboxes', {...this.#options, isGuarded})
    if (authenticate(auth, request.headers.authorization) === undefined)
      return emptyResponse(401, auth ? {'www-authenticate': challenge(auth)} : {})
    guardControl(request, isGuarded)
    return this.#control(request, control[1], control[2] !== undefined)
  }

  async #control(request: PlainRequest, name: string | undefined, ofCalls: boolean): Promise<TextResponse> {
    const {method} = request
    if (name === undefined) {
      if (method === 'POST') return this.#make(request)
      if (method === 'GET')
        return jsonResponse(
          200,
          [...this.#open.keys()].map(each => this.#shown(each)),
        )
      throw wrongMethod('GET, POST')
    }
    const isolated = existing(this.#open.get(name), 'sandbox')
    if (ofCalls) {
      if (method !== 'GET') throw wrongMethod('GET')
      const {opened, requests} = await isolated
      const received = requests.map(({at, ...event}) => ({...event, at: new Date(at).toISOString()}))
      return jsonResponse(200, {requests: received, webhook: opened.service.webhook?.calls ?? []})
    }
    if (method === 'GET') return jsonResponse(200, this.#shown(name))
    if (method !== 'DELETE') throw wrongMethod('GET, DELETE')
    this.#open.delete(name)
    await (await isolated).opened.close()
    return emptyResponse(204)
  }

  async #make(request: PlainRequest): Promise<TextResponse> {
    const {name: given, webhook} = readIsolatedSandbox(readJsonBody(request) ?? {}, this.#options.webhook)
    const url = URL.parse(webhook?.url ?? '')
    const refused = url === null ? undefined : await this.#options.refusedUrl?.(url)
    if (refused !== undefined) throw badRequest('refused-host', refused)
    const name = given ?? this.#freeName()
    if (this.#open.has(name)) throw conflict('sandbox-exists', `There is a sandbox ${name} already.`)
    if (this.#open.size >= this.#most) {
      throw new Problem(
        507,
        'too-many-sandboxes',
        'Too many sandboxes',
        `${this.#most} sandboxes are open. Remove those that no test needs any longer, by DELETE /_sandboxes/NAME.`,
      )
    }
    const opening = this.#openOne(name, webhook)
    this.#open.set(name, opening)
    try {
      await opening
    } catch (error) {
      this.#open.delete(name)
      throw error
    }
    return jsonResponse(201, this.#shown(name), {location: `${this.url}/_sandboxes/${name}`})
  }

  async #openOne(name: string, webhook: SandboxOptions['webhook']): Promise<Isolated> {
    const {onRequest, refusedUrl: _, from: _from, ...options} = this.#options
    const requests: RequestEvent[] = []
    const {store, from} = await this.#stores.take()
    const opened = await openService(store, {
      ...options,
      ...(from && {from}),
      // No work goes on between the requests of a test.
      settlement: 'access',
      ...(webhook && {webhook}),
      onRequest: event => {
        if (requests.push(event) > MOST_REQUESTS) requests.shift()
        onRequest?.({...event, url: `/s/${name}${event.url}`})
      },
    })
    opened.service.baseUrl = this.#urlOf(name)
    return {opened, requests}
  }

  #freeName(): string {
    for (;;) {
      const name = String(++this.#made)
      if (!this.#open.has(name)) return name
    }
  }

  readonly #urlOf = (name: string): string => `${this.url}/s/${name}`

  #shown(name: string): {readonly name: string; readonly url: string} {
    return {name, url: this.#urlOf(name)}
  }
}

const notHere = () =>
  new Problem(
    404,
    'sandbox-not-named',
    'No sandbox named',
    'This server has isolated sandboxes: make one by POST /_sandboxes, and send its requests to the url of the response.',
  )

const wrongMethod = (allow: string) =>
  new Problem(405, 'method-not-allowed', 'Method not allowed', `This path accepts ${allow}.`, {allow})
