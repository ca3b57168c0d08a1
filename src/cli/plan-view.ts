import {resourceWords} from '../contract/resource.ts'
import {amount, count, counted} from '../money/amount.ts'
import {valueWords} from '../output/changes.ts'
import {detail} from '../output/detail.ts'
import {joined} from '../output/fields.ts'
import {table} from '../output/table.ts'
import {arrows, blocks, section, type View} from '../output/view.ts'
import {localTime} from '../output/when.ts'
import type {PlannedRow, PlannedSum, ShownPlan} from './shown-plan.ts'

/** A plan in words, for a terminal, a page and Markdown alike. */
export interface PlanParts {
  readonly title: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly tables: readonly {
    readonly heading: string
    readonly columns: readonly string[]
    readonly rows: readonly (readonly string[])[]
  }[]
}

const appliedWords = ({applied}: ShownPlan, at: (millis: number) => string): string =>
  applied === undefined
    ? ''
    : `from this machine, since ${at(Date.parse(applied.at))}: ${counted(applied.requests, 'request')} sent`

/** @param at formats a time, ms since 1970 */
export function planParts(plan: ShownPlan, at: (millis: number) => string): PlanParts {
  const {transfers, source} = plan
  return {
    title: `Plan: ${transfers === undefined ? counted(plan.counts.changes, 'change') : counted(transfers.count, 'transfer')}`,
    facts: [
      ['Id', plan.plan],
      ['Profile', plan.profile],
      ['Service', plan.service],
      ['Made', at(Date.parse(plan.at))],
      ['Expires', at(Date.parse(plan.expiresAt))],
      ['Applied', appliedWords(plan, at)],
      ['By', plan.auditUser],
      ['Ticket', plan.ticket ?? ''],
      ['Note', plan.note ?? ''],
      ['From', source?.name ?? ''],
      ...(transfers === undefined ? countsOf(plan) : transferFacts(transfers)),
    ],
    tables: [
      {
        heading: 'Sums',
        columns: ['Field', 'Rows', 'Before', 'After'],
        rows: plan.sums.map(({field, rows, before, after}: PlannedSum) => [
          field,
          count(rows),
          before === undefined ? 'not known' : amount(before),
          amount(after),
        ]),
      },
      {
        heading: 'What will be sent',
        columns: ['Row', 'What', 'Changes', 'Value before'],
        rows: plan.rows.map(row => [
          String(row.row),
          row.action,
          joined([row.changes.map(changeText).join(', '), row.warning ?? ''], '. '),
          KNOWN[row.from],
        ]),
      },
      {
        heading: 'Transfers',
        columns: ['Row', 'From', 'To', 'Amount', 'Text'],
        rows: (transfers?.rows ?? []).map(one => [
          String(one.row),
          String(one.from ?? ''),
          String(one.to ?? ''),
          amount(one.amount, one.currency),
          String(one.text ?? ''),
        ]),
      },
      {
        heading: 'Not sent: nothing to change',
        columns: ['Row', 'Line', 'On'],
        rows: plan.unchanged.map(row => [String(row.row), String(row.line), onOf(row)]),
      },
      {
        heading: 'Not sent: refused',
        columns: ['Row', 'Line', 'On', 'Why'],
        rows: plan.refused.map(row => [String(row.row), String(row.line), onOf(row), row.reason]),
      },
    ],
  }
}

/** A plan, for people in a terminal. */
export const planView: View<ShownPlan> = async (plan, context) => {
  const {title, facts, tables} = planParts(plan, millis => localTime(millis, context))
  const parts = tables
    .filter(({rows}) => rows.length > 0)
    .map(async ({heading, columns, rows}) => {
      const body = await table(
        'change',
        columns.map((column, at) => ({
          title: column,
          value: (cells: readonly string[]) => arrows(cells[at] ?? '', context),
          fit: 'wrap' as const,
          optional: true,
        })),
        rows,
        context,
      )
      return section(heading, body, context)
    })
  return blocks(detail({title, rows: facts}, context), ...(await Promise.all(parts)))
}

/** What the question before sending is about, in a few lines. */
export const planSummary = ({plan, counts, sums}: ShownPlan): readonly string[] => [
  `Plan ${plan}: ${counted(counts.changes, 'change')}`,
  ...sums.map(
    ({field, rows, before, after}) =>
      `${field}: ${counted(rows, 'row')}, in all ${before === undefined ? '' : `${amount(before)} → `}${amount(after)}`,
  ),
]

const KNOWN: Readonly<Record<PlannedRow['from'], string>> = {
  service: 'read',
  journal: 'last sent from here',
  nothing: 'not readable',
}

function countsOf({counts}: ShownPlan): [string, string][] {
  const known = [
    [counts.read, 'read from the service'],
    [counts.lastSentFromHere, 'last sent from here'],
    [counts.notReadable, 'not readable'],
  ] as const
  const words = known.filter(([number]) => number > 0).map(([number, text]) => `${count(number)} ${text}`)
  return [
    ['Will change', `${count(counts.changes)} (values before: ${words.join(', ') || 'none'})`],
    ['No change', counts.unchanged === 0 ? '' : `${count(counts.unchanged)}, not sent`],
    ['Refused', counts.refused === 0 ? '' : `${count(counts.refused)}, not sent`],
  ]
}

function transferFacts({
  count: all,
  batches,
  totals,
}: NonNullable<ShownPlan['transfers']>): [string, string][] {
  const sums = totals.map(({currency, amount: sum}) => amount(sum, currency))
  return [
    [
      'Will send',
      `${counted(all, 'transfer')}${batches === 1 ? '' : ` in ${counted(batches, 'batch').replace(/batchs$/, 'batches')}`}${sums.length === 0 ? '' : `: ${sums.join(', ')}`}`,
    ],
    ['Accounts', 'the service offers no read of their balances'],
  ]
}

function changeText(change: PlannedRow['changes'][number]): string {
  const after = valueText(change.after)
  return 'before' in change
    ? `${change.field}: ${valueText(change.before)} → ${after}`
    : `${change.field} → ${after}`
}

const valueText = (value: unknown): string => (typeof value === 'number' ? amount(value) : valueWords(value))

const onOf = ({resource}: {readonly resource?: string | undefined}): string =>
  resource === undefined ? '' : resourceWords(resource)
