import {openClient} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {idsOf, isPathId} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import {ACCEPTED, requestState} from '../../../output/outcome.ts'
import {settleTrace} from '../../remotecheckout/shared/settle-trace.ts'
import type {ShiftEntry} from './shift-types.ts'

/** Operations of one shift that are read. */
const MOST_TRACES = 100

/**
 * Reads how the remote checkout operations of a shift ended, and records it with their requests. If the service doesn't
 * respond, they stay accepted.
 */
export async function readTraces(context: Context, entries: readonly ShiftEntry[]): Promise<void> {
  const open = entries.filter(
    entry => entry.operation?.startsWith('remotecheckout.') && requestState(entry).text === ACCEPTED,
  )
  const traces = new Set(open.flatMap(({resources}) => idsOf('trace', resources)).filter(isPathId))
  if (traces.size === 0) return
  const client = await openClient(context, await context.service.target())
  try {
    for (const [at, traceId] of [...traces].slice(0, MOST_TRACES).entries()) {
      const call = {operation: 'remotecheckout.status.v1', path: {traceId}} as const
      await settleTrace(context, traceId, await client.call(call, {paced: at > 0}))
    }
  } catch (error) {
    if (isInterruption(error) || !(error instanceof Failure)) throw error
    context.printer.warn(`Could not read how remote checkout operations ended: ${error.message}`)
  } finally {
    await client.close()
  }
}
