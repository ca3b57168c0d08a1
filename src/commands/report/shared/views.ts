import {amount, count, counted} from '../../../output/amount.ts'
import {FORMER_VALUES, namesFormerValue} from '../../../output/changes.ts'
import {detail} from '../../../output/detail.ts'
import {oneOfEach} from '../../../output/exchanges.ts'
import {joined} from '../../../output/fields.ts'
import {resourceList} from '../../../output/requests.ts'
import {state, stateMark} from '../../../output/state.ts'
import {bad, dim, ok} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {arrows, blocks, section, sentence, stack, type View, type ViewContext} from '../../../output/view.ts'
import {dateTime, dayTime, timeColumn} from '../../../output/when.ts'
import {descriptionOf, referenceOf} from '../../a2a/shared/batch-views.ts'
import type {HistoryEntry} from '../../history/shared/history-entries.ts'

/** An entry of the history. It has the fields that were sent if the request changed named fields. */
export type ShiftEntry = Omit<HistoryEntry, 'fields'> & {
  /** The money of a batch: "EUR 1500.00". */
  readonly totals?: string | undefined
  /** What became of the transfers of the batch. */
  readonly sums?: readonly TransferSum[] | undefined
}

/** Transfers in one state and currency, as the service has them now. */
export interface TransferSum {
  readonly status: string
  readonly currency: string
  readonly count: number
  readonly total: string
}

export interface ShiftReport {
  readonly profile: string
  readonly service: string
  readonly since: string | undefined
  readonly until: string
  readonly auditUsers: readonly string[]
  readonly writes: number
  readonly deletions: number
  readonly disclosures: number
  readonly reveals: number
  readonly failed: number
  /** Entries whose effect is unknown, or that are unfinished. */
  readonly open: number
  /** Transfers that were sent, by currency. `transfers` is 0 if the number isn't known. */
  readonly money: readonly {readonly currency: string; readonly transfers: number; readonly total: string}[]
  /** What became of them, for the batches that were read. */
  readonly sums: readonly TransferSum[]
  /** Batches with an id that were not read. */
  readonly unreadBatches: number
  /** Oldest first. */
  readonly entries: readonly ShiftEntry[]
}

export interface BatchReport {
  readonly batch: string
  readonly profile: string
  readonly service: string
  readonly status: string
  readonly description: string
  /** As the service writes them. */
  readonly started: unknown
  readonly ended: unknown
  /** The request of this machine that made the batch. */
  readonly sent:
    | {
        readonly request: string
        readonly at: string
        readonly auditUser: string
        readonly ticket: string | undefined
        readonly note: string | undefined
      }
    | undefined
  readonly sums: readonly TransferSum[]
  readonly transfers: readonly {
    readonly id: string
    readonly from: string
    readonly to: string
    /** With all decimals of its currency: "12.50". */
    readonly amount: string
    readonly currency: string
    /** As it was sent; empty if the journal of this machine doesn't know it. */
    readonly text: string
    readonly status: string
    readonly reason: string
  }[]
}

/** How a request ended that may have had an effect that nobody knows, and one that had none. */
const OPEN: readonly string[] = ['unknown', 'unfinished', 'running']
const FAILED: readonly string[] = ['refused', 'failed', 'none']

export const openEntries = ({entries}: Pick<ShiftReport, 'entries'>): readonly ShiftEntry[] =>
  entries.filter(({state}) => OPEN.includes(state ?? ''))

export const failedEntries = ({entries}: Pick<ShiftReport, 'entries'>): readonly ShiftEntry[] =>
  entries.filter(({state}) => FAILED.includes(state ?? ''))

/** The figures of a shift, with labels. `at` writes a time. */
export function shiftFacts(
  report: ShiftReport,
  at: (millis: number) => string,
): readonly (readonly [string, string])[] {
  const {since, until, writes, deletions, disclosures, reveals, failed, open, money, auditUsers} = report
  return [
    ['Service', `${report.service} (profile ${report.profile})`],
    ['From', since === undefined ? '' : at(Date.parse(since))],
    ['To', at(Date.parse(until))],
    ['By', auditUsers.join(', ')],
    ['Writes', `${count(writes)}${deletions > 0 ? `, and ${counted(deletions, 'deletion')}` : ''}`],
    ['Disclosures', `${count(disclosures)}, ${count(reveals)} shown to a person`],
    ['Failed', count(failed)],
    ['Open', count(open)],
    [
      'Transfers sent',
      money
        .map(({currency, transfers, total}) =>
          joined([amount(total, currency), transfers > 0 ? `(${counted(transfers, 'transfer')})` : '']),
        )
        .join(', '),
    ],
    ...[...Map.groupBy(report.sums, ({status}) => status)].map(
      ([status, sums]) => [`Transfers ${stateWord(status)}`, sums.map(sumWords).join(', ')] as const,
    ),
    ['Batches not read', report.unreadBatches > 0 ? count(report.unreadBatches) : ''],
  ]
}

const stateWord = (status: string): string => status.toLowerCase().replaceAll('_', ' ')

const sumWords = ({currency, count: transfers, total}: TransferSum): string =>
  joined([total === '' ? '' : amount(total, currency), `(${counted(transfers, 'transfer')})`])

/** What was done: "send transfers → batch 88001 (EUR 1,500.00), failed: EUR 2.00 (1 transfer)". */
export function doneBy({did, totals, replyId, sums = []}: ShiftEntry): string {
  const failed = sums.filter(({status}) => status === 'FAILED').map(sumWords)
  const done = joined([
    did,
    totals === undefined || replyId === undefined ? '' : `→ batch ${replyId}`,
    totals === undefined ? '' : `(${groupedTotals(totals)})`,
  ])
  return failed.length === 0 ? done : `${done}, failed: ${failed.join(', ')}`
}

const groupedTotals = (totals: string): string =>
  totals
    .split(', ')
    .map(total => amount(total.slice(4), total.slice(0, 3)))
    .join(', ')

const entryTable = (entries: readonly ShiftEntry[], context: ViewContext): Promise<string> => {
  const when = timeColumn('When', context)
  return table<ShiftEntry>(
    [
      {title: when.title, value: ({at}) => when.text(Date.parse(at)), fit: 'wrap', least: when.least},
      {title: 'What', value: entry => arrows(doneBy(entry), context), fit: 'wrap', least: 18},
      {title: 'On', value: ({resources}) => resourceList(resources), fit: 'wrap', least: 12, optional: true},
      {title: 'By', value: ({auditUser}) => auditUser ?? '', fit: 'wrap', optional: true},
      {title: 'Ticket', value: ({ticket}) => ticket ?? '', optional: true},
      {title: 'Note', value: ({note}) => note ?? '', fit: 'wrap', least: 10, optional: true, spare: 1},
      {title: 'Outcome', value: entry => state(entry.state ?? ''), fit: 'keep'},
    ],
    entries,
    context,
    'Nothing.',
  )
}

/** The requests that need a look, with what to do. */
const troubleTable = (entries: readonly ShiftEntry[], context: ViewContext): Promise<string> =>
  table<ShiftEntry>(
    [
      {title: 'Request', value: ({request}) => request ?? '', fit: 'keep'},
      {title: 'What', value: entry => arrows(doneBy(entry), context), fit: 'wrap', least: 18},
      {title: 'Outcome', value: entry => state(entry.state ?? ''), fit: 'keep'},
      {
        title: 'Problem',
        value: ({said, evidence}) => evidence ?? said ?? '',
        fit: 'wrap',
        optional: true,
      },
    ],
    entries,
    context,
  )

export const shiftReportView: View<ShiftReport> = async (report, context) => {
  const [open, failed] = [openEntries(report), failedEntries(report)]
  return blocks(
    detail(
      {
        title: 'Shift report',
        status: open.length === 0 ? ok('nothing open') : bad(`${count(open.length)} open`),
        rows: shiftFacts(report, millis => dayTime(millis, context)),
      },
      context,
    ),
    open.length === 0
      ? undefined
      : section('Open: find out with requests resolve ID', await troubleTable(open, context), context),
    failed.length === 0 ? undefined : section('Failed', await troubleTable(failed, context), context),
    section(
      'What was done',
      stack(
        await entryTable(oneOfEach(report.entries), context),
        report.entries.some(namesFormerValue) ? sentence(dim(` ${FORMER_VALUES}`), context) : undefined,
      ),
      context,
    ),
  )
}

/** The figures of a batch, with labels. `at` writes a time, `ofService` one of the service. */
export function batchFacts(
  report: BatchReport,
  at: (millis: number) => string,
  ofService: (time: unknown) => string,
): readonly (readonly [string, string])[] {
  const {sent, started, ended} = report
  return [
    ['Service', `${report.service} (profile ${report.profile})`],
    ['Description', descriptionOf(report)],
    ['Reference', referenceOf(report)],
    ['Sent by', sent === undefined ? 'not from the journal of this machine' : sent.auditUser],
    ['Sent', sent === undefined ? '' : at(Date.parse(sent.at))],
    ['Request', sent?.request ?? ''],
    ['Ticket', sent?.ticket ?? ''],
    ['Note', sent?.note ?? ''],
    ['Started', ofService(started)],
    ['Ended', ofService(ended)],
    ['Transfers', count(report.transfers.length)],
  ]
}

export const failedTransfersOf = ({transfers}: BatchReport): BatchReport['transfers'] =>
  transfers.filter(({status}) => status === 'FAILED')

export const batchReportView: View<BatchReport> = async (report, context) => {
  const failed = failedTransfersOf(report)
  const rest = report.transfers.filter(item => !failed.includes(item))
  return blocks(
    detail(
      {
        title: `Batch ${report.batch}`,
        status: stateMark(report.status, context),
        rows: batchFacts(
          report,
          millis => dayTime(millis, context),
          time => dateTime(time, context),
        ),
      },
      context,
    ),
    section(
      'Sums',
      await table(
        [
          {title: 'State', value: sum => state(sum.status), fit: 'keep'},
          {title: 'Transfers', value: sum => count(sum.count), align: 'right', fit: 'keep'},
          {title: 'Sum', value: sum => amount(sum.total, sum.currency), align: 'right', fit: 'keep'},
        ],
        report.sums,
        context,
      ),
      context,
    ),
    section(
      'Transfers',
      await table(transferColumns, [...failed, ...rest], context, 'No transfers.'),
      context,
    ),
  )
}

const transferColumns: readonly Column<BatchReport['transfers'][number]>[] = [
  {title: 'Id', value: item => item.id, fit: 'keep'},
  {title: 'State', value: item => state(item.status), fit: 'keep'},
  {title: 'From', value: item => item.from, fit: 'keep'},
  {title: 'To', value: item => item.to, fit: 'keep'},
  {title: 'Amount', value: item => amount(item.amount, item.currency), align: 'right', fit: 'keep'},
  {title: 'Text', value: item => item.text, fit: 'wrap', least: 10, optional: true},
  {title: 'What went wrong', value: item => item.reason, fit: 'wrap', optional: true},
]
