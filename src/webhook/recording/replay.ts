import {isObject} from '../../errors/is-object.ts'
import type {Exchange, WebhookEvent} from '../exchange.ts'
import {callIdOf, type ReceivedCall, withId} from '../received-call.ts'
import {type Caller, shownVerdict, type Verdict} from '../send/caller.ts'
import {maskedPlaces} from './call-group.ts'
import {type Change, changeFrom, expectedOf, type PlainDecision, plainDecisionOf} from './changed-decision.ts'

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
    const change = expected ? changeFrom(expected, plainDecisionOf(verdict)) : undefined
    yield {
      event: event.event,
      ...idOf(sent),
      ...aboutOf(event),
      expected,
      recorded: event.type === 'auth' ? event.outcome : event.type,
      got: {...shownVerdict(verdict), durationMs: verdict.durationMs},
      changed: expected ? change !== undefined : null,
      ...(change && {change}),
      masked,
    }
  }
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
