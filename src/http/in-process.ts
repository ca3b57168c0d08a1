import type {Dispatcher} from 'undici'
import type {Connection} from './attempt.ts'

/** A request as an in-process app gets it. */
export interface PlainRequest {
  method: string
  /** Path and query, as sent. */
  url: string
  /** Lower-case names. */
  headers: Record<string, string>
  body: Uint8Array
  origin?: 'embedded' | 'loopback' | 'network'
}

export interface PlainResponse {
  status: number
  headers: Record<string, string>
  body: Uint8Array
  /** Close the connection without a response. */
  drop?: true
}

/** Headers in any form that undici accepts, as a record with lower-case names. */
function plainHeaders(headers: Dispatcher.DispatchOptions['headers']): Record<string, string> {
  const plain: Record<string, string> = {}
  const add = (name: string, value: unknown): void => {
    if (value !== undefined && value !== null) plain[name.toLowerCase()] = String(value)
  }
  if (Array.isArray(headers)) {
    for (let at = 0; at + 1 < headers.length; at += 2) add(String(headers[at]), headers[at + 1])
  } else if (headers && Symbol.iterator in headers) {
    for (const [name, value] of headers as Iterable<[string, unknown]>) add(name, value)
  } else {
    for (const [name, value] of Object.entries(headers ?? {})) add(name, value)
  }
  return plain
}

function bytes(body: Dispatcher.DispatchOptions['body']): Uint8Array {
  if (body === undefined || body === null) return new Uint8Array()
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return body
  throw new TypeError('An in-process app takes whole bodies only')
}

/** The error of undici for a socket that the other side closed. */
function closed(): Error {
  return Object.assign(new Error('other side closed'), {code: 'UND_ERR_SOCKET'})
}

class Controller implements Dispatcher.DispatchController {
  aborted = false
  paused = false
  reason: Error | null = null
  rawHeaders: Buffer[] = []
  rawTrailers: Buffer[] = []
  readonly #onAbort: (reason: Error) => void

  constructor(onAbort: (reason: Error) => void) {
    this.#onAbort = onAbort
  }

  abort(reason: Error): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    this.#onAbort(reason)
  }

  /** Responses are complete when they arrive, so there is nothing to pause. */
  pause(): void {}
  resume(): void {}
}

class InProcessDispatcher implements Connection {
  readonly #handle: (request: PlainRequest) => Promise<PlainResponse>
  #closed = false

  constructor(handle: (request: PlainRequest) => Promise<PlainResponse>) {
    this.#handle = handle
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    let settled = false
    const fail = (error: Error): void => {
      if (settled) return
      settled = true
      handler.onResponseError?.(controller, error)
    }
    const controller = new Controller(fail)
    if (this.#closed) {
      fail(Object.assign(new Error('The dispatcher is closed'), {code: 'UND_ERR_CLOSED'}))
      return false
    }
    handler.onRequestStart?.(controller, null)
    if (controller.aborted) return true

    const request: PlainRequest = {
      method: options.method,
      url: options.path,
      headers: plainHeaders(options.headers),
      body: bytes(options.body),
      origin: 'embedded',
    }
    // The service runs on its own: a caller that gives up does not stop it.
    this.#handle(request).then(
      response => {
        if (settled) return
        if (response.drop) return fail(closed())
        settled = true
        handler.onResponseStart?.(controller, response.status, response.headers)
        if (response.body.byteLength > 0) {
          const {buffer, byteOffset, byteLength} = response.body
          handler.onResponseData?.(controller, Buffer.from(buffer, byteOffset, byteLength))
        }
        handler.onResponseEnd?.(controller, {})
      },
      (error: unknown) => fail(error instanceof Error ? error : new Error('The app failed')),
    )
    return true
  }

  close(): Promise<void>
  close(callback: () => void): void
  close(callback?: () => void): Promise<void> | undefined {
    this.#closed = true
    if (callback === undefined) return Promise.resolve()
    queueMicrotask(callback)
    return undefined
  }

  destroy(error?: Error | null): Promise<void>
  destroy(callback: () => void): void
  destroy(error: Error | null, callback: () => void): void
  destroy(first?: Error | null | (() => void), second?: () => void): Promise<void> | undefined {
    this.#closed = true
    const callback = typeof first === 'function' ? first : second
    if (callback === undefined) return Promise.resolve()
    queueMicrotask(callback)
    return undefined
  }
}

/**
 * A dispatcher that passes requests to an app of this process and plays back its responses. `drop` looks like a
 * connection that was cut after the request had left.
 */
export function dispatcherFor(handle: (request: PlainRequest) => Promise<PlainResponse>): Connection {
  return new InProcessDispatcher(handle)
}
