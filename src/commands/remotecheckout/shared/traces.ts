import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import type {Period} from '../../../cli/moment.ts'
import {operationsNamed} from '../../../cli/record-filters.ts'
import {stoppable} from '../../../cli/waiting.ts'
import {isPathId} from '../../../contract/resource.ts'
import type {ResponseTo} from '../../../contract/types.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {RequestRecord} from '../../../journal/index.ts'
import {textAt} from '../../../output/fields.ts'
import {hasEnded, hasFailed, settleTrace, whyRefused} from './settle-trace.ts'

/** How long to follow an enrolment operation by default, in milliseconds. */
export const FOLLOW_WITHIN = 120_000

/** An operation that was started here within this time may still be in progress, in milliseconds. */
const RECENT = 3_600_000

/**
 * Follows a remote checkout operation to its outcome. COMPLETED only says that it ended; `details.status` is the
 * outcome.
 *
 * @throws Failure ITEMS_IN_PROGRESS if the time is over first, PARTLY_DONE if the network refused it.
 */
export async function followTrace(
  context: Context,
  client: Client,
  traceId: string,
  within = FOLLOW_WITHIN,
): Promise<ResponseTo<'remotecheckout.status.v1'>> {
  const {now, sleep, signal} = context.surroundings
  const deadline = now() + within
  const next = context.commandLine('remotecheckout', 'status', {value: traceId})
  const hint = advice`Look again with: ${next}`
  const stopped = {
    message: `Stopped waiting for operation ${traceId}; the service continues with it.`,
    hint,
    next,
  }
  return stoppable(context.surroundings, stopped, async () => {
    for (let pause = 250; ; pause = Math.min(pause * 1.5, 5000)) {
      const status = await client.call({operation: 'remotecheckout.status.v1', path: {traceId}})
      if (hasEnded(status)) {
        await settleTrace(context, traceId, status)
        return refuseFailed(traceId, status)
      }
      if (now() + pause > deadline) {
        throw new Failure('ITEMS_IN_PROGRESS', {
          message: `Operation ${traceId} is still in progress; the time to wait for it is over.`,
          hint,
        })
      }
      await sleep(pause, signal)
    }
  })
}

function refuseFailed<Trace>(traceId: string, trace: Trace): Trace {
  const outcome = textAt(trace, 'details.status')
  if (outcome === 'SUCCESS') return trace
  if (!hasFailed(trace)) {
    throw new Failure('ANSWER_INVALID', {
      message: `Operation ${traceId} is COMPLETED, but the response doesn't say whether it succeeded: details.status is ${outcome || 'missing'}.`,
      hint: advice`Look at what it changed: ${cardctl('remotecheckout', 'get', '--customer', {value: 'ID'})}`,
      effect: 'unknown',
      data: {trace},
    })
  }
  throw new Failure('PARTLY_DONE', {
    message: `Operation ${traceId} ended, but the network refused it${whyRefused(trace)}`,
    hint: 'Correct the fields and send the operation again.',
    effect: 'none',
    data: {trace},
  })
}

/** An operation that was started here, with the status that the service has now. */
interface StartedTrace {
  readonly traceId: string
  readonly operation: string
  readonly resources: readonly string[]
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly request: string
  readonly auditUser: string
  readonly ticket: string | undefined
  /** UNKNOWN if the service no longer knows the trace. */
  readonly status: string
  readonly outcome: string
}

/** How many operations have ended, which a list of open ones leaves out. */
export interface EndedTraces {
  count: number
  failed: number
}

/** Operations of the journal, newest first. With `ended`, those that have ended are only counted there. */
export async function* startedTraces(
  context: Context,
  client: Client,
  period: Period,
  ended?: EndedTraces,
): AsyncGenerator<StartedTrace> {
  for (const {
    replyId: traceId,
    operation,
    resources,
    begunAt,
    id,
    auditUser,
    ticket,
    evidence,
  } of await startedHere(context, period)) {
    if (traceId === undefined) continue
    const trace = await statusOf(client, traceId)
    if (evidence === undefined) await settleTrace(context, traceId, trace)
    if (ended && hasEnded(trace)) {
      ended.count++
      if (hasFailed(trace)) ended.failed++
      continue
    }
    yield {
      traceId,
      operation,
      resources,
      startedAt: new Date(begunAt).toISOString(),
      request: id,
      auditUser,
      ticket,
      status: textAt(trace, 'status') || 'UNKNOWN',
      outcome: textAt(trace, 'details.status'),
    }
  }
}

/** Whether an operation that was started here on one of these resources has not ended. */
export async function isAnyInProgress(
  context: Context,
  client: Client,
  resources: readonly string[],
): Promise<boolean> {
  const since = context.surroundings.now() - RECENT
  for (const {replyId} of await startedHere(context, {since, until: undefined, resources})) {
    if (replyId === undefined) continue
    const trace = await statusOf(client, replyId)
    if (trace !== undefined && !hasEnded(trace)) return true
  }
  return false
}

/** Closes the journal before the requests that follow. */
async function startedHere(
  context: Context,
  which: Period & {readonly resources?: readonly string[]},
): Promise<readonly RequestRecord[]> {
  using journal = await context.stores.journal()
  return [...journal.requests.list({...which, operations: operationsNamed('remotecheckout')})]
}

/** Undefined if the service doesn't know the trace, or can't be asked for it. */
async function statusOf(client: Client, traceId: string): Promise<unknown> {
  if (!isPathId(traceId)) return undefined
  try {
    return await client.call({operation: 'remotecheckout.status.v1', path: {traceId}}, {paced: true})
  } catch (error) {
    if (error instanceof Failure && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}
