/** Works through what is open in the background, a piece at a time, so that requests are answered in between. */
export class Settler {
  readonly #settleSome: () => Promise<boolean>
  readonly #onError: (error: unknown) => void
  #running: Promise<void> | undefined
  #kicked = false
  #stopped = false

  constructor(settleSome: () => Promise<boolean>, onError: (error: unknown) => void) {
    this.#settleSome = settleSome
    this.#onError = onError
  }

  /** There may be something to do: starts, or looks once more when it is done with what it is at. */
  kick(): void {
    if (this.#stopped) return
    this.#kicked = true
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined
    })
  }

  /** Finishes the piece at hand; the rest is for the next process on the store. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  async #work(): Promise<void> {
    try {
      while (this.#kicked && !this.#stopped) {
        this.#kicked = false
        do await new Promise(resolve => setImmediate(resolve))
        while (!this.#stopped && (await this.#settleSome()))
      }
    } catch (error) {
      this.#onError(error)
    }
  }
}
