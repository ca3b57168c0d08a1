/** What two of the largest bodies have, and what a caller may add to that in a second. */
const MOST_BYTES = 4 * 1024 * 1024
const BYTES_PER_SECOND = 128 * 1024
/** Refusals: each is an entry of the audit trail, which nothing removes. */
const MOST_REFUSALS = 60
const REFUSALS_PER_SECOND = 0.1
/** Lines of the log in a minute. */
const MOST_LINES = 300
const MINUTE_MS = 60_000

/** How long refusals of one kind, and not read, are counted for one entry. */
const COUNTED_MS = 600_000

/** ms, of a clock that nobody sets. */
type Elapsed = () => number

const steady: Elapsed = () => performance.now()

/** An amount that is used up, and comes back with time. */
class Budget {
  readonly #most: number
  readonly #perSecond: number
  readonly #elapsed: Elapsed
  #left: number
  #at: number

  constructor(most: number, perSecond: number, elapsed: Elapsed) {
    this.#most = most
    this.#perSecond = perSecond
    this.#elapsed = elapsed
    this.#left = most
    this.#at = elapsed()
  }

  /** How many seconds to wait until so much is there; 0 if it is. */
  secondsFor(amount: number): number {
    const now = this.#elapsed()
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    return amount <= this.#left ? 0 : Math.ceil((amount - this.#left) / this.#perSecond)
  }

  take(amount: number): void {
    this.#left -= amount
  }
}

/**
 * The bytes that a caller may have read. One process reads the bodies of all callers, so none may keep it busy.
 *
 * @returns how many seconds to wait; 0 if they were taken.
 */
export function bodyBudget(elapsed: Elapsed = steady): (bytes: number) => number {
  const budget = new Budget(MOST_BYTES, BYTES_PER_SECOND, elapsed)
  return bytes => {
    const seconds = budget.secondsFor(bytes)
    if (seconds === 0) budget.take(bytes)
    return seconds
  }
}

/** The refusals of a caller: how many seconds it waits for the next, and that there was one. */
export function refusalBudget(elapsed: Elapsed = steady): {seconds(): number; add(): void} {
  const budget = new Budget(MOST_REFUSALS, REFUSALS_PER_SECOND, elapsed)
  return {seconds: () => budget.secondsFor(1), add: () => budget.take(1)}
}

/**
 * The lines of a caller in the log, which is on a disk. Those of a minute that are too many are counted.
 *
 * @param omitted says how many were left out, in the minute after.
 */
export function lineBudget(
  omitted: (count: number) => void,
  elapsed: Elapsed = steady,
): {isLeft(): boolean; end(): void} {
  let minute = Number.NEGATIVE_INFINITY
  let lines = 0
  let left = 0
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (left > 0) omitted(left)
    left = 0
  }
  return {
    isLeft: () => {
      const now = elapsed()
      if (now - minute >= MINUTE_MS) {
        end()
        minute = now
        lines = 0
      }
      lines += 1
      if (lines <= MOST_LINES) return true
      left += 1
      timer ??= setTimeout(end, MINUTE_MS).unref()
      return false
    },
    end,
  }
}

/**
 * Refusals without a request that was read: of each kind the first is recorded, and then the count of ten minutes. Others
 * can cause any number, and nothing removes an entry of the audit trail.
 */
export function countedRefusals(record: (why: string, count: number) => void): {
  add(why: string): void
  end(): void
} {
  const counts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    clearTimeout(timer)
    timer = undefined
    for (const [why, count] of counts) if (count > 0) record(why, count)
    counts.clear()
  }
  return {
    add: why => {
      timer ??= setTimeout(end, COUNTED_MS).unref()
      const count = counts.get(why)
      counts.set(why, (count ?? -1) + 1)
      if (count === undefined) record(why, 1)
    },
    end,
  }
}
