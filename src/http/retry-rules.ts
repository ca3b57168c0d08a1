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
 * - `limited`: 429
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
 * Refusals that only the operation itself gives, after it has looked for the key. If an earlier attempt with the same
 * key had succeeded, its stored response would have been replayed (outline, Limits, rule 3). Other refusals may come
 * from a gateway.
 */
const OWN_REFUSALS = new Set([400, 412, 422])

/** Whether this refusal also proves that no earlier request with the same honoured key had an effect. */
export const settlesEarlierAttempts = (status: number): boolean => OWN_REFUSALS.has(status)

/** 5xx that refuse before any effect: not implemented, HTTP version, network authentication (portals). */
const REFUSING_FAULTS = new Set([501, 505, 511])
/** Statuses after which the request may still be running behind the gateway that sent them. */
const ENDED_FAULTS = new Set([500, 503])

const refused = (
  code: ErrorCode,
  more: {again?: RetryReason | undefined; conclusive?: boolean} = {},
): Verdict => ({
  again: more.again,
  settle: false,
  leaves: 'none',
  conclusive: more.conclusive ?? false,
  code,
})

/** No response, or one that proves nothing, after a request that may have arrived. */
function unanswered(situation: Situation, code: ErrorCode, settle: boolean): Verdict {
  if (situation.effect === 'read') {
    return {again: 'fault', settle: false, leaves: 'none', conclusive: false, code}
  }
  return {
    again: situation.keyed ? 'fault' : undefined,
    settle,
    leaves: 'unknown',
    conclusive: false,
    code: 'EFFECT_UNKNOWN',
  }
}

function judgeStatus(status: number, namesTime: boolean, situation: Situation): Verdict {
  if (status < 400) {
    // 303 says that the request was carried out and where its result is; the others that it was not.
    const carriedOut = status === 303 && situation.effect !== 'read'
    return carriedOut
      ? {...unanswered({...situation, keyed: false}, 'SERVICE_FAULT', false)}
      : refused('SERVICE_FAULT')
  }
  switch (status) {
    case 401:
      return refused('UNAUTHENTICATED', {again: situation.refreshable ? 'refresh' : undefined})
    case 403:
      return refused('FORBIDDEN')
    case 404:
    case 410:
      // After a DELETE that was sent before, "not found" may be its own effect.
      if (situation.effect === 'destroy' && situation.reconnected)
        return unanswered(situation, 'NOT_FOUND', false)
      return refused('NOT_FOUND')
    case 409:
      if (situation.keyed && situation.open) return refused('REFUSED', {again: 'busy'})
      return refused('REFUSED')
    case 429:
      return refused('RATE_LIMITED', {again: 'limited'})
    default:
  }
  if (status < 500) return refused('REFUSED', {conclusive: OWN_REFUSALS.has(status)})
  if (REFUSING_FAULTS.has(status)) return refused('SERVICE_FAULT')
  if (status === 503 && namesTime) {
    // The service names a time: it refused the request on purpose, before any effect.
    const may = situation.effect === 'read' || situation.keyed
    return refused('SERVICE_FAULT', {again: may ? 'fault' : undefined})
  }
  return unanswered(situation, 'SERVICE_FAULT', !ENDED_FAULTS.has(status))
}

function judge(result: AttemptResult, situation: Situation): Verdict {
  if (result.kind === 'answered') {
    const {status, headers} = result.response
    return judgeStatus(status, retryAfter(headers, 0) !== undefined, situation)
  }
  const fault = networkFault(result.error)
  if (result.left && !fault.unread) return unanswered(situation, fault.code, true)
  return refused(fault.code, {again: fault.passing ? 'connect' : undefined})
}

/**
 * A 2xx that proves nothing: a login page, a truncated response, an error in disguise. The request may have had an
 * effect, or may never have reached the service. Only a key makes a repeat harmless. For a read a repeat would not
 * help.
 */
export function unprovenVerdict(situation: Situation): Verdict {
  const judged = unanswered(situation, 'ANSWER_INVALID', false)
  return situation.effect === 'read' || situation.irreversible ? {...judged, again: undefined} : judged
}

/**
 * The table of faults for one attempt without a 2xx: whether to send again, and what it means if not. A pure function
 * of the response, the effect mark and what happened before.
 */
export function verdict(result: AttemptResult, situation: Situation): Verdict {
  const judged = judge(result, situation)
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
  const asked = /^\d+(?:\.\d+)?$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - (parsed(headers.date) ?? now)
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(asked, 0), LONGEST_ASKED_MS)
}

function parsed(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) ? undefined : time
}
