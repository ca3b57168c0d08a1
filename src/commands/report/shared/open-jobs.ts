import type {Context} from '../../../cli/context.ts'
import {counted} from '../../../money/amount.ts'
import {summaryOf} from '../../bulk/shared/summary.ts'
import {withJobs} from '../../bulk/shared/with-jobs.ts'
import type {OpenJob, ShiftEntry, ShiftFilter} from './shift-types.ts'

/** The bulk jobs of a shift that have rows left to send, whether any of their rows was sent or not. */
export function openJobs(
  context: Context,
  {since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, auditUser, ticket}: ShiftFilter,
  entries: readonly ShiftEntry[],
): Promise<readonly OpenJob[]> {
  const named = new Set(entries.map(({job}) => job))
  return withJobs(context, async store => {
    const found: OpenJob[] = []
    for (const job of store.list()) {
      if (job.claimedAt < since || job.createdAt >= until || job.state === 'cancelled') continue
      // A job has no ticket: its requests do.
      if (ticket !== undefined && !named.has(job.id)) continue
      const {operation, createdAt, user, rows, left, held, state, next} = await summaryOf(context, store, job)
      if ((auditUser !== undefined && user !== auditUser) || left + held === 0) continue
      const command = String(next ?? '')
      found.push({
        job: job.id,
        operation,
        createdAt,
        auditUser: user,
        rows,
        left: left + held,
        state,
        next: command,
      })
    }
    return found
  })
}

/** "278 of 300 rows not sent": left, or held back. */
export const leftWords = ({rows, left, state}: OpenJob): string =>
  `${left} of ${counted(rows, 'row')} not sent${state === 'running' ? ', still running' : ''}`
