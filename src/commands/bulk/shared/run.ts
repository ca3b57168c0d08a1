import type {Job, JobStore} from '../../../bulk/index.ts'
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
import {confirmRows} from './confirm.ts'
import {inputMaker, parseConstants, parseMap} from './input.ts'
import {type BulkSummary, jobIn, leftOf, withJobs} from './jobs.ts'
import {bulkOperation} from './operation.ts'
import {proveOutputs} from './results.ts'
import {loadRows, precheckLeft} from './rows.ts'
import {workOn} from './work.ts'

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
  const operation = bulkOperation(id)
  await proveOutputs(flags, flags.from)
  return withStore(context, async (store, client) => {
    const job = store.newId()
    const map = parseMap(flags.map)
    const sender = await client.rows(operation)
    const {words: pace} = await paceOf(context, store.journal, flags.rate)
    store.create({
      id: job,
      operation: id,
      source: flags.from,
      settings: {map, unordered: flags.unordered, ...sender.purpose},
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
      store.remove(job)
      throw error
    }
    store.start(job)
    return workOn(context, store, store.get(job), sender, flags)
  })
}

type ResumeFlags = FlagValues<typeof BulkResume.flags>

/** Continues a job that was interrupted, or whose rows were resolved or corrected since. */
export async function resumeBulk(context: Context, name: string, flags: ResumeFlags): Promise<BulkSummary> {
  await proveOutputs(flags)
  return withStore(context, async (store, client) => {
    const {settleFindings} = await import('../../../bulk/index.ts')
    const job = await jobIn(store, name)
    const {id} = job
    const why = NOT_RESUMED[job.state]
    if (why !== undefined) throw new Failure('USAGE', {message: `Bulk job ${id} ${why}.`})
    const operation = bulkOperation(job.operation)
    const sender = await client.rows(operation, job.settings)
    store.claim(id)
    try {
      settleFindings(store, id)
      await settleSent(context, store, id, operation, sender)
      if (flags['retry-failed']) store.resetToWaiting(id, 'failed')
      if (flags.unordered) store.setSettings(id, {...job.settings, unordered: true})
      // The reason to hold rows back may be gone.
      store.resetToWaiting(id, 'held')
      const left = leftOf(store.counts(id))
      const {words: pace} = await paceOf(context, store.journal, flags.rate)
      const {target} = client
      const question = {target, operation, pace, confirm: flags.confirm ?? []}
      if (job.settings.unconfirmed && left > 0) {
        const found = await precheckLeft(store, id, operation)
        context.printer.note(`${countRows(found.rows)} · ${operation.id} · ${pace}`)
        await confirmRows(context, {...question, found})
        store.setSettings(id, {...store.get(id).settings, unconfirmed: undefined})
      } else {
        context.printer.note(`${left} of the rows are left · ${operation.id} · ${pace}`)
        if (target.kind === 'live' && left > 0) await confirmRows(context, {...question, found: {rows: left}})
      }
    } catch (error) {
      store.setState(id, 'stopped')
      throw error
    }
    return workOn(context, store, store.get(id), sender, flags)
  })
}

/**
 * Rows whose process ended before the response. A retry with the same key is safe as long as the service knows the key.
 */
async function settleSent(
  context: Context,
  store: JobStore,
  id: string,
  operation: Operation,
  {honoured}: RowSender,
): Promise<void> {
  if (operation.effect === 'read') return
  if (!honoured) {
    const given = store.abandonSent(id)
    if (given > 0) {
      context.printer.warn(
        `${given} rows were on their way and are not sent again: the service does not honour a key here. See: ${context.commandLine('bulk', 'results', id, '--state', 'unknown')}`,
      )
    }
    return
  }
  const {KEY_LIFE_MS} = await import('../../../journal/index.ts')
  const oldest = store.oldestSent(id)
  if (oldest === undefined || context.surroundings.now() - oldest < KEY_LIFE_MS - KEY_MARGIN_MS) return
  await confirm(context, {
    place: await context.place(),
    action: `send rows again that were sent at ${context.when(oldest)} and may have had their effect`,
    consequence: 'The service has forgotten their keys, so they can take effect twice.',
  })
}

function withStore<T>(
  context: Context,
  use: (store: JobStore, client: Client) => Promise<T>,
): Promise<Awaited<T>> {
  return withJobs(context, async store => {
    spareMemory()
    const client = await openClient(context, await context.target())
    try {
      return await use(store, client)
    } finally {
      await client.close()
    }
  })
}
