import type {RateWindow} from '../limits/rate-window.ts'

/** Limits the memory: without authentication, callers can make up credentials. */
const MOST_CREDENTIALS = 1000

/** Limits the calls of each credential. */
export interface CallLimit {
  /**
   * Accepts a request, or returns how long to wait.
   * @param now a monotonic time in ms.
   * @returns ms until a request would be accepted; 0 if this one is.
   */
  take(credential: string, now: number): number | Promise<number>
}

/**
 * Strict sliding windows, for each credential: no span of a window's length has more accepted requests than the window
 * allows. A refused request doesn't count.
 */
export class RateLimit implements CallLimit {
  readonly #windows: readonly RateWindow[]
  readonly #logs = new Map<string, readonly ArrivalLog[]>()

  constructor(windows: readonly RateWindow[]) {
    this.#windows = windows
  }

  take(credential: string, now: number): number {
    const logs = this.#logsOf(credential)
    const wait = Math.max(0, ...logs.map(log => log.waitUntilFree(now)))
    if (wait === 0) for (const log of logs) log.add(now)
    return wait
  }

  #logsOf(credential: string): readonly ArrivalLog[] {
    const known = this.#logs.get(credential)
    if (known) return known
    const logs = this.#windows.map(window => new ArrivalLog(window))
    const [oldest] = this.#logs.keys()
    if (oldest !== undefined && this.#logs.size >= MOST_CREDENTIALS) this.#logs.delete(oldest)
    this.#logs.set(credential, logs)
    return logs
  }
}

/** The times of the last `count` requests, in a ring. The oldest decides about the next request. */
class ArrivalLog {
  readonly #times: Float64Array
  readonly #windowMs: number
  #oldest = 0

  constructor({count, windowMs}: RateWindow) {
    this.#times = new Float64Array(count).fill(Number.NEGATIVE_INFINITY)
    this.#windowMs = windowMs
  }

  waitUntilFree(now: number): number {
    const oldest = this.#times[this.#oldest] ?? Number.POSITIVE_INFINITY
    return Math.max(0, oldest + this.#windowMs - now)
  }

  add(now: number): void {
    this.#times[this.#oldest] = now
    this.#oldest = (this.#oldest + 1) % this.#times.length
  }
}
