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
  readonly #kept: number
  readonly #pending = new Map<string, Promise<Found>>()
  #newer = new Map<string, Found>()
  #older = new Map<string, Found>()

  /**
   * @param kept at least so many are remembered and at most twice as many, so that the memory stays flat. They are
   * forgotten many at once, for to look for the oldest key of a map costs more with each one deleted.
   */
  constructor(kept: number) {
    this.#kept = kept
  }

  /** A decision that fails is forgotten: the next call of that id is decided afresh. */
  once(
    id: string,
    decide: () => Found | Promise<Found>,
  ): {readonly decision: Found | Promise<Found>; readonly repeated: boolean} {
    const known = this.#newer.get(id) ?? this.#pending.get(id) ?? this.#older.get(id)
    if (known) return {decision: known, repeated: true}
    const decision = decide()
    if (decision instanceof Promise) this.#await(id, decision)
    else this.#remember(id, decision)
    return {decision, repeated: false}
  }

  #await(id: string, decision: Promise<Found>): void {
    this.#pending.set(id, decision)
    decision.then(
      found => {
        this.#pending.delete(id)
        this.#remember(id, found)
      },
      () => this.#pending.delete(id),
    )
  }

  #remember(id: string, found: Found): void {
    if (this.#newer.size >= this.#kept) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(id, found)
  }
}
