import type {Span, Style, Styled} from './styled.ts'
import {glyphsOf, type ViewContext} from './view.ts'

/** How a person reads code 10, in every view. */
export const PARTIAL_APPROVAL = 'partial approval'

/** States and what they mean to a person. Others are shown without colour. */
const meanings: Readonly<Partial<Record<Style, readonly string[]>>> = {
  ok: [
    'CARD_OK',
    'ACCOUNT_OK',
    'OK',
    'ACTIVE',
    'COMPLETED',
    'SUCCESS',
    'APPROVED',
    'DONE',
    'ENROLLED',
    'RELEASED',
  ],
  warn: [
    'CARD_BLOCKED',
    'CARD_NO_RENEWAL',
    'SUSPECTED_FRAUD',
    'ACCOUNT_BLOCKED',
    'BLOCKED',
    'INACTIVE',
    'SUSPENDED',
    'SOFT_BLOCK',
    'COMPLETED_WITH_ERRORS',
    'PARTIALLY_APPROVED',
    'UNKNOWN',
    'UNFINISHED',
    'CANCELLED',
  ],
  bad: [
    'CARD_LOST',
    'CARD_STOLEN',
    'CARD_CLOSED',
    'CARD_CLOSED_DUE_TO_FRAUD',
    'CARD_EXPIRED',
    'ACCOUNT_TO_CLOSE',
    'ACCOUNT_COLLECTION',
    'ACCOUNT_CLOSED',
    'HARD_BLOCK',
    'LOST',
    'STOLEN',
    'CLOSED',
    'EXPIRED',
    'FAILED',
    'REFUSED',
    'REJECTED',
    'DECLINED',
    'DELETED',
  ],
  busy: ['IN_PROGRESS', 'OPEN', 'PENDING', 'RUNNING', 'WAITING', 'FUTURE'],
}

const styles = new Map(
  Object.entries(meanings).flatMap(([style, words]) => words.map(word => [word, style as Style] as const)),
)

export const styleOfState = (word: string): Style | undefined => styles.get(word.toUpperCase())

/** A state in words, coloured by its meaning. */
export function state(word: unknown): Span {
  const text = typeof word === 'string' ? word : ''
  return {text, style: styleOfState(text)}
}

/** A state with the dot that is shown next to a title: its word, or what a view makes of it. */
export function stateMark(word: unknown, context: ViewContext): Styled {
  const span = isSpan(word) ? word : state(word)
  const {dot} = glyphsOf(context)
  if (span.text === '' || dot === '') return span.text === '' ? '' : [span]
  return [span, ' ', {text: dot, style: span.style}]
}

const isSpan = (word: unknown): word is Span => typeof word === 'object' && word !== null && 'text' in word
