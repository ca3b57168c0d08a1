import {compareAmounts} from '../../money/amount.ts'
import type {WebhookEvent} from '../exchange.ts'
import {codeNumber, type Outcome} from '../response-codes.ts'
import type {Verdict} from '../send/caller.ts'

interface Money {
  readonly amount: number
  readonly currency: string
}

/** A decision about a call, as far as it matters to the cardholder and the money. */
export interface PlainDecision {
  readonly outcome: Outcome
  /** Two digits if the name is known. */
  readonly code: string
  /** The approved amount of a partial approval. */
  readonly part?: Money
}

/**
 * How a decision differs from the expected one. `approved-instead`, `approved-more`: money leaves that did not leave
 * before. `declined-instead`, `approved-less`: the reverse. `other-code`: declined in both cases. `other-amount`: two
 * amounts that can't be compared. `no-decision`: no valid answer in time.
 */
export type Change = (typeof CHANGES)[number]

/** The dangerous direction first. */
const CHANGES = [
  'approved-instead',
  'approved-more',
  'other-amount',
  'declined-instead',
  'approved-less',
  'other-code',
  'no-decision',
] as const

/** Undefined if outcome, code and amount are the same. */
export function changeFrom(expected: PlainDecision, got: PlainDecision | undefined): Change | undefined {
  if (got === undefined) return 'no-decision'
  const [was, is] = [expected.outcome, got.outcome]
  if (was === 'declined') {
    if (is !== 'declined') return 'approved-instead'
    return expected.code === got.code ? undefined : 'other-code'
  }
  if (is === 'declined') return 'declined-instead'
  // A part is less than the whole (checkAnswerTo).
  if (was !== is) return is === 'approved' ? 'approved-more' : 'approved-less'
  return is === 'partial' ? changeOfPart(expected.part, got.part) : undefined
}

function changeOfPart(was: Money | undefined, is: Money | undefined): Change | undefined {
  if (was === undefined || is === undefined || was.currency !== is.currency) return 'other-amount'
  try {
    const order = compareAmounts(is.amount, was.amount, was.currency)
    return order > 0 ? 'approved-more' : order < 0 ? 'approved-less' : undefined
  } catch {
    // An amount in an unknown currency, from a file that a user has edited.
    return 'other-amount'
  }
}

/** The decision of a verdict; undefined if there is none. */
export const plainDecisionOf = ({outcome, code, part}: Verdict): PlainDecision | undefined =>
  isDecision(outcome) ? {outcome, code: code ?? '', ...(part && {part})} : undefined

const isDecision = (outcome: string): outcome is Outcome =>
  outcome === 'approved' || outcome === 'partial' || outcome === 'declined'

/** The recorded decision; null if there was none. */
export function expectedOf(event: WebhookEvent): PlainDecision | null {
  if (event.type !== 'auth' || !isDecision(event.outcome)) return null
  const {outcome, code = '', part} = event
  return {outcome, code: codeNumber(code), ...(outcome === 'partial' && part && {part})}
}
