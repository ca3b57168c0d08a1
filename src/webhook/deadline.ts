/** The time asked for is over. */
export class Late extends Error {
  override readonly name = 'Late'
}

/**
 * A time limit that costs next to nothing when it is not reached: its signal is made when somebody asks for it, and
 * `end` takes the timer away.
 */
export class Deadline {
  readonly #timer: NodeJS.Timeout
  #tell: (() => void) | undefined
  #controller: AbortController | undefined
  #passed = false

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.#pass(), ms)
  }

  get passed(): boolean {
    return this.#passed
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#passed) this.#controller.abort()
    }
    return this.#controller.signal
  }

  /** What a promise gives, if it does so in time; for one at a time. @throws Late when it doesn't. */
  limit<Value>(promise: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#tell = () => reject(new Late())
      if (this.#passed) this.#tell()
      promise.then(resolve, reject)
    })
  }

  /** Resolves when the time is over; for one who waits for nothing else. */
  wait(): Promise<void> {
    return new Promise(resolve => {
      this.#tell = resolve
      if (this.#passed) resolve()
    })
  }

  /** It will not be reached any more. */
  end(): void {
    clearTimeout(this.#timer)
  }

  #pass(): void {
    this.#passed = true
    this.#controller?.abort()
    this.#tell?.()
  }
}
