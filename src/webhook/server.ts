import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {checkWebhookCall} from '../contract/validate.ts'
import type {AuthCall} from './call-kind.ts'
import {admits, type WebhookAuth} from './credentials.ts'
import {type Decider, type Decision, DecisionFault} from './decide.ts'
import {Decided} from './decided.ts'
import type {WebhookEvent} from './events.ts'
import {type Problem, unreadable} from './problems.ts'
import {BodyFault, MAX_BODY, readBody} from './read-body.ts'
import {outcomeOf} from './response-codes.ts'
import {summaryOf} from './summary.ts'

export interface WebhookOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Stands before `/auth` and `/warm-up`: `/hooks`; '' for none. */
  readonly pathPrefix: string
  /** How long a call may wait for its answer, ms, from the moment its head is read. */
  readonly deadlineMs: number
  readonly decider: Decider
  readonly auth?: WebhookAuth | undefined
  onEvent(event: WebhookEvent): void
  /** Milliseconds since 1970. */
  now(): number
}

export interface WebhookServer {
  /** Where it is, path prefix included, without a trailing slash. */
  readonly url: string
  /** Stops listening, answers what is under way for at most 1.5 s, and lets the port go. */
  close(): Promise<void>
}

/** A body of so few bytes that takes longer is not on its way. */
const READ_MS = 1000
const DRAIN_MS = 1500

/** Thrown on the way to a decision; answers the call. */
class Refusal extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.title)
    this.problem = problem
  }
}

/** What the decider may take of the deadline is used up. */
class Late extends Error {}

interface Received {
  readonly at: number
  elapsed(): number
  readonly deadline: AbortSignal
}

/** Puts the listener on a port. @throws the system's error (`EADDRINUSE` …) when the port cannot be had. */
export async function serveWebhook(options: WebhookOptions): Promise<WebhookServer> {
  const {host, port, pathPrefix, deadlineMs, decider, onEvent, now} = options
  const decided = new Decided()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now()
    const received = {
      at: now(),
      elapsed: () => Math.round((performance.now() - started) * 10) / 10,
      deadline: AbortSignal.timeout(deadlineMs),
    }
    try {
      const path = route(request)
      const bytes = await bodyOf(request)
      const body = await readCall(path === '/auth' ? 'webhook.auth' : 'webhook.warmUp', bytes)
      if (path === '/auth') return await authorise(body as AuthCall, bytes, received, response)
      decider.warmUp?.(bytes)
      send(response, 200, {})
      onEvent({type: 'warm-up', at: received.at, durationMs: received.elapsed()})
    } catch (error) {
      const problem = error instanceof Refusal ? error.problem : unreadable.fault
      refuse(response, problem, received)
    }
  }

  function refuse(response: ServerResponse, problem: Problem, received: Received, id?: string): void {
    send(response, problem.status, problem, problem.status === 401 ? challenge(options.auth) : {})
    onEvent({
      type: 'rejected',
      at: received.at,
      durationMs: received.elapsed(),
      status: problem.status,
      reason: problem.detail,
      ...(id === undefined ? {} : {id}),
    })
  }

  function route(request: IncomingMessage): '/auth' | '/warm-up' {
    if (options.auth && !admits(options.auth, request.headers.authorization)) {
      throw new Refusal(unreadable.credentials)
    }
    const path = (request.url ?? '').split('?')[0] ?? ''
    const inner = path.startsWith(pathPrefix) ? path.slice(pathPrefix.length) : ''
    if (inner !== '/auth' && inner !== '/warm-up') throw new Refusal(unreadable.path)
    if (request.method !== 'POST') throw new Refusal(unreadable.method)
    return inner
  }

  async function authorise(
    call: AuthCall,
    bytes: Buffer,
    received: Received,
    response: ServerResponse,
  ): Promise<void> {
    const {id} = call.metadata
    const {deadline} = received
    const summary = {...summaryOf(call), deadlineMs}
    const first = decided.once(id, async () => decider.decide({call, bytes, signal: deadline}))
    try {
      const {reply, by} = await withinDeadline(first.decision, deadline)
      send(response, 200, reply)
      const {code} = reply.transactionData.authResponseCode
      const outcome = outcomeOf(code)
      const {at} = received
      const durationMs = received.elapsed()
      onEvent({type: 'auth', at, durationMs, ...summary, outcome, code, by, repeated: first.repeated})
    } catch (error) {
      if (error instanceof Late || deadline.aborted) {
        send(response, 503, unreadable.late)
        onEvent({type: 'late', at: received.at, durationMs: received.elapsed(), ...summary})
        return
      }
      const detail = error instanceof DecisionFault ? error.message : unreadable.fault.detail
      refuse(response, {...unreadable.undecided, detail}, received, summary.id)
    }
  }

  const server = createServer({connectionsCheckingInterval: 1000}, (request, response) => {
    void handle(request, response)
  })
  server.headersTimeout = 5000
  server.requestTimeout = 10_000
  // A warmed-up connection is there to be used.
  server.keepAliveTimeout = 65_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: `${addressOf(server.address() as AddressInfo)}${pathPrefix}`,
    close: async () => {
      const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeIdleConnections()
      await closed
      clearTimeout(cut)
      decider.close?.()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  try {
    return await readBody(request, {limit: MAX_BODY, signal: AbortSignal.timeout(READ_MS)})
  } catch (error) {
    const reason = error instanceof BodyFault ? error.reason : 'cut'
    throw new Refusal(unreadable[reason])
  }
}

async function readCall(id: 'webhook.auth' | 'webhook.warmUp', bytes: Buffer): Promise<unknown> {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Refusal(unreadable.json)
  }
  const [violation] = await checkWebhookCall(id, body)
  if (violation) throw new Refusal({...unreadable.contract, detail: violation.message})
  return body
}

function withinDeadline(decision: Promise<Decision>, deadline: AbortSignal): Promise<Decision> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Late())
    if (deadline.aborted) late()
    deadline.addEventListener('abort', late, {once: true})
    decision.then(resolve, reject).finally(() => deadline.removeEventListener('abort', late))
  })
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'content-type': status === 200 ? 'application/json' : 'application/problem+json',
    'content-length': bytes.length,
    // What is left of a body that was not read must not be taken for the next call.
    ...(response.req.complete ? {} : {connection: 'close'}),
    ...headers,
  })
  response.end(bytes)
}

const challenge = (auth: WebhookAuth | undefined): Readonly<Record<string, string>> => ({
  'www-authenticate': auth?.type === 'bearer' ? 'Bearer realm="webhook"' : 'Basic realm="webhook"',
})

const addressOf = ({address, family, port}: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
