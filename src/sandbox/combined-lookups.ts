import {setTimeout as pause, setImmediate as turnEnd} from 'node:timers/promises'

interface Waiting<Found> {
  readonly resolve: (found: Found | undefined) => void
  readonly reject: (error: unknown) => void
}

interface LookupOptions<Found> {
  /** @returns what exists of these keys. */
  readonly find: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>
  /** How long something that exists is not looked up again, ms. */
  readonly foundMs: number
  /** How long something that doesn't exist is not looked up again, ms. */
  readonly missingMs: number
}

/** Least time between two lookups, ms. */
const PAUSE_MS = 50
const MOST_KEYS = 1_000
const MOST_KEPT = 10_000

/**
 * Looks up keys that anyone can make up. All that arrive while a lookup runs, and for a moment after it, share the next
 * one. So the database gets at most 20 lookups a second, however many keys are tried.
 */
export class CombinedLookups<Found> {
  readonly #options: LookupOptions<Found>
  readonly #found = new Map<string, {readonly value: Found; readonly until: number}>()
  /** Apart, so that made-up keys displace none that exist: until when each counts as missing. */
  readonly #missing = new Map<string, number>()
  readonly #waiting = new Map<string, Waiting<Found>[]>()
  #isRunning = false

  constructor(options: LookupOptions<Found>) {
    this.#options = options
  }

  /** @returns undefined if there is nothing with this key. @throws what `find` throws */
  get(key: string): Promise<Found | undefined> {
    const now = performance.now()
    const found = this.#found.get(key)
    if (found && found.until > now) return Promise.resolve(found.value)
    if ((this.#missing.get(key) ?? 0) > now) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(key)
      if (waiting) waiting.push({resolve, reject})
      else this.#waiting.set(key, [{resolve, reject}])
      if (!this.#isRunning) void this.#run()
    })
  }

  /** Looks everything up again. */
  clear(): void {
    this.#found.clear()
    this.#missing.clear()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    await turnEnd()
    while (this.#waiting.size > 0) {
      const group = [...this.#waiting].slice(0, MOST_KEYS)
      for (const [key] of group) this.#waiting.delete(key)
      await this.#look(new Map(group))
      await pause(PAUSE_MS, undefined, {ref: false})
    }
    this.#isRunning = false
  }

  async #look(group: ReadonlyMap<string, readonly Waiting<Found>[]>): Promise<void> {
    const {find, foundMs, missingMs} = this.#options
    try {
      const all = await find([...group.keys()])
      for (const [key, waiting] of group) {
        const found = all.get(key)
        if (found === undefined) keep(this.#missing, key, performance.now() + missingMs)
        else keep(this.#found, key, {value: found, until: performance.now() + foundMs})
        for (const {resolve} of waiting) resolve(found)
      }
    } catch (error) {
      for (const waiting of group.values()) for (const {reject} of waiting) reject(error)
    }
  }
}

/** Keeps a value as the newest, in place of the oldest if there are too many. */
function keep<Value>(values: Map<string, Value>, key: string, value: Value): void {
  values.delete(key)
  const [oldest] = values.keys()
  if (oldest !== undefined && values.size >= MOST_KEPT) values.delete(oldest)
  values.set(key, value)
}
