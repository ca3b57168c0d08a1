import type {RowState} from './job.ts'
import {type LedgerOptions, RowLedger} from './row-ledger.ts'
import {rowOrder} from './row-order.ts'
import type {RowPlace} from './row-place.ts'

interface LocalRowsOptions extends LedgerOptions {
  /** Rows of one resource don't wait for each other. */
  readonly isUnordered: boolean
}

/** The rows of a job in the journal of this machine. */
export function localRows(options: LocalRowsOptions): RowPlace {
  const {store, job, isUnordered} = options
  return ({isOver, hurry}) => {
    const order = rowOrder(store, job, {isOver, isUnordered})
    const ledger = new RowLedger({
      ...options,
      hurry,
      written: rows => {
        order.written(rows)
        options.written?.(rows)
      },
    })
    const counts: Record<RowState, number> = {...store.counts(job)}
    const moved = (from: RowState, to: RowState): void => {
      counts[from]--
      counts[to]++
    }
    return {counts, moved, order, ledger}
  }
}
