import {resource} from '../contract/resource.ts'
import type {OperationId} from '../contract/types.ts'
import {Failure} from '../errors/failure.ts'
import type {BatchEnd} from '../journal/index.ts'
import {listAt, textAt} from '../output/fields.ts'
import type {Context} from './context.ts'

/** Final states of a batch. A service may have further states of its own before them. */
const FINAL: readonly string[] = ['COMPLETED', 'FAILED', 'COMPLETED_WITH_ERRORS']

/** Whether a batch, as the service shows it, has ended: each of its transfers was booked or failed. */
export const hasEnded = (batch: unknown): boolean => FINAL.includes(textAt(batch, 'status'))

/** The batches that a response shows. */
const SHOWN: Readonly<Partial<Record<OperationId, (body: unknown) => readonly unknown[]>>> = {
  'a2a.create.v1': body => [body],
  'a2a.status.v1': body => [body],
  'a2a.get.v1': body => [body],
  'a2a.list.v1': body => listAt(body, 'items'),
}

const MAKES_BATCH = 'a2a.create.v1'

/**
 * Records with the requests of this machine how their batches ended, whenever a response shows it: "accepted" must not be
 * taken for "booked". A journal that can't be written hides nothing of the response.
 */
export async function noteBatchEnds(context: Context, operation: string, body: unknown): Promise<void> {
  const ended = (SHOWN[operation as OperationId]?.(body) ?? []).filter(hasEnded)
  // Opening the journal would create it.
  if (ended.length === 0 || !(await context.stores.hasJournal())) return
  try {
    using journal = await context.stores.quietJournal()
    for (const batch of ended) {
      const id = textAt(batch, 'id')
      const end = endOf(batch)
      const made = journal.requests
        .list({resources: [resource('batch', id)], operation: MAKES_BATCH})
        .filter(record => record.replyId === id && differs(record.batchEnd, end))
      if (made.length > 0)
        journal.noteBatchEnd(
          made.map(record => record.id),
          end,
        )
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.printer.warn(`How the batch ended could not be recorded: ${error.message}`)
  }
}

const differs = (before: BatchEnd | undefined, end: BatchEnd): boolean =>
  JSON.stringify(before) !== JSON.stringify(end)

function endOf(batch: unknown): BatchEnd {
  const [state, transfers, booked, failed] = [
    textAt(batch, 'status'),
    countAt(batch, 'transferItemCount'),
    countAt(batch, 'successfulTransferItems'),
    countAt(batch, 'failedTransferItems'),
  ]
  // Services that count nothing still say that all were booked.
  const isWhole = state === 'COMPLETED' && booked === undefined && failed === undefined
  return isWhole ? {state, transfers, booked: transfers, failed: 0} : {state, transfers, booked, failed}
}

/** Services write counts as numbers or as text. */
function countAt(batch: unknown, name: string): number | undefined {
  const text = textAt(batch, name)
  return /^\d+$/.test(text) ? Number(text) : undefined
}
