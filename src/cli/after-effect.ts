import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import type {CommandLine} from './command-line.ts'

/** Exit codes that say of a request that it had no effect, or that nothing was sent. */
const CLAIMS_NONE = {from: 2, to: 9}
/** These say themselves that the result is there. */
const KNOWS = new Set(['OUTPUT_UNWRITABLE', 'ANSWER_DIFFERS'])

/**
 * A failure after a write that was carried out, such as of a read that follows it. Its own code and effect may say that
 * nothing happened, and a person who believes that sends the write again.
 *
 * @param request the id of the write in the journal.
 */
export function afterEffect(failure: Failure, request: string, commandLine: CommandLine): Failure {
  const {code, exit, message, details} = failure
  const isOwn = details.requestId !== undefined || details.effect === 'done' || details.effect === 'unknown'
  if (isOwn || KNOWS.has(code)) return failure
  if (exit >= CLAIMS_NONE.from && exit <= CLAIMS_NONE.to) {
    return new Failure('FOLLOW_UP_FAILED', {
      message: `Request ${request} was carried out, but a step after it failed: ${message}`,
      hint: advice`${code === 'DISK_FULL' ? 'Free space there. ' : ''}Do not send it again. See: ${commandLine('requests', 'show', {value: request})}`,
      requestId: request,
      effect: 'done',
      data: {...details.data, failed: code},
      cause: failure,
    })
  }
  // A defect or a signal keeps its exit code.
  return exit === 1 || exit > 128 ? failure.with({effect: 'done', requestId: request}) : failure
}
