import type {Period} from '../../../cli/moment.ts'
import type {BatchEnd} from '../../../journal/index.ts'
import {reasonsOf} from '../../../output/both-reasons.ts'
import {isBooked} from '../../../output/outcome.ts'
import type {HistoryEntry} from '../../history/shared/history-entries.ts'

/** Whose work, and what for. */
export interface ShiftFilter extends Period {
  readonly auditUser?: string | undefined
  readonly ticket?: string | undefined
}

/** An entry of the history. It has the fields that were sent if the request changed named fields. */
export type ShiftEntry = Omit<HistoryEntry, 'fields'> & {
  /** The money of a batch: "EUR 1500.00". */
  readonly totals?: string | undefined
  /** The same by currency. */
  readonly amounts?: readonly SentSum[] | undefined
  /** What became of the transfers of the batch. */
  readonly sums?: readonly TransferSum[] | undefined
  /** The first of those that failed. */
  readonly failedTransfers?: readonly FailedTransfer[] | undefined
  /** Rows of its bulk job that were never sent, if that was cancelled. */
  readonly neverSent?: number | undefined
  /** What the description of its batch says of other batches. */
  readonly marks?: string | undefined
  /** Of an operation of remote checkout that was accepted: the command that shows how it ends. */
  readonly next?: string | undefined
  /** The machines that report it, if the report is of several. */
  readonly machines?: readonly string[] | undefined
}

/** A line: an entry, or a bulk job, which has how its rows ended: "4 done, 1 refused". */
export type ShiftLine = ShiftEntry & {readonly ends?: string | undefined}

/** Transfers that were sent in one currency. */
export interface SentSum {
  readonly currency: string
  /** 0 if the number isn't known. */
  readonly transfers: number
  readonly total: string
}

/** A transfer that failed, with what the service says about it. */
export interface FailedTransfer {
  readonly from: string
  readonly to: string
  /** With all decimals of its currency: "12.50". */
  readonly amount: string
  readonly currency: string
  /** As it was sent; empty if the journal of this machine doesn't know it. */
  readonly text: string
  readonly reason: string
}

/** Transfers in one state and currency, as the service has them now. */
export interface TransferSum {
  readonly status: string
  readonly currency: string
  readonly count: number
  readonly total: string
}

/**
 * What a report says about the signature of a machine: its own records; a signature by a key that is trusted here; or one
 * by a key that nobody vouched for, which proves nothing.
 */
export type SignatureWord = 'own' | 'verified' | 'key not known here'

/** A machine whose records a report has. */
export interface ShiftMachine {
  /** What it is called here; if its key is not known, what it says about itself, and the beginning of the key. */
  readonly name: string
  /** Fingerprint of its key. */
  readonly key: string
  readonly signature: SignatureWord
  readonly file: string | undefined
  readonly madeAt: string
  /** What its report covers. */
  readonly since: string | undefined
  readonly until: string
  readonly by: string | undefined
  readonly ticket: string | undefined
  /** What of this report its own doesn't cover. */
  readonly gaps?:
    | readonly {
        readonly before?: string | undefined
        readonly after?: string | undefined
        readonly otherThan?: string | undefined
      }[]
    | undefined
  /** Its entries in the time of this report, as they are listed: the requests of one PIN exchange are one. */
  readonly entries: number
}

/** The audit user, an agent that ran the command, and who proposed it. */
export function whoOf({auditUser = '', caller = '', proposedBy}: ShiftEntry): string {
  const by = caller.startsWith('agent') ? `${auditUser} (${caller})` : auditUser
  return proposedBy === undefined ? by : `${by}, proposed by ${proposedBy}`
}

/** "SUP-12: by phone" */
export const purposeOf = ({ticket = '', ...entry}: ShiftEntry): string =>
  [ticket, reasonsOf(entry)].filter(text => text !== '').join(': ')

/** A bulk job with rows that were not sent, or a set of transfers with batches that were not sent. */
export interface OpenJob {
  /** Number of the batches of a set; then it has no rows. */
  readonly batches?: number | undefined
  /** The numbers of those that are left. */
  readonly missing?: readonly number[] | undefined
  /** The references of those that were sent, without their places. */
  readonly sets?: readonly string[] | undefined
  readonly job: string
  readonly operation: string
  readonly createdAt: string
  readonly auditUser: string | undefined
  readonly rows: number
  readonly left: number
  readonly state: string
  /** The command that goes on with it. */
  readonly next: string
}

/** A request that a second person has not decided about. */
export interface WaitingProposal {
  readonly proposal: string
  readonly at: string
  readonly expiresAt: string
  /** What it would do, in words. */
  readonly action: string
  /** The audit user. */
  readonly proposedBy: string
  readonly note: string | undefined
  readonly ticket: string | undefined
}

/** A proposal that was rejected, or withdrawn by who made it: nothing of it was sent. */
export interface RejectedProposal {
  readonly proposal: string
  /** When it was rejected. */
  readonly at: string
  /** What it would have done, in words. */
  readonly action: string
  /** Audit users. */
  readonly proposedBy: string
  readonly rejectedBy: string
  readonly reason: string | undefined
  readonly ticket: string | undefined
}

export interface ShiftReport {
  readonly profile: string
  readonly service: string
  readonly since: string | undefined
  readonly until: string
  /** Only what this audit user did. */
  readonly by?: string | undefined
  /** Only what was done for this ticket. */
  readonly ticket?: string | undefined
  readonly auditUsers: readonly string[]
  readonly writes: number
  readonly deletions: number
  readonly disclosures: number
  readonly reveals: number
  readonly failed: number
  /** Entries whose effect is unknown, or that are unfinished, jobs and sets that were begun and not finished, and waiting proposals. */
  readonly open: number
  /** Bulk jobs and sets of transfers of which not all was sent, newest first. */
  readonly openJobs: readonly OpenJob[]
  /** What waits for a second person, oldest first. */
  readonly waiting: readonly WaitingProposal[]
  /** What was rejected, as the folders of proposals of this machine have it, oldest first. */
  readonly rejected: readonly RejectedProposal[]
  /** Transfers that were sent, by currency. */
  readonly money: readonly SentSum[]
  /** Batches whose amounts the records no longer have: they were erased, or only the audit trail is left. `money` lacks them. */
  readonly withoutAmounts: number
  /** What became of them, for the batches that were read. */
  readonly sums: readonly TransferSum[]
  /** What the service accepted, and which has not ended, or whose end nobody has read. */
  readonly accepted: number
  /** Batches of which transfers failed and were not all sent again. */
  readonly failedBatches: number
  /** Oldest first. */
  readonly entries: readonly ShiftEntry[]
  /** The machines of a report of several. */
  readonly machines?: readonly ShiftMachine[] | undefined
  /** Entries of machines whose key is not known here. They are in no figure. */
  readonly unvouched?: readonly ShiftEntry[] | undefined
  /** Entries that differ from what another machine reports about the same request. They are in no figure. */
  readonly conflicting?: readonly ShiftEntry[] | undefined
}

/** How a request ended that may have had an effect that nobody knows, and one that had none. */
const OPEN: readonly string[] = ['unknown', 'unfinished', 'running']
const FAILED: readonly string[] = ['refused', 'failed', 'none']

/**
 * The entries that did something of their own. One that was sent again with the same key, and took effect once, is
 * counted as the first one; a stored response changed nothing.
 */
export function countedEntries(entries: readonly ShiftEntry[]): readonly ShiftEntry[] {
  const done = new Set(entries.flatMap(({state, request}) => (state === 'done' ? [request] : [])))
  return entries.filter(
    ({state, replayed, retryOf}) =>
      state !== 'done' || (replayed !== true && (retryOf === undefined || !done.has(retryOf))),
  )
}

/** How many transfers failed of the batch that an entry made, and of how many; undefined if its end is not known. */
export function batchEnd({sums = [], batchEnd: noted}: ShiftEntry): BatchEnd | undefined {
  const countOf = (status: string): number =>
    sums.filter(sum => sum.status === status).reduce((all, {count}) => all + count, 0)
  const [failed, booked] = [countOf('FAILED'), countOf('COMPLETED')]
  const transfers = sums.reduce((all, {count}) => all + count, 0)
  const isRead = transfers > 0 && failed + booked === transfers
  return isRead ? {state: failed === 0 ? 'COMPLETED' : 'FAILED', transfers, booked, failed} : noted
}

/** The entries that made batches of which transfers failed, whatever became of those. */
export const withFailedTransfers = (entries: readonly ShiftEntry[]): readonly ShiftEntry[] =>
  countedEntries(entries).filter(entry => {
    const end = batchEnd(entry)
    return end !== undefined && !isBooked(end)
  })

/** Whether an entry made a batch: only then its transfers have an end of their own. */
export const madeBatch = ({operation, replyId, state}: ShiftEntry): boolean =>
  operation === 'a2a.create.v1' && replyId !== undefined && state === 'done'

export const isOpen = ({state}: Pick<ShiftEntry, 'state'>): boolean => OPEN.includes(state ?? '')

/** The operations of remote checkout of which nobody knows yet how they end. */
export const runningEntries = ({entries}: Pick<ShiftReport, 'entries'>): readonly ShiftEntry[] =>
  entries.filter(({next}) => next !== undefined)

export const openEntries = ({entries}: Pick<ShiftReport, 'entries'>): readonly ShiftEntry[] =>
  entries.filter(isOpen)

export const failedEntries = ({entries}: Pick<ShiftReport, 'entries'>): readonly ShiftEntry[] =>
  entries.filter(({state}) => FAILED.includes(state ?? ''))
