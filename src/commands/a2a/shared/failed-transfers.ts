import {hasEnded} from '../../../cli/batch-ends.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {type FetchPage, pagedItems} from '../../../cli/pages.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import type {SuggestedCommand} from '../../../errors/suggested-command.ts'
import {writeNamedFile} from '../../../files/named-output.ts'
import {listAt, textAt} from '../../../output/fields.ts'
import {writeCsv} from '../../../output/write-rows.ts'
import {whyFailed} from './batch-views.ts'
import {type FailedTransfers, retryMark} from './parts.ts'
import type {Transfer} from './read-transfers.ts'
import {itemTransfer, sentAs} from './sent-texts.ts'
import {wholeBatch} from './whole-batch.ts'

/**
 * Reads the transfers of a batch that failed for certain. Left out are those whose debit was booked and not reversed:
 * their money has left the account already.
 *
 * @throws Failure ITEMS_IN_PROGRESS if the batch has not ended; USAGE if nothing is to be sent again.
 */
export async function failedTransfers(
  context: Context,
  client: Client,
  batch: string,
): Promise<FailedTransfers> {
  const found = await wholeBatch(client, batch)
  const items = listAt(found, 'transfers.items')
  if (!hasEnded(found)) {
    throw new Failure('ITEMS_IN_PROGRESS', {
      message: `Batch ${batch} has not ended, so which of its transfers fail is not known.`,
      hint: advice`Wait for its end: ${context.commandLine('a2a', 'watch', {value: batch})}`,
      effect: 'none',
    })
  }
  const failed = items.filter(item => textAt(item, 'status') === 'FAILED')
  const sendable = failed.filter(isUndone)
  const look = warnOfBooked(context, batch, failed.length - sendable.length)
  if (sendable.length === 0) {
    throw new Failure('USAGE', {
      message: `Batch ${batch} has no failed transfers to send again.`,
      hint: advice`See: ${look}`,
      effect: 'none',
    })
  }
  // As the service writes it: another spelling of the same id, such as a UUID in capitals, must not be another retry.
  const id = textAt(found, 'id') || batch
  const {request, textOf} = await sentAs(context, id)
  return {batch: id, request, transfers: sendable.map(item => itemTransfer(item, textOf))}
}

/** @returns the command that shows the transfers. */
function warnOfBooked({commandLine, printer}: Context, batch: string, kept: number): SuggestedCommand {
  const look = commandLine('a2a', 'get', {value: batch}, '--all')
  if (kept > 0) {
    printer.warn(
      `${kept} failed ${kept === 1 ? 'transfer is' : 'transfers are'} left out: the debit was booked and not reversed. See: ${look}`,
    )
  }
  return look
}

/** Whether nothing of a failed transfer was booked, or it was reversed. */
export function isUndone(item: unknown): boolean {
  if (textAt(item, 'creditTransaction.id') !== '') return false
  if (textAt(item, 'debitTransaction.id') === '') return true
  return (
    textAt(item, 'reversalTransaction.id') !== '' && textAt(item, 'reversalTransaction.errorMessage') === ''
  )
}

/** The transfers among the items of a batch that didn't fail for certain. */
export const movedTransfers = (items: readonly unknown[]): readonly Transfer[] =>
  items.filter(item => textAt(item, 'status') !== 'FAILED' || !isUndone(item)).map(item => itemTransfer(item))

/**
 * Looks at the service for a batch that sent the same failed transfers again, perhaps from another machine.
 *
 * @param own ids of batches that this command may continue.
 * @returns all batches.
 * @throws Failure USAGE, which names it.
 */
export async function refuseRetried(
  {commandLine}: Context,
  client: Client,
  batch: string,
  own: ReadonlySet<string | undefined>,
): Promise<readonly unknown[]> {
  const batches: unknown[] = []
  const fetch: FetchPage = (query, options) => client.call({operation: 'a2a.list.v1', query}, options)
  for await (const item of pagedItems(operations['a2a.list.v1'], {all: true}, fetch).items) {
    batches.push(item)
    const id = textAt(item, 'id')
    if (own.has(id) || !textAt(item, 'description').split(/\s+/).includes(retryMark(batch))) continue
    throw new Failure('USAGE', {
      message: `The failed transfers of batch ${batch} were already sent again, as batch ${id}.`,
      hint: advice`If some failed once more: ${commandLine('a2a', 'create', '--retry-failed', {value: id})}`,
      effect: 'none',
    })
  }
  return batches
}

const COLUMNS = ['from', 'to', 'amount', 'currency', 'text', 'reason'] as const

/**
 * Writes the failed transfers of a batch with the columns that `a2a create --from` takes, and the reason. Left out are
 * those whose debit was booked and not reversed: the file is there to be sent.
 */
export async function writeFailedTransfers(context: Context, file: string, batch: unknown): Promise<void> {
  const all = listAt(batch, 'transfers.items').filter(item => textAt(item, 'status') === 'FAILED')
  const failed = all.filter(isUndone)
  const id = textAt(batch, 'id')
  warnOfBooked(context, id, all.length - failed.length)
  const {textOf} = await sentAs(context, id)
  const rows = failed.map(item => {
    const {fromAccountId: from, toAccountId: to, amount, currency, text} = itemTransfer(item, textOf)
    return {from, to, amount, currency, text, reason: whyFailed(item, '; ')}
  })
  await writeNamedFile(file, writeCsv(rows, {columns: COLUMNS}))
  context.printer.note(
    `${failed.length} failed ${failed.length === 1 ? 'transfer' : 'transfers'} written to ${file}`,
  )
}
