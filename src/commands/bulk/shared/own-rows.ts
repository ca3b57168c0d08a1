import type {EndedRow, RowState} from '../../../bulk/index.ts'
import {type BulkSummary, countsOf} from './summary.ts'

/** What this process did of a job on which others work, too. */
export class OwnRows {
  readonly #counts = new Map<RowState, number>()
  #lost = 0

  ended(rows: readonly EndedRow[]): void {
    for (const {state, code} of rows) {
      if (code === 'LEASE_ENDED') this.#lost++
      else this.#counts.set(state, this.#of(state) + 1)
    }
  }

  /** The share of this process, and the state of the whole job. */
  words(summary: BulkSummary): string {
    const unknown = this.#of('unknown') + this.#of('sent')
    const own = [
      `${this.#of('done')} done`,
      `${this.#of('failed')} failed`,
      ...(unknown > 0 ? [`${unknown} sent, effect unknown`] : []),
    ].join(', ')
    const lost =
      this.#lost > 0 ? ` Its lease ran out before it sent ${this.#lost} more, which are free for others.` : ''
    return `This worker: ${own}.${lost} All workers of bulk job ${summary.job}: ${countsOf(summary)}.`
  }

  #of(state: RowState): number {
    return this.#counts.get(state) ?? 0
  }
}
