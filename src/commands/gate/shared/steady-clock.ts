const DAY_MS = 86_400_000
/** How far a clock is set in the ordinary way. */
const ADJUSTED_MS = 300_000

interface Seen {
  /** By the clock that nobody sets, ms. */
  readonly from: number
  /** What the other one was ahead of it. */
  readonly ahead: number
}

/** For a day after a clock was set forward, the time that it would say now if it hadn't been. */
export class SteadyClock {
  readonly #elapsed: () => number
  #seen: readonly Seen[] = []

  /** @param elapsed ms, of a clock that nobody sets. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
  }

  /** @param at what the clock says, ms since 1970. @returns the earliest time that it may be. */
  earliest(at: number): number {
    const from = this.#elapsed()
    const ahead = at - from
    const last = this.#seen.at(-1)
    const added =
      last === undefined || Math.abs(ahead - last.ahead) > ADJUSTED_MS
        ? [...this.#seen, {from, ahead}]
        : this.#seen
    // What was left more than a day ago no longer counts.
    this.#seen = added.filter((_, index) => {
      const next = added[index + 1]
      return next === undefined || next.from > from - DAY_MS
    })
    return Math.min(at, ...this.#seen.map(one => from + one.ahead))
  }
}
