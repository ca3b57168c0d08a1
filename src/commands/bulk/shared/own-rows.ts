import type {EndedRow, RowCounts, RowState} from '../../../bulk/index.ts'
import type {RowOutcome} from '../../../bulk/row-ledger.ts'
import {type BulkSummary, countsOf} from './summary.ts'

/** What this process did of a job on which others work, too. */
export class OwnRows {
  readonly #inHand = new Set<number>()
  readonly #sent = new Set<number>()
  readonly #answered = new Map<number, RowState>()
  readonly #recorded = new Map<RowState, number>()
  readonly #confirmed = new Set<number>()
  #done = 0
  #lost = 0
  #taken = 0

  /** A row is about to be sent. */
  takes(row: number): void {
    this.#inHand.add(row)
  }

  /** A row is sent, or not if its lease has ended. */
  async sends(row: number, send: () => Promise<RowOutcome>): Promise<RowOutcome> {
    const isFirst = !this.#sent.has(row)
    this.#sent.add(row)
    const outcome = await send()
    if (outcome.isUnsent) {
      if (isFirst) this.#sent.delete(row)
      return outcome
    }
    const {state} = outcome.row
    if (state === 'done' && this.#answered.get(row) !== 'done') this.#done++
    this.#answered.set(row, state)
    return outcome
  }

  /** @param taken rows that others were given meanwhile. */
  ended(rows: readonly EndedRow[], taken: ReadonlySet<number> | undefined): void {
    for (const {row, state, code} of rows) {
      this.#inHand.delete(row)
      if (state !== 'held') this.#confirmed.add(row)
      if (code === 'LEASE_ENDED') this.#lost++
      else if (taken?.has(row)) this.#taken++
      else this.#recorded.set(state, (this.#recorded.get(state) ?? 0) + 1)
    }
  }

  /**
   * The counts of the database, which a lock may keep from being read, with what this process has seen done since.
   *
   * @param first the counts when it began.
   */
  on(first: RowCounts, counts: RowCounts): RowCounts {
    const more = Math.max(0, first.done + this.#done - counts.done)
    const fromSent = Math.min(more, counts.sent)
    const waiting = Math.max(0, counts.waiting - (more - fromSent))
    return {...counts, done: counts.done + more, sent: counts.sent - fromSent, waiting}
  }

  get facts() {
    const {done = 0, failed = 0, sent = 0, unknown = 0} = Object.fromEntries(this.#recorded)
    return {done, failed, unknown: unknown + sent, taken: this.#taken, unsent: this.#lost}
  }

  /** The share of this process, and the state of the whole job. */
  words(summary: BulkSummary): string {
    const {done, failed, unknown} = this.facts
    const own = [
      `${done} done`,
      `${failed} failed`,
      ...(unknown > 0 ? [`${unknown} sent, effect unknown`] : []),
    ].join(', ')
    const many = this.#taken
    const [were, them] = many === 1 ? ['was', 'it'] : ['were', 'them']
    const taken =
      many > 0
        ? ` Its lease ran out while ${many} more ${were} on ${many === 1 ? 'its' : 'their'} way: other workers took ${them}, and count ${them}.`
        : ''
    const lost =
      this.#lost > 0 ? ` Its lease ran out before it sent ${this.#lost} more, which are free for others.` : ''
    return `This worker: ${own}.${taken}${lost} All workers of bulk job ${summary.job}: ${countsOf(summary)}.`
  }

  /** What is certain without the database: how the rows that were sent ended, and how many of them it has confirmed. */
  get known() {
    const states = [...this.#answered.values()]
    const many = (state: RowState): number => states.filter(one => one === state).length
    const [done, failed] = [many('done'), many('failed')]
    const sent = this.#sent.size
    const here = [...this.#sent].filter(row => !this.#confirmed.has(row))
    const unsent = [...this.#inHand].filter(row => !this.#sent.has(row))
    const recorded = sent - here.length
    return {
      sent,
      done,
      failed,
      unknown: sent - done - failed,
      recorded,
      here: inOrder(here),
      unsent: inOrder(unsent),
    }
  }
}

const inOrder = (rows: readonly number[]): readonly number[] => rows.toSorted((one, other) => one - other)
