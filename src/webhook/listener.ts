import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http'
import {checkWebhookCall} from '../contract/validate.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {redact} from '../sensitive/redact.ts'
import type {AuthCall} from './call-kind.ts'
import {admits, type WebhookAuth} from './credentials.ts'
import {type Decider, DecisionFault, type Outgoing} from './decide.ts'
import {Decided} from './decided.ts'
import type {AuthEvent, CallSummary, WebhookEvent} from './events.ts'
import type {Exchange, Pending, Recorder, Step} from './exchange.ts'
import {type Problem, unreadable} from './problems.ts'
import {BodyFault, MAX_BODY, readBody} from './read-body.ts'
import {sendProblem, sendText} from './respond.ts'
import {outcomeOf} from './response-codes.ts'
import {summaryOf} from './summary.ts'

export interface ListenerOptions {
  /** Stands before `/auth` and `/warm-up`: `/hooks`; '' for none. */
  readonly pathPrefix: string
  /** How long a call may wait for its answer, ms, from the moment its head is read. */
  readonly deadlineMs: number
  readonly decider: Decider
  readonly auth?: WebhookAuth | undefined
  /** Is asked before an answer leaves; without one nothing is kept. */
  readonly recorder?: Recorder | undefined
  /** A page for people on the same port: answers what is not a call and says so. */
  readonly page?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** A call that can be read has come and waits for its decision. */
  onPending?(pending: Pending): void
  /** A call has its answer, or none for ever. */
  onExchange(exchange: Exchange): void
  /** The id of an event: `e_…`, rising. */
  newId(): string
  /** Milliseconds since 1970. */
  now(): number
}

/** A body of so few bytes that takes longer is not on its way. */
const READ_MS = 1000

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

/** What is known of a call while it is answered. */
interface Received {
  readonly event: string
  readonly at: number
  elapsed(): number
  readonly deadline: AbortSignal
  readonly request: {readonly method: string; readonly path: string; body?: unknown}
}

/** What goes out, and what is told of it. */
interface Ending {
  readonly event: WebhookEvent
  readonly reply?: Exchange['reply']
  readonly steps?: readonly Step[] | undefined
}

/** Answers `POST /auth` and `POST /warm-up`: parse, check, decide within the deadline, record, answer, tell. */
export function createListener(options: ListenerOptions): RequestListener {
  const {pathPrefix, deadlineMs, decider, recorder, page, auth, onPending, onExchange, newId, now} = options
  const decided = new Decided()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (page?.(request, response)) return
    const started = performance.now()
    const received: Received = {
      event: newId(),
      at: now(),
      elapsed: () => Math.round((performance.now() - started) * 10) / 10,
      deadline: AbortSignal.timeout(deadlineMs),
      request: {method: request.method ?? '', path: pathOf(request)},
    }
    try {
      const path = route(request, received)
      const bytes = await bodyOf(request)
      const body = await readCall(path === '/auth' ? 'webhook.auth' : 'webhook.warmUp', bytes, received)
      if (path === '/auth') return await authorise(body as AuthCall, bytes, received, response)
      decider.warmUp?.(bytes)
      const {event, at} = received
      const ending = {type: 'warm-up', event, at, durationMs: received.elapsed()} as const
      await finish(received, {event: ending, reply: {status: 200, body: {}}}, () =>
        sendText(response, 200, '{}'),
      )
    } catch (error) {
      await refuse(response, error instanceof Refusal ? error.problem : unreadable.fault, received)
    }
  }

  /** The recording first, then the answer, then whoever watches. */
  async function finish({request}: Received, ending: Ending, answer: () => void): Promise<void> {
    const {event, reply, steps = []} = ending
    const exchange: Exchange = {event, request, ...(reply && {reply}), steps}
    await recorder?.record(exchange)
    answer()
    onExchange(exchange)
  }

  async function refuse(
    response: ServerResponse,
    problem: Problem,
    received: Received,
    about: {id?: string; steps?: readonly Step[] | undefined} = {},
  ): Promise<void> {
    const {event, at} = received
    const {status, detail: reason} = problem
    const told = {type: 'rejected', event, at, durationMs: received.elapsed(), status, reason} as const
    await finish(
      received,
      {
        event: about.id === undefined ? told : {...told, id: about.id},
        reply: {status, body: problem},
        steps: about.steps,
      },
      () => sendProblem(response, problem, auth),
    )
  }

  function route(request: IncomingMessage, {request: {path}}: Received): '/auth' | '/warm-up' {
    if (auth && !admits(auth, request.headers.authorization)) throw new Refusal(unreadable.credentials)
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
    const {event, at, deadline} = received
    const summary: CallSummary = {...summaryOf(call), deadlineMs}
    const pending = {event, at, summary, call}
    onPending?.(pending)
    const steps: Step[] = []
    const first = decided.once(call.metadata.id, async () => {
      const earlier = recorder?.answerTo?.(call.metadata.id)
      if (earlier) return earlier
      const note = ({by, said}: Step) => steps.push({by, said: maskText(said)})
      const decision = await decider.decide({...pending, bytes, signal: deadline, note})
      if (!decision) throw new DecisionFault('nothing decides such a call')
      return {...decision, steps}
    })
    try {
      const {answer, by, steps: way, kept} = await withinDeadline(first.decision, deadline)
      if (answer.kind === 'none') await aborted(deadline)
      const told: AuthEvent = {
        type: 'auth',
        event,
        at,
        durationMs: received.elapsed(),
        ...summary,
        ...outcomeOfAnswer(answer),
        by,
        repeated: first.repeated || kept === true,
      }
      await finish(received, {event: told, ...replyOf(answer), steps: way}, () =>
        sendAnswer(response, answer),
      )
    } catch (error) {
      if (error instanceof Late || deadline.aborted) {
        const told = {type: 'late', event, at, durationMs: received.elapsed(), ...summary} as const
        const reply = {status: unreadable.late.status, body: unreadable.late}
        await finish(received, {event: told, reply, steps}, () =>
          sendProblem(response, unreadable.late, auth),
        )
        return
      }
      const fault = error instanceof DecisionFault ? error : undefined
      const detail = fault?.message ?? unreadable.fault.detail
      await refuse(response, {...unreadable.undecided, detail}, received, {id: summary.id, steps})
    }
  }

  return (request, response) => void handle(request, response)
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0] ?? ''

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  try {
    return await readBody(request, {limit: MAX_BODY, signal: AbortSignal.timeout(READ_MS)})
  } catch (error) {
    const reason = error instanceof BodyFault ? error.reason : 'cut'
    throw new Refusal(unreadable[reason])
  }
}

async function readCall(
  id: 'webhook.auth' | 'webhook.warmUp',
  bytes: Buffer,
  {request}: Received,
): Promise<unknown> {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    request.body = redact(bytes.toString('utf8'), {sensitive: []})
    throw new Refusal(unreadable.json)
  }
  request.body = redact(body, {sensitive: []})
  const [violation] = await checkWebhookCall(id, body)
  if (violation) throw new Refusal({...unreadable.contract, detail: violation.message})
  return body
}

function withinDeadline<D>(decision: Promise<D>, deadline: AbortSignal): Promise<D> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Late())
    if (deadline.aborted) late()
    deadline.addEventListener('abort', late, {once: true})
    decision.then(resolve, reject).finally(() => deadline.removeEventListener('abort', late))
  })
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), {once: true})
  })
}

function outcomeOfAnswer(answer: Outgoing): Pick<AuthEvent, 'outcome' | 'code'> {
  if (answer.kind === 'none') return {outcome: 'none'}
  if (answer.kind === 'raw') return {outcome: 'broken', code: String(answer.status)}
  const {code} = answer.reply.transactionData.authResponseCode
  return {outcome: outcomeOf(code), code}
}

function replyOf(answer: Outgoing): Pick<Exchange, 'reply'> {
  if (answer.kind === 'none') return {}
  if (answer.kind === 'raw') return {reply: {status: answer.status, body: maskText(answer.body)}}
  return {reply: {status: 200, body: redact(answer.reply, {sensitive: []})}}
}

function sendAnswer(response: ServerResponse, answer: Outgoing): void {
  if (answer.kind === 'none') response.destroy()
  else if (answer.kind === 'raw') sendText(response, answer.status, answer.body)
  else sendText(response, 200, JSON.stringify(answer.reply))
}
