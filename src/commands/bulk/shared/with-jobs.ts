import {type Job, JobStore, type Jobs, type RowCounts} from '../../../bulk/index.ts'
import {LAST} from '../../../cli/arguments.ts'
import {type Client, openClient} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import type {SharedJobs} from '../../../fleet/index.ts'
import {spareMemory} from '../../../rows/spare-memory.ts'
import {openSharedJobs} from './shared-jobs.ts'

/**
 * The job with this id; `last` is the newest.
 *
 * @throws Failure NOT_FOUND, or OTHER_SERVICE if it is one of another service.
 */
export async function jobIn(store: Jobs, id: string): Promise<Job> {
  const [newest] = id === LAST ? await store.list() : []
  return newest ?? store.get(id)
}

/** The id of the only job of this machine that stopped with rows left: where there is one, nobody is asked which. */
export async function onlyOpenJob(context: Context): Promise<string | undefined> {
  if (!(await context.stores.hasJournal())) return undefined
  using journal = await context.stores.quietJournal()
  const store = new JobStore(journal, context.surroundings.now)
  const open = store.list().filter(({id, state}) => state === 'stopped' && rowsLeft(store.counts(id)))
  return open.length === 1 ? open[0]?.id : undefined
}

const rowsLeft = ({waiting, again}: RowCounts): boolean => waiting + again > 0

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

/** With a client of the chosen service, for work that may be long. */
export async function withClient<T>(
  context: Context,
  use: (client: Client) => Promise<T>,
): Promise<Awaited<T>> {
  spareMemory()
  const client = await openClient(context, await context.service.target())
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}
