import {type Job, JobStore, type Jobs, type RowCounts} from '../../../bulk/index.ts'
import {LAST} from '../../../cli/arguments.ts'
import type {Context} from '../../../cli/context.ts'
import type {Effect} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import type {SharedJobs} from '../../../fleet/index.ts'
import {effectOfJob} from './operation.ts'
import {openSharedJobs} from './shared-jobs.ts'

/** The progress of a job. */
export interface BulkSummary extends RowCounts {
  readonly job: string
  readonly operation: string
  readonly state: Job['state']
  /** All rows were done before, so nothing was sent. */
  readonly already?: true
  readonly jobKey?: string | undefined
  /** Name of the file that the rows came from. */
  readonly source?: string | undefined
  /** When the job was created, in ISO 8601. */
  readonly createdAt: string
  /** The audit user who started it. */
  readonly user?: string | undefined
  /** Processes that work on a shared job. */
  readonly workers?: number | undefined
  readonly rows: number
  /** Rows that were sent and whose effect is unknown: in the journal, `requests list --open` has their requests. */
  readonly open: number
  /** Rows without an effect that `bulk resume` sends. */
  readonly left: number
  /** Number of completed rows whose responses differ from the contract. */
  readonly odd: number
}

export async function summaryOf(store: Jobs, job: Job): Promise<BulkSummary> {
  const {id, operation, state, workers} = job
  const isRunning = state === 'running' || (workers ?? 0) > 0
  const {prepared, effect, ...origin} = originOf(job)
  // What was found out about a row counts at once; the next run records it.
  const counts = await (isRunning ? store.counts(id) : store.countsAsFound(id))
  return {
    job: id,
    operation,
    state,
    ...origin,
    createdAt: new Date(job.createdAt).toISOString(),
    workers,
    rows: prepared ?? sum(counts),
    ...counts,
    ...tallyOf(counts, {effect, isRunning}),
    odd: await store.odd(id),
  }
}

interface Origin extends Pick<BulkSummary, 'jobKey' | 'source' | 'user'> {
  readonly prepared?: number | undefined
  readonly effect: Effect
}

function originOf(job: Job): Origin {
  try {
    const {source, settings} = job
    const {jobKey, user, rows: prepared} = settings
    return {jobKey, source: source === '-' ? 'stdin' : source, user, prepared, effect: effectOfJob(job)}
  } catch (error) {
    // A shared job of another team key.
    if (error instanceof Failure && error.code === 'PROFILE_INVALID')
      return {effect: effectOfJob({operation: job.operation, settings: {map: {}}})}
    throw error
  }
}

interface Counted {
  readonly effect: Effect
  /** Another process has rows on their way. */
  readonly isRunning: boolean
}

/** What the states of the rows come to. Every table, message and summary of a job takes its numbers from here. */
export function tallyOf(
  {waiting, sent, again, unknown}: RowCounts,
  {effect, isRunning}: Counted,
): Pick<BulkSummary, 'open' | 'left'> {
  // What was on its way when a run ended may have had its effect, unless it reads.
  const isRead = effect === 'read'
  const open = unknown + (isRead || isRunning ? 0 : sent)
  return {open, left: waiting + again + (isRead && !isRunning ? sent : 0)}
}

/** The number of rows that `bulk resume` sends or checks again. */
export const remainingOf = ({waiting, sent, again, held}: RowCounts): number => waiting + sent + again + held

export const sum = ({waiting, sent, again, done, failed, unknown, held}: RowCounts): number =>
  waiting + sent + again + done + failed + unknown + held

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
  using journal = await context.stores.journal()
  return await use(new JobStore(journal, context.surroundings.now))
}

/** Opens the place that a job is in: its id says which, or `--shared`. */
export async function withJobsOf<T>(
  context: Context,
  {job, shared = false}: {readonly job: string; readonly shared?: boolean | undefined},
  use: (store: Jobs) => T | Promise<T>,
): Promise<Awaited<T>> {
  return isShared({job, shared}) ? withSharedJobs(context, use) : withJobs(context, use)
}

export const isShared = ({
  job,
  shared,
}: {
  readonly job: string
  readonly shared?: boolean | undefined
}): boolean => shared === true || job.startsWith(SHARED_PREFIX)

/** Opens the bulk jobs of the service in the database of the team. */
export async function withSharedJobs<T>(
  context: Context,
  use: (store: SharedJobs) => T | Promise<T>,
): Promise<Awaited<T>> {
  using journal = await context.stores.journal()
  const store = await openSharedJobs(context, journal)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** How ids of shared jobs begin. */
const SHARED_PREFIX = 'sj_'
