import {Failure} from '../../../errors/failure.ts'
import type {KeptRefusals} from './kept-refusals.ts'

/** How often to try again, ms. */
const AGAIN_MS = 5_000

/**
 * What could not be recorded when it happened, because the disk was full or the trail in use: how requests ended, and how
 * many refusals there were. It is recorded as soon as it can be, so that the trail never silently lacks something.
 */
export class LateRecords {
  readonly #ends = new Map<string, () => Promise<void>>()
  readonly #sayLost: (words: string) => Promise<void>
  readonly #kept: KeptRefusals
  readonly #users: Set<string>
  #lost: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  /** @param sayLost records in one entry that others are missing, or throws a Failure. */
  constructor(kept: KeptRefusals, sayLost: (words: string) => Promise<void>) {
    this.#kept = kept
    this.#sayLost = sayLost
    this.#lost = kept.left.count
    this.#users = new Set(kept.left.users)
  }

  /** Requests that have ended, and that nobody else must call unfinished. */
  get ids(): readonly string[] {
    return [...this.#ends.keys()]
  }

  /** @param record does it, or throws a Failure and can be called again. */
  addEnd(id: string, record: () => Promise<void>): void {
    this.#ends.set(id, record)
    this.#tryLater()
  }

  addRefusal(user: string): void {
    this.#lost += 1
    this.#users.add(user)
    this.#keep()
    this.#tryLater()
  }

  /** Tries what waits, once. */
  async settle(): Promise<void> {
    this.#running ??= this.#settle().finally(() => {
      this.#running = undefined
    })
    await this.#running
  }

  async end(): Promise<void> {
    await this.settle()
    clearTimeout(this.#timer)
    this.#kept[Symbol.dispose]()
  }

  async #settle(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      for (const [id, record] of this.#ends) {
        await record()
        this.#ends.delete(id)
      }
      const lost = this.#lost
      if (lost === 0) return
      const users = [...this.#users]
      await this.#sayLost(
        `${lost} ${lost === 1 ? 'refusal' : 'refusals'} before this could not be recorded, of ${users.join(', ')}.`,
      )
      this.#lost -= lost
      if (this.#lost === 0) this.#users.clear()
      this.#keep()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      this.#tryLater()
    }
  }

  /** A disk that takes not even this leaves the count in memory. */
  #keep(): void {
    try {
      this.#kept.keep({count: this.#lost, users: [...this.#users]})
    } catch {
      // The entry comes once the trail can be written; only a kill before that would lose the count.
    }
  }

  #tryLater(): void {
    this.#timer ??= setTimeout(() => void this.settle(), AGAIN_MS).unref()
  }
}
