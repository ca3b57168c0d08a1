import type {RequestState} from '../../../journal/index.ts'
import {amount, count} from '../../../money/amount.ts'
import {reasonsOf} from '../../../output/both-reasons.ts'
import {detail} from '../../../output/detail.ts'
import {state, stateMark} from '../../../output/state.ts'
import {type Column, table} from '../../../output/table.ts'
import {blocks, section, type View} from '../../../output/view.ts'
import {localTime, plainDateTime} from '../../../output/when.ts'
import {descriptionOf, referenceOf, replacedBy, retriedBy} from '../../a2a/shared/batch-views.ts'
import {againWords, type SentAgain} from '../../a2a/shared/sent-again.ts'
import {isOpen, type TransferSum} from './shift-types.ts'

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
        /** How it ended. If its effect is unknown, it probably made the batch, which has its reference. */
        readonly state: RequestState
        /** The approved proposal that it belongs to, and who proposed it, and why. */
        readonly proposal: string | undefined
        readonly proposedBy: string | undefined
        readonly proposedNote: string | undefined
        readonly ticket: string | undefined
        readonly note: string | undefined
        /** Texts, ticket and note may be missing: they were erased, or the records no longer have them. */
        readonly isErased: boolean
      }
    | undefined
  /** Where its failed transfers were sent again. */
  readonly sentAgain: readonly SentAgain[]
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
    ['Retries', retriedBy(report)],
    ['Replaces', replacedBy(report)],
    ['Reference', referenceOf(report)],
    ['Sent by', sent === undefined ? 'not from the journal of this machine' : senderOf(sent)],
    ['Proposed by', sent?.proposedBy ?? ''],
    ['Sent', sent === undefined ? '' : at(Date.parse(sent.at))],
    ['Request', sent?.request ?? ''],
    ['Ticket', sent?.ticket ?? ''],
    ['Note', reasonsOf(sent)],
    [
      'Records',
      sent?.isErased === true ? 'erased or no longer kept here: texts, ticket and note may be missing' : '',
    ],
    ['Started', zoneless(ofService(started))],
    ['Ended', zoneless(ofService(ended))],
    ['Transfers', count(report.transfers.length)],
    ['Failed, sent again', againWords(report)],
  ]
}

/** Beside a time of this machine, one without a zone would look earlier or later than it was. */
const zoneless = (time: string): string =>
  time.replace('(service time)', '(by the clock of the service, which names no time zone)')

/** A response that never came leaves open what became of a request, also where a batch has its reference. */
const senderOf = ({auditUser, state}: NonNullable<BatchReport['sent']>): string =>
  isOpen({state})
    ? `probably ${auditUser}: the batch has the reference of a request whose effect is unknown here`
    : auditUser

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
          millis => localTime(millis, context),
          time => plainDateTime(time, context),
        ),
      },
      context,
    ),
    section(
      'Sums',
      await table(
        'sum',
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
      await table('transfer', transferColumns, [...failed, ...rest], context, 'No transfers.'),
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
