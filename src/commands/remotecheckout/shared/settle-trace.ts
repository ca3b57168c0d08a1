import {auditEntryOf} from '../../../cli/audit-entries.ts'
import type {Context} from '../../../cli/context.ts'
import {operationsNamed} from '../../../cli/record-filters.ts'
import {isPathId, resource} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {joined, listAt, textAt} from '../../../output/fields.ts'
import {maskText} from '../../../sensitive/mask-text.ts'

/** Known final states, of the operation or of its outcome. An unknown state isn't final. */
export const hasEnded = (trace: unknown): boolean =>
  ['COMPLETED', 'FAILED'].includes(textAt(trace, 'status')) ||
  ['SUCCESS', 'FAILED'].includes(textAt(trace, 'details.status'))

export const hasFailed = (trace: unknown): boolean =>
  textAt(trace, 'status') === 'FAILED' || textAt(trace, 'details.status') === 'FAILED'

/** Why the network refused it, as `: ALREADY_ENROLLED`; a full stop if it gave no reason. */
export function whyRefused(trace: unknown): string {
  const reasons = listAt(trace, 'details.errorDetails').map(error =>
    joined([textAt(error, 'field'), textAt(error, 'reason'), textAt(error, 'message')], ': '),
  )
  return reasons.length > 0 ? `: ${reasons.join('; ')}` : '.'
}

/**
 * Records with the request how its operation ended, once the service tells. The response to the request only said that
 * the service accepted it. A journal that can't be written doesn't hide the outcome.
 */
export async function settleTrace(context: Context, traceId: string, trace: unknown): Promise<void> {
  const isRefused = hasFailed(trace)
  if (!isPathId(traceId) || (!isRefused && textAt(trace, 'details.status') !== 'SUCCESS')) return
  // Opening the journal would create it.
  if (!(await context.stores.hasJournal())) return
  try {
    using journal = await context.stores.journal()
    const operations = operationsNamed('remotecheckout')
    for (const record of journal.requests.list({resources: [resource('trace', traceId)], operations})) {
      if (record.state !== 'done' || record.evidence !== undefined) continue
      const evidence = isRefused
        ? maskText(`The network refused operation ${traceId}${whyRefused(trace)}`)
        : `Operation ${traceId} ended with SUCCESS.`
      if (!journal.settle(record.id, {isRefused, evidence}) || !isRefused) continue
      using audit = await context.stores.audit()
      audit.ready()
      audit.append(auditEntryOf(context, record, {outcome: 'refused', by: record.auditUser}))
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.printer.warn(`How operation ${traceId} ended could not be recorded: ${error.message}`)
  }
}
