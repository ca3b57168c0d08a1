import {jobWords, leftWords} from './open-jobs.ts'
import type {OpenJob, RejectedProposal, ShiftEntry, ShiftReport, WaitingProposal} from './shift-types.ts'

/** As CSV, a row for each entry. In a report of several machines, `counted` tells which ones the figures have. */
export function shiftRows(report: ShiftReport): readonly object[] {
  const {entries, conflicting = [], unvouched = [], machines, waiting, rejected, openJobs} = report
  const waits = [...openJobs.map(jobRow), ...waiting.map(waitingRow), ...rejected.map(rejectedRow)]
  if (machines === undefined) return [...entries.map(rowOf), ...waits]
  const row = (isCounted: boolean) => (entry: ShiftEntry) => ({
    ...rowOf(entry),
    machines: entry.machines?.join(', '),
    counted: isCounted,
  })
  return [...entries.map(row(true)), ...[...conflicting, ...unvouched].map(row(false)), ...waits]
}

/** What waits is open, and was not sent. */
const waitingRow = ({at, action, proposal, proposedBy, note, ticket}: WaitingProposal): object => ({
  at,
  kind: 'propose',
  did: action,
  state: 'waiting',
  proposal,
  proposedBy,
  note,
  ticket,
})

const rejectedRow = ({
  at,
  action,
  proposal,
  proposedBy,
  rejectedBy,
  reason,
  ticket,
}: RejectedProposal): object => ({
  at,
  kind: 'reject',
  did: action,
  state: 'rejected',
  proposal,
  proposedBy,
  auditUser: rejectedBy,
  said: reason,
  ticket,
})

const jobRow = (each: OpenJob): object => ({
  at: each.createdAt,
  kind: 'write',
  did: `${jobWords(each)}: ${leftWords(each)}`,
  operation: each.operation,
  state: 'not finished',
  job: each.job,
  auditUser: each.auditUser,
})

/** The words have the values; a column for each field would say nothing in the other rows. */
const rowOf = ({sent: _, before: __, amounts: ___, marks: ____, ...row}: ShiftEntry): object => row
