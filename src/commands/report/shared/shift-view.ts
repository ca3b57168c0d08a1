import {amount, count, counted} from '../../../money/amount.ts'
import {reasonsOf} from '../../../output/both-reasons.ts'
import {FORMER_VALUES, namesFormerValue} from '../../../output/changes.ts'
import {detail} from '../../../output/detail.ts'
import {oneOfEach} from '../../../output/exchanges.ts'
import {joined} from '../../../output/fields.ts'
import {outcome} from '../../../output/outcome.ts'
import {resourceList} from '../../../output/requests.ts'
import {bad, dim, ok, type Span, warn} from '../../../output/styled.ts'
import {table} from '../../../output/table.ts'
import {arrows, blocks, section, sentence, stack, type View, type ViewContext} from '../../../output/view.ts'
import {localTime, plainTimeColumn} from '../../../output/when.ts'
import {againWords} from '../../a2a/shared/sent-again.ts'
import {FAILED_TRANSFERS, type FailedLine, failedLines, moreFailed} from './failed-transfers.ts'
import {didOf} from './lasting-words.ts'
import {jobWords, leftWords} from './open-jobs.ts'
import {
  batchEnd,
  failedEntries,
  type OpenJob,
  openEntries,
  type RejectedProposal,
  runningEntries,
  type ShiftEntry,
  type ShiftLine,
  type ShiftMachine,
  type ShiftReport,
  type SignatureWord,
  type TransferSum,
  type WaitingProposal,
  whoOf,
  withFailedTransfers,
} from './shift-types.ts'
import {nestedValues, oneOfEachJob, problemOf} from './shift-words.ts'

/** The figures of a shift, with labels. `at` writes a time. */
export function shiftFacts(
  report: ShiftReport,
  at: (millis: number) => string,
): readonly (readonly [string, string])[] {
  const {since, until, writes, deletions, disclosures, reveals, failed, open, money, auditUsers} = report
  const failedWrites = oneOfEach(failedEntries(report).filter(({kind}) => kind === 'write')).length
  return [
    ['Service', `${report.service} (profile ${report.profile})`],
    ['From', since === undefined ? '' : at(Date.parse(since))],
    ['To', at(Date.parse(until))],
    ['Only', onlyWords(report)],
    ['By', auditUsers.join(', ')],
    [
      'Writes',
      joined(
        [
          count(writes),
          failedWrites > 0 ? `${count(failedWrites)} of them failed` : '',
          deletions > 0 ? `and ${counted(deletions, 'deletion')}` : '',
        ],
        ', ',
      ),
    ],
    [
      'Secrets disclosed',
      `${count(disclosures)} by the service to cardctl, ${count(reveals)} shown to a person`,
    ],
    ['Requests failed', count(failed)],
    ['Open', openWords(report, open)],
    [
      'Transfers sent',
      money
        .map(({currency, transfers, total}) =>
          joined([amount(total, currency), transfers > 0 ? `(${counted(transfers, 'transfer')})` : '']),
        )
        .join(', '),
    ],
    ['Not in this sum', lacking(report.withoutAmounts)],
    ...[...Map.groupBy(report.sums, ({status}) => status)].map(
      ([status, sums]) => [`Transfers ${stateWord(status)}`, sums.map(sumWords).join(', ')] as const,
    ),
    ['Batches with failed transfers', failedBatchWords(report)],
    ['Without a known end', report.accepted > 0 ? `${count(report.accepted)}, accepted by the service` : ''],
  ]
}

/** "3, of which 1 was sent again": all of them, as the sums above have all failed transfers. */
function failedBatchWords({entries, failedBatches}: ShiftReport): string {
  const all = withFailedTransfers(entries).length
  const again = all - failedBatches
  if (all === 0) return ''
  if (again <= 0) return count(all)
  return again === all ? `${count(all)}, sent again` : `${count(all)}, of which ${count(again)} sent again`
}

/** What the report was asked for. Without it, a page of one ticket would read as that of the whole shift. */
const onlyWords = ({by, ticket}: ShiftReport): string =>
  joined([ticket === undefined ? '' : `ticket ${ticket}`, by === undefined ? '' : `what ${by} did`], ', ')

const lacking = (number: number): string =>
  number === 0 ? '' : `${batches(number)} whose amounts were erased from the records, or are no longer kept`

/** "2, with 1 begun and not finished". */
function openWords({openJobs, waiting}: ShiftReport, open: number): string {
  const parts = [
    openJobs.length === 0 ? '' : `${count(openJobs.length)} begun and not finished`,
    waiting.length === 0 ? '' : `${counted(waiting.length, 'proposal')} waiting`,
  ].filter(part => part !== '')
  if (parts.length === 0) return count(open)
  const words = parts.join(', ')
  return open === openJobs.length + waiting.length ? words : `${count(open)}, with ${words}`
}

/** Accepted by the service, which carries them out later. */
export const RUNNING = 'In progress at the network'
export const BEGUN = 'Begun and not finished'

export const WAITING = 'Waiting for a second person'

const waitingTable = (waiting: readonly WaitingProposal[], context: ViewContext): Promise<string> => {
  const when = plainTimeColumn('When', context)
  return table<WaitingProposal>(
    'proposal',
    [
      {title: 'Proposal', value: ({proposal}) => proposal, fit: 'keep'},
      {title: when.title, value: ({at}) => when.text(at), fit: 'wrap', least: when.title.length},
      {title: 'What', value: ({action}) => arrows(action, context), fit: 'wrap', least: 18},
      {title: 'Proposed by', value: ({proposedBy}) => proposedBy, fit: 'wrap', optional: true},
      {title: 'Ticket', value: ({ticket}) => ticket ?? '', optional: true},
      {title: 'Note', value: ({note}) => note ?? '', fit: 'wrap', least: 10, optional: true, spare: 1},
    ],
    waiting,
    context,
  )
}

export const REJECTED = 'Rejected by a second person: not sent'

const rejectedTable = (rejected: readonly RejectedProposal[], context: ViewContext): Promise<string> => {
  const when = plainTimeColumn('When', context)
  return table<RejectedProposal>(
    'proposal',
    [
      {title: when.title, value: ({at}) => when.text(at), fit: 'wrap', least: when.title.length},
      {title: 'What', value: ({action}) => arrows(action, context), fit: 'wrap', least: 18},
      {title: 'Proposed by', value: ({proposedBy}) => proposedBy, fit: 'wrap'},
      {title: 'Rejected by', value: ({rejectedBy}) => rejectedBy, fit: 'wrap'},
      {title: 'Ticket', value: ({ticket}) => ticket ?? '', optional: true},
      {title: 'Why', value: ({reason}) => reason ?? '', fit: 'wrap', least: 10, optional: true, spare: 1},
    ],
    rejected,
    context,
  )
}

/** The machines that report an entry. */
export const machinesOf = ({machines = []}: ShiftEntry): string => machines.join(', ')

/** What the values before arrows are, if there are any. */
export function legendOf(report: ShiftReport & ShownRows): string | undefined {
  const {machines} = report
  if (!shownEntries(report).some(namesFormerValue)) return undefined
  return machines === undefined
    ? FORMER_VALUES
    : 'A value before an arrow was last sent from the machine of the line. Others may have changed it in between.'
}

/** In green only what somebody vouched for here. */
const SIGNATURES: Readonly<Record<SignatureWord, Span>> = {
  own: {text: 'this machine'},
  verified: ok('verified, key trusted here'),
  'key not known here': warn('key not known here'),
}

export const signatureOf = ({signature}: ShiftMachine): Span => SIGNATURES[signature]

type Gap = NonNullable<ShiftMachine['gaps']>[number]

/** "begins 2026-11-21 14:02 UTC: what was done before is missing." */
export function gapWords({before, after, otherThan = ''}: Gap, at: (millis: number) => string): string {
  if (before !== undefined) return `begins ${at(Date.parse(before))}: what was done before is missing.`
  return after === undefined
    ? `has only ${otherThan}: the rest is missing.`
    : `ends ${at(Date.parse(after))}: what was done after is missing.`
}

/** The time and filter of what a machine reports. `at` writes a time. */
export function coveredBy(
  {since, until, by, ticket, gaps = []}: ShiftMachine,
  at: (millis: number) => string,
): string {
  const missing = gaps.map(({before, after, otherThan}) =>
    before !== undefined
      ? 'what was done before'
      : after === undefined
        ? `all but ${otherThan}`
        : 'what was done after',
  )
  return joined(
    [
      `${since === undefined ? 'all' : at(Date.parse(since))} to ${at(Date.parse(until))}`,
      by === undefined ? '' : `only by ${by}`,
      ticket === undefined ? '' : `only ticket ${ticket}`,
      missing.length === 0 ? '' : `missing: ${missing.join(', ')}`,
    ],
    ', ',
  )
}

const machineTable = (machines: readonly ShiftMachine[], context: ViewContext): Promise<string> =>
  table<ShiftMachine>(
    'machine',
    [
      {title: 'Machine', value: ({name}) => name, fit: 'wrap', least: 12},
      {title: 'Signed by the key', value: ({key}) => key, fit: 'keep'},
      {title: 'Signature', value: signatureOf, fit: 'wrap', least: 12},
      {
        title: 'Covers',
        value: machine => coveredBy(machine, millis => localTime(millis, context)),
        fit: 'wrap',
        least: 12,
      },
      {title: 'Entries', value: ({entries}) => count(entries), align: 'right', fit: 'keep'},
      {title: 'File', value: ({file}) => file ?? '', fit: 'wrap', least: 10, optional: true, spare: 1},
    ],
    machines,
    context,
  )

export const UNVOUCHED = 'Not counted: of machines whose key is not known here. Anyone can make such a file'
export const CONFLICTING = 'Not counted: differs from what another machine reports about the same request'

export const stateWord = (status: string): string => status.toLowerCase().replaceAll('_', ' ')

const sumWords = ({currency, count: transfers, total}: TransferSum): string =>
  joined([total === '' ? '' : amount(total, currency), `(${counted(transfers, 'transfer')})`])

/** What was done: "send transfers → batch 88001 (EUR 1,500.00), failed: EUR 2.00 (1 transfer)". */
export function doneBy(entry: ShiftEntry): string {
  const {totals, replyId, sums = []} = entry
  const failed = sums.filter(({status}) => status === 'FAILED').map(sumWords)
  const done = joined([
    didOf(entry),
    totals === undefined || replyId === undefined ? '' : `→ batch ${replyId}`,
    totals === undefined ? '' : `(${groupedTotals(totals)})`,
    nestedValues(entry),
  ])
  const again = againWords(entry)
  const more = again === '' ? '' : `, sent again: ${again}`
  return failed.length === 0 ? `${done}${more}` : `${done}, failed: ${failed.join(', ')}${more}`
}

const groupedTotals = (totals: string): string =>
  totals
    .split(', ')
    .map(total => amount(total.slice(4), total.slice(0, 3)))
    .join(', ')

const entryTable = (entries: readonly ShiftEntry[], context: ViewContext): Promise<string> => {
  const when = plainTimeColumn('When', context)
  return table<ShiftEntry>(
    'entry',
    [
      {title: when.title, value: ({at}) => when.text(at), fit: 'wrap', least: when.title.length},
      {title: 'What', value: entry => arrows(doneBy(entry), context), fit: 'wrap', least: 18},
      {title: 'On', value: ({resources}) => resourceList(resources), fit: 'wrap', least: 12, optional: true},
      {title: 'By', value: whoOf, fit: 'wrap', optional: true},
      {title: 'Ticket', value: ({ticket}) => ticket ?? '', optional: true},
      {title: 'Note', value: reasonsOf, fit: 'wrap', least: 10, optional: true, spare: 1},
      {title: 'Machine', value: machinesOf, fit: 'wrap', least: 10, optional: true},
      {title: 'Outcome', value: endWords, fit: 'keep'},
    ],
    entries,
    context,
    'Nothing.',
  )
}

/** The requests that need a look, with what to do. */
const troubleTable = (entries: readonly ShiftEntry[], context: ViewContext): Promise<string> =>
  table<ShiftEntry>(
    'request',
    [
      {title: 'Request', value: ({request}) => request ?? '', fit: 'keep'},
      {title: 'What', value: entry => arrows(doneBy(entry), context), fit: 'wrap', least: 18},
      {title: 'By', value: whoOf, fit: 'wrap', optional: true, spare: 2},
      {title: 'Machine', value: machinesOf, fit: 'wrap', least: 10, optional: true, spare: 1},
      {title: 'Outcome', value: endWords, fit: 'keep'},
      {
        title: 'Problem',
        value: problemOf,
        fit: 'wrap',
        optional: true,
      },
    ],
    entries,
    context,
  )

const runningTable = (entries: readonly ShiftEntry[], context: ViewContext): Promise<string> =>
  table<ShiftEntry>(
    'operation',
    [
      {title: 'Request', value: ({request}) => request ?? '', fit: 'keep'},
      {title: 'What', value: entry => arrows(doneBy(entry), context), fit: 'wrap', least: 18},
      {title: 'By', value: whoOf, fit: 'wrap', optional: true, spare: 2},
      {title: 'Machine', value: machinesOf, fit: 'wrap', least: 10, optional: true, spare: 1},
      {title: 'Next', value: ({next = ''}) => next, fit: 'wrap', least: 16},
    ],
    entries,
    context,
  )

const jobTable = (jobs: readonly OpenJob[], context: ViewContext): Promise<string> =>
  table<OpenJob>(
    'job',
    [
      {title: 'Job', value: ({job}) => job, fit: 'keep'},
      {title: 'What', value: jobWords, fit: 'wrap', least: 12},
      {title: 'Not sent', value: leftWords, fit: 'wrap', least: 12},
      {title: 'By', value: ({auditUser = ''}) => auditUser, fit: 'wrap', optional: true},
      {title: 'Next', value: ({next}) => next, fit: 'wrap', least: 16},
    ],
    jobs,
    context,
  )

async function failedText(report: ShiftReport, context: ViewContext): Promise<string | undefined> {
  const [lines, more] = [failedLines(report), moreFailed(report)]
  if (lines.length === 0) return undefined
  const shown = await table<FailedLine>(
    'transfer',
    [
      {title: 'Batch', value: ({batch}) => batch, fit: 'keep'},
      {title: 'From', value: ({from}) => from, fit: 'keep'},
      {title: 'To', value: ({to}) => to, fit: 'keep'},
      {title: 'Amount', value: one => amount(one.amount, one.currency), align: 'right', fit: 'keep'},
      {title: 'Text', value: ({text}) => text, fit: 'wrap', least: 10, optional: true, spare: 1},
      {title: 'What went wrong', value: ({reason}) => reason, fit: 'wrap', least: 14},
      {title: 'Sent again', value: ({again}) => again, fit: 'wrap', least: 12, optional: true},
    ],
    lines,
    context,
  )
  const rest = more === undefined ? undefined : sentence(dim(` ${more}`), context)
  return section(FAILED_TRANSFERS, stack(shown, rest), context)
}

const batches = (number: number): string => `${count(number)} ${number === 1 ? 'batch' : 'batches'}`

/** Whether anything needs a look: what is open, and what failed, also of batches that were accepted as a whole. */
export function verdictOf(report: ShiftReport): Span {
  const {open, accepted, failed, failedBatches, unvouched = [], conflicting = []} = report
  const uncounted = unvouched.length + conflicting.length
  const parts = [
    open > 0 ? `${count(open)} open` : accepted > 0 ? '' : 'nothing open',
    accepted > 0 ? `${count(accepted)} without a known end` : '',
    failed > 0 ? `${count(failed)} failed` : '',
    failedBatches > 0
      ? `${batches(failedBatches)} with failed transfers${withFailedTransfers(report.entries).length > failedBatches ? ' not sent again' : ''}`
      : '',
    uncounted > 0 ? `${count(uncounted)} not counted` : '',
  ]
  const text = parts.filter(part => part !== '').join(', ')
  return open + failed + failedBatches > 0 ? bad(text) : accepted + uncounted > 0 ? warn(text) : ok(text)
}

/** How an entry ended. A batch that was accepted ended as its transfers did. */
export function endWords(entry: ShiftLine): Span {
  const end = outcome({...entry, batchEnd: batchEnd(entry)})
  const isCancelled = entry.neverSent !== undefined
  if (entry.ends === undefined) return isCancelled && entry.state === 'done' ? warn('cancelled') : end
  const text = `${entry.ends}${isCancelled ? ', cancelled' : ''}`
  return isCancelled && entry.state === 'done' ? warn(text) : {...end, text}
}

/** The entries as lines: one of each PIN exchange, and one of each bulk job unless its rows are asked for. */
export const shownEntries = ({entries, showsRows}: ShiftReport & ShownRows): readonly ShiftLine[] =>
  oneOfEach(showsRows === true ? entries : oneOfEachJob(entries))

/** Whether a bulk job is a line or its rows. */
export interface ShownRows {
  readonly showsRows?: boolean | undefined
}

export const shiftReportView: View<ShiftReport & ShownRows> = async (report, context) => {
  const [open, failed] = [openEntries(report), failedEntries(report)]
  const running = runningEntries(report)
  const {machines = [], unvouched = [], conflicting = []} = report
  const legend = legendOf(report)
  return blocks(
    detail(
      {
        title: 'Shift report',
        status: verdictOf(report),
        rows: shiftFacts(report, millis => localTime(millis, context)),
      },
      context,
    ),
    await failedText(report, context),
    machines.length === 0 ? undefined : section('Machines', await machineTable(machines, context), context),
    open.length === 0
      ? undefined
      : section('Open: find out with requests resolve ID', await troubleTable(open, context), context),
    running.length === 0 ? undefined : section(RUNNING, await runningTable(running, context), context),
    report.waiting.length === 0
      ? undefined
      : section(
          `${WAITING}: requests approve ID, or requests reject ID`,
          await waitingTable(report.waiting, context),
          context,
        ),
    report.rejected.length === 0
      ? undefined
      : section(REJECTED, await rejectedTable(report.rejected, context), context),
    report.openJobs.length === 0
      ? undefined
      : section(BEGUN, await jobTable(report.openJobs, context), context),
    failed.length === 0 ? undefined : section('Failed', await troubleTable(failed, context), context),
    section(
      'What was done',
      stack(
        await entryTable(shownEntries(report), context),
        legend === undefined ? undefined : sentence(dim(` ${legend}`), context),
      ),
      context,
    ),
    conflicting.length === 0
      ? undefined
      : section(CONFLICTING, await entryTable(conflicting, context), context),
    unvouched.length === 0
      ? undefined
      : section(UNVOUCHED, await entryTable(oneOfEach(unvouched), context), context),
  )
}
