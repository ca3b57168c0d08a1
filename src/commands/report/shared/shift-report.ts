import type {Context} from '../../../cli/context.ts'
import {operationOf, setsFields} from '../../../cli/former-values.ts'
import {RequestWords} from '../../../cli/request-words.ts'
import {idsOf, isPathId} from '../../../contract/resource.ts'
import {oneOfEach} from '../../../output/exchanges.ts'
import {textAt} from '../../../output/fields.ts'
import {ACCEPTED, areSentAgain} from '../../../output/outcome.ts'
import {type HistoryEntry, historyEntries} from '../../history/shared/history-entries.ts'
import {mergeEntries} from './merge-entries.ts'
import {openJobs, openSplits, withCancelled} from './open-jobs.ts'
import {readTraces} from './read-traces.ts'
import type {Reported} from './reported-shift.ts'
import {amountsOf, moneyOf} from './sent-money.ts'
import {jobsOf, settleOpen, stillWaiting} from './settle-open.ts'
import {machineSources, reportedHere} from './shift-machines.ts'
import {
  batchEnd,
  countedEntries,
  failedEntries,
  madeBatch,
  openEntries,
  type ShiftEntry,
  type ShiftFilter,
  type ShiftReport,
  withFailedTransfers,
} from './shift-types.ts'
import {endWords} from './shift-view.ts'
import {readSums, sumsByStatus} from './transfer-sums.ts'
import {waitingProposals} from './waiting-proposals.ts'

interface ShiftOptions {
  /** Asks the service nothing. */
  readonly local: boolean
  /** Signed reports of other machines. */
  readonly files?: readonly string[] | undefined
  /** Fingerprints of keys that are trusted for this report. */
  readonly trust?: readonly string[] | undefined
}

/**
 * What was done with one service in a period: the requests of its journal, and the reveals of the audit trail; with what
 * other machines report. What became of transfers is read from the service, unless it is `local`.
 *
 * @throws Failure INPUT_INVALID, USAGE for a file that can't be part of it
 */
export async function shiftReport(
  context: Context,
  filter: ShiftFilter,
  {local, files = [], trust = []}: ShiftOptions,
): Promise<{readonly report: ShiftReport; readonly own: Reported}> {
  const sent = await entriesOf(context, filter)
  const read = local ? new Map<string, never>() : await readSums(context, batchesOf(sent))
  if (!local) await readTraces(context, sent)
  // What was read of accepted requests is in the journal since then.
  const isStale = !local && sent.some(isAccepted)
  const done = await withCancelled(context, isStale ? await entriesOf(context, filter) : sent)
  const here = await settleOpen(
    context,
    {
      entries: done.map(entry =>
        madeBatch(entry)
          ? {...entry, ...read.get(entry.replyId ?? '')}
          : {...entry, next: nextOf(context, entry)},
      ),
      openJobs: [...(await openJobs(context, filter, done)), ...(await openSplits(context, done))],
    },
    {local},
  )
  const {rejected, ...proposals} = await waitingProposals(context, filter)
  const own = await reportedHere(context, filter, here.entries, here.openJobs, proposals)
  if (files.length === 0) return {report: {...summary(own, own.entries), rejected}, own}
  const sources = await machineSources(context, filter, own, {files, trust})
  const {unvouched, conflicting, ...merged} = mergeEntries(sources.map(({source}) => source))
  const settled = await settleOpen(
    context,
    {
      entries: local ? merged.entries : await withEnds(context, merged.entries),
      openJobs: jobsOf(sources),
    },
    {local},
  )
  const machines = sources.map(({machine}) => machine)
  const waiting = stillWaiting(sources, settled.entries, context.surroundings.now())
  return {
    report: {
      ...summary({...own, openJobs: settled.openJobs, waiting}, settled.entries),
      rejected,
      machines,
      unvouched,
      conflicting,
    },
    own,
  }
}

/** What became since of the batches that had not ended when a machine wrote its report. */
async function withEnds(context: Context, entries: readonly ShiftEntry[]): Promise<readonly ShiftEntry[]> {
  const read = await readSums(context, batchesOf(entries.filter(isAccepted)))
  return entries.map(entry => {
    return madeBatch(entry) ? {...entry, ...read.get(entry.replyId ?? '')} : entry
  })
}

/** The figures of these entries. */
function summary(
  {profile, service, since, until, by, ticket, openJobs: jobs = [], waiting = []}: Reported,
  entries: readonly ShiftEntry[],
): Omit<ShiftReport, 'rejected'> {
  const counted = countedEntries(entries)
  // Counted as listed: the requests of one PIN exchange are one line, of the kind of its last one.
  const lines = oneOfEach(counted)
  const count = (kind: ShiftEntry['kind']): number => lines.filter(entry => entry.kind === kind).length
  const sums = counted.flatMap(entry => entry.sums ?? [])
  return {
    profile,
    service,
    since,
    until,
    by,
    ticket,
    auditUsers: [...new Set(entries.map(entry => entry.auditUser ?? ''))].sort(),
    writes: count('write'),
    deletions: count('destroy'),
    disclosures: count('disclose'),
    reveals: count('reveal'),
    failed: failedEntries({entries}).length,
    open: openEntries({entries}).length + jobs.length + waiting.length,
    openJobs: jobs,
    waiting,
    money: moneyOf(counted),
    withoutAmounts: counted.filter(lacksAmounts).length,
    sums: sumsByStatus(sums.map(({total, ...sum}) => ({...sum, amount: total}))),
    accepted: counted.filter(isAccepted).length,
    failedBatches: withFailedTransfers(entries).filter(hasFailed).length,
    entries,
  }
}

/** Whether an entry sent transfers whose amounts nobody can tell from the records. */
const lacksAmounts = ({operation, state, amounts}: ShiftEntry): boolean =>
  operation === 'a2a.create.v1' && state === 'done' && amounts === undefined

/** Whether not all failed transfers of a batch were sent again. */
function hasFailed(entry: ShiftEntry): boolean {
  const {failed} = batchEnd(entry) ?? {}
  // Counts that say of none that it failed don't say which could have been sent again.
  return !failed || !areSentAgain(entry, failed)
}

/** Batches are followed by what they made, an operation of remote checkout by its trace alone. */
function nextOf({commandLine}: Context, entry: ShiftEntry): string | undefined {
  if (entry.operation?.startsWith('remotecheckout.') !== true || !isAccepted(entry)) return undefined
  const trace = idsOf('trace', entry.resources).find(isPathId)
  return trace === undefined ? undefined : String(commandLine('remotecheckout', 'status', {value: trace}))
}

const isAccepted = (entry: ShiftEntry): boolean => endWords(entry).text === ACCEPTED

const batchesOf = (entries: readonly ShiftEntry[]): readonly string[] =>
  entries.filter(madeBatch).flatMap(({replyId}) => replyId ?? [])

/** Oldest first. Closes the journal before the requests that follow. */
async function entriesOf(
  context: Context,
  {since, until, ticket, auditUser}: ShiftFilter,
): Promise<readonly ShiftEntry[]> {
  using journal = await context.stores.journal()
  using audit = await context.stores.audit('list')
  const words = await RequestWords.open(journal)
  // No signal would be noticed while very many are read.
  return await context.surroundings.abandonably(async () => {
    const entries: ShiftEntry[] = []
    for (const entry of historyEntries(journal, audit, words, {since, until, ticket})) {
      if (auditUser !== undefined && entry.auditUser !== auditUser) continue
      const {sent, before, fields: _, ...rest} = entry
      // What was sent is in the words, and of a batch in the totals.
      const values = setsNamedFields(entry) ? {sent, before} : {}
      entries.push({...rest, ...values, ...amountsOf(entry, sent), ...marksOf(entry)})
    }
    return entries.reverse()
  })
}

/** Of a description only what cardctl put there. */
function marksOf({operation, sent}: HistoryEntry): Pick<ShiftEntry, 'marks'> {
  if (operation !== 'a2a.create.v1') return {}
  const words = textAt(sent, 'description').split(/\s+/)
  const marks = words.filter(word => /^(?:ref|rest|retry|fixes):\S/.test(word)).join(' ')
  return marks === '' ? {} : {marks}
}

function setsNamedFields({operation = ''}: HistoryEntry): boolean {
  const known = operationOf({operation})
  return known !== undefined && setsFields(known)
}
