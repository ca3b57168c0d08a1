import {isObject} from '../../../errors/is-object.ts'
import {amount, count, counted} from '../../../money/amount.ts'
import {type BatchMarks, marksIn} from '../../../output/batch-marks.ts'
import {detail} from '../../../output/detail.ts'
import {fieldAt, listAt, numberAt, textAt} from '../../../output/fields.ts'
import {state, stateMark} from '../../../output/state.ts'
import {bad, dim, type Span, type Styled} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {blocks, glyphsOf, type ListView, sentence, type View, type ViewContext} from '../../../output/view.ts'
import {dateTime} from '../../../output/when.ts'
import type {SentTexts} from './sent-texts.ts'

/** A batch as `create` or `status` returns it. */
export const batchView: View = (batch, context) =>
  detail(
    {
      title: `Batch ${textAt(batch, 'id')}`,
      status: stateMark(fieldAt(batch, 'status'), context),
      rows: [
        ['Description', descriptionOf(batch)],
        ['Retries', retriedBy(batch)],
        ['Replaces', replacedBy(batch)],
        ['Reference', referenceOf(batch)],
        ['Transfers', transfersLine(batch)],
        ['Total', {lines: totals(batch)}],
        ['Started', dateTime(fieldAt(batch, 'startTime'), context)],
        ['Ended', dateTime(fieldAt(batch, 'completionTime'), context)],
      ],
    },
    context,
  )

export const referenceOf = (batch: unknown): string => marksOf(batch).reference ?? ''

export const descriptionOf = (batch: unknown): string => marksOf(batch).plain

const marksOf = (batch: unknown): BatchMarks => marksIn(textAt(batch, 'description'))

export function retriedBy(batch: unknown): string {
  const {retries} = marksOf(batch)
  return retries === undefined ? '' : `failed transfers of batch ${retries}`
}

export const replacedBy = (batch: unknown): string =>
  marksOf(batch)
    .fixes.map(({batch, items}) =>
      items === undefined
        ? `failed transfers of batch ${batch}`
        : `${counted(items.length, 'failed transfer')} of batch ${batch}`,
    )
    .join(', ')

/** A batch and its transfers, one page or all; with their texts as far as they are known, by the ids of the transfers. */
export const itemsViewWith =
  (texts: SentTexts): View =>
  async (batch, context) => {
    const items = listAt(batch, 'transfers.items')
    const missing = (numberAt(batch, 'transferItemCount') ?? items.length) - items.length
    const more =
      missing > 0
        ? sentence(dim(`${counted(missing, 'further transfer')}: a2a get --all shows all of them.`), context)
        : ''
    return blocks(
      await batchView(batch, context),
      await table('transfer', itemColumns(context, texts), items, context, 'No transfers.'),
      more,
    )
  }

export const batchItemsView: View = itemsViewWith(new Map())

/** Batches, in the order of the service. */
export const batchListView: ListView = (batches, context) =>
  table(
    'batch',
    [
      {title: 'Id', value: 'id', fit: 'keep'},
      {title: 'Status', value: batch => state(fieldAt(batch, 'status')), fit: 'wrap', least: 12},
      {
        title: 'Started',
        value: batch => dateTime(fieldAt(batch, 'startTime'), context),
        fit: 'wrap',
        least: 16,
      },
      {title: 'Transfers', value: batch => countAt(batch, 'transferItemCount'), align: 'right', fit: 'keep'},
      {title: 'Failed', value: failedOf, align: 'right', fit: 'keep', optional: true},
      {
        title: 'Total',
        value: batch => totals(batch).join(context.accessible === true ? ', ' : ' '),
        align: 'right',
        fit: 'wrap',
        least: 14,
      },
      {title: 'Description', value: descriptionOf, optional: true, spare: 1},
    ],
    batches,
    context,
    'No batches.',
  )

/** The failed transfers of a batch, with reasons. */
export const failedViewWith =
  (texts: SentTexts): ListView =>
  (items, context) =>
    table('transfer', itemColumns(context, texts), items, context, 'No failed transfers.')

const itemColumns = (context: ViewContext, texts: SentTexts): readonly Column<unknown>[] => [
  {title: 'Id', value: 'id', fit: 'keep'},
  {title: 'Status', value: item => state(fieldAt(item, 'status')), fit: 'keep'},
  {title: 'From', value: 'fromId', fit: 'keep'},
  {title: 'To', value: 'toId', fit: 'keep'},
  {
    title: 'Amount',
    value: item => amount(fieldAt(item, 'amount'), fieldAt(item, 'currency')),
    align: 'right',
    fit: 'keep',
  },
  {title: 'Text', value: item => texts.get(textAt(item, 'id')) ?? '', optional: true},
  {title: 'What went wrong', value: item => troubleOf(item, context), fit: 'wrap', optional: true},
]

const troubleOf = (item: unknown, context: ViewContext): string =>
  whyFailed(item, ` ${glyphsOf(context).separator} `)

/** What the service says about a failed transfer. */
export function whyFailed(item: unknown, between: string): string {
  const parts = ['debit', 'credit', 'reversal'].flatMap(side => {
    const message = textAt(item, `${side}Transaction.errorMessage`)
    return message === '' ? [] : [`${side}: ${message}`]
  })
  const reversal = textAt(item, 'reversalTransaction.id')
  // The refund answers the first question about a failed credit: where the money is.
  if (reversal !== '' && textAt(item, 'reversalTransaction.errorMessage') === '')
    parts.push(`debit reversed (${reversal})`)
  return parts.join(between)
}

function transfersLine(batch: unknown): Styled {
  const total = numberAt(batch, 'transferItemCount')
  const [done, failed] = [numberAt(batch, 'successfulTransferItems'), numberAt(batch, 'failedTransferItems')]
  const parts: (string | Span)[] = total === undefined ? [] : [count(total)]
  if (done !== undefined) parts.push(`, ${count(done)} booked`)
  if (failed !== undefined) parts.push(', ', failed > 0 ? bad(`${count(failed)} failed`) : '0 failed')
  return parts
}

function totals(batch: unknown): string[] {
  const sums = fieldAt(batch, 'totalAmount')
  return isObject(sums) ? Object.entries(sums).map(([currency, sum]) => amount(sum, currency)) : []
}

const countAt = (value: unknown, path: string) => {
  const number = numberAt(value, path)
  return number === undefined ? '' : count(number)
}

function failedOf(batch: unknown): Styled {
  const failed = numberAt(batch, 'failedTransferItems') ?? 0
  return failed > 0 ? bad(count(failed)) : ''
}
