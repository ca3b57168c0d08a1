import type {Decision} from './decide.ts'
import type {Step} from './exchange.ts'
import {Recent} from './recent.ts'

/** A decision with the way to it. */
export interface Found extends Decision {
  readonly steps: readonly Step[]
  /** It was found in the recording. */
  readonly kept?: true
}

/** The same `metadata.id` gets the same answer, also while the first is still being decided. */
export class Decided {
  readonly #pending = new Map<string, Promise<Found>>()
  readonly #found: Recent<string, Found>

  /** @param kept at least how many are remembered. */
  constructor(kept: number) {
    this.#found = new Recent(kept)
  }

  /** A decision that fails is forgotten: the next call of that id is decided afresh. */
  once(
    id: string,
    decide: () => Found | Promise<Found>,
  ): {readonly decision: Found | Promise<Found>; readonly repeated: boolean} {
    const known = this.#found.get(id) ?? this.#pending.get(id)
    if (known) return {decision: known, repeated: true}
    const decision = decide()
    if (decision instanceof Promise) this.#await(id, decision)
    else this.#found.set(id, decision)
    return {decision, repeated: false}
  }

  #await(id: string, decision: Promise<Found>): void {
    this.#pending.set(id, decision)
    decision
      .then(
        found => this.#found.set(id, found),
        () => undefined,
      )
      .finally(() => this.#pending.delete(id))
  }
}
