import {compareAmounts} from '../../money/index.ts'
import type {Outcome} from '../response-codes.ts'

interface Money {
  readonly amount: number
  readonly currency: string
}

/** A decision about a call, as far as the cardholder and the money depend on it. */
export interface PlainDecision {
  readonly outcome: Outcome
  /** Two digits where the name is known. */
  readonly code: string
  /** What was approved, where that is a part. */
  readonly part?: Money
}

/**
 * How a decision differs from the one that was expected.
 *
 * `approved-instead`, `approved-more`: money leaves that did not leave before. `declined-instead`, `approved-less`: the
 * other way round. `other-code`: declined all the same. `other-amount`: two parts that cannot be compared. `no-decision`:
 * no valid answer in time.
 */
export type Change = (typeof CHANGES)[number]

/** The dangerous direction first. */
export const CHANGES = [
  'approved-instead',
  'approved-more',
  'other-amount',
  'declined-instead',
  'approved-less',
  'other-code',
  'no-decision',
] as const

/** Undefined for the same decision: outcome, code and amount. */
export function changeFrom(expected: PlainDecision, got: PlainDecision | undefined): Change | undefined {
  if (got === undefined) return 'no-decision'
  const [was, is] = [expected.outcome, got.outcome]
  if (was === 'declined') {
    if (is !== 'declined') return 'approved-instead'
    return expected.code === got.code ? undefined : 'other-code'
  }
  if (is === 'declined') return 'declined-instead'
  // A part is less than the whole (checkDecision).
  if (was !== is) return is === 'approved' ? 'approved-more' : 'approved-less'
  return is === 'partial' ? changeOfPart(expected.part, got.part) : undefined
}

function changeOfPart(was: Money | undefined, is: Money | undefined): Change | undefined {
  if (was === undefined || is === undefined || was.currency !== is.currency) return 'other-amount'
  try {
    const order = compareAmounts(is.amount, was.amount, was.currency)
    return order > 0 ? 'approved-more' : order < 0 ? 'approved-less' : undefined
  } catch {
    // An amount of no currency that is known, from a file that somebody has written.
    return 'other-amount'
  }
}
