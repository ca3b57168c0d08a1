import {operations} from '../../contract/operations.gen.ts'
import type {Reply} from '../../contract/types.ts'
import {Failure} from '../../errors/failure.ts'
import {failedItemsView} from '../../output/views/a2a.ts'
import type {Context} from '../context.ts'
import {type FetchPage, pagedItems} from '../pages.ts'
import type {Client} from '../request.ts'
import {stoppable} from '../waiting.ts'

export type Batch = Reply<'a2a.status.v1'>
export type BatchWithItems = Reply<'a2a.get.v1'>

/** How long a batch is followed unless somebody says otherwise, in milliseconds. */
export const FOLLOW_WITHIN = 600_000

/** A batch with all its items, over as many pages as it takes. */
export async function wholeBatch(client: Client, id: string, size?: number): Promise<BatchWithItems> {
  let batch: BatchWithItems | undefined
  const fetch: FetchPage = async (query, options) => {
    const page = await client.call({operation: 'a2a.get.v1', path: {id}, query}, options)
    batch ??= page
    // Here the items and the cursor stand one level down.
    return page.transfers
  }
  const flags = {all: true, 'page-size': size}
  const items: BatchWithItems['transfers']['items'] = []
  for await (const item of pagedItems(operations['a2a.get.v1'], flags, fetch).items) {
    items.push(item as (typeof items)[number])
  }
  const {lastEvaluatedKey: _, ...transfers} = {...batch?.transfers}
  return {...batch, transfers: {...transfers, items, size: items.length}} as BatchWithItems
}

/**
 * Follows a batch to its end, with progress on stderr.
 *
 * @throws Failure ITEMS_IN_PROGRESS when the time is over first, PARTLY_DONE if items failed, after a table of them.
 */
export async function followBatch(
  context: Context,
  client: Client,
  id: string,
  within = FOLLOW_WITHIN,
): Promise<Batch> {
  const hint = `Follow it with: ${context.commandLine('a2a', 'watch', id)}`
  const stopped = {message: `Stopped waiting for batch ${id}; it goes on at the service.`, hint}
  const batch = await stoppable(context.surroundings, stopped, () => untilEnded(context, client, id, within))
  context.printer.note(
    `Batch ${id} ${batch.status}: ${batch.successfulTransferItems ?? 0} of ${batch.transferItemCount ?? 'an unknown number'} booked`,
  )
  if (batch.status === 'COMPLETED' && !Number(batch.failedTransferItems ?? 0)) return batch
  const {transfers} = await wholeBatch(client, id)
  const failed = transfers.items.filter(({status}) => status === 'FAILED')
  if (failed.length > 0) await context.printer.noteView(failed, failedItemsView)
  throw new Failure('PARTLY_DONE', {
    message: `${failed.length} of the ${batch.transferItemCount ?? transfers.items.length} transfers of batch ${id} failed.`,
    hint: `Read the items with: ${context.commandLine('a2a', 'get', id, '--all')}`,
    effect: 'done',
    data: {batch, failed},
  })
}

/** A service may have states of its own on the way; only these say that nothing more will happen. */
const FINAL = ['COMPLETED', 'FAILED', 'COMPLETED_WITH_ERRORS']

async function untilEnded(context: Context, client: Client, id: string, within: number): Promise<Batch> {
  const {now, sleep, signal} = context.surroundings
  const deadline = now() + within
  const progress = context.printer.progress('transfers')
  try {
    for (let pause = 200; ; pause = Math.min(pause * 1.5, 5000)) {
      const batch = await client.call({operation: 'a2a.status.v1', path: {id}})
      const failed = Number(batch.failedTransferItems ?? 0)
      const done = Number(batch.successfulTransferItems ?? 0) + failed
      progress.update({done, total: Number(batch.transferItemCount ?? 0), failed})
      if (FINAL.includes(batch.status)) return batch
      if (now() + pause > deadline) {
        throw new Failure('ITEMS_IN_PROGRESS', {
          message: `Batch ${id} is still ${batch.status ?? 'in an unknown state'}; the time to wait for it is over.`,
          hint: `Follow it with: ${context.commandLine('a2a', 'watch', id)}`,
        })
      }
      await sleep(pause, signal)
    }
  } finally {
    progress.stop()
  }
}
