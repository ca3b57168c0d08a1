import type {Writable} from 'node:stream'
import {Failure} from '../errors/failure.ts'

const guarded = new WeakSet<Writable>()

/**
 * Writes to a stream at the reader's pace. A reader that stalls loses nothing; one that went away (`| head`) ends the
 * writing quietly, and `closed` tells whoever makes the data to stop.
 */
export class Sink {
  readonly #stream: Writable
  #closed = false

  constructor(stream: Writable) {
    this.#stream = stream
    // Errors come back through the callback of each write; without a listener they would end the process too.
    if (!guarded.has(stream)) stream.on('error', () => undefined)
    guarded.add(stream)
  }

  get closed(): boolean {
    return this.#closed || this.#stream.destroyed
  }

  /** @throws Failure OUTPUT_UNWRITABLE when it can't be written and the reader isn't just gone, as on a full disk. */
  async write(text: string): Promise<void> {
    if (text === '' || this.closed) return
    const error = await new Promise<NodeJS.ErrnoException | null | undefined>(resolve => {
      this.#stream.write(text, resolve)
    })
    if (error === null || error === undefined) return
    this.#closed = true
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' || error.code === 'ECONNRESET') return
    throw new Failure('OUTPUT_UNWRITABLE', {
      message: `The result could not be written to stdout (${error.code ?? 'unknown reason'})`,
    })
  }
}
