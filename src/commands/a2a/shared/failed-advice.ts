import type {Context} from '../../../cli/context.ts'
import {type Advice, advice} from '../../../errors/advice.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {textAt} from '../../../output/fields.ts'
import {whyFailed} from './batch-views.ts'

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
export function failedAdvice(
  context: Pick<Context, 'commandLine'>,
  batch: unknown,
  failed: readonly unknown[],
): Advice {
  const id = textAt(batch, 'id')
  const correct = correctFailed(context, id)
  const isRetry = marksIn(textAt(batch, 'description')).retries !== undefined
  if (isRetry || failed.some(item => LASTING.test(whyFailed(item, '; ')))) return correct
  return advice`${correct} If nothing in them is wrong, send them again once the reason is gone: ${context.commandLine('a2a', 'create', '--retry-failed', {value: id})}`
}
