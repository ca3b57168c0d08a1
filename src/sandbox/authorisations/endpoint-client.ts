import type {IncomingMessage} from 'node:http'
import {parseAnswer} from '../../contract/auth-answer.ts'
import type {AuthCall} from '../../contract/auth-call.ts'
import {codeOf} from '../../contract/response-codes.ts'
import {isObject} from '../../errors/is-object.ts'
import {LIMITS} from '../../limits/limits.ts'
import {type CallCredentials, credentialHeaders} from '../../network/call-credentials.ts'
import type {CallSignature} from '../../network/call-signature.ts'
import {checkHost, ForbiddenAddress, safeLookup} from '../../network/forbidden-addresses.ts'
import {type Outgoing, openOutgoing} from '../../network/outgoing.ts'
import {SIGNATURE_PRESETS, type SignaturePreset} from '../../network/signature-defaults.ts'
import type {Secret} from '../../sensitive/secret.ts'
import {instant} from '../clock.ts'
import {systemRandom} from '../ids.ts'
import type {WebhookCallEvent} from '../options.ts'
import {callTraceHeaders, traceMember} from '../trace-context.ts'

/** The credentials of calls. What is left out of a signature is as its preset has it. */
export interface SandboxCredentials extends Pick<CallCredentials, 'auth'> {
  readonly signature?:
    | (Pick<CallSignature, 'keys'> & Partial<CallSignature> & {readonly preset?: SignaturePreset})
    | undefined
}

/** The client's endpoint for authorisation calls: `url` or `handler`. */
export interface WebhookOptions {
  /** Without `/auth` and `/warm-up`; may have a path. */
  readonly url?: string
  /** An endpoint in the same process. An error counts as status 500. */
  readonly handler?: WebhookHandler
  /** HTTP Basic, in short. */
  readonly user?: string
  readonly password?: Secret
  /** How calls prove that they come from the service: a credential, a signature, or both. */
  readonly credentials?: SandboxCredentials
  /** Deadline of an answer, ms; 2,000 by default. */
  readonly deadlineMs?: number
  /** The decision without an answer; `decline` by default. */
  readonly fallback?: 'approve' | 'decline'
  /** Idle time after which a call starts with a warm-up, ms; 60,000 by default. */
  readonly idleMs?: number
  /** The CA of the endpoint's certificate, PEM. */
  readonly ca?: string
  /** The client certificate of the calls and its private key, PEM. */
  readonly cert?: string
  readonly key?: Secret
}

/** How a sandbox calls the endpoint. */
export interface CallingOptions {
  readonly monotonic: () => number
  /** Called when a warm-up gets no answer, and not again until one does. */
  readonly onUnreachable?: ((why: string) => void) | undefined
  /** Called after every call. */
  readonly onCall?: ((event: WebhookCallEvent) => void) | undefined
  /** Refuse endpoints at addresses of this machine and the like: somebody else chose the URL. */
  readonly isGuarded?: boolean
  /** Milliseconds since 1970, for signatures. Not the clock of the sandbox: endpoints don't know that. */
  readonly now?: (() => number) | undefined
}

/** Answers a call in the same process. What it returns is judged like the body of an answer. */
export type WebhookHandler = (call: AuthCall) => unknown

/** A call to the client's endpoint, and what came back. */
export interface RecordedCall {
  readonly path: '/auth' | '/warm-up'
  /** The body of the call. */
  readonly call: unknown
  /** Absent without an answer. */
  readonly status?: number
  /** The body of the answer: JSON, or text if it is none. Absent without an answer. */
  readonly answer?: unknown
  /** Why there was no answer, as a sentence without a full stop. */
  readonly why?: string
  readonly durationMs: number
}

/** How a call ended. */
export type Answer =
  | {readonly kind: 'answer'; readonly status: number; readonly text: string; readonly durationMs: number}
  | {readonly kind: 'none'; readonly why: string; readonly durationMs: number}

const DEADLINE_MS = 2000
const IDLE_MS = 60_000
/** Older calls are forgotten. */
const MOST_CALLS = 1000

class Closing extends Error {}

/** Calls the endpoint over persistent connections, with one deadline for the whole call. */
export class WebhookClient {
  readonly options: WebhookOptions
  readonly deadlineMs: number
  /** The newest calls, oldest first. */
  readonly calls: RecordedCall[] = []
  readonly #credentials: CallCredentials
  readonly #monotonic: () => number
  readonly #now: () => number
  readonly #onUnreachable: ((why: string) => void) | undefined
  readonly #onCall: ((event: WebhookCallEvent) => void) | undefined
  readonly #outgoing: Outgoing | undefined
  #open = new AbortController()
  #lastCall = Number.NEGATIVE_INFINITY
  #warming: Promise<unknown> | undefined
  #isKnownDown = false

  readonly #isGuarded: boolean

  constructor(
    options: WebhookOptions,
    {monotonic, onUnreachable, onCall, isGuarded = false, now = Date.now}: CallingOptions,
  ) {
    this.#isGuarded = isGuarded
    this.#onUnreachable = onUnreachable
    this.#onCall = onCall
    this.options = options
    this.deadlineMs = options.deadlineMs ?? DEADLINE_MS
    this.#monotonic = monotonic
    this.#now = now
    const {url, ca, cert, key, user, password, credentials = {}} = options
    const {auth, signature} = credentials
    this.#credentials = {
      auth: user === undefined || !password ? auth : {type: 'basic', user, password},
      signature: signature && {...SIGNATURE_PRESETS[signature.preset ?? 'plain'], ...signature},
    }
    this.#outgoing =
      url === undefined
        ? undefined
        : openOutgoing(new URL(url).protocol, {
            keepAlive: true,
            maxSockets: 64,
            tls: {ca, cert, key},
            ...(isGuarded && {lookup: safeLookup}),
          })
  }

  /**
   * Opens a connection, so that the first call is fast. The answer doesn't matter.
   * @param now epoch ms by the sandbox clock.
   */
  async warmUp(now: number): Promise<void> {
    const {signal} = this.#open
    const warming = this.#post(
      '/warm-up',
      {type: 'WARM_UP', timestamp: instant(now)},
      {'x-warmup': 'true'},
      signal,
    )
    this.#warming = warming
    const answer = await warming
    this.#warming = undefined
    if (answer.kind === 'answer' || this.#isKnownDown || signal.aborted) return
    this.#isKnownDown = true
    this.#onUnreachable?.(answer.why)
  }

  /** Sends a call. After a pause, warms up first; the deadline starts after the warm-up. */
  async authorise(call: unknown, now: number): Promise<Answer> {
    const {signal} = this.#open
    const idle = this.#monotonic() - this.#lastCall
    if (idle >= (this.options.idleMs ?? IDLE_MS)) await this.warmUp(now)
    else await this.#warming
    return this.#post('/auth', call, {}, signal)
  }

  /** Stops waiting for answers, so the fallback decides. */
  giveUp(): void {
    this.#open.abort(new Closing())
    this.#open = new AbortController()
  }

  /** Stops waiting, and closes all connections. */
  close(): void {
    this.#open.abort(new Closing())
    this.#outgoing?.close()
  }

  async #post(
    path: '/auth' | '/warm-up',
    body: unknown,
    headers: Record<string, string>,
    open: AbortSignal,
  ): Promise<Answer> {
    const at = this.#now()
    const answer = await this.#send(path, body, headers, open)
    const {durationMs} = answer
    const call: RecordedCall =
      answer.kind === 'none'
        ? {path, call: body, why: answer.why, durationMs}
        : {path, call: body, status: answer.status, answer: parseAnswer(answer.text), durationMs}
    this.calls.push(call)
    if (this.calls.length > MOST_CALLS) this.calls.shift()
    this.#onCall?.({at, ...this.#inShort(call)})
    return answer
  }

  /** Without the bodies: they have data of the cardholder, or whatever an endpoint says. */
  #inShort({path, status, answer, why, durationMs}: RecordedCall): Omit<WebhookCallEvent, 'at'> {
    const {origin} = URL.parse(this.options.url ?? '') ?? {}
    const code = codeIn(answer)
    return {
      type: 'webhook',
      ...(origin === undefined ? {} : {to: origin}),
      path,
      ...(status === undefined ? {} : {status}),
      ...(code === undefined ? {} : {code}),
      ...(why === undefined ? {} : {why}),
      durationMs,
      ...traceMember(),
    }
  }

  async #send(
    path: '/auth' | '/warm-up',
    body: unknown,
    headers: Record<string, string>,
    open: AbortSignal,
  ): Promise<Answer> {
    const began = this.#monotonic()
    this.#lastCall = began
    const took = () => this.#monotonic() - began
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(this.deadlineMs), open])
      const {handler} = this.options
      const {status, text} = handler
        ? await handled(handler, path, body, signal)
        : await this.#exchange(path, Buffer.from(JSON.stringify(body)), headers, signal)
      this.#lastCall = this.#monotonic()
      this.#isKnownDown = false
      return {kind: 'answer', status, text, durationMs: took()}
    } catch (error) {
      return {kind: 'none', why: whyNone(error, this.deadlineMs), durationMs: took()}
    }
  }

  #exchange(
    path: string,
    body: Buffer,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<{status: number; text: string}> {
    signal.throwIfAborted()
    const outgoing = this.#outgoing
    if (outgoing === undefined) throw new Error('The endpoint has no URL.')
    const url = new URL((this.options.url ?? '').replace(/\/+$/, '') + path)
    if (this.#isGuarded) checkHost(url.hostname)
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(signal.aborted ? signal.reason : error)
      // Ends the call at the deadline, whatever state the request is in.
      signal.addEventListener('abort', fail, {once: true})
      const request = outgoing.request(url, {
        method: 'POST',
        signal,
        headers: {
          ...headers,
          ...callTraceHeaders(systemRandom),
          ...credentialHeaders(this.#credentials, body, this.#now()),
          'content-type': 'application/json',
          'content-length': String(body.length),
        },
      })
      request.on('error', fail)
      request.on('response', response => {
        readText(response).then(text => resolve({status: response.statusCode ?? 0, text}), fail)
      })
      // After status 101 the connection is no longer HTTP.
      request.on('upgrade', ({statusCode = 0}, socket) => {
        socket.destroy()
        resolve({status: statusCode, text: ''})
      })
      request.end(body)
    })
  }
}

/** The response code of an answer, if it is one of the contract. */
function codeIn(answer: unknown): string | undefined {
  const data = isObject(answer) ? answer.transactionData : undefined
  const given = isObject(data) ? data.authResponseCode : undefined
  return isObject(given) && typeof given.code === 'string' ? codeOf(given.code) : undefined
}

/** Calls an endpoint in this process. */
async function handled(
  handler: WebhookHandler,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<{status: number; text: string}> {
  if (path === '/warm-up') return {status: 200, text: ''}
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), {once: true})
    // A copy, so that the handler can't change what is recorded.
    Promise.resolve(structuredClone(body) as AuthCall)
      .then(handler)
      .then(answer => resolve({status: 200, text: JSON.stringify(answer) ?? ''}))
      .catch(() => resolve({status: 500, text: ''}))
  })
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LIMITS.call.bytes) throw new Error('too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The reason for the record, without texts of the endpoint or the system. */
function whyNone(error: unknown, deadlineMs: number): string {
  if (error instanceof Closing) return 'the sandbox was closed before the endpoint answered'
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return `no answer within ${deadlineMs} ms`
  }
  if (error instanceof ForbiddenAddress) return 'the server is not allowed to call this address'
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return error instanceof Error && error.message === 'too long'
    ? `the answer is longer than ${LIMITS.call.bytes} bytes`
    : `the endpoint cannot be reached${code}`
}
