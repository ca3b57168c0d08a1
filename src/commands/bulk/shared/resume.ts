import * as Flags from '@oclif/core/flags'
import {type Job, JobStore, type Jobs} from '../../../bulk/index.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {refuseOtherDialect} from '../../../cli/other-dialect.ts'
import {refuseOtherTenant} from '../../../cli/other-tenant.ts'
import {paceOf} from '../../../cli/pace.ts'
import {Failure} from '../../../errors/failure.ts'
import {countRows, type RowsFound} from '../../../profiles/index.ts'
import {confirmRows, confirmWork} from './confirm.ts'
import {bulkFlags, sharedFlag} from './flags.ts'
import {withLimits} from './limits.ts'
import {precheckLeft} from './load-rows.ts'
import {askNewer, failedBefore, NONE_FAILED, newerJudge, type RowJudge, sayingHeld} from './newer-writes.ts'
import {bulkOperation, operationOfJob} from './operation.ts'
import {type Resumable, refusePlanned, resumable, resumeLine} from './planned-job.ts'
import {proveOutputs} from './results.ts'
import {settleInFlight} from './settle-in-flight.ts'
import {type BulkSummary, remainingOf, sum} from './summary.ts'
import {jobIn, withClient, withJobsOf, withSharedJobs} from './with-jobs.ts'
import {type WorkFlags, workOn} from './work.ts'

export const {unordered: _, confirm: __, ...workFlags} = bulkFlags

export const resumeFlags = {
  'retry-failed': Flags.boolean({summary: 'Also send the failed rows again.'}),
  ...bulkFlags,
  ...sharedFlag,
}

const NOT_RESUMED: Partial<Record<Job['state'], string>> = {
  cancelled: 'was cancelled; start a new one',
  exported: 'was exported; import its file, here or on another machine, to continue it',
  unread: 'ended before its rows were read, and nothing was sent; start a new one',
}

type ResumeFlags = FlagValues<typeof resumeFlags>

interface KnownRows {
  /** All rows of the job, which the same command has read again. */
  readonly found: RowsFound | undefined
}

/** Continues a job that was interrupted, or whose rows were resolved or corrected since. */
export async function resumeBulk(context: Context, name: string, flags: ResumeFlags): Promise<BulkSummary> {
  await proveOutputs(flags)
  return withJobsOf(context, {job: name, shared: flags.shared}, store =>
    withClient(context, async client =>
      resumeIn(context, store, client, refusePlanned(context, await jobIn(store, name)), {
        ...flags,
        found: undefined,
      }),
    ),
  )
}

export async function resumeIn(
  context: Context,
  store: Jobs,
  client: Client,
  job: Job,
  {found, ...given}: KnownRows & WorkFlags & Pick<ResumeFlags, 'retry-failed' | 'confirm'>,
): Promise<BulkSummary> {
  const {id} = job
  const flags = withLimits(job, given)
  const why = NOT_RESUMED[job.state]
  if (why !== undefined) throw new Failure('USAGE', {message: `Bulk job ${id} ${why}.`})
  const counts = await store.counts(id)
  const isDone = counts.done === sum(counts)
  if (!isDone) {
    refuseOtherDialect('Bulk job', {...job, dialect: job.settings.dialect}, client.target)
    if (store instanceof JobStore)
      await refuseOtherTenant(store.journal, `Bulk job ${id}`, job.settings.tenant ?? null, client.target)
  }
  const described = isDone ? bulkOperation(context, job.operation) : operationOfJob(context, job)
  const sender = await client.rows(await described, job.settings)
  const {operation} = sender
  await store.claim(id)
  let judge: RowJudge | undefined
  try {
    await store.settleFindings(id)
    const before = flags['retry-failed'] ? await failedBefore(store, id) : NONE_FAILED
    await store.reopen(id, {
      failed: flags['retry-failed'],
      unordered: flags.unordered ?? false,
      inFlight: await settleInFlight(context, store, job, client, sender, flags.confirm),
    })
    const left = remainingOf(await store.counts(id))
    if (left > 0 && flags.planned === undefined && operation.effect !== 'read')
      judge = newerJudge(store, operation, job, {
        ...before,
        agreed: await askNewer(context, store, operation, job, before),
      })
    const {words: pace} = await paceOf(context, store.journal, {rate: flags.rate})
    const {target} = client
    const question = {target, operation: sender.asked, pace, confirm: flags.confirm ?? []}
    if (found !== undefined) {
      announceJob(
        context,
        {...resumable(job), left},
        `${left} of ${countRows(found.rows)} left · ${operation.id} · ${pace}`,
      )
      // The same command names the same numbers of rows, whatever is left of them.
      if (left > 0) await confirmRows(context, {...question, found})
      if (job.settings.unconfirmed) await store.start(id, found.rows)
    } else if (job.settings.unconfirmed && left > 0) {
      const rows = await precheckLeft(store, id, operation, target)
      announceJob(context, {...resumable(job), left}, `${countRows(rows.rows)} · ${operation.id} · ${pace}`)
      await confirmRows(context, {...question, found: rows})
      await store.start(id, job.settings.rows ?? rows.rows)
    } else {
      announceJob(context, {...resumable(job), left}, `${countRows(left)} left · ${operation.id} · ${pace}`)
      if (target.kind === 'live' && left > 0) await confirmRows(context, {...question, found: {rows: left}})
    }
  } catch (error) {
    await store.leave(id)
    throw error
  }
  const work = async () => workOn(context, store, await store.get(id), sender, {...flags, judge})
  return judge === undefined ? work() : sayingHeld(context, store, job, work)
}

/** Says on stderr which job is about to begin, so that a log of a killed run names it. */
export const announceJob = (
  context: Context,
  facts: Resumable & {readonly rows?: number; readonly left?: number},
  text: string,
): void => {
  const {job, rows, left} = facts
  const isForPerson = context.interactive || rows === 0 || left === 0
  const resume = isForPerson ? '' : `\nIf it is cut off: ${resumeLine(context.commandLine, facts)}`
  context.printer.fact(`Bulk job ${job}: ${text}${resume}`, {code: 'JOB_BEGINS', job, rows, left})
}

type WorkOnlyFlags = FlagValues<typeof workFlags>

/** Works on a shared job beside others. */
export async function workBulk(context: Context, name: string, given: WorkOnlyFlags): Promise<BulkSummary> {
  await proveOutputs(given)
  return withSharedJobs(context, store =>
    withClient(context, async client => {
      const job = await jobIn(store, name)
      const {id} = job
      const flags = withLimits(job, given)
      const described = await operationOfJob(context, job)
      await store.claim(id)
      const why = NOT_RESUMED[job.state]
      if (why !== undefined) throw new Failure('USAGE', {message: `Bulk job ${id} ${why}.`})
      const sender = await client.rows(described, job.settings)
      const {operation} = sender
      await store.settleFindings(id)
      const left = remainingOf(await store.counts(id))
      const {words: pace} = await paceOf(context, store.journal, {rate: flags.rate})
      announceJob(context, {...resumable(job), left}, `${countRows(left)} left · ${operation.id} · ${pace}`)
      if (left > 0) await confirmWork(context, {target: client.target, operation: sender.asked, pace})
      const judge =
        operation.effect === 'read'
          ? undefined
          : newerJudge(store, operation, job, {...NONE_FAILED, agreed: new Set()})
      return sayingHeld(context, store, job, () =>
        workOn(context, store, job, sender, {...flags, unordered: false, judge}),
      )
    }),
  )
}
