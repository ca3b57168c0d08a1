import {codeOf as digitsOf, responseCodes} from '../../../contract/response-codes.ts'
import type {CallSummary, Exchange, WebhookEvent} from '../../exchange.ts'
import {mccText, type Searchable, searchable} from '../../search.ts'
import {briefOf, isBrief} from '../wire.ts'
import {amountText, visible} from './text.ts'

/** How a call ended, for people. */
export type Ending = 'approved' | 'partial' | 'declined' | 'late' | 'rejected' | 'none' | 'broken' | 'warm-up'

/** An exchange as the page uses it: what the list needs is worked out once. */
export interface Call {
  readonly event: string
  readonly at: number
  readonly ms: number
  readonly ending: Ending
  /** `approved`, `declined 51`, `late` … */
  readonly decision: string
  readonly title: string
  /** Its kind, unless it is a payment. */
  readonly note: string
  /** A warning, shown before the note. */
  readonly alarm?: string | undefined
  /** What else a line can say: the card, the type of the transaction, its category. */
  readonly facts: readonly string[]
  readonly currency: string
  readonly amount: string
  /** `metadata.id`. */
  readonly id?: string | undefined
  /** Absent where no deadline applied: warm-ups and refused calls. */
  readonly deadlineMs?: number | undefined
  readonly exchange: Exchange
  /** The caller had gone before its answer: how long it waited is not known here. */
  readonly gone: boolean
  /** What the filter looks into. Worked out when it is first asked for. */
  words(): Searchable
}

const WORDS: Readonly<Record<Ending, string>> = {
  approved: 'approved',
  partial: responseCodes['10'] ?? 'partial',
  declined: 'declined',
  late: 'late',
  rejected: 'rejected',
  none: 'no answer',
  broken: 'broken answer',
  'warm-up': 'warm-up',
}

/** The id says that it is an earlier call, and the body that it is not. */
export const ID_USED = 'id already used by another call'

/** Titles of what is no authorisation. */
const PLAIN: Readonly<Record<string, string>> = {'warm-up': 'Warm-up', rejected: 'Refused'}

export function toCall(exchange: Exchange): Call {
  const {event} = exchange
  const {type, at, durationMs: ms} = event
  // Of a call that got no decision it is known what it was about, if it was read.
  const about = 'merchant' in event ? (event as CallSummary) : undefined
  const ending: Ending = type === 'auth' ? event.outcome : type
  const decision = [WORDS[ending], codeOf(event)].filter(Boolean).join(' ')
  return {
    event: event.event,
    at,
    ms,
    ending,
    decision,
    title: about ? visible(about.merchant) || 'Unnamed merchant' : (PLAIN[type] ?? ''),
    note: noteOf(exchange),
    alarm: about?.reusedId === undefined ? undefined : ID_USED,
    facts: about ? factsOf(about, exchange.request.body) : [],
    currency: about?.currency ?? '',
    amount: about?.amount === undefined ? '' : amountText(about.amount, about.currency),
    id: 'id' in event ? event.id : undefined,
    deadlineMs: type === 'rejected' ? undefined : about?.deadlineMs,
    exchange,
    gone: isGone(event),
    words: once(() => searchable(exchange)),
  }
}

/** A call without what the list doesn't show. */
export const briefly = (call: Call): Call => (isBrief(call.exchange) ? call : toCall(briefOf(call.exchange)))

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

const isGone = (event: WebhookEvent): boolean => event.type === 'late' && event.callerGone === true

/** The code beside the word, in digits: a name such as EXCEEDS_WITHDRAWAL_FREQUENCY_LIMIT is too long for a row. */
function codeOf(event: WebhookEvent): string | undefined {
  if (event.type === 'rejected') return String(event.status)
  if (event.type === 'late') return event.callerGone ? '· caller gone' : undefined
  const {outcome, code = ''} = event.type === 'auth' ? event : {outcome: 'approved'}
  if (outcome === 'approved' || outcome === 'partial') return undefined
  return outcome === 'declined' ? (digitsOf(code) ?? visible(code)) : code
}

const factsOf = ({cardId, transactionType, messageCategory}: CallSummary, body: unknown): readonly string[] =>
  [cardId === undefined ? '' : `card ${cardId}`, mccText(body), transactionType ?? '', messageCategory ?? '']
    .filter(Boolean)
    .map(visible)

/** The approved amount of a partial approval. */
function partOf(event: WebhookEvent): string {
  if (event.type !== 'auth' || !event.part) return ''
  const {amount, currency} = event.part
  return `${currency} ${amountText(amount, currency)} of it`
}

/** Their pointers are shown with the request. */
const differs = ({differs: found}: Pick<CallSummary, 'differs'>): string =>
  found === undefined ? '' : 'differs from the contract'

function noteOf({event, request}: Exchange): string {
  switch (event.type) {
    case 'rejected':
      return 'merchant' in event ? event.reason : `${request.method} ${request.path} · ${event.reason}`
    case 'warm-up':
      return differs(event)
    default: {
      const kind = event.kind === 'payment' ? '' : event.kind.replace('-', ' ')
      const repeated = event.type === 'auth' && event.repeated ? 'repeated' : ''
      const unread = event.type === 'auth' ? (event.unread ?? []) : []
      const because = event.type === 'auth' ? (event.because ?? '') : ''
      return [kind, partOf(event), repeated, because, ...unread, differs(event)].filter(Boolean).join(' · ')
    }
  }
}
