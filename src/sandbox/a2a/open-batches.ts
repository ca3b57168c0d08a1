import type {Transaction} from '../store/store.ts'
import type {Batch} from './batch.ts'

/** The oldest open batches: enough to have as many that can be settled, as only the demo batch waits for its time. */
export const openBatches = (tx: Transaction, settleable = 1): Promise<readonly Batch[]> =>
  tx.batches.list({where: {status: 'IN_PROGRESS'}, limit: settleable + 1})

/** When the next batch can be settled, by the sandbox clock; Infinity without an open one. */
export const batchDueAt = async (tx: Transaction): Promise<number> =>
  Math.min(Number.POSITIVE_INFINITY, ...(await openBatches(tx)).map(({settlesFrom = 0}) => settlesFrom))
