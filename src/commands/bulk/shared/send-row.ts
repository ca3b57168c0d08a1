import type {Admit, RowEnd, RowOutcome, RowState, SharedRefusal} from '../../../bulk/index.ts'
import type {RowRequest, RowSender} from '../../../cli/client/rows.ts'
import {distinctDifferences, MOST_NAMED} from '../../../cli/effects.ts'
import {outcomeOf} from '../../../cli/journalled.ts'
import {idIn, touchedInResponse} from '../../../contract/resource.ts'
import type {Blame} from '../../../errors/blame.ts'
import {duration} from '../../../errors/duration.ts'
import {type EffectOutcome, Failure, isStoreAway} from '../../../errors/failure.ts'
import type {ErrorCode} from '../../../errors/registry.ts'
import {redact} from '../../../sensitive/redact.ts'

/** Failures without an effect that may be temporary. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set([
  'CONNECTION_FAILED',
  'LEASE_ENDED',
  'RATE_LIMITED',
  'SERVICE_FAULT',
  'TIMED_OUT',
  'TLS_FAILED',
])

/** Sends one row and returns its outcome. Throws errors of cardctl itself. */
export async function sendRow(
  sender: RowSender,
  request: RowRequest,
  admit: Admit | undefined,
  /** Says what time it will be in `ms` milliseconds. */
  timeIn?: (ms: number) => string,
): Promise<RowOutcome> {
  let isAdmitted = admit === undefined
  const watched: Admit | undefined =
    admit &&
    (async signal => {
      const turn = await admit(signal)
      isAdmitted = true
      return turn
    })
  try {
    const response = await request.send(watched)
    const {status, durationMs, attempts, body, replayed} = response
    const differences = distinctDifferences(response.differences)
    return {
      row: {state: 'done', status, ...differenceColumns(differences), reply: kept(sender, body)},
      conclusive: true,
      request: {
        outcome: 'done',
        effect: 'done',
        status,
        durationMs,
        attempts,
        replyId: idIn(body, sender.operation),
        replayed: replayed || undefined,
        resources: touchedInResponse(sender.operation, body),
        differences,
      },
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const {code, message} = error
    const {status, repeatable, reply, retryAfter, blame} = error.details
    // A journal that can't be written says nothing about a request that may have left.
    const effect = error.details.effect ?? (isAdmitted && isStoreAway(error) ? 'unknown' : 'none')
    return {
      row: {
        state: stateOf(error, effect, sender.honoured),
        status,
        code,
        message:
          retryAfter === undefined
            ? message
            : `${message.replace(/\.$/, '')}; ${asksToWait(blame, retryAfter * 1000, timeIn)}`,
        blame,
        reply: kept(sender, reply),
      },
      isUnsent: code === 'LEASE_ENDED',
      conclusive: effect === 'done' || sender.settlesEarlierAttempts(error.details),
      request: {
        outcome: outcomeOf(error),
        effect,
        status,
        repeatable,
        failure: code,
        said: message,
        replyId: idIn(reply, sender.operation),
        resources: touchedInResponse(sender.operation, reply),
      },
      fate: sharedRefusal(error),
    }
  }
}

const asksToWait = (blame: Blame | undefined, ms: number, timeIn?: (ms: number) => string): string =>
  `${blame === 'token endpoint' ? 'it' : 'the service'} asks to wait ${duration(ms)}${timeIn === undefined ? '' : ` (until ${timeIn(ms)})`}`

/** A job keeps no personal data of responses. Secrets were masked when they were read. */
function kept({operation}: RowSender, body: unknown): unknown {
  const {sensitive, personal, ids} = operation
  if (personal === undefined) return body
  return redact(body, {sensitive: [...sensitive.reply, ...personal.reply], plain: ids?.reply ?? []})
}

/** A completed row keeps the differences of its response from the contract. */
function differenceColumns([first, ...others]: readonly string[]): Pick<RowEnd, 'code' | 'message'> {
  if (first === undefined) return {}
  return {code: 'ANSWER_DIFFERS', message: [first, ...others].slice(0, MOST_NAMED).join('; ')}
}

function stateOf(failure: Failure, effect: EffectOutcome, honoured: boolean): RowState {
  const {code, details} = failure
  if (effect === 'done') return 'done'
  if (effect === 'unknown') return honoured ? 'sent' : 'unknown'
  return TEMPORARY.has(code) || isAboutProfile(failure) || details.isPage ? 'again' : 'failed'
}

/** The profile's credentials or settings are wrong, or a store can't be used, so every row would fail. */
const isAboutProfile = (failure: Failure): boolean =>
  failure.exit === 3 || failure.code === 'UNAUTHENTICATED' || isStoreAway(failure)

/** The sandbox's problem type for a path without an operation. */
const NO_OPERATION = 'urn:problem:operation-not-found'

/**
 * A failure that concerns the run rather than the row: credentials, permission, a proxy's page or another response that
 * proves nothing, or a 404 that isn't the operation's own. The operation's own 404 has a problem document, for example
 * for an unknown account. Without one, a wrong prefix is as likely as long as no row has succeeded. Whether the
 * service is down is for `serviceWatch` to decide.
 */
function sharedRefusal(failure: Failure): SharedRefusal | undefined {
  const {code, details} = failure
  const {status = 0, isPage = false, problem} = details
  const fate = {like: `${code} ${status} ${isPage}`, cause: failure}
  if (isAboutProfile(failure) || code === 'FORBIDDEN') return {...fate, isOfAccess: true}
  if (problem?.type === NO_OPERATION) return fate
  const isUnproven = status >= 200 && status < 300
  // JSON in a 2xx is mostly the service's own word about the row.
  if (isUnproven && details.effect === 'none' && problem !== undefined) return {...fate, atFirst: true}
  if (isUnproven || (isPage && status < 500)) return fate
  const isUntold = code === 'NOT_FOUND' && problem?.title === undefined
  return isUntold ? {...fate, atFirst: true} : undefined
}
