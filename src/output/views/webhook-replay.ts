import type {Replayed} from '../../webhook/index.ts'
import {amount} from '../amount.ts'
import {wholeMs} from '../deadline-bar.ts'
import {bad, dim, ok, type Span, type Styled, warn} from '../styled.ts'
import {type Column, table} from '../table.ts'
import type {ListView} from '../view.ts'

/** Calls that were sent again: what was decided then and now. */
export const webhookReplayView: ListView = (replayed, context) =>
  table(columns, replayed as readonly Replayed[], context, 'Nothing was sent.')

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
  {title: 'Then', value: ({before}) => decision(before), fit: 'wrap'},
  {
    title: 'Now',
    value: ({now, same}) => (same ? dim('same') : decision(now)),
    fit: 'wrap',
    least: 11,
  },
  {title: 'Took', value: ({now}) => wholeMs(now.durationMs), align: 'right', fit: 'keep', spare: 1},
  {title: 'Why', value: ({now}) => now.reason, fit: 'wrap', ease: 16, optional: true},
]

const STYLES: Readonly<Record<string, (text: string) => Span>> = {approved: ok, partial: warn}

function decision({outcome, code}: {outcome: string; code?: string}): Styled {
  const text = code === undefined || outcome === 'approved' ? outcome : `${outcome} ${code}`
  return (STYLES[outcome] ?? bad)(text)
}
