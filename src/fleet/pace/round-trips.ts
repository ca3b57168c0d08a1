/** How many round trips must be known before the fastest of them is trusted. */
const TRIPS_TO_KNOW = 50
/** The fastest one is forgotten after this many others: the way to the service may change. */
const TRIPS_TO_KEEP = 2_000

/** When a request arrived at the latest. */
interface Arrival {
  /** What the way takes, in ms: the whole trip until more is known. */
  readonly leadMs: number
  /** What it took longer, in ms. It may also have been spent by the service, or on the way back. */
  readonly lateMs: number
}

/**
 * The round trips of this process: through the database for a turn, and to the service and back. The fastest shows what
 * the way itself takes; what a trip takes longer may have been spent before the request arrived.
 */
export class RoundTrips {
  #count = 0
  #fastest = Number.POSITIVE_INFINITY
  #newFastest = Number.POSITIVE_INFINITY

  add(tripMs: number): Arrival {
    const arrival = this.#isKnown
      ? {leadMs: this.leadMs, lateMs: Math.max(0, tripMs - this.#fastest)}
      : {leadMs: tripMs, lateMs: 0}
    this.#count += 1
    this.#fastest = Math.min(this.#fastest, tripMs)
    this.#newFastest = Math.min(this.#newFastest, tripMs)
    if (this.#count % TRIPS_TO_KEEP === 0) {
      this.#fastest = this.#newFastest
      this.#newFastest = Number.POSITIVE_INFINITY
    }
    return arrival
  }

  /** How long a request needs to arrive at least, in ms: half of the fastest trip, 0 until that is known. */
  get leadMs(): number {
    return this.#isKnown ? this.#fastest / 2 : 0
  }

  get #isKnown(): boolean {
    return this.#count >= TRIPS_TO_KNOW
  }
}
