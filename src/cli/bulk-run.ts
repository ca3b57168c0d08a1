import {randomBytes} from 'node:crypto'
import type {Job, JobStore, RowCounts} from '../bulk/index.ts'
import type {Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {confirmBulk} from './bulk-confirm.ts'
import {bulkOperation, inputMaker, parseMap} from './bulk-input.ts'
import {bulkPace} from './bulk-pace.ts'
import {writeFailedRows, writeResults} from './bulk-results.ts'
import {loadRows} from './bulk-rows.ts'
import {sendRow} from './bulk-send.ts'
import type {Context} from './context.ts'
import {auditEntry} from './journalled.ts'
import {type Client, openClient, type RowSender} from './request.ts'

export interface WorkFlags {
  readonly concurrency: number
  readonly rate?: string | undefined
  readonly results?: string | undefined
  readonly 'failed-rows'?: string | undefined
}

export interface StartFlags extends WorkFlags {
  readonly from: string
  readonly map?: readonly string[] | undefined
  readonly precheck: boolean
  readonly confirm?: readonly string[] | undefined
}

/** How far a job came. */
export interface BulkSummary extends RowCounts {
  readonly job: string
  readonly operation: string
  readonly state: Job['state']
  readonly rows: number
}

const NOT_RESUMED: Partial<Record<Job['state'], string>> = {
  cancelled: 'was cancelled; start a new one',
  exported: 'was exported, and goes on where its file is imported, here too',
  unread: 'ended before its rows were read, and nothing was sent; start a new one',
}

/** A key is trusted no longer than this before the service forgets it, in ms: the run itself takes time. */
const KEY_MARGIN_MS = 30 * 60_000

/** A new job. @throws Failure INPUT_INVALID, CONFIRMATION_…; PARTLY_DONE or INTERRUPTED with the way to go on. */
export async function startBulk(context: Context, id: string, flags: StartFlags): Promise<BulkSummary> {
  const operation = bulkOperation(id)
  return withStore(context, async (store, client) => {
    const {sortableIds} = await import('../journal/index.ts')
    const job = sortableIds({now: context.surroundings.now, randomBytes})('j_')
    const map = parseMap(flags.map)
    const sender = await client.rows(operation)
    const {words: pace} = await bulkPace(context, store.journal, flags.rate)
    store.create({id: job, operation: id, source: flags.from, settings: {map}})
    try {
      const found = await loadRows(
        {
          store,
          job,
          operation,
          source: flags.from,
          toInput: await inputMaker(operation, map),
          sender,
          check: flags.precheck,
        },
        context.surroundings,
      )
      await confirmBulk(context, {
        target: client.target,
        operation,
        found,
        pace,
        confirm: flags.confirm ?? [],
      })
    } catch (error) {
      // Nothing was sent, so there is nothing to remember.
      store.remove(job)
      throw error
    }
    store.setState(job, 'running')
    return work(context, store, store.get(job), sender, flags)
  })
}

/** Goes on with a job that broke off. */
export function resumeBulk(context: Context, id: string, flags: WorkFlags): Promise<BulkSummary> {
  return withStore(context, async (store, client) => {
    const job = store.get(id)
    const why = NOT_RESUMED[job.state]
    if (why !== undefined) throw new Failure('USAGE', {message: `Bulk job ${id} ${why}.`})
    const operation = bulkOperation(job.operation)
    const sender = await client.rows(operation)
    store.claim(id)
    try {
      await settleSent(context, store, id, operation, sender)
      const {waiting, sent, again} = store.counts(id)
      const left = waiting + sent + again
      const {words: pace} = await bulkPace(context, store.journal, flags.rate)
      context.printer.note(`${left} of the rows are left · ${operation.id} · ${client.target.name} · ${pace}`)
      if (client.target.kind === 'live' && operation.effect !== 'read' && left > 0) {
        await context.confirmYes(`Send ${left} rows to ${client.target.name} (${pace})?`)
      }
    } catch (error) {
      store.setState(id, 'stopped')
      throw error
    }
    return work(context, store, job, sender, flags)
  })
}

/** Rows that were on their way when the job broke off: the key makes a repetition harmless, while it lives. */
async function settleSent(
  context: Context,
  store: JobStore,
  id: string,
  operation: Operation,
  {honoured}: RowSender,
): Promise<void> {
  if (operation.effect === 'read') return
  if (!honoured) {
    const given = store.giveUpSent(id)
    if (given > 0) {
      context.printer.warn(
        `${given} rows were on their way and are not sent again: the service does not honour a key here. See bulk results ${id} --state unknown, and requests resolve.`,
      )
    }
    return
  }
  const {KEY_LIFE_MS} = await import('../journal/index.ts')
  const oldest = store.oldestSent(id)
  if (oldest === undefined || context.surroundings.now() - oldest < KEY_LIFE_MS - KEY_MARGIN_MS) return
  context.printer.warn(
    `Rows of ${new Date(oldest).toISOString()} may have had their effect, and the service has forgotten their keys: sent again they take effect anew.`,
  )
  await context.confirmYes('Send them all the same?')
}

async function work(
  context: Context,
  store: JobStore,
  {id, operation: operationId, settings}: Job,
  sender: RowSender,
  flags: WorkFlags,
): Promise<BulkSummary> {
  const [{rowKey, runJob}, {takesKey}] = await Promise.all([
    // Door to bulk.
    import('../bulk/index.ts'),
    import('../http/index.ts'),
  ])
  const operation = bulkOperation(operationId)
  const toInput = await inputMaker(operation, settings.map)
  const {pacer} = await bulkPace(context, store.journal, flags.rate)
  const {signal} = context.surroundings
  const {name: profile} = await context.chosen()
  const total = sum(store.counts(id))
  const progress = context.printer.progress('rows')
  using audit = await context.audit()
  // What can't be written down isn't done.
  audit.ready()
  let stop: Awaited<ReturnType<typeof runJob>>
  try {
    stop = await runJob({
      store,
      job: id,
      concurrency: flags.concurrency,
      isRepeatable: operation.effect === 'read' || sender.honoured,
      pacer,
      signal,
      prepare: async ({row, values}) => {
        const input = toInput(values)
        await sender.check(input)
        const key = takesKey(operation) ? rowKey(id, row, values) : undefined
        const start = operation.effect === 'read' ? undefined : await sender.start(input, key, {job: id})
        return {start, send: admit => sendRow(sender, input, key, admit)}
      },
      ended: requests =>
        audit.append(requests.map(({id, start, end}) => auditEntry(context, profile, start, {id, ...end}))),
      progress: ({done, failed, unknown}) =>
        progress.update({done: done + failed + unknown, total, failed: failed + unknown}),
    })
  } finally {
    progress.stop()
    const {waiting, sent, again} = store.counts(id)
    store.setState(id, waiting + sent + again === 0 ? 'done' : 'stopped')
  }
  if (flags.results !== undefined) await writeResults(store, id, flags.results)
  if (flags['failed-rows'] !== undefined) await writeFailedRows(store, id, flags['failed-rows'])
  const summary = summaryOf(store, store.get(id))
  refuseUnlessDone(summary, stop)
  return summary
}

function refuseUnlessDone(summary: BulkSummary, stop: 'interrupted' | 'down' | undefined): void {
  const {job, rows, done, failed, unknown, waiting, sent, again} = summary
  const open = waiting + sent + again
  if (done === rows) return
  const goOn = `Go on with: cardctl bulk resume ${job}`
  const parts = [`${done} of ${rows} rows done`, `${failed} failed`, `${open} left`]
  if (unknown > 0) parts.push(`${unknown} with unknown effect`)
  throw new Failure(stop === 'interrupted' ? 'INTERRUPTED' : 'PARTLY_DONE', {
    message: `${stop === 'down' ? 'The service is down, so the run stopped: ' : ''}${parts.join(', ')}.`,
    hint: open > 0 ? goOn : `See bulk results ${job} --state failed`,
    data: {...summary},
  })
}

export function summaryOf(store: JobStore, {id, operation, state}: Job): BulkSummary {
  const counts = store.counts(id)
  return {job: id, operation, state, rows: sum(counts), ...counts}
}

const sum = (counts: RowCounts): number => Object.values(counts).reduce((all, one) => all + one, 0)

/** The jobs of the profile. */
export async function withJobs<T>(
  context: Context,
  use: (store: JobStore) => T | Promise<T>,
): Promise<Awaited<T>> {
  // Door to bulk.
  const {JobStore} = await import('../bulk/index.ts')
  const {name} = await context.chosen()
  using journal = await context.journal(name)
  return await use(new JobStore(journal, context.surroundings.now))
}

function withStore<T>(
  context: Context,
  use: (store: JobStore, client: Client) => Promise<T>,
): Promise<Awaited<T>> {
  return withJobs(context, async store => {
    const client = await openClient(context, await context.target())
    try {
      return await use(store, client)
    } finally {
      await client.close()
    }
  })
}
