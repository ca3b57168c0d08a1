import type {Effect} from '../contract/operation.ts'
import type {ErrorCode} from '../errors/registry.ts'
import type {AttemptResult} from './attempt.ts'
import {networkFault} from './network-fault.ts'

/** What is known of the operation and of earlier attempts when one attempt ends. */
export interface Situation {
  readonly effect: Effect
  /** The service honours the key: the same key and bytes have one effect. */
  readonly keyed: boolean
  /** The input has a value that can never be changed back. */
  readonly irreversible: boolean
  /** An earlier attempt may have had an effect, or may still be running. */
  readonly open: boolean
  /** An earlier attempt found no connection. */
  readonly reconnected: boolean
  /** The token can be fetched again, and was not yet. */
  readonly refreshable: boolean
}

/**
 * Why a request is sent again.
 * - `connect`: there was no connection, nothing left
 * - `fault`: the service failed, or its response was lost
 * - `limited`: 429, or 425
 * - `busy`: 409, an earlier attempt with the same key is still running
 * - `refresh`: 401, with a new token
 */
export type RetryReason = 'connect' | 'fault' | 'limited' | 'busy' | 'refresh'

/** What to do after an attempt without a 2xx. */
export interface Verdict {
  readonly again: RetryReason | undefined
  /** The attempt may still be running at the service: wait the profile's `settleDelay` before the next. */
  readonly settle: boolean
  /** The effect of this attempt. */
  readonly leaves: 'none' | 'unknown'
  /** The response also settles the effect of earlier attempts with the same key. */
  readonly conclusive: boolean
  /** For the case that this is the last attempt and no effect is unknown. */
  readonly code: ErrorCode
}

/**
 * What the body of a response is, as far as it tells who wrote the response. `own`: an error in the shape that the
 * service's contract describes. `html`: a page, from something in front of the service.
 */
export type BodyKind = 'own' | 'json' | 'text' | 'html' | 'empty' | 'unreadable'

/** What decides about a response other than 2xx. */
interface Answer {
  readonly status: number
  readonly body: BodyKind
  /** It has a time to wait (Retry-After). */
  readonly namesTime: boolean
}

/** What a status says about the effect of the request, and whether a repeat can help. */
interface Rule {
  /** Statuses, or the first and the last of a range. */
  readonly of: readonly number[] | {readonly from: number; readonly to: number}
  /** Further conditions; without them, any response with the status. */
  readonly when?: (answer: Answer, situation: Situation) => boolean
  /** `none`: it proves that the request had no effect. `unknown`: it proves nothing. */
  readonly effect: 'none' | 'unknown'
  readonly code: ErrorCode
  /** Why a read, or a write with an honoured key, is sent again. */
  readonly again?: RetryReason
  /** The operation itself refused, after it had looked for the key. */
  readonly conclusive?: true
  /** The request may still be running behind the gateway that sent the response. */
  readonly settle?: true
}

const isPage = ({body}: Answer): boolean => body === 'html'

/**
 * What each response other than 2xx proves. The first rule that fits counts. Whatever may come from a gateway that has
 * passed the request on proves nothing; see docs/idempotency.md.
 */
const RULES: readonly Rule[] = [
  // The same request must be sent elsewhere. After any other redirect it may have been carried out here: many services
  // answer a write with 302 or 303 to the page that shows its result.
  {of: [301, 307, 308], effect: 'none', code: 'SERVICE_FAULT'},
  {of: {from: 300, to: 399}, effect: 'unknown', code: 'SERVICE_FAULT'},
  {of: [401], effect: 'none', code: 'UNAUTHENTICATED', again: 'refresh'},
  {of: [403], when: isPage, effect: 'unknown', code: 'FORBIDDEN'},
  {of: [403], effect: 'none', code: 'FORBIDDEN'},
  // After a DELETE that was sent before, "not found" may be its own effect.
  {
    of: [404, 410],
    when: (_, {effect, reconnected}) => effect === 'destroy' && reconnected,
    effect: 'unknown',
    code: 'NOT_FOUND',
  },
  {of: [404, 410], effect: 'none', code: 'NOT_FOUND'},
  // Something on the way gave up waiting: of the standard, of nginx and of load balancers.
  {of: [408, 460, 499], effect: 'unknown', code: 'REFUSED', again: 'fault', settle: true},
  {of: [409], when: (_, {keyed, open}) => keyed && open, effect: 'none', code: 'REFUSED', again: 'busy'},
  // RFC 8470, 5.2: the service won't process what may be a replay. It takes the same request later.
  {of: [425], when: answer => !isPage(answer), effect: 'none', code: 'SERVICE_FAULT', again: 'limited'},
  // A gateway may have tried the service before it shows its page.
  {of: [425, 429], when: isPage, effect: 'unknown', code: 'RATE_LIMITED', again: 'limited'},
  {of: [429], effect: 'none', code: 'RATE_LIMITED', again: 'limited'},
  /*
   * Only the operation itself gives these. If an earlier attempt with the same key had succeeded, its stored response
   * would have been replayed (outline, Limits, rule 3). Other refusals, and pages, may come from a gateway.
   */
  {of: [400, 412, 422], when: answer => !isPage(answer), effect: 'none', code: 'REFUSED', conclusive: true},
  {of: {from: 400, to: 499}, effect: 'none', code: 'REFUSED'},
  // They refuse before any effect: not implemented, HTTP version, network authentication (portals).
  {of: [501, 505, 511], effect: 'none', code: 'SERVICE_FAULT'},
  // The service itself names a time: it refused the request on purpose, before any effect.
  {
    of: [503],
    when: ({body, namesTime}) => body === 'own' && namesTime,
    effect: 'none',
    code: 'SERVICE_FAULT',
    again: 'fault',
  },
  {of: [500, 503], effect: 'unknown', code: 'SERVICE_FAULT', again: 'fault'},
  {of: {from: 500, to: 999}, effect: 'unknown', code: 'SERVICE_FAULT', again: 'fault', settle: true},
]

const isOf = ({of}: Rule, status: number): boolean =>
  'from' in of ? status >= of.from && status <= of.to : of.includes(status)

/** Whether this refusal also proves that no earlier request with the same honoured key had an effect. */
export const settlesEarlierAttempts = (refusal: {
  readonly status?: number | undefined
  readonly isPage?: boolean | undefined
}): boolean =>
  refusal.isPage !== true && RULES.some(rule => rule.conclusive === true && isOf(rule, refusal.status ?? 0))

const refused = (code: ErrorCode, again?: RetryReason): Verdict => ({
  again,
  settle: false,
  leaves: 'none',
  conclusive: false,
  code,
})

/** No response, or one that proves nothing, after a request that may have arrived. */
function unanswered(situation: Situation, code: ErrorCode, settle: boolean): Verdict {
  if (situation.effect === 'read') return refused(code, 'fault')
  return {
    again: situation.keyed ? 'fault' : undefined,
    settle,
    leaves: 'unknown',
    conclusive: false,
    code: 'EFFECT_UNKNOWN',
  }
}

function judgeAnswer(answer: Answer, situation: Situation): Verdict {
  const rule = RULES.find(one => isOf(one, answer.status) && (one.when?.(answer, situation) ?? true))
  if (rule === undefined) throw new Error(`No rule for status ${answer.status}.`)
  const isRead = situation.effect === 'read'
  const leaves = isRead ? 'none' : rule.effect
  return {
    again: mayRepeat(rule, answer, situation) ? rule.again : undefined,
    settle: rule.settle === true && leaves === 'unknown',
    leaves,
    conclusive: rule.conclusive ?? false,
    code: leaves === 'unknown' ? 'EFFECT_UNKNOWN' : rule.code,
  }
}

/** Without an honoured key, only a refusal by the service itself lets a request be sent again. */
function mayRepeat(
  {again, effect}: Rule,
  answer: Answer,
  {effect: kind, keyed, refreshable}: Situation,
): boolean {
  if (again === 'refresh' && !refreshable) return false
  if (kind === 'read' || keyed) return true
  return effect === 'none' && again !== 'fault' && !isPage(answer)
}

function judge(result: AttemptResult, body: BodyKind, situation: Situation): Verdict {
  if (result.kind === 'answered') {
    const {status, headers} = result.response
    return judgeAnswer({status, body, namesTime: retryAfter(headers, 0) !== undefined}, situation)
  }
  const fault = networkFault(result.error)
  if (result.left && !fault.unread) return unanswered(situation, fault.code, true)
  return refused(fault.code, fault.passing ? 'connect' : undefined)
}

/**
 * A 2xx that proves nothing: a login page, a truncated response, an error in disguise. The request may have had an
 * effect, or may never have reached the service. Only a key makes a repeat harmless. For a read a repeat would not
 * help.
 *
 * @param isFinal the service would respond to a repeat in the same way.
 */
export function unprovenVerdict(situation: Situation, isFinal: boolean): Verdict {
  const judged = unanswered(situation, 'ANSWER_INVALID', false)
  const isOnce = situation.effect === 'read' || situation.irreversible || isFinal
  return isOnce ? {...judged, again: undefined} : judged
}

/**
 * The table of faults for one attempt without a 2xx: whether to send again, and what it means if not. A pure function
 * of the response, the effect mark and what happened before.
 *
 * @param body what the response came with; any kind if there was none.
 */
export function verdict(result: AttemptResult, body: BodyKind, situation: Situation): Verdict {
  const judged = judge(result, body, situation)
  // A value that can't be changed back is sent once. Only a request that never left may still go.
  if (situation.irreversible && judged.again !== 'connect') {
    return {...judged, again: undefined}
  }
  return judged
}

/** How often a request is sent again. Waiting for an earlier attempt of our own (409) ends only with the deadline. */
export const DEFAULT_RETRIES = 4

const FIRST_MS = 250
const LONGEST_MS = 10_000
/** The service counts its quota per second and per minute, so a shorter wait would only hit it again. */
const FIRST_LIMITED_MS = 1_000
const BUSY_MS = 500

export interface Wait {
  readonly again: RetryReason
  /** Attempts so far that count, from 1. */
  readonly tries: number
  /** What the response asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** The profile's, if the last attempt may still be running; otherwise 0. */
  readonly settleMs: number
  /** In [0, 1). */
  readonly random: number
}

/**
 * How long to wait before the next attempt, in milliseconds: exponential back-off with full jitter (any time up to the
 * doubled ceiling), but at least what the service asked for and what the last attempt may still need.
 */
export function backOff({again, tries, retryAfterMs, settleMs, random}: Wait): number {
  if (again === 'refresh') return 0
  const first = again === 'limited' ? FIRST_LIMITED_MS : FIRST_MS
  const jitter = random * Math.min(LONGEST_MS, first * 2 ** (tries - 1))
  // Many senders that got the same time must not return at the same moment.
  if (retryAfterMs !== undefined) return Math.max(retryAfterMs, settleMs) + random * first
  return Math.max(again === 'busy' ? BUSY_MS + random * BUSY_MS : jitter, settleMs)
}

/** The deadline decides how long to wait; this only bounds the arithmetic. */
const LONGEST_ASKED_MS = 24 * 60 * 60 * 1000

/**
 * How long a response asks to wait, in milliseconds; undefined if it doesn't say (RFC 9110, 10.2.3: seconds or an HTTP
 * date). A date is compared with the response's own `date`, so a wrong clock here does no harm.
 */
export function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const value = headers['retry-after']?.trim()
  if (value === undefined || value === '') return undefined
  const until = httpDate(value)
  const asked = /^\d+(?:\.\d+)?$/.test(value)
    ? Number(value) * 1000
    : until === undefined
      ? undefined
      : until - (httpDate(headers.date) ?? now)
  return asked === undefined ? undefined : Math.min(Math.max(asked, 0), LONGEST_ASKED_MS)
}

/** A date in one of the three forms of RFC 9110, 5.6.7. `Date.parse` alone reads "-5" as a day in May. */
function httpDate(text: string | undefined): number | undefined {
  const time = text !== undefined && /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
