import {hasEnded} from '../../../cli/batch-ends.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import type {SuggestedCommand} from '../../../errors/suggested-command.ts'
import {writeNamedFile} from '../../../files/named-output.ts'
import {counted} from '../../../money/amount.ts'
import {listAt, textAt} from '../../../output/fields.ts'
import {writeCsv} from '../../../output/write-rows.ts'
import {whyFailed} from './batch-views.ts'
import {nextOfRetry} from './failed-advice.ts'
import {type FailedTransfers, nameOf, retryMark} from './parts.ts'
import {type LeftOfFailed, type Replacing, withoutReplaced} from './refuse-replaced.ts'
import {REPLACES, replacesCell} from './replaced-rows.ts'
import {itemTransfer, sentAs} from './sent-texts.ts'
import {isUndone} from './undone-items.ts'
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
  const {request, textOf, knowsText} = await sentAs(context, id)
  const {left, listed} = await unreplaced(context, client, id, sendable)
  warnOfTexts(context, left.filter(item => !knowsText(itemTransfer(item))).length, 'sent')
  return {batch: id, request, listed, transfers: left.map(item => itemTransfer(item, textOf))}
}

/**
 * Leaves out what was sent from a file of the failed transfers.
 *
 * @throws Failure USAGE if nothing is left; EFFECT_UNKNOWN if it is not known what is left.
 */
async function unreplaced(
  context: Context,
  client: Client,
  batch: string,
  sendable: readonly unknown[],
): Promise<Pick<LeftOfFailed, 'left' | 'listed'>> {
  const {commandLine, printer} = context
  const {left, by, unsure, listed} = await withoutReplaced(context, client, batch, sendable)
  const open = [...by, ...unsure].find(({request}) => request !== undefined)?.request
  if (open !== undefined)
    throw new Failure('EFFECT_UNKNOWN', {
      message: `Failed transfers of batch ${batch} may have been sent from a file: ${nameOf(open)}.`,
      hint: advice`Find out first: ${commandLine('requests', 'resolve', {value: open.id})}`,
      effect: 'none',
      requestId: open.id,
    })
  const [last] = [...unsure, ...by]
  if (last !== undefined && (left.length === 0 || unsure.length > 0))
    throw new Failure('USAGE', {
      message: `${left.length === 0 ? 'The' : 'Some of the'} failed transfers of batch ${batch} were already sent again from a file, as they were or corrected: ${namesOf([...by, ...unsure])}.`,
      hint: await nextOfRetry(context, client, last.batch ?? batch),
      effect: 'none',
    })
  if (left.length < sendable.length) printer.note(leftOutWords(sendable.length - left.length, by))
  return {left, listed}
}

/** "2 failed transfers are left out: they were sent from a file, as they were or corrected, in batch 88004" */
const leftOutWords = (count: number, by: readonly Replacing[]): string =>
  `${counted(count, 'failed transfer')} ${count === 1 ? 'is' : 'are'} left out: sent from a file already, as ${count === 1 ? 'it was' : 'they were'} or corrected, in ${namesOf(by)}`

const namesOf = (by: readonly Replacing[]): string => [...new Set(by.map(({name}) => name))].join(', ')

/** The service returns no texts, and this machine has those of what it sent itself, for 24 hours. */
function warnOfTexts({printer}: Context, unknown: number, how: 'sent' | 'written'): void {
  if (unknown === 0) return
  const are = unknown === 1 ? 'transfer is' : 'transfers are'
  printer.warn(
    `${unknown} failed ${are} ${how} without a text: which one it had is not known here. The machine that sent the batch knows it for 24 hours.`,
  )
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

/**
 * Looks for a batch of the service that sent the same failed transfers again, perhaps from another machine.
 *
 * @param own ids of batches that this command may continue.
 * @throws Failure USAGE, which names it.
 */
export async function refuseRetried(
  context: Context,
  client: Client,
  {batch, listed}: FailedTransfers,
  own: ReadonlySet<string | undefined>,
): Promise<void> {
  for (const item of listed) {
    const id = textAt(item, 'id')
    if (own.has(id) || !textAt(item, 'description').split(/\s+/).includes(retryMark(batch))) continue
    throw new Failure('USAGE', {
      message: `The failed transfers of batch ${batch} were already sent again, as batch ${id}.`,
      hint: await nextOfRetry(context, client, id),
      effect: 'none',
    })
  }
}

const COLUMNS = ['from', 'to', 'amount', 'currency', 'text', 'reason', REPLACES] as const

/**
 * Writes the failed transfers of a batch with the columns that `a2a create --from` takes, and the reason. Left out are
 * those whose debit was booked and not reversed: the file is there to be sent.
 */
export async function writeFailedTransfers(
  context: Context,
  client: Client,
  file: string,
  batch: unknown,
): Promise<void> {
  const all = listAt(batch, 'transfers.items').filter(item => textAt(item, 'status') === 'FAILED')
  const undone = all.filter(isUndone)
  const id = textAt(batch, 'id')
  warnOfBooked(context, id, all.length - undone.length)
  const failed = await leftToCorrect(context, client, id, undone)
  const {textOf, knowsText} = await sentAs(context, id)
  warnOfTexts(context, failed.filter(item => !knowsText(itemTransfer(item))).length, 'written')
  const rows = failed.map(item => {
    const {fromAccountId: from, toAccountId: to, amount, currency, text} = itemTransfer(item, textOf)
    const replaces = replacesCell({batch: id, item: textAt(item, 'id')})
    return {from, to, amount, currency, text, reason: whyFailed(item, '; '), replaces}
  })
  await writeNamedFile(file, writeCsv(rows, {columns: COLUMNS}))
  context.printer.note(
    `${failed.length} failed ${failed.length === 1 ? 'transfer' : 'transfers'} written to ${file}`,
  )
}

/** Leaves out what was already corrected and sent, so that nobody does it a second time from the file. */
async function leftToCorrect(
  context: Context,
  client: Client,
  batch: string,
  undone: readonly unknown[],
): Promise<readonly unknown[]> {
  const {printer} = context
  try {
    const {left, by, unsure} = await withoutReplaced(context, client, batch, undone)
    if (left.length < undone.length) printer.note(leftOutWords(undone.length - left.length, by))
    if (unsure.length > 0)
      printer.warn(
        `Some of these were sent from a file already, as they were or corrected; which is not known: ${namesOf(unsure)}.`,
      )
    return left
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const {message} = error
    if (isInterruption(error)) throw error
    printer.warn(`Whether some of these were corrected and sent already is not known: ${message}`)
    return undone
  }
}
