import type {Writable} from 'node:stream'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {errnoOf, isLostTerminal} from '../errors/system-reason.ts'

type Stream = Writable & {readonly isTTY?: boolean | undefined}
type WriteError = Error | null | undefined

const guarded = new WeakSet<Stream>()

/** Bytes that may wait for a stalled reader. Above this, notes and status lines are dropped. */
const MOST_WAITING = 1024 * 1024

/** How long a run that a signal ended still waits for a stalled reader, in milliseconds. */
const FLUSH_WAIT_MS = 500

/**
 * Writes to a stream at the reader's pace; everything for stdout and stderr goes through here. A stalled reader loses
 * nothing. If the reader goes away (`| head`, a closed terminal), writing ends quietly and `closed` tells the producer
 * to stop.
 */
export class Sink {
  readonly #stream: Stream
  readonly #signal: AbortSignal | undefined
  #closed = false

  /** @param signal after it, a stalled reader gets only a short time. */
  constructor(stream: Stream, signal?: AbortSignal) {
    this.#stream = stream
    this.#signal = signal
    guard(stream)
  }

  get closed(): boolean {
    return this.#closed || this.#stream.destroyed
  }

  /**
   * @throws Failure OUTPUT_UNWRITABLE if writing fails, for example on a full disk. A reader that went away is no
   * failure.
   */
  async write(text: string | Uint8Array): Promise<void> {
    if (text.length === 0 || this.closed) return
    const error = await this.#written(text)
    if (error === null || error === undefined) return
    this.#closed = true
    if (isReaderGone(this.#stream, error)) return
    throw unwritable(error)
  }

  /** Writes without waiting; for short or redrawn text: notes, status lines, the echo of a prompt. Never throws. */
  say(text: string): void {
    if (this.closed || this.#stream.writableLength > MOST_WAITING) return
    this.#stream.write(text, error => {
      if (error) this.#closed = true
    })
  }

  #written(text: string | Uint8Array): Promise<WriteError> {
    const signal = this.#signal
    return new Promise(resolve => {
      let timer: NodeJS.Timeout | undefined
      const hurry = (): void => {
        timer = setTimeout(() => {
          this.#closed = true
          resolve(undefined)
        }, FLUSH_WAIT_MS)
      }
      if (signal?.aborted) hurry()
      else signal?.addEventListener('abort', hurry, {once: true})
      this.#stream.write(text, error => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', hurry)
        resolve(error)
      })
    })
  }
}

/** A result that stdout didn't take. */
export function unwritable(error: Error): Failure {
  const code = errnoOf(error)
  return new Failure('OUTPUT_UNWRITABLE', {
    message: `The result could not be written to stdout (${code === 'EBADF' ? 'it is closed' : (code ?? 'unknown reason')})`,
    ...(code === 'EBADF' ? {hint: CLOSED} : {}),
    cause: error,
  })
}

const CLOSED = advice`To discard the result, redirect it: >/dev/null instead of >&-. To see what was sent: ${cardctl('requests', 'list')}`

/** Errors arrive in the callback of each write. Without a listener, they would also end the process. */
function guard(stream: Stream): void {
  if (!guarded.has(stream)) stream.on('error', () => undefined)
  guarded.add(stream)
}

const isReaderGone = (stream: Stream, error: Error): boolean =>
  isLostTerminal(stream, error) ||
  ['EPIPE', 'ERR_STREAM_DESTROYED', 'ECONNRESET'].includes(errnoOf(error) ?? '')
