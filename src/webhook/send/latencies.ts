/** One bar of a histogram: from, not included, to. */
export interface Bin {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
}

/** Each power of two of microseconds is cut into so many buckets, so that a value is known to 1/64. */
const PARTS = 64
const POWERS = 26

/** Edges in a decade, from dense to sparse. */
const EDGES = [
  [1, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 4, 5, 6, 7, 8.5],
  [1, 1.5, 2, 3, 5, 7],
  [1, 2, 5],
  [1, 3],
  [1],
]

/** How long calls took, in as much memory for a million of them as for one. Values above a minute count as one. */
export class Latencies {
  readonly #counts = new Uint32Array(PARTS * POWERS)
  #count = 0
  #sum = 0
  #max = 0

  add(ms: number): void {
    const index = indexOf(Math.max(0, Math.round(ms * 1000)))
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.#count++
    this.#sum += ms
    this.#max = Math.max(this.#max, ms)
  }

  get count(): number {
    return this.#count
  }

  /** Exact; undefined for none. */
  get max(): number | undefined {
    return this.#count === 0 ? undefined : inTenths(this.#max)
  }

  get mean(): number | undefined {
    return this.#count === 0 ? undefined : inTenths(this.#sum / this.#count)
  }

  /** So many percent took at most this long, ms; never less than it was, at most 1/64 more. Undefined for none. */
  percentile(percent: number): number | undefined {
    if (this.#count === 0) return undefined
    let left = Math.max(1, Math.ceil((percent / 100) * this.#count))
    for (const [index, count] of this.#counts.entries()) {
      left -= count
      if (left <= 0) return inTenths(Math.min((lowerEdge(index + 1) - 1) / 1000, this.#max))
    }
    return inTenths(this.#max)
  }

  /** A histogram of at most so many bars, with round edges that grow evenly. */
  bins(most: number): readonly Bin[] {
    const held = [...this.#counts.entries()].filter(([, count]) => count > 0)
    const [first, last] = [held[0], held.at(-1)]
    if (!first || !last) return []
    const [from, to] = [middleOf(first[0]), middleOf(last[0])]
    const choices = EDGES.map(edges => edgesAround(edges, from, to))
    const edges = choices.find(each => each.length - 1 <= most) ?? choices.at(-1) ?? []
    return edges.slice(1).map((toMs, at) => {
      const fromMs = edges[at] ?? 0
      const within = held.filter(([index]) => middleOf(index) >= fromMs && middleOf(index) < toMs)
      return {fromMs, toMs, count: within.reduce((sum, [, count]) => sum + count, 0)}
    })
  }
}

/** Buckets of one microsecond at first, then twice as wide with each power of two. */
function indexOf(micros: number): number {
  const power = Math.max(0, Math.floor(Math.log2(Math.max(micros, 1))) - Math.log2(PARTS))
  return Math.min(PARTS * power + Math.floor(micros / 2 ** power), PARTS * POWERS - 1)
}

/** In microseconds. */
function lowerEdge(index: number): number {
  const power = Math.max(0, Math.floor(index / PARTS) - 1)
  return (index - PARTS * power) * 2 ** power
}

/** In milliseconds. */
const middleOf = (index: number): number => (lowerEdge(index) + lowerEdge(index + 1)) / 2000

/** Round numbers from the last one that isn't above `from` to the first above `to`; all in ms. */
function edgesAround(decade: readonly number[], from: number, to: number): readonly number[] {
  const powers = Array.from({length: 10}, (_, at) => at - 4)
  const edges = powers.flatMap(power => decade.map(edge => Number((edge * 10 ** power).toPrecision(3))))
  const start = Math.max(
    0,
    edges.findLastIndex(edge => edge <= from),
  )
  const end = edges.findIndex(edge => edge > to)
  return edges.slice(start, end + 1)
}

const inTenths = (ms: number): number => Math.round(ms * 10) / 10
