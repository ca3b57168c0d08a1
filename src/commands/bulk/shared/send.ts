import type {Admit, RowEnd, RowOutcome, RowState, SharedRefusal} from '../../../bulk/index.ts'
import {outcomeOf, replyIdOf} from '../../../cli/journalled.ts'
import type {RowRequest, RowSender} from '../../../cli/request.ts'
import {distinctDifferences, MOST_NAMED} from '../../../cli/response-differences.ts'
import {touchedInReply} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import type {ErrorCode} from '../../../errors/registry.ts'

/** Failures without an effect that may pass by themselves. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set([
  'CONNECTION_FAILED',
  'RATE_LIMITED',
  'SERVICE_FAULT',
  'TIMED_OUT',
  'TLS_FAILED',
])

/** Sends one row and says how it ended. Faults of the tool itself are thrown. */
export async function sendRow(
  sender: RowSender,
  request: RowRequest,
  admit: Admit | undefined,
): Promise<RowOutcome> {
  try {
    const response = await request.send(admit)
    const {status, durationMs, attempts, body, replayed} = response
    const differences = distinctDifferences(response.differences)
    return {
      row: {state: 'done', status, ...differenceColumns(differences), reply: body},
      conclusive: true,
      request: {
        outcome: 'done',
        effect: 'done',
        status,
        durationMs,
        attempts,
        replyId: replyIdOf(body),
        replayed: replayed || undefined,
        resources: touchedInReply(sender.operation, body),
        differences,
      },
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const {code, message} = error
    const {status, effect = 'none', repeatable, reply} = error.details
    return {
      row: {state: stateOf(error, sender.honoured), status, code, message, reply},
      conclusive: effect === 'done' || (status !== undefined && sender.settlesEarlierTries(status)),
      request: {
        outcome: outcomeOf(error),
        effect,
        status,
        repeatable,
        failure: code,
        said: message,
        replyId: replyIdOf(reply, sender.operation.sensitive.reply),
        resources: touchedInReply(sender.operation, reply),
      },
      fate: sharedRefusal(error),
    }
  }
}

/** A row that is done keeps where its answer differs from the contract. */
function differenceColumns([first, ...others]: readonly string[]): Pick<RowEnd, 'code' | 'message'> {
  if (first === undefined) return {}
  return {code: 'ANSWER_DIFFERS', message: [first, ...others].slice(0, MOST_NAMED).join('; ')}
}

function stateOf(failure: Failure, honoured: boolean): RowState {
  const {code, details} = failure
  if (details.effect === 'done') return 'done'
  if (details.effect === 'unknown') return honoured ? 'sent' : 'unknown'
  return TEMPORARY.has(code) || isAboutProfile(failure) || details.isPage ? 'again' : 'failed'
}

/** The profile's credentials or settings don't do, which no row can help. */
const isAboutProfile = ({code, exit}: Failure): boolean => exit === 3 || code === 'UNAUTHENTICATED'

/** What the sandbox calls a path that belongs to no operation. */
const NO_OPERATION = 'urn:problem:operation-not-found'

/**
 * What says more about the run than about the row: credentials, permission, a page of a proxy or anything else that
 * proves nothing in place of the answer, and a 404 that doesn't come from the operation. The operation's own 404 carries a problem document, as for an unknown account;
 * without one a wrong prefix is as likely, as long as no row was done. A service that is down is the watch's business.
 */
function sharedRefusal(failure: Failure): SharedRefusal | undefined {
  const {code, details} = failure
  const {status = 0, isPage = false, problem} = details
  const fate = {like: `${code} ${status} ${isPage}`, cause: failure}
  if (isAboutProfile(failure) || code === 'FORBIDDEN' || problem?.type === NO_OPERATION) return fate
  const isUnproven = status >= 200 && status < 300
  if (isUnproven || (isPage && status < 500)) return fate
  const isUntold = code === 'NOT_FOUND' && problem?.title === undefined
  return isUntold ? {...fate, atFirst: true} : undefined
}
