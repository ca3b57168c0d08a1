import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http'
import {setImmediate as nextTurn} from 'node:timers/promises'
import type {Violation, WebhookCallCheck} from '../contract/validate.ts'
import {isObject} from '../errors/is-object.ts'
import {authFault, authHeader, type CallCredentials} from '../network/call-credentials.ts'
import {signatureFault} from '../network/call-signature.ts'
import {maskUrl} from '../sensitive/mask-request.ts'
import {callFingerprint} from './call-fingerprint.ts'
import {Deadline, Late} from './deadline.ts'
import {
  CallToDecide,
  type Decider,
  type Decision,
  DecisionFault,
  noteMaskedSteps,
  type Outgoing,
} from './decide.ts'
import type {Recorder} from './earlier-decisions.ts'
import {type Earlier, EarlierDecisions, type Found, type Repeatable} from './earlier-decisions.ts'
import type {AuthEvent, CallSummary, Exchange, Pending, Step, WebhookEvent} from './exchange.ts'
import {parseCall, Refusal, readBytes} from './read-call.ts'
import {callIdOf, type ReceivedCall} from './received-call.ts'
import {headerMasker} from './recorded-headers.ts'
import {
  JSON_HEADERS,
  outcomeOfAnswer,
  type Problem,
  sendAnswer,
  sendProblem,
  sendText,
  unknownPath,
  unreadable,
  writtenAnswer,
  writtenProblem,
} from './respond.ts'
import {summaryOf} from './summary.ts'
import {type Translator, untranslatable, warmUpOf} from './translator.ts'

export interface ListenerOptions {
  /** Path prefix of `/auth` and `/warm-up`, such as `/hooks`; '' for none. */
  readonly pathPrefix: string
  /** Maximum time to answer a call, in ms, from the moment its head is read. */
  readonly deadlineMs: number
  readonly decider: Decider
  /** What every call must have; by default nothing. */
  readonly credentials?: CallCredentials | undefined
  /** How the service writes its calls and reads answers, if it was not made for cardctl. */
  readonly translator?: Translator | undefined
  /** Whether the same call under the same id gets the same answer (default), or is decided again. */
  readonly remembers?: boolean | undefined
  /** Whether a call that differs from the contract is refused. By default it is accepted. */
  readonly strict?: boolean | undefined
  /** Called before an answer is sent; without it nothing is recorded. */
  readonly recorder?: Recorder | undefined
  /** A page for people on the same port. Returns whether it handled the request. */
  readonly page?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** A readable call has arrived and waits for its decision. */
  onPending?(pending: Pending): void
  /** A call was answered, or never will be. */
  onExchange(exchange: Exchange): void
  /** The id of an event: `e_…`, rising. */
  newId(): string
  /** Milliseconds since 1970. */
  now(): number
}

/** What is known about a call while it is answered. */
interface Received {
  readonly event: string
  readonly at: number
  elapsed(): number
  readonly deadline: Deadline
  readonly request: Omit<Exchange['request'], 'body'> & {body?: unknown}
  readonly response: ServerResponse
}

/** The answer to send, and its event. */
interface Ending {
  readonly event: WebhookEvent
  readonly reply?: Exchange['reply']
  readonly steps?: readonly Step[] | undefined
}

/** A parsed call, and its earlier decision, if any. */
interface Authorisation {
  readonly call: ReceivedCall
  readonly summary: CallSummary
  readonly bytes: Buffer
  /** The call as it came, if the service has a form of its own. */
  readonly theirs: unknown
  /** Undefined if nothing is remembered, because the call has no id. */
  readonly asked: Repeatable | undefined
  readonly decision: Found | Promise<Found> | undefined
}

const NOTHING: Earlier = {}

export interface Listener {
  readonly listener: RequestListener
  /** Stops waiting for decisions: undecided calls are late, recorded and reported. */
  end(): Promise<void>
}

/** Answers `POST /auth` and `POST /warm-up`, or what a translator says: parse, check, decide within the deadline, record, answer, report. */
export function createListener(check: WebhookCallCheck, options: ListenerOptions): Listener {
  const {pathPrefix, deadlineMs, decider, recorder, page, onPending, onExchange, newId, now} = options
  const {remembers = true, strict = false, credentials = {}, translator} = options
  const {auth, signature} = credentials
  const maskHeaders = headerMasker(credentials)
  // The recording has the older ones. Long-lived objects cost the garbage collector most.
  const decided = new EarlierDecisions(recorder?.earlier ? 2000 : 10_000)
  /** The waiting calls. A set of all calls would cost the garbage collector more than the answers. */
  const open = new Set<Received>()
  const {path, warmUp: theirWarmUp} = translator ?? {path: '/auth', warmUp: {path: '/warm-up'}}
  const routes = new Map<string, 'webhook.auth' | 'webhook.warmUp'>([[pathPrefix + path, 'webhook.auth']])
  if (theirWarmUp) routes.set(pathPrefix + theirWarmUp.path, 'webhook.warmUp')
  const noPath = unknownPath(routes.keys())

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (page?.(request, response)) return
    const started = performance.now()
    const received: Received = {
      event: newId(),
      at: now(),
      elapsed: () => Math.round((performance.now() - started) * 10) / 10,
      deadline: new Deadline(deadlineMs),
      request: {
        method: request.method ?? '',
        path: pathOf(request),
        headers: maskHeaders(request.headersDistinct),
      },
      response,
    }
    try {
      const id = route(request, received)
      const bytes = await readBytes(request, response, deadlineMs)
      // Before anything of the body is read.
      const fault = signature && signatureFault(request.headers, bytes, signature, now())
      if (fault) throw new Refusal({...unreadable.credentials, detail: fault.message})
      const parsed = parseCall(check, id, {bytes, strict, translator})
      const {masked} = parsed
      received.request.body = masked
      if ('refusal' in parsed) throw parsed.refusal
      const {body: call, unknown, differs, theirs} = parsed
      if (id === 'webhook.warmUp' || !call)
        return await warmUp(bytesOf(warmUpOf(received.at), bytes), differs, received)
      const asked = remembers ? repeatable(call, received.event) : undefined
      const {decision, reusedId} = asked ? earlier(asked, masked as ReceivedCall) : NOTHING
      const summary = summaryOf(masked, deadlineMs, {unknown, differs, reusedId})
      // Another call with a known id is decided by its own content, unless it has none.
      if (reusedId !== undefined && !isObject(call.transactionData))
        return await refuse(unreadable.conflict, received, {summary})
      await authorise({call, theirs, summary, bytes: bytesOf(call, bytes), asked, decision}, received)
    } catch (error) {
      await refuse(error instanceof Refusal ? error.problem : unreadable.fault, received)
    } finally {
      received.deadline.end()
      if (open.size > 0) open.delete(received)
    }
  }

  /** What decides sees ours. */
  const bytesOf = (ours: ReceivedCall, came: Buffer): Buffer =>
    translator ? Buffer.from(JSON.stringify(ours)) : came

  /** @throws DecisionFault for an answer that the service would not read as what was decided */
  function written(answer: Outgoing, theirs: unknown) {
    if (!translator || answer.kind !== 'reply') return undefined
    try {
      return translator.writeAnswer(answer.reply, theirs)
    } catch (error) {
      const why = untranslatable(error)
      throw why === undefined ? error : new DecisionFault(why)
    }
  }

  /** Records first, then answers, then reports the event. */
  async function finish({request}: Received, ending: Ending, answer: () => void): Promise<void> {
    const {event, reply, steps = []} = ending
    const exchange: Exchange = {event, request, ...(reply && {reply}), steps}
    await recorder?.record(exchange)
    answer()
    onExchange(exchange)
  }

  function refuse(
    problem: Problem,
    received: Received,
    {summary, steps}: {readonly summary?: CallSummary; readonly steps?: readonly Step[]} = {},
  ): Promise<void> {
    const {event, at, response} = received
    const {status, detail: reason} = problem
    const durationMs = received.elapsed()
    const rejected = {type: 'rejected', event, at, durationMs, status, reason, ...summary} as const
    const ending = {event: rejected, reply: writtenProblem(problem, credentials), steps}
    return finish(received, ending, () => sendProblem(response, problem, credentials))
  }

  function route({headers, httpVersion}: IncomingMessage, {request: {method, path}}: Received) {
    if (headers.host === undefined && httpVersion !== '1.0') throw new Refusal(unreadable.host)
    // Web pages can post to any address, but a service is no web page.
    if (headers.origin !== undefined) throw new Refusal(unreadable.origin)
    const fault = auth && authFault(auth, headers)
    if (fault) {
      const detail = `the credentials are ${fault} (header ${authHeader(auth).name})`
      throw new Refusal({...unreadable.credentials, detail})
    }
    const id = routes.get(path)
    if (id === undefined) throw new Refusal(noPath)
    if (method !== 'POST') throw new Refusal(unreadable.method)
    return id
  }

  async function warmUp(bytes: Buffer, differs: readonly Violation[], received: Received): Promise<void> {
    const {event, at, response, deadline} = received
    const steps: Step[] = []
    if (decider.warmUp) {
      try {
        open.add(received)
        const note = noteMaskedSteps(steps)
        const headers = response.req.headersDistinct
        await deadline.limit(decider.warmUp({bytes, headers, signal: deadline.signal, note}))
      } catch (error) {
        const late = error instanceof Late || deadline.passed
        const detail = error instanceof DecisionFault ? error.message : unreadable.fault.detail
        const problem = late ? unreadable.coldLate : {...unreadable.undecided, detail}
        return await refuse(problem, received, {steps})
      }
    }
    const warmedUp = {type: 'warm-up', event, at, durationMs: received.elapsed()} as const
    const ending = differs.length > 0 ? {...warmedUp, differs} : warmedUp
    const reply = {status: 200, headers: JSON_HEADERS, body: {}}
    return finish(received, {event: ending, reply, steps}, () => sendText(response, 200, '{}'))
  }

  /** Looks in memory first, then in the recording. */
  function earlier(asked: Repeatable, masked: ReceivedCall): Earlier {
    const known = decided.find(asked)
    if (known.decision || !recorder?.earlier) return known
    const recorded = recorder.earlier(asked.id, masked)
    if (recorded.decision) decided.keep(asked, recorded.decision)
    return recorded.decision ? recorded : {...recorded, ...known}
  }

  async function authorise(
    {call, theirs, summary, bytes, asked, decision: known}: Authorisation,
    received: Received,
  ): Promise<void> {
    const {event, at, deadline, response} = received
    const pending = {event, at, summary, call}
    onPending?.(pending)
    const steps: Step[] = []
    const decide = (): Found | Promise<Found> => {
      const found = (decision: Decision | undefined): Found => {
        if (!decision) throw new DecisionFault('no rule or decider decides this call')
        return {...decision, steps}
      }
      const decision = decider.decide(new CallToDecide(pending, bytes, response.req, deadline, steps))
      const all = decision instanceof Promise ? decision.then(found) : found(decision)
      if (asked) decided.keep(asked, all)
      return all
    }
    try {
      const decision = known ?? decide()
      if (decision instanceof Promise) open.add(received)
      const found = decision instanceof Promise ? await deadline.limit(decision) : decision
      if (deadline.passed) throw new Late()
      const {answer, by, because, unread, steps: way} = found
      if (answer.kind === 'none') {
        open.add(received)
        await deadline.wait()
      } else if (isGone(response)) return await tooLate(summary, received, way)
      const sent = written(answer, theirs)
      const answered: AuthEvent = {
        type: 'auth',
        event,
        at,
        durationMs: received.elapsed(),
        ...summary,
        ...outcomeOfAnswer(answer),
        by,
        ...(because !== undefined && {because}),
        ...(unread && {unread}),
        repeated: known !== undefined,
      }
      await finish(received, {event: answered, ...writtenAnswer(answer), steps: way}, () =>
        sendAnswer(response, answer, sent),
      )
    } catch (error) {
      if (error instanceof Late || deadline.passed) {
        return await tooLate(summary, received, steps)
      }
      const fault = error instanceof DecisionFault ? error : undefined
      const detail = fault?.message ?? unreadable.fault.detail
      await refuse({...unreadable.undecided, detail}, received, {summary, steps})
    }
  }

  function tooLate(summary: CallSummary, received: Received, steps: readonly Step[]): Promise<void> {
    const {event, at, response} = received
    const lateEvent = {type: 'late', event, at, durationMs: received.elapsed(), ...summary} as const
    if (isGone(response))
      return finish(received, {event: {...lateEvent, callerGone: true}, steps}, () => undefined)
    const {late} = unreadable
    const ending = {event: lateEvent, reply: writtenProblem(late, credentials), steps}
    return finish(received, ending, () => sendProblem(response, late, credentials))
  }

  return {
    listener: (request, response) => void handle(request, response),
    end: async () => {
      for (const {deadline} of open) deadline.expire()
      while (open.size > 0) await nextTurn()
    },
  }
}

/** Undefined for a call without a readable id: two equal coffees are two purchases. */
function repeatable(call: ReceivedCall, event: string): Repeatable | undefined {
  const id = callIdOf(call)
  return id === undefined ? undefined : {id, fingerprint: callFingerprint(call), event}
}

/**
 * Also checks the socket: closing a connection ourselves doesn't change its response, and a response has no socket
 * until the one before it is finished.
 */
const isGone = ({destroyed, req}: ServerResponse): boolean => destroyed || req.socket.destroyed

/** The path without the query, which may have anything in it. */
const pathOf = ({url = ''}: IncomingMessage): string => {
  const end = url.indexOf('?')
  return maskUrl(end < 0 ? url : url.slice(0, end))
}
