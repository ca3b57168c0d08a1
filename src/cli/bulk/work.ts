import type {Job, JobStore} from '../../bulk/index.ts'
import {Failure} from '../../errors/failure.ts'
import type {Context} from '../context.ts'
import type {RowSender} from '../request.ts'
import {auditEntry} from '../requests/journalled.ts'
import {inputMaker} from './input.ts'
import {type BulkSummary, sum, summaryOf} from './jobs.ts'
import {bulkOperation} from './operation.ts'
import {bulkPace} from './pace.ts'
import {ResultsFile, resultLines, writeFailedRows} from './results.ts'
import {sendRow} from './send.ts'

export interface WorkFlags {
  readonly concurrency: number
  readonly rate?: string | undefined
  readonly results?: string | undefined
  readonly 'as-they-end'?: boolean | undefined
  readonly 'failed-rows'?: string | undefined
}

/** Sends what is left of a job and says how it ended. */
export async function workOn(
  context: Context,
  store: JobStore,
  {id, operation: operationId, settings}: Job,
  sender: RowSender,
  flags: WorkFlags,
): Promise<BulkSummary> {
  const [{rowKey, runJob}, {takesKey}] = await Promise.all([
    // Door to bulk.
    import('../../bulk/index.ts'),
    import('../../http/index.ts'),
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
  const results = flags.results === undefined ? undefined : new ResultsFile(flags.results, context)
  const asTheyEnd = flags['as-they-end'] ? results : undefined
  await asTheyEnd?.write(resultLines(store, id, ['done', 'failed', 'unknown']))
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
      written: rows => asTheyEnd?.append(rows),
      progress: ({done, failed, unknown}) =>
        progress.update({done: done + failed + unknown, total, failed: failed + unknown}),
    })
  } finally {
    progress.stop()
    const {waiting, sent, again} = store.counts(id)
    store.setState(id, waiting + sent + again === 0 ? 'done' : 'stopped')
  }
  if (asTheyEnd) await asTheyEnd.done()
  else await results?.write(resultLines(store, id))
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
