import {isObject} from '../../errors/is-object.ts'
import {compareAmounts} from '../../money/amount.ts'
import type {Exchange, WebhookEvent} from '../exchange.ts'
import {callIdOf, type ReceivedCall, withId} from '../received-call.ts'
import {codeNumber, type Outcome} from '../response-codes.ts'
import type {Caller, Verdict} from '../send/caller.ts'
import {maskedPlaces} from './call-group.ts'

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

/** A recorded call that can be sent again. */
export interface Replayable {
  readonly event: WebhookEvent
  readonly call: ReceivedCall
  /** The recorded decision. */
  readonly expected: PlainDecision | null
  /** Where it was masked when it was recorded, as JSON pointers: the mask is sent. */
  readonly masked: readonly string[]
}

/** The decision then, and the outcome of the call now. */
export interface Replayed {
  /** The recorded event. */
  readonly event: string
  /** `metadata.id` as sent now. */
  readonly id?: string
  readonly merchant?: string
  readonly amount?: number
  readonly currency?: string
  /** The decision when the call was recorded; null if there was none: late, rejected, broken on purpose. */
  readonly expected: PlainDecision | null
  /** The outcome when it was recorded: that of its event, or `late`, `rejected`. */
  readonly recorded: string
  readonly got: Pick<Verdict, 'outcome' | 'code' | 'part' | 'status' | 'reason' | 'unknown' | 'durationMs'>
  /** Whether the decision is missing or differs from the expected one; null if none was expected. */
  readonly changed: boolean | null
  readonly change?: Change
  readonly masked: readonly string[]
}

/** Undefined for a warm-up, and for a body that was not read or is not a JSON object. */
export function replayable({event, request: {body}}: Exchange): Replayable | undefined {
  if (event.type === 'warm-up' || !isObject(body)) return undefined
  return {event, call: body, expected: expectedOf(event), masked: maskedPlaces(body)}
}

interface ReplaySettings {
  readonly caller: Caller
  /**
   * The new id of each call that has one. Without it they keep theirs, and a listener that knows them repeats its
   * answer.
   */
  newId?: (() => string) | undefined
  readonly signal: AbortSignal
}

/** Sends calls again, one after another, until the signal aborts. */
export async function* replay(
  calls: Iterable<Replayable>,
  {caller, newId, signal}: ReplaySettings,
): AsyncGenerator<Replayed, void, undefined> {
  for (const {event, call, expected, masked} of calls) {
    const sent = newId ? withId(call, newId()) : call
    const verdict = await caller.authorise(sent, {signal})
    if (signal.aborted) return
    const {outcome, code, part, status, reason, unknown, durationMs} = verdict
    const change = expected ? changeFrom(expected, plainDecisionOf(verdict)) : undefined
    yield {
      event: event.event,
      ...idOf(sent),
      ...aboutOf(event),
      expected,
      recorded: event.type === 'auth' ? event.outcome : event.type,
      got: {
        outcome,
        ...(code === undefined ? {} : {code}),
        ...(part && {part}),
        ...(status === undefined ? {} : {status}),
        ...(reason === undefined ? {} : {reason}),
        ...(unknown && {unknown}),
        durationMs,
      },
      changed: expected ? change !== undefined : null,
      ...(change && {change}),
      masked,
    }
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

function aboutOf(event: WebhookEvent): Pick<Replayed, 'merchant' | 'amount' | 'currency'> {
  if (event.type !== 'auth' && event.type !== 'late') return {}
  const {merchant, amount, currency} = event
  return {merchant, ...(amount === undefined || currency === undefined ? {} : {amount, currency})}
}

function idOf(call: ReceivedCall): {id?: string} {
  const id = callIdOf(call)
  return id === undefined ? {} : {id}
}
