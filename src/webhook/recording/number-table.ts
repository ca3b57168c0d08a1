/** Slots for each entry that is kept: probes stay short. */
const ROOM = 2
const NONE: readonly number[] = []

interface Part {
  /** Pairs of a key and its value; a value of 0 is an empty slot. */
  readonly slots: Int32Array
  size: number
}

/**
 * The newest values of 32-bit keys, at least `kept` and at most twice as many; a key may have several. A `Map` of so many
 * would cost more than twice the time, and each of its moves to a larger place a pause.
 */
export class NumberTable {
  readonly #kept: number
  readonly #mask: number
  #newer: Part
  #older: Part

  constructor(kept: number) {
    this.#kept = kept
    const places = 2 ** Math.ceil(Math.log2(kept * ROOM))
    this.#mask = places - 1
    const part = (): Part => ({slots: new Int32Array(2 * places), size: 0})
    this.#newer = part()
    this.#older = part()
  }

  /** @param value from 1 to 2^31 - 1. */
  add(key: number, value: number): void {
    if (this.#newer.size >= this.#kept) this.#turn()
    const {slots} = this.#newer
    let at = 2 * (key & this.#mask)
    for (; slots[at + 1] !== 0; at = this.#next(at)) if (slots[at] === key && slots[at + 1] === value) return
    slots[at] = key
    slots[at + 1] = value
    this.#newer.size++
  }

  /** The values of a key, in no order; one that was added again after long may stand there twice. */
  valuesOf(key: number): readonly number[] {
    const newer = this.#collect(this.#newer, key, NONE)
    return this.#older.size === 0 ? newer : this.#collect(this.#older, key, newer)
  }

  #collect({slots}: Part, key: number, before: readonly number[]): readonly number[] {
    let found = before
    for (let at = 2 * (key & this.#mask); slots[at + 1] !== 0; at = this.#next(at)) {
      if (slots[at] === key) found = [...found, slots[at + 1] as number]
    }
    return found
  }

  #next(at: number): number {
    return (at + 2) & (2 * this.#mask + 1)
  }

  /** The older ones are forgotten all at once. */
  #turn(): void {
    const emptied = this.#older
    emptied.slots.fill(0)
    emptied.size = 0
    this.#older = this.#newer
    this.#newer = emptied
  }
}
