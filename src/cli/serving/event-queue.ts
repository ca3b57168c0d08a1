/** Tells that the reader was too slow for so many events. */
export interface Dropped {
  readonly type: 'dropped'
  readonly count: number
}

const LONGEST = 10_000

/**
 * Events on their way to a reader who may be slow, or not read at all: whoever makes them never waits, and the memory is
 * bounded. What doesn't fit is counted, and the count stands where the events would have stood.
 */
export class EventQueue<Event> implements AsyncIterable<readonly (Event | Dropped)[]> {
  readonly #longest: number
  #waiting: Event[] = []
  #dropped = 0
  #ended = false
  #wake: (() => void) | undefined
  #soon: NodeJS.Immediate | undefined

  constructor(longest = LONGEST) {
    this.#longest = longest
  }

  push(event: Event): void {
    if (this.#ended) return
    if (this.#waiting.length < this.#longest) this.#waiting.push(event)
    else this.#dropped++
    // What comes in the same turn of the event loop goes out together.
    this.#soon ??= setImmediate(() => this.#wakeReader())
  }

  /** No more events; those that wait are still given. */
  end(): void {
    this.#ended = true
    this.#wakeReader()
  }

  /** Gives together what has come since it was last asked. */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly (Event | Dropped)[]> {
    for (;;) {
      const batch = this.#waiting
      const count = this.#dropped
      this.#waiting = []
      this.#dropped = 0
      if (count > 0) yield [...batch, {type: 'dropped', count}]
      else if (batch.length > 0) yield batch
      if (this.#waiting.length > 0 || this.#dropped > 0) continue
      if (this.#ended) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }

  #wakeReader(): void {
    clearImmediate(this.#soon)
    this.#soon = undefined
    this.#wake?.()
  }
}
