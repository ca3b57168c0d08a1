import {hasEnded} from '../../../cli/batch-ends.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {type Advice, advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {listAt, textAt} from '../../../output/fields.ts'
import {whyFailed} from './batch-views.ts'
import {hadEffect, retryJobOf} from './parts.ts'
import {isUndone} from './undone-items.ts'
import {wholeBatch} from './whole-batch.ts'

/** What stays as it is, however often the same transfer is sent: an account that is closed, unknown or misspelt. */
const LASTING =
  /closed|not[ _-]?found|unknown|does(?:n't| not) exist|no such|invalid|terminated|deceased|not (?:allowed|permitted)/i

/** Write the failed transfers of a batch to a file, correct them there, and send the file. */
export function correctFailed({commandLine}: Pick<Context, 'commandLine'>, batch: string): Advice {
  const file = `failed-${batch}.csv`
  const write = commandLine('a2a', 'get', {value: batch}, '--failed-to', {value: file})
  return advice`Write the failed ones to a file: ${write}. Correct them there and send that file: ${commandLine('a2a', 'create', '--from', {value: file})}.`
}

/**
 * What helps after transfers of a batch failed. To send them again as they are is advised only once, and only where
 * that may end differently.
 */
export async function failedAdvice(
  context: Pick<Context, 'commandLine' | 'stores'>,
  batch: unknown,
  failed: readonly unknown[],
): Promise<Advice> {
  const {commandLine} = context
  const id = textAt(batch, 'id')
  if (!failed.some(isUndone))
    return advice`Their debit was booked and not reversed, so they are not sent again. See: ${commandLine('a2a', 'get', {value: id}, '--all')}`
  const again = await sentOnceMore(context, id)
  if (again !== undefined)
    return advice`They were sent again already. See what became of them: ${commandLine('a2a', 'get', {value: again}, '--all')}`
  const correct = correctFailed(context, id)
  const isRetry = marksIn(textAt(batch, 'description')).retries !== undefined
  if (isRetry || failed.some(item => LASTING.test(whyFailed(item, '; ')))) return correct
  return advice`${correct} If nothing in them is wrong, send them again once the reason is gone: ${commandLine('a2a', 'create', '--retry-failed', {value: id})}`
}

/** The batch with which this machine has sent the failed transfers again. */
async function sentOnceMore({stores}: Pick<Context, 'stores'>, batch: string): Promise<string | undefined> {
  using journal = await stores.journal()
  return journal.requests.list({job: retryJobOf(journal, batch)}).find(hadEffect)?.replyId
}

/** What to do about a batch that has sent failed transfers again, as it is now. */
export async function nextOfRetry(context: Context, client: Client, id: string): Promise<Advice> {
  const {commandLine} = context
  const look = advice`See: ${commandLine('a2a', 'get', {value: id}, '--all')}`
  let batch: unknown
  try {
    batch = await wholeBatch(client, id)
  } catch (error) {
    if (error instanceof Failure && !isInterruption(error)) return look
    throw error
  }
  if (!hasEnded(batch)) return advice`Wait for its end: ${commandLine('a2a', 'watch', {value: id})}`
  const failed = listAt(batch, 'transfers.items').filter(item => textAt(item, 'status') === 'FAILED')
  if (failed.length === 0) return advice`None of its transfers failed, so nothing is left to send. ${look}`
  const next = await failedAdvice(context, batch, failed)
  return advice`${String(failed.length)} of its transfers failed. ${next}`
}
