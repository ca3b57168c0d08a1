/**
 * The newest entries, at least `kept` and at most twice as many, so that the memory stays flat. The oldest are forgotten
 * many at once: to look for the oldest key of a map costs more with each one deleted.
 */
export class Recent<Key, Value> {
  readonly #kept: number
  #newer = new Map<Key, Value>()
  #older = new Map<Key, Value>()

  constructor(kept: number) {
    this.#kept = kept
  }

  get(key: Key): Value | undefined {
    const value = this.#newer.get(key)
    return value === undefined && this.#older.size > 0 ? this.#older.get(key) : value
  }

  set(key: Key, value: Value): void {
    if (this.#newer.size >= this.#kept) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(key, value)
  }
}
