import type {Admit, RowOutcome, RowState} from '../../bulk/index.ts'
import type {AnyInput} from '../../contract/operation.ts'
import {Failure} from '../../errors/failure.ts'
import type {ErrorCode} from '../../errors/registry.ts'
import type {RowSender} from '../request.ts'
import {outcomeOf, replyIdOf} from '../requests/journalled.ts'

/** Failures without an effect that may pass by themselves. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'CONNECTION_FAILED',
  'RATE_LIMITED',
  'SERVICE_FAULT',
  'TIMED_OUT',
  'TLS_FAILED',
  'UNAUTHENTICATED',
])

/** Sends one row and says how it ended. Faults of the tool itself are thrown. */
export async function sendRow(
  sender: RowSender,
  input: AnyInput,
  key: string | undefined,
  admit: Admit | undefined,
): Promise<RowOutcome> {
  try {
    const {status, durationMs, attempts, body} = await sender.send(input, key, admit)
    return {
      row: {state: 'done', status, reply: body},
      conclusive: true,
      request: {outcome: 'done', effect: 'done', status, durationMs, attempts, replyId: replyIdOf(body)},
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const {code, message} = error
    const {status, effect = 'none', repeatable} = error.details
    return {
      row: {state: stateOf(error, sender.honoured), status, code, message},
      conclusive: effect === 'done' || (status !== undefined && sender.settlesEarlierTries(status)),
      request: {outcome: outcomeOf(error), effect, status, repeatable, failure: code},
    }
  }
}

function stateOf({code, details}: Failure, honoured: boolean): RowState {
  if (details.effect === 'done') return 'done'
  if (details.effect === 'unknown') return honoured ? 'sent' : 'unknown'
  return PASSING.has(code) ? 'again' : 'failed'
}
