import type {IncomingMessage} from 'node:http'
import {LIMITS} from '../../limits/limits.ts'
import {type Outgoing, openOutgoing} from '../../network/outgoing.ts'
import type {Secret} from '../../sensitive/secret.ts'
import {instant} from '../clock.ts'

/** The client's endpoint for authorisation calls. */
export interface WebhookOptions {
  /** Without `/auth` and `/warm-up`; may have a path. */
  readonly url: string
  /** HTTP Basic. */
  readonly user?: string
  readonly password?: Secret
  /** Deadline of an answer, ms; 2,000 by default. */
  readonly deadlineMs?: number
  /** The decision without an answer; `decline` by default. */
  readonly fallback?: 'approve' | 'decline'
  /** Idle time after which a call starts with a warm-up, ms; 60,000 by default. */
  readonly idleMs?: number
  /** The CA of the endpoint's certificate, PEM. */
  readonly ca?: string
}

/** How a call ended. */
export type Answer =
  | {readonly kind: 'answer'; readonly status: number; readonly text: string; readonly durationMs: number}
  | {readonly kind: 'none'; readonly why: string; readonly durationMs: number}

const DEADLINE_MS = 2000
const IDLE_MS = 60_000

class Closing extends Error {}

/** Calls the endpoint over persistent connections, with one deadline for the whole call. */
export class WebhookClient {
  readonly options: WebhookOptions
  readonly deadlineMs: number
  readonly #monotonic: () => number
  readonly #onUnreachable: ((why: string) => void) | undefined
  readonly #outgoing: Outgoing
  #open = new AbortController()
  #lastCall = Number.NEGATIVE_INFINITY
  #warming: Promise<unknown> | undefined
  #isKnownDown = false

  /** @param onUnreachable called when a warm-up gets no answer, and not again until one does. */
  constructor(options: WebhookOptions, monotonic: () => number, onUnreachable?: (why: string) => void) {
    this.#onUnreachable = onUnreachable
    this.options = options
    this.deadlineMs = options.deadlineMs ?? DEADLINE_MS
    this.#monotonic = monotonic
    const {protocol} = new URL(options.url)
    this.#outgoing = openOutgoing(protocol, {keepAlive: true, maxSockets: 64, tls: {ca: options.ca}})
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
    this.#outgoing.close()
  }

  async #post(
    path: string,
    body: unknown,
    headers: Record<string, string>,
    open: AbortSignal,
  ): Promise<Answer> {
    const began = this.#monotonic()
    this.#lastCall = began
    const took = () => this.#monotonic() - began
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(this.deadlineMs), open])
      const {status, text} = await this.#exchange(path, Buffer.from(JSON.stringify(body)), headers, signal)
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
    const url = new URL(this.options.url.replace(/\/+$/, '') + path)
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(signal.aborted ? signal.reason : error)
      // Ends the call at the deadline, whatever state the request is in.
      signal.addEventListener('abort', fail, {once: true})
      const request = this.#outgoing.request(url, {
        method: 'POST',
        signal,
        headers: {
          ...headers,
          ...this.#authorization(),
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

  #authorization(): Record<string, string> {
    const {user, password} = this.options
    if (user === undefined) return {}
    const credentials = Buffer.from(`${user}:${password?.open() ?? ''}`, 'utf8').toString('base64')
    return {authorization: `Basic ${credentials}`}
  }
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
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return error instanceof Error && error.message === 'too long'
    ? `the answer is longer than ${LIMITS.call.bytes} bytes`
    : `the endpoint cannot be reached${code}`
}
