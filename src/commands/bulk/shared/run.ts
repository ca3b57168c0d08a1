import type {Job, Jobs} from '../../../bulk/index.ts'
import {confirm} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {paceOf} from '../../../cli/pace.ts'
import {type Client, openClient, type RowSender} from '../../../cli/request.ts'
import type {Operation} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {countRows} from '../../../profiles/index.ts'
import {spareMemory} from '../../../rows/spare-memory.ts'
import type BulkResume from '../resume.ts'
import type BulkRun from '../run.ts'
import type BulkWork from '../work.ts'
import {confirmRows, confirmWork} from './confirm.ts'
import {inputMaker, parseConstants, parseMap} from './input.ts'
import {type BulkSummary, jobIn, leftOf, summaryOf, withJobs, withJobsOf, withSharedJobs} from './jobs.ts'
import {bulkOperation} from './operation.ts'
import {proveOutputs} from './results.ts'
import {loadRows, precheckLeft} from './rows.ts'
import {workOn} from './work.ts'

/** A worker renews its lease after a third of it. */
const SHORTEST_LEASE_MS = 1_000
const LONGEST_LEASE_MS = 3_600_000

type StartFlags = FlagValues<typeof BulkRun.flags>

const NOT_RESUMED: Partial<Record<Job['state'], string>> = {
  cancelled: 'was cancelled; start a new one',
  exported: 'was exported; import its file, here or on another machine, to continue it',
  unread: 'ended before its rows were read, and nothing was sent; start a new one',
}

/** How long before the service forgets a key it is no longer used, in milliseconds: the run itself takes time. */
const KEY_MARGIN_MS = 30 * 60_000

/**
 * Starts a new job.
 *
 * @throws Failure INPUT_INVALID, CONFIRMATION_…; PARTLY_DONE or that of the signal, with how to continue
 */
export async function startBulk(context: Context, id: string, flags: StartFlags): Promise<BulkSummary> {
  bulkOperation(id)
  if (flags.lease !== undefined && (flags.lease < SHORTEST_LEASE_MS || flags.lease > LONGEST_LEASE_MS)) {
    throw new Failure('USAGE', {message: '--lease takes a time from 1s to 1h.'})
  }
  await proveOutputs(flags, flags.from)
  const withNew = flags.shared ? withSharedJobs : withJobs
  return withNew(context, (store: Jobs) =>
    withClient(context, client => startIn(context, store, client, id, flags)),
  )
}

async function startIn(
  context: Context,
  store: Jobs,
  client: Client,
  id: string,
  flags: StartFlags,
): Promise<BulkSummary> {
  const operation = bulkOperation(id)
  const job = store.newId()
  const map = parseMap(flags.map)
  const sender = await client.rows(operation)
  const {words: pace} = await paceOf(context, store.journal, flags.rate)
  await store.create({
    id: job,
    operation: id,
    source: flags.from,
    settings: {map, unordered: flags.unordered, leaseMs: flags.lease, ...sender.purpose},
  })
  try {
    const found = await loadRows(
      {
        store,
        job,
        operation,
        source: flags.from,
        constants: parseConstants(flags.field),
        toInput: await inputMaker(operation, map),
        map,
        dialect: flags,
        sender,
        check: flags.precheck,
        unordered: flags.unordered ?? false,
      },
      context.surroundings,
    )
    context.printer.note(`${countRows(found.rows)} · ${id} · ${pace}`)
    await confirmRows(context, {
      target: client.target,
      operation,
      found,
      pace,
      confirm: flags.confirm ?? [],
    })
  } catch (error) {
    // Nothing was sent, so no record is needed.
    await Promise.resolve(store.remove(job)).catch(() => undefined)
    throw error
  }
  await store.start(job)
  if (flags.shared) {
    context.printer.note(`Shared job ${job}. On other machines: ${context.commandLine('bulk', 'work', job)}`)
  }
  if (flags.prepare) {
    await store.leave(job)
    return summaryOf(store, await store.get(job))
  }
  return workOn(context, store, await store.get(job), sender, flags)
}

type ResumeFlags = FlagValues<typeof BulkResume.flags>

/** Continues a job that was interrupted, or whose rows were resolved or corrected since. */
export async function resumeBulk(context: Context, name: string, flags: ResumeFlags): Promise<BulkSummary> {
  await proveOutputs(flags)
  return withJobsOf(context, {job: name, shared: flags.shared}, store =>
    withClient(context, client => resumeIn(context, store, client, name, flags)),
  )
}

async function resumeIn(
  context: Context,
  store: Jobs,
  client: Client,
  name: string,
  flags: ResumeFlags,
): Promise<BulkSummary> {
  const job = await jobIn(store, name)
  const {id} = job
  const why = NOT_RESUMED[job.state]
  if (why !== undefined) throw new Failure('USAGE', {message: `Bulk job ${id} ${why}.`})
  const operation = bulkOperation(job.operation)
  const sender = await client.rows(operation, job.settings)
  await store.claim(id)
  try {
    await store.settleFindings(id)
    const oldKeys = await settleSent(context, store, id, operation, sender)
    await store.reopen(id, {
      failed: flags['retry-failed'],
      unordered: flags.unordered ?? false,
      oldKeys,
    })
    const left = leftOf(await store.counts(id))
    const {words: pace} = await paceOf(context, store.journal, flags.rate)
    const {target} = client
    const question = {target, operation, pace, confirm: flags.confirm ?? []}
    if (job.settings.unconfirmed && left > 0) {
      const found = await precheckLeft(store, id, operation)
      context.printer.note(`${countRows(found.rows)} · ${operation.id} · ${pace}`)
      await confirmRows(context, {...question, found})
      await store.confirmed(id)
    } else {
      context.printer.note(`${left} of the rows are left · ${operation.id} · ${pace}`)
      if (target.kind === 'live' && left > 0) await confirmRows(context, {...question, found: {rows: left}})
    }
  } catch (error) {
    await store.leave(id)
    throw error
  }
  return workOn(context, store, await store.get(id), sender, flags)
}

type WorkOnlyFlags = FlagValues<typeof BulkWork.flags>

/** Works on a shared job beside others. */
export async function workBulk(context: Context, name: string, flags: WorkOnlyFlags): Promise<BulkSummary> {
  await proveOutputs(flags)
  return withSharedJobs(context, store =>
    withClient(context, async client => {
      const job = await jobIn(store, name)
      const {id} = job
      await store.claim(id)
      const why = NOT_RESUMED[job.state]
      if (why !== undefined) throw new Failure('USAGE', {message: `Bulk job ${id} ${why}.`})
      const operation = bulkOperation(job.operation)
      const sender = await client.rows(operation, job.settings)
      await store.settleFindings(id)
      const left = leftOf(await store.counts(id))
      const {words: pace} = await paceOf(context, store.journal, flags.rate)
      context.printer.note(`${left} of the rows are left · ${operation.id} · ${pace}`)
      if (left > 0) await confirmWork(context, {target: client.target, operation, pace})
      return workOn(context, store, job, sender, {...flags, unordered: false})
    }),
  )
}

/**
 * Rows whose process ended before the response. A retry with the same key is safe as long as the service knows the key.
 *
 * @returns whether a person agreed to send rows again whose key the service may have forgotten.
 */
async function settleSent(
  context: Context,
  store: Jobs,
  id: string,
  operation: Operation,
  {honoured}: RowSender,
): Promise<boolean> {
  if (operation.effect === 'read') return false
  if (!honoured) {
    const given = await store.abandonSent(id)
    if (given > 0) {
      context.printer.warn(
        `${given} rows were on their way and are not sent again: the service does not honour a key here. See: ${context.commandLine('bulk', 'results', id, '--state', 'unknown')}`,
      )
    }
    return false
  }
  const {KEY_LIFE_MS} = await import('../../../journal/index.ts')
  const oldest = await store.oldestSent(id)
  if (oldest === undefined || context.surroundings.now() - oldest < KEY_LIFE_MS - KEY_MARGIN_MS) return false
  await confirm(context, {
    place: await context.place(),
    action: `send rows again that were sent at ${context.when(oldest)} and may have had their effect`,
    consequence: 'The service has forgotten their keys, so they can take effect twice.',
  })
  return true
}

async function withClient<T>(context: Context, use: (client: Client) => Promise<T>): Promise<Awaited<T>> {
  spareMemory()
  const client = await openClient(context, await context.target())
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}
