import type {Pace} from './pace.ts'
import type {Rate} from './pace-rates.ts'

export interface PacerOptions {
  readonly pace: Pace
  readonly rates: readonly Rate[]
  readonly quota?: readonly Rate[] | undefined
  /** Resolves after `ms`, or rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** ms since 1970. */
  now(): number
}

/** One permission to send. */
export interface Turn {
  /**
   * An answer came, of any status; a 429 makes everybody wait.
   *
   * @param retryAfterMs how long, if the service says so.
   */
  answered(status: number, retryAfterMs?: number): void
}

/** How long everybody waits after a 429 that names no time, in ms: the quota is counted by the second. */
const BREATHER_MS = 1000

/**
 * Turns in the order in which they were asked for. Only the first in this process's line asks the shared pace, so that
 * a hundred requests in flight don't crowd around the lock.
 */
export class Pacer {
  readonly #options: PacerOptions
  #line: Promise<unknown> = Promise.resolve()

  constructor(options: PacerOptions) {
    this.#options = options
  }

  /** Resolves when a request may leave, and must leave at once. Rejects when the signal aborts, and loses no turn. */
  turn(signal?: AbortSignal): Promise<Turn> {
    const turn = this.#line.then(() => this.#first(signal))
    this.#line = turn.catch(() => undefined)
    return turn
  }

  async #first(signal: AbortSignal | undefined): Promise<Turn> {
    const {pace, rates, quota, sleep, now} = this.#options
    for (;;) {
      signal?.throwIfAborted()
      const {waitMs, grant} = pace.acquire(rates, quota)
      if (grant !== undefined) {
        return {
          answered: (status, retryAfterMs = 0) => {
            pace.answered(grant)
            if (status === 429) pace.penalise(now() + Math.max(retryAfterMs, BREATHER_MS), grant)
          },
        }
      }
      await sleep(waitMs, signal)
    }
  }
}
