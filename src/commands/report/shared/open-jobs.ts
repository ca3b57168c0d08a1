import type {Context} from '../../../cli/context.ts'
import {operationOf} from '../../../cli/former-values.ts'
import {counted} from '../../../money/amount.ts'
import {openSplit} from '../../a2a/shared/open-split.ts'
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

/** What was cancelled of the bulk jobs of these entries. */
export function withCancelled(
  context: Context,
  entries: readonly ShiftEntry[],
): Promise<readonly ShiftEntry[]> {
  const named = new Set(entries.map(({job}) => job))
  return withJobs(context, async store => {
    const never = new Map<string | undefined, number>()
    for (const job of store.list()) {
      if (job.state !== 'cancelled' || !named.has(job.id)) continue
      const {left, held} = await summaryOf(context, store, job)
      if (left + held > 0) never.set(job.id, left + held)
    }
    return entries.map(entry => (never.has(entry.job) ? {...entry, neverSent: never.get(entry.job)} : entry))
  })
}

/** The sets of transfers of a shift of which some batches were not sent, newest first. */
export async function openSplits(
  context: Context,
  entries: readonly ShiftEntry[],
): Promise<readonly OpenJob[]> {
  using journal = await context.stores.quietJournal()
  const firsts = new Map<string | undefined, ShiftEntry>()
  for (const entry of entries) if (!firsts.has(entry.job)) firsts.set(entry.job, entry)
  return [...firsts.values()]
    .flatMap(({job, operation = '', at, auditUser}): OpenJob[] => {
      const open = openSplit(journal, {job, operation})
      if (job === undefined || open === undefined) return []
      const {of, sent, size, missing, sets} = open
      const split = size === undefined ? [] : (['--batch-size', {value: String(size)}] as const)
      const next = String(context.commandLine('a2a', 'create', '--from', {value: 'FILE'}, ...split, '--rest'))
      return [
        {
          job,
          operation,
          createdAt: at,
          auditUser,
          batches: of,
          missing,
          sets,
          rows: 0,
          left: of - sent,
          state: 'stopped',
          next,
        },
      ]
    })
    .reverse()
}

/** "278 of 300 rows not sent": left, or held back. Of a set of transfers, its batches. */
export const leftWords = ({rows, left, state, batches}: OpenJob): string =>
  `${left} of ${batches === undefined ? counted(rows, 'row') : `${batches} batches`} not sent${state === 'running' ? ', still running' : ''}`

/** "Update a credit account" */
export const jobWords = ({operation}: OpenJob): string => operationOf({operation})?.summary ?? operation
