import type {Transaction} from '../store/store.ts'
import type {Batch} from './batch.ts'

/** The oldest open batches: enough to have one that can be settled, as only the demo batch waits for its time. */
export const openBatches = (tx: Transaction): Promise<readonly Batch[]> =>
  tx.batches.list({where: {status: 'IN_PROGRESS'}, limit: 2})

/** When the next batch can be settled, by the sandbox clock; Infinity without an open one. */
export const batchDueAt = async (tx: Transaction): Promise<number> =>
  Math.min(Number.POSITIVE_INFINITY, ...(await openBatches(tx)).map(({settlesFrom = 0}) => settlesFrom))
