import {setImmediate} from 'node:timers'
import type {LikelyRow, Store, Transaction} from './store.ts'

/** Runs one piece of work at a time, in order. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }
}

/** A piece of work that waits for its group. */
export interface Work {
  readonly writes: boolean
  readonly likely: (() => readonly LikelyRow[]) | undefined
  readonly run: (tx: Transaction) => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** How a piece of work ended. It is reported after the commit. */
export type Outcome = {readonly result: unknown} | {readonly error: unknown}

/** Limits how long other processes wait for the write lock, to some 10 ms. */
const MOST_IN_GROUP = 100

/**
 * A store that runs work in groups. Work that arrives in one turn of the event loop shares a transaction, because a
 * commit costs as much as several requests.
 */
export abstract class GroupedStore implements Store {
  /** Groups take turns. */
  readonly #turns: Mutex
  readonly #waiting: Work[] = []
  #isPlanned = false

  constructor(turns = new Mutex()) {
    this.#turns = turns
  }

  /**
   * Runs all work of the group in order, in one transaction, and settles it after the commit.
   *
   * @param group of writes may get what `takeMore` returns, at its end.
   * @throws if the transaction fails for all the remaining work.
   */
  protected abstract runGroup(group: Work[], takeMore?: () => readonly Work[]): Promise<void>

  protected abstract release(): void | Promise<void>

  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    likely?: () => readonly LikelyRow[],
  ): Promise<Result> {
    return this.#enqueue(true, work, likely)
  }

  read<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#enqueue(false, work)
  }

  close(): Promise<void> {
    return this.#turns.run(async () => {
      while (this.#waiting.length > 0) await this.#runWaiting()
      await this.release()
    })
  }

  #enqueue<Result>(
    writes: boolean,
    run: (tx: Transaction) => Promise<Result>,
    likely?: () => readonly LikelyRow[],
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({writes, likely, run, resolve: resolve as Work['resolve'], reject})
      this.#plan()
    })
  }

  /** Waits for the end of this turn of the event loop, because more requests may arrive until then. */
  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      void this.#turns.run(() => this.#runWaiting())
    })
  }

  /** Runs the first group that waits. The next one runs in another turn, so that sockets are read in between. */
  async #runWaiting(): Promise<void> {
    const group = this.#waiting.splice(0, firstGroup(this.#waiting).length)
    if (group.length === 0) return
    await this.runWhole(group, () => this.#waiting.splice(0, MOST_IN_GROUP - group.length))
    if (this.#waiting.length > 0) this.#plan()
  }

  /** Takes the reads that wait for a group out of their place. */
  protected takeWaitingReads(): readonly Work[] {
    return takeReads(this.#waiting)
  }

  /** Settles every promise of the group. */
  protected async runWhole(group: Work[], takeMore?: () => readonly Work[]): Promise<void> {
    try {
      await this.runGroup(group, takeMore)
    } catch (error) {
      for (const work of group) work.reject(error)
    }
  }
}

/** Takes the reads out of a list. */
export function takeReads(work: Work[]): readonly Work[] {
  const all = work.splice(0)
  work.push(...all.filter(({writes}) => writes))
  return all.filter(({writes}) => !writes)
}

/** Reports the outcomes, after the commit. */
export function settle(group: readonly Work[], outcomes: readonly Outcome[]): void {
  for (const [at, outcome] of outcomes.entries()) {
    if ('error' in outcome) group[at]?.reject(outcome.error)
    else group[at]?.resolve(outcome.result)
  }
}

/**
 * Returns the reads before the first write, or everything if a write comes first: a read after a write must see its
 * effect, and so waits for its commit.
 */
function firstGroup(waiting: readonly Work[]): readonly Work[] {
  const write = waiting.findIndex(work => work.writes)
  if (write < 0) return waiting
  return waiting.slice(0, write === 0 ? MOST_IN_GROUP : write)
}
