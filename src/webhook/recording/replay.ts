import type {WebhookEvent} from '../events.ts'
import type {Exchange} from '../exchange.ts'
import {codeNumber} from '../response-codes.ts'
import type {Caller} from '../send/caller.ts'
import type {Verdict} from '../send/verdict.ts'
import {maskedPlaces} from './masked-places.ts'

type Json = Readonly<Record<string, unknown>>

/** A recorded call that can be sent again. */
export interface Replayable {
  readonly event: WebhookEvent
  readonly call: Json
  /** Where something was masked when it was recorded, as JSON pointers: it goes out as the mask. */
  readonly masked: readonly string[]
}

/** What was decided then, and what came of the call now. */
export interface Replayed {
  /** The recorded event. */
  readonly event: string
  /** `metadata.id` as it was sent now. */
  readonly id?: string
  readonly merchant?: string
  readonly amount?: number
  readonly currency?: string
  readonly before: {readonly outcome: string; readonly code?: string}
  readonly now: Pick<Verdict, 'outcome' | 'code' | 'status' | 'reason' | 'durationMs'>
  /** Whether both are the same decision. */
  readonly same: boolean
  readonly masked: readonly string[]
}

/** Undefined for a warm-up, and for a body that was not read or is no JSON object. */
export function replayable({event, request: {body}}: Exchange): Replayable | undefined {
  if (event.type === 'warm-up' || !isJson(body)) return undefined
  return {event, call: body, masked: maskedPlaces(body)}
}

export interface ReplaySettings {
  readonly caller: Caller
  /** The id each call gets; without it they keep theirs, and a listener that knows them answers as it did. */
  newId?: (() => string) | undefined
  readonly signal: AbortSignal
}

/** Sends calls again, one after the other, until the signal aborts. */
export async function* replay(
  calls: Iterable<Replayable>,
  {caller, newId, signal}: ReplaySettings,
): AsyncGenerator<Replayed, void, undefined> {
  for (const {event, call, masked} of calls) {
    const metadata = isJson(call.metadata) ? call.metadata : undefined
    const sent = newId && metadata ? {...call, metadata: {...metadata, id: newId()}} : call
    const {outcome, code, status, reason, durationMs} = await caller.authorise(sent, {signal})
    if (signal.aborted) return
    const before = decisionOf(event)
    yield {
      event: event.event,
      ...idOf(sent),
      ...aboutOf(event),
      before,
      now: {
        outcome,
        ...(code === undefined ? {} : {code}),
        ...(status === undefined ? {} : {status}),
        ...(reason === undefined ? {} : {reason}),
        durationMs,
      },
      same: DECIDED.has(outcome) && outcome === before.outcome && code === before.code,
      masked,
    }
  }
}

/** Two calls without an answer are no decision that is the same. */
const DECIDED: ReadonlySet<string> = new Set(['approved', 'partial', 'declined'])

function decisionOf(event: WebhookEvent): Replayed['before'] {
  if (event.type !== 'auth') return {outcome: event.type}
  const {outcome, code} = event
  return {outcome, ...(code === undefined ? {} : {code: codeNumber(code)})}
}

function aboutOf(event: WebhookEvent): Pick<Replayed, 'merchant' | 'amount' | 'currency'> {
  if (event.type !== 'auth' && event.type !== 'late') return {}
  const {merchant, amount, currency} = event
  return {merchant, ...(amount === undefined || currency === undefined ? {} : {amount, currency})}
}

function idOf({metadata}: Json): {id?: string} {
  return isJson(metadata) && typeof metadata.id === 'string' ? {id: metadata.id} : {}
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
