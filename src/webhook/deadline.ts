/** The time limit has passed. */
export class Late extends Error {
  override readonly name = 'Late'
}

/**
 * A time limit that costs almost nothing if it isn't reached: its timer and signal are made on first use, and `end` clears
 * the timer.
 */
export class Deadline {
  readonly #endsAt: number
  #timer: NodeJS.Timeout | undefined
  #tell: (() => void) | undefined
  #controller: AbortController | undefined
  #passed = false

  /** @param ms from now. */
  constructor(ms: number) {
    this.#endsAt = performance.now() + ms
  }

  get passed(): boolean {
    return this.#passed || performance.now() >= this.#endsAt
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#passed) this.#controller.abort()
      this.#watch()
    }
    return this.#controller.signal
  }

  /** The result of a promise, if it is in time. One at a time. @throws Late if it is not. */
  limit<Value>(promise: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#whenPassed(() => reject(new Late()))
      promise.then(resolve, reject)
    })
  }

  /** Resolves when the time is over, for a caller that waits for nothing else. */
  wait(): Promise<void> {
    return new Promise(resolve => this.#whenPassed(resolve))
  }

  /** Its time is already over. */
  expire(): void {
    clearTimeout(this.#timer)
    this.#pass()
  }

  /** It will no longer be reached. */
  end(): void {
    clearTimeout(this.#timer)
  }

  #whenPassed(tell: () => void): void {
    this.#tell = tell
    if (this.passed) tell()
    else this.#watch()
  }

  #watch(): void {
    this.#timer ??= setTimeout(() => this.#pass(), this.#endsAt - performance.now())
  }

  #pass(): void {
    this.#passed = true
    this.#controller?.abort()
    this.#tell?.()
  }
}
