import type {Dispatcher} from 'undici'
import {LIMITS} from '../limits/limits.ts'

/** What an attempt needs of an undici dispatcher, so that the sandbox of this process can stand in for one. */
export type Connection = Pick<Dispatcher, 'dispatch' | 'close' | 'destroy'>

export interface WireRequest {
  readonly origin: string
  /** Path and query. */
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
}

export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As received, still compressed. */
  readonly body: Buffer
  /** The body was larger than `LIMITS.response.bytes` and was not kept. */
  readonly tooLarge?: true
}

/**
 * How one attempt ended. `left` says whether a byte of the request may have left this machine. False is certain, true
 * is not: an effect is ruled out only if it is impossible.
 */
export type AttemptResult =
  | {readonly kind: 'answered'; readonly response: WireResponse}
  | {
      readonly kind: 'failed'
      readonly left: boolean
      readonly error: Error
      /** The status line of a response that was cut off afterwards. */
      readonly status?: number
    }

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

/**
 * undici calls `onRequestStart` on an open connection (TLS included), in the same turn and directly before it writes
 * the first byte; aborting there still stops the request. So that call is the line between "nothing left" and "may have
 * left". After it undici resends nothing by itself.
 */
class Recorder implements Dispatcher.DispatchHandler {
  readonly #settle: (result: AttemptResult) => void
  #controller: Dispatcher.DispatchController | undefined
  #stopped: Error | undefined
  #status: number | undefined
  #headers: Record<string, string> = {}
  readonly #chunks: Buffer[] = []
  #size = 0

  constructor(settle: (result: AttemptResult) => void) {
    this.#settle = settle
  }

  stop(reason: Error): void {
    if (this.#stopped) return
    this.#stopped = reason
    if (this.#controller) this.#controller.abort(reason)
    else this.#fail(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A second start would be a resend by undici, which is our decision.
    if (this.#controller) controller.abort(new Error('The connection was lost'))
    else if (this.#stopped) controller.abort(this.#stopped)
    else this.#controller = controller
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // A 1xx only announces that the response is still to come.
    if (status < 200) return
    this.#status = status
    this.#headers = flatten(headers)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > LIMITS.response.bytes) {
      this.#answered(Buffer.alloc(0), true)
      this.#chunks.length = 0
      controller.abort(new Error('The response is too large'))
      return
    }
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const body = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks)
    // undici frees the connection in an immediate that it queues after this call; whoever sends the next request
    // before that opens a second connection.
    queueMicrotask(() => setImmediate(() => this.#answered(body)))
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#fail(error)
  }

  #answered(body: Buffer, tooLarge = false): void {
    if (this.#status === undefined) {
      this.#fail(new Error('The response has no status'))
      return
    }
    const received = {status: this.#status, headers: this.#headers, body, ...(tooLarge ? {tooLarge} : {})}
    this.#settle({kind: 'answered', response: received})
  }

  #fail(error: Error): void {
    const left = this.#controller !== undefined
    this.#settle({
      kind: 'failed',
      left,
      error,
      ...(this.#status === undefined ? {} : {status: this.#status}),
    })
  }
}

/**
 * One request, one attempt. Never throws for what happens on the way. If the signal aborts, the attempt ends as
 * `failed` with the signal's reason.
 */
export function attempt(
  dispatcher: Connection,
  request: WireRequest,
  signal: AbortSignal,
): Promise<AttemptResult> {
  return new Promise(resolve => {
    const onAbort = (): void => recorder.stop(asError(signal.reason))
    const recorder = new Recorder(result => {
      signal.removeEventListener('abort', onAbort)
      resolve(result)
    })
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, {once: true})
    try {
      dispatcher.dispatch(
        {
          origin: request.origin,
          path: request.path,
          method: request.method as Dispatcher.HttpMethod,
          headers: {...request.headers},
          body: request.body ?? null,
          // The deadline is ours. It covers all attempts and waits.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        recorder,
      )
    } catch (error) {
      recorder.stop(asError(error))
    }
  })
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
