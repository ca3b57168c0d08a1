import type {Decision} from './decide.ts'
import type {Step} from './exchange.ts'

/** A decision with the way to it. */
export interface Found extends Decision {
  readonly steps: readonly Step[]
  /** It was found in the recording. */
  readonly kept?: true
}

/** Decisions that are remembered; the oldest are forgotten first, so that the memory stays flat. */
const KEPT = 10_000

/** The same `metadata.id` gets the same answer, also while the first is still being decided. */
export class Decided {
  readonly #byId = new Map<string, Promise<Found>>()
  readonly #kept: number

  constructor(kept = KEPT) {
    this.#kept = kept
  }

  /** A decision that fails is forgotten: the next call of that id is decided afresh. */
  once(
    id: string,
    decide: () => Promise<Found>,
  ): {readonly decision: Promise<Found>; readonly repeated: boolean} {
    const known = this.#byId.get(id)
    if (known) return {decision: known, repeated: true}
    const decision = decide()
    this.#byId.set(id, decision)
    decision.catch(() => this.#byId.delete(id))
    const [oldest] = this.#byId.keys()
    if (oldest !== undefined && this.#byId.size > this.#kept) this.#byId.delete(oldest)
    return {decision, repeated: false}
  }
}
