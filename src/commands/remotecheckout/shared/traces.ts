import type {Context} from '../../../cli/context.ts'
import type {Client} from '../../../cli/request.ts'
import {stoppable} from '../../../cli/waiting.ts'
import {Failure} from '../../../errors/failure.ts'
import {joined, listAt, textAt} from '../../../output/fields.ts'

/** How long to follow an enrolment operation by default, in milliseconds. */
export const FOLLOW_WITHIN = 120_000

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
): Promise<unknown> {
  const {now, sleep, signal} = context.surroundings
  const deadline = now() + within
  const hint = `Look again with: ${context.commandLine('remotecheckout', 'status', traceId)}`
  const stopped = {message: `Stopped waiting for operation ${traceId}; the service continues with it.`, hint}
  return stoppable(context.surroundings, stopped, async () => {
    for (let pause = 250; ; pause = Math.min(pause * 1.5, 5000)) {
      const status = await client.call({operation: 'remotecheckout.status.v1', path: {traceId}})
      if (hasEnded(status)) return refuseFailed(traceId, status)
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

/** Known final states, of the operation or of its outcome. An unknown state isn't final. */
const hasEnded = (trace: unknown): boolean =>
  ['COMPLETED', 'FAILED'].includes(textAt(trace, 'status')) ||
  ['SUCCESS', 'FAILED'].includes(textAt(trace, 'details.status'))

function refuseFailed(traceId: string, trace: unknown): unknown {
  const [state, outcome] = [textAt(trace, 'status'), textAt(trace, 'details.status')]
  if (outcome === 'SUCCESS') return trace
  if (outcome !== 'FAILED' && state !== 'FAILED') {
    throw new Failure('ANSWER_INVALID', {
      message: `Operation ${traceId} is COMPLETED, but the response doesn't say whether it succeeded: details.status is ${outcome || 'missing'}.`,
      hint: 'Look at what it changed: cardctl remotecheckout get.',
      effect: 'unknown',
      data: {trace},
    })
  }
  const reasons = listAt(trace, 'details.errorDetails').map(error =>
    joined([textAt(error, 'field'), textAt(error, 'reason'), textAt(error, 'message')], ': '),
  )
  throw new Failure('PARTLY_DONE', {
    message: `Operation ${traceId} ended, but the network refused it${reasons.length > 0 ? `: ${reasons.join('; ')}` : '.'}`,
    hint: 'Correct the fields and send the operation again.',
    effect: 'none',
    data: {trace},
  })
}
