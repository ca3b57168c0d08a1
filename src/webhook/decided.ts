import {callNumber} from './call-number.ts'
import type {Decision} from './decide.ts'
import type {Step} from './exchange.ts'
import {Recent} from './recent.ts'

/** A decision with the way to it. */
export interface Found extends Decision {
  readonly steps: readonly Step[]
  /** It was found in the recording. */
  readonly kept?: true
}

interface Known {
  readonly id: string
  readonly found: Found
  /** Another id of the same number. */
  readonly next: Known | undefined
}

/** The same `metadata.id` gets the same answer, also while the first is still being decided. */
export class Decided {
  readonly #pending = new Map<string, Promise<Found>>()
  /** By `callNumber`: a map of texts would have V8 keep each in its table of unique texts, which costs twice the time. */
  readonly #known: Recent<number, Known>

  /** @param kept at least how many are remembered. */
  constructor(kept: number) {
    this.#known = new Recent(kept)
  }

  /** A decision that fails is forgotten: the next call of that id is decided afresh. */
  once(
    id: string,
    decide: () => Found | Promise<Found>,
  ): {readonly decision: Found | Promise<Found>; readonly repeated: boolean} {
    const known = this.#find(id) ?? (this.#pending.size > 0 ? this.#pending.get(id) : undefined)
    if (known) return {decision: known, repeated: true}
    const decision = decide()
    if (decision instanceof Promise) this.#await(id, decision)
    else this.#keep(id, decision)
    return {decision, repeated: false}
  }

  #find(id: string): Found | undefined {
    let known = this.#known.get(callNumber(id))
    while (known && known.id !== id) known = known.next
    return known?.found
  }

  #keep(id: string, found: Found): void {
    const number = callNumber(id)
    this.#known.set(number, {id, found, next: this.#known.get(number)})
  }

  #await(id: string, decision: Promise<Found>): void {
    this.#pending.set(id, decision)
    decision
      .then(
        found => this.#keep(id, found),
        () => undefined,
      )
      .finally(() => this.#pending.delete(id))
  }
}
