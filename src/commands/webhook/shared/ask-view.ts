import {amount} from '../../../money/amount.ts'
import {bad, dim, type Span, type Styled, strong, warn} from '../../../output/styled.ts'
import {cut, styledWidth} from '../../../output/text-layout.ts'

/** A call that waits for a person, and what the person has typed so far. */
export interface AskView {
  readonly merchant: string
  readonly amount?: number
  readonly currency?: string
  readonly kind: string
  /** The event of an earlier call with the same id. */
  readonly reusedId?: string
  readonly at: number
  readonly until: number
  /** The key that selects this call if several wait. */
  readonly number?: number | undefined
  /** Keys of the other waiting calls; undefined for a call without one. */
  readonly others: readonly (number | undefined)[]
  readonly partial: boolean
  readonly entry?: Entry | undefined
}

interface Entry {
  readonly kind: 'decline' | 'partial'
  readonly text: string
  readonly fate?: 'checking' | 'refused' | 'gone'
}

/** Shown if a call stops waiting while an answer to it is half typed. */
export const goneView = (waiting: number): Styled => [
  bad('the call no longer waits'),
  dim(`  nothing was sent; Enter or Esc${waiting > 0 ? ` for the next of ${waiting}` : ''}`),
]

/** Maximum length of a name, and the length it may shrink to so that the keys stay visible. */
const LONGEST_NAME = 24
const SHORTEST_NAME = 8

/**
 * One line of at most `width` columns, redrawn as time passes. The remaining time comes first, so that it stays visible
 * if the line is cut.
 */
export function askView(view: AskView, now: number, width: number): Styled {
  const left = Math.max(0, view.until - now)
  const share = left / (view.until - view.at)
  const style = share < 0.1 ? bad : share < 0.5 ? warn : strong
  const lineFor = (merchant: string): readonly (string | Span)[] => [
    style(`${(left / 1000).toFixed(1).padStart(4)} s `),
    ...about({...view, merchant}),
    '  ',
    ...(view.entry ? typed(view.entry, view.currency) : keys(view)),
  ]
  const room = width - styledWidth(lineFor(''))
  return lineFor(shortened(view.merchant, Math.min(Math.max(room, SHORTEST_NAME), LONGEST_NAME)))
}

const shortened = (name: string, width: number): string =>
  cut(name, width, '…')
    .map(({text}) => text)
    .join('')

function about({
  merchant,
  amount: value,
  currency = '',
  kind,
  reusedId,
  number,
  others,
}: AskView): readonly (string | Span)[] {
  const money = value === undefined ? '' : `  ${amount(value, currency)}`
  return [
    others.length > 0 ? dim(` [${number ?? '-'}] `) : ' ',
    strong(merchant),
    money,
    kind === 'payment' ? '' : `  ${kind}`,
    reusedId === undefined ? '' : bad('  ID ALREADY USED'),
  ]
}

function keys({partial, others}: AskView): readonly (string | Span)[] {
  const choose = others.filter(number => number !== undefined).sort()
  return [
    ...key('a', 'approve'),
    ...key('d', 'decline'),
    ...(partial ? key('p', 'part') : []),
    ...(choose.length > 0 ? key(choose.join(' '), 'other') : []),
    ...(others.length > choose.length ? [dim(`${others.length} wait`)] : []),
  ]
}

const key = (name: string, what: string): readonly (string | Span)[] => [strong(name), dim(` ${what}  `)]

const typed = ({kind, text, fate}: Entry, currency = ''): readonly (string | Span)[] => [
  kind === 'decline' ? 'code ' : `part, ${currency} `,
  strong(`${text}_`),
  fate === 'refused' ? warn('  type it again, or Esc to go back') : dim('  Enter, or Esc to go back'),
]
