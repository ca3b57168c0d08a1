import type {Job, JobStore, Jobs, RowCounts} from '../../../bulk/index.ts'
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

export async function summaryOf(store: Jobs, {id, operation, state}: Job): Promise<BulkSummary> {
  const counts = await store.counts(id)
  return {job: id, operation, state, rows: sum(counts), ...counts, odd: await store.odd(id)}
}

/** The number of rows that `bulk resume` sends or checks again. */
export const leftOf = ({waiting, sent, again, held}: RowCounts): number => waiting + sent + again + held

export const sum = (counts: RowCounts): number => Object.values(counts).reduce((all, one) => all + one, 0)

/**
 * The job with this id; `last` is the newest.
 *
 * @throws Failure NOT_FOUND, or OTHER_SERVICE if it is one of another service.
 */
export async function jobIn(store: Jobs, id: string): Promise<Job> {
  const [newest] = id === LAST ? await store.list() : []
  return newest ?? store.get(id)
}

/** Opens the bulk jobs of the service in the journal of this machine. */
export async function withJobs<T>(
  context: Context,
  use: (store: JobStore) => T | Promise<T>,
): Promise<Awaited<T>> {
  // Loaded on first use: help for bulk commands doesn't need the store of jobs.
  const {JobStore} = await import('../../../bulk/index.ts')
  using journal = await context.journal()
  return await use(new JobStore(journal, context.surroundings.now))
}
