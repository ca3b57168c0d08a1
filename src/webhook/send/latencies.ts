/** One bar of a histogram: `from` inclusive, `to` exclusive. */
export interface Bin {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
}

/** Edges in a decade, from dense to sparse. */
const EDGES = [
  [1, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 4, 5, 6, 7, 8.5],
  [1, 1.5, 2, 3, 5, 7],
  [1, 2, 5],
  [1, 3],
  [1],
]

/** From a microsecond to a quarter of an hour, in ms: longer than any run. */
const [SHORTEST, DECADES] = [0.001, 9]

/**
 * How long calls took. Keeps each time, because a run has at most a million, and the histogram of perf_hooks has no
 * bars.
 */
export class Latencies {
  readonly #times: number[] = []
  #sorted: Float64Array | undefined

  add(ms: number): void {
    this.#times.push(Math.max(SHORTEST, ms))
    this.#sorted = undefined
  }

  get count(): number {
    return this.#times.length
  }

  /** Undefined without any. */
  get max(): number | undefined {
    return this.percentile(100)
  }

  get mean(): number | undefined {
    return this.count === 0 ? undefined : inTenths(this.#times.reduce((sum, ms) => sum + ms) / this.count)
  }

  /** The time within which this percentage of the calls ended, by nearest rank, in ms. Undefined without any. */
  percentile(percent: number): number | undefined {
    const time = this.#inOrder()[Math.max(1, Math.ceil((percent / 100) * this.count)) - 1]
    return time === undefined ? undefined : inTenths(time)
  }

  /** A histogram with at most `most` bars, with round edges at regular distances. */
  bins(most: number): readonly Bin[] {
    const times = this.#inOrder()
    const [shortest, longest] = [times[0], times.at(-1)]
    if (shortest === undefined || longest === undefined) return []
    const choices = EDGES.map(edges => edgesAround(edges, shortest, longest))
    const edges = choices.find(each => each.length - 1 <= most) ?? choices.at(-1) ?? []
    return edges.slice(1).map((toMs, at) => {
      const fromMs = edges[at] ?? 0
      return {fromMs, toMs, count: this.#times.filter(ms => ms >= fromMs && ms < toMs).length}
    })
  }

  #inOrder(): Float64Array {
    this.#sorted ??= Float64Array.from(this.#times).sort()
    return this.#sorted
  }
}

/** Round numbers from the last one up to `from` to the first above `to`; all in ms. */
function edgesAround(decade: readonly number[], from: number, to: number): readonly number[] {
  const powers = Array.from({length: DECADES + 1}, (_, at) => at + Math.log10(SHORTEST))
  const edges = powers.flatMap(power => decade.map(edge => Number((edge * 10 ** power).toPrecision(3))))
  const start = edges.findLastIndex(edge => edge <= from)
  return edges.slice(start, edges.findIndex(edge => edge > to) + 1)
}

const inTenths = (ms: number): number => Math.round(ms * 10) / 10
