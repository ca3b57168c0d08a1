/** How many round trips must be known before the fastest of them is trusted. */
const TRIPS_TO_KNOW = 50
/** The fastest one is forgotten after this many others: the way to the service may change. */
const TRIPS_TO_KEEP = 2_000

/**
 * The round trips of this process: through the database for a turn, and to the service and back. The fastest shows what
 * the way itself takes; what a trip takes longer may have been spent before the request arrived.
 */
export class RoundTrips {
  #count = 0
  #fastest = Number.POSITIVE_INFINITY
  #newFastest = Number.POSITIVE_INFINITY

  /** @returns after how many ms the request has arrived at the latest. */
  add(tripMs: number): number {
    const arrivedMs = tripMs - Math.min(tripMs, this.leadMs)
    this.#count += 1
    this.#fastest = Math.min(this.#fastest, tripMs)
    this.#newFastest = Math.min(this.#newFastest, tripMs)
    if (this.#count % TRIPS_TO_KEEP === 0) {
      this.#fastest = this.#newFastest
      this.#newFastest = Number.POSITIVE_INFINITY
    }
    return arrivedMs
  }

  /** How long a request needs to arrive at least, in ms: half of the fastest trip, 0 until that is known. */
  get leadMs(): number {
    return this.#isKnown ? this.#fastest / 2 : 0
  }

  get #isKnown(): boolean {
    return this.#count >= TRIPS_TO_KNOW
  }
}
