import type {Decision} from './decide.ts'
import type {Step} from './exchange.ts'

/** A decision with the way to it. */
export interface Found extends Decision {
  readonly steps: readonly Step[]
  /** It was found in the recording. */
  readonly kept?: true
}

/** The same `metadata.id` gets the same answer, also while the first is still being decided. */
export class Decided {
  readonly #byId = new Map<string, Promise<Found>>()
  /** In the order they came; a ring, for to look for the oldest key of a map costs more with each one deleted. */
  readonly #ids: (string | undefined)[]
  #next = 0

  /** @param kept how many are remembered; the oldest are forgotten first, so that the memory stays flat. */
  constructor(kept: number) {
    this.#ids = Array.from({length: kept})
  }

  /** A decision that fails is forgotten: the next call of that id is decided afresh. */
  once(
    id: string,
    decide: () => Promise<Found>,
  ): {readonly decision: Promise<Found>; readonly repeated: boolean} {
    const known = this.#byId.get(id)
    if (known) return {decision: known, repeated: true}
    const place = this.#next
    this.#next = (place + 1) % this.#ids.length
    const oldest = this.#ids[place]
    if (oldest !== undefined) this.#byId.delete(oldest)
    const decision = decide()
    this.#ids[place] = id
    this.#byId.set(id, decision)
    decision.catch(() => {
      this.#byId.delete(id)
      if (this.#ids[place] === id) this.#ids[place] = undefined
    })
    return {decision, repeated: false}
  }
}
