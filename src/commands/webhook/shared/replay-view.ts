import {describeViolation} from '../../../contract/unknown-fields.ts'
import {amount, count, counted} from '../../../money/amount.ts'
import {PARTIAL_APPROVAL} from '../../../output/state.ts'
import {bad, dim, joinStyled, ok, type Span, type Styled, warn} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {blocks, sentence, type View} from '../../../output/view.ts'
import {wholeMs} from '../../../output/when.ts'
import type {Change, PlainDecision, Replayed} from '../../../webhook/index.ts'

/** How many decisions stayed the same. */
export interface ReplaySummary {
  readonly calls: number
  readonly same: number
  readonly changed: number
  readonly changes: Readonly<Partial<Record<Change, number>>>
  /** Calls without a recorded decision. */
  readonly notCompared: number
  /** Calls without a valid answer in time, compared or not. */
  readonly unanswered: number
}

export interface ReplayReport {
  readonly summary: ReplaySummary
  readonly calls: readonly Replayed[]
}

/** The decisions of replayed calls then and now, and how many changed. */
export const webhookReplayView: View<ReplayReport> = async ({summary, calls}, context) =>
  blocks(
    await table('call', columns, calls, context, 'Nothing was sent.'),
    summaryLines(summary)
      .map(line => sentence([' ', ...[line].flat()], context))
      .join('\n'),
  )

/** The summary in words, the dangerous direction first. */
export function summaryLines({
  calls,
  same,
  changed,
  changes,
  notCompared,
  unanswered,
}: ReplaySummary): Styled[] {
  const parts = [
    `${count(same)} same`,
    changed === 0 ? '0 changed' : bad(`${count(changed)} changed`),
    ...(notCompared > 0 ? [`${count(notCompared)} without a recorded decision`] : []),
    ...(unanswered > 0 ? [bad(`${count(unanswered)} without a valid answer`)] : []),
  ]
  return [
    joinStyled([
      `${counted(calls, 'call')}: `,
      ...parts.flatMap((part, at) => (at > 0 ? [', ', part] : [part])),
    ]),
    ...CHANGES.flatMap(([change, style, words]) => {
      const number = changes[change] ?? 0
      return number === 0 ? [] : [style(`${count(number)} ${words}`)]
    }),
  ]
}

/** The dangerous direction first. */
const CHANGES: readonly (readonly [Change, (text: string) => Span, string])[] = [
  ['approved-instead', bad, 'declined before, approved now'],
  ['approved-more', bad, 'approved for more than before'],
  ['other-amount', bad, 'approved for an amount that cannot be compared'],
  ['declined-instead', warn, 'approved before, declined now'],
  ['approved-less', warn, 'approved for less than before'],
  ['other-code', warn, 'declined with another code'],
  ['no-decision', warn, 'decided before, without a valid answer now'],
]

const columns: readonly Column<Replayed>[] = [
  {title: 'Event', value: ({event}) => event, fit: 'keep'},
  {title: 'Merchant', value: ({merchant}) => merchant, optional: true, least: 8},
  {
    title: 'Amount',
    value: ({amount: value, currency}) => (value === undefined ? '' : amount(value, currency)),
    align: 'right',
    fit: 'keep',
    optional: true,
    spare: 2,
  },
  {title: 'Then', value: ({expected, recorded}) => decision(expected ?? {outcome: recorded}), fit: 'wrap'},
  {
    title: 'Now',
    value: ({got, changed}) => (changed === false ? dim('same') : decision(got)),
    fit: 'wrap',
    least: 11,
  },
  {title: 'Took', value: ({got}) => wholeMs(got.durationMs), align: 'right', fit: 'keep', spare: 1},
  {
    title: 'Why',
    value: ({got}) => got.reason ?? got.unknown?.map(describeViolation).join(', '),
    fit: 'wrap',
    ease: 16,
    optional: true,
  },
]

const STYLES: Readonly<Record<string, (text: string) => Span>> = {approved: ok, partial: warn}

/** A decision, or the outcome without one. */
interface Ended extends Partial<Omit<PlainDecision, 'outcome'>> {
  readonly outcome: string
}

function decision({outcome, code, part}: Ended): Styled {
  const words = [
    outcome === 'partial' ? PARTIAL_APPROVAL : outcome,
    outcome === 'approved' ? undefined : code,
    part && amount(part.amount, part.currency),
  ]
  return (STYLES[outcome] ?? bad)(words.filter(word => word !== undefined).join(' '))
}
