import type {Job, JobStore, RowCounts} from '../../../bulk/index.ts'
import {LAST} from '../../../cli/arguments.ts'
import type {Context} from '../../../cli/context.ts'

/** The progress of a job. */
export interface BulkSummary extends RowCounts {
  readonly job: string
  readonly operation: string
  readonly state: Job['state']
  readonly rows: number
  /** Number of completed rows whose responses differ from the contract. */
  readonly odd: number
}

export function summaryOf(store: JobStore, {id, operation, state}: Job): BulkSummary {
  const counts = store.counts(id)
  return {job: id, operation, state, rows: sum(counts), ...counts, odd: store.odd(id)}
}

/** The number of rows that `bulk resume` sends or checks again. */
export const leftOf = ({waiting, sent, again, held}: RowCounts): number => waiting + sent + again + held

export const sum = (counts: RowCounts): number => Object.values(counts).reduce((all, one) => all + one, 0)

/** Opens the bulk jobs of the service. */
/**
 * The job with this id; `last` is the newest.
 *
 * @throws Failure NOT_FOUND, or OTHER_SERVICE if it is one of another service.
 */
export function jobIn(store: JobStore, id: string): Job {
  const [newest] = id === LAST ? store.list() : []
  return newest ?? store.get(id)
}

export async function withJobs<T>(
  context: Context,
  use: (store: JobStore) => T | Promise<T>,
): Promise<Awaited<T>> {
  // Loaded on first use: help for bulk commands doesn't need the store of jobs.
  const {JobStore} = await import('../../../bulk/index.ts')
  using journal = await context.journal()
  return await use(new JobStore(journal, context.surroundings.now))
}
