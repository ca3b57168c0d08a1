/** How long what is known of the clocks counts: they run at slightly different speeds. */
const RENEWED_MS = 2_000

/** One question to the database. Times of this machine are ms on a clock that can't be set. */
interface Exchange {
  readonly askedAt: number
  readonly receivedAt: number
  /** By the clock of the database, in ms since 1970. */
  readonly databaseAt: number
  /** How long the question had been in the database then. */
  readonly spentMs: number
}

/** The time of this machine minus that of the database is in this span, in ms. */
interface Offset {
  readonly least: number
  readonly most: number
}

const UNKNOWN: Offset = {least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY}

/**
 * When a time of the database's clock is, on this machine. Each question shows it with an error of at most its round trip,
 * and several of them together with that of the fastest ways there and back.
 */
export class DatabaseClock {
  #known = UNKNOWN
  #newer = UNKNOWN
  #renewedAt = Number.NEGATIVE_INFINITY

  add({askedAt, receivedAt, databaseAt, spentMs}: Exchange): void {
    const seen = {least: askedAt + spentMs - databaseAt, most: receivedAt - databaseAt}
    if (receivedAt > this.#renewedAt + RENEWED_MS) {
      this.#known = this.#newer
      this.#newer = UNKNOWN
      this.#renewedAt = receivedAt
    }
    this.#newer = narrowed(this.#newer, seen)
    this.#known = narrowed(this.#known, this.#newer)
  }

  /** The latest time that it may be on this machine: nothing that waits for it is early. */
  atLatest(databaseMs: number): number {
    return databaseMs + this.#known.most
  }

  /** By how much it may be earlier. */
  get doubtMs(): number {
    return this.#known.most - this.#known.least
  }
}

/** What both spans have in common; the newer one alone if that is nothing, because a clock was set. */
function narrowed(older: Offset, newer: Offset): Offset {
  const least = Math.max(older.least, newer.least)
  const most = Math.min(older.most, newer.most)
  return least <= most ? {least, most} : newer
}
