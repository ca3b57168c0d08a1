/** So many may work at a time; the others wait, and the first who came is the first to go on. */
export class Places {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** Works when there is a place. @throws what aborted the signal, when that comes before a place. */
  async hold<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#take(signal)
    try {
      // It may have been aborted between the place and here.
      signal.throwIfAborted()
      return await work()
    } finally {
      this.#leave()
    }
  }

  #take(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#free > 0) {
        this.#free--
        resolve()
        return
      }
      const goOn = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.delete(goOn)
        reject(signal.reason)
      }
      this.#waiting.add(goOn)
      signal.addEventListener('abort', giveUp, {once: true})
    })
  }

  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
