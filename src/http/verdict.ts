import type {Effect} from '../contract/operation.ts'
import type {ErrorCode} from '../errors/registry.ts'
import type {AttemptResult} from './attempt.ts'
import {retryAfter} from './back-off.ts'
import {networkFault} from './network-fault.ts'

/** What is known of the operation and of earlier tries when one try ends. */
export interface Situation {
  readonly effect: Effect
  /** The service honours the key: the same key and bytes have their effect once. */
  readonly keyed: boolean
  /** The input holds a value that can never be taken back. */
  readonly irreversible: boolean
  /** An earlier try may have had its effect, or may still be running. */
  readonly open: boolean
  /** An earlier try found no connection. */
  readonly reconnected: boolean
  /** There is a token that can be fetched anew, and that wasn't yet. */
  readonly refreshable: boolean
}

/**
 * Why a request is sent again.
 * - `connect`: there was no connection, nothing left
 * - `fault`: the service failed, or its answer was lost
 * - `limited`: 429
 * - `busy`: 409, an earlier try with the same key is still running
 * - `refresh`: 401, with a new token
 */
export type Again = 'connect' | 'fault' | 'limited' | 'busy' | 'refresh'

/** What to make of a try that brought no 2xx. */
export interface Verdict {
  readonly again: Again | undefined
  /** The try may still be running at the service: wait the profile's `settleDelay` before the next. */
  readonly settle: boolean
  /** What this try left behind. */
  readonly leaves: 'none' | 'unknown'
  /** The answer also settles what became of earlier tries with the same key. */
  readonly conclusive: boolean
  /** If this is the last try and nothing is left open. */
  readonly code: ErrorCode
}

/**
 * Refusals that only the operation itself gives, after it has looked for the key: had an earlier try with the same key
 * succeeded, its stored answer would have come instead (outline, Limits, rule 3). Others may come from in front.
 */
const OWN_REFUSALS = new Set([400, 412, 422])

/** Whether this refusal also says that no earlier request with the same, honoured key had its effect. */
export const settlesEarlierTries = (status: number): boolean => OWN_REFUSALS.has(status)

/** Statuses of 5xx that refuse before any effect: not implemented, HTTP version, network authentication (portals). */
const REFUSING_FAULTS = new Set([501, 505, 511])
/** Statuses after which the request may still be running behind the gateway that answered. */
const ENDED_FAULTS = new Set([500, 503])

const refused = (code: ErrorCode, more: {again?: Again | undefined; conclusive?: boolean} = {}): Verdict => ({
  again: more.again,
  settle: false,
  leaves: 'none',
  conclusive: more.conclusive ?? false,
  code,
})

/** No answer, or one that tells nothing, after a request that may have arrived. */
function untold(situation: Situation, code: ErrorCode, settle: boolean): Verdict {
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
    // 303 says that the request was carried out and where its result stands; the others that it was not.
    const carriedOut = status === 303 && situation.effect !== 'read'
    return carriedOut
      ? {...untold({...situation, keyed: false}, 'SERVICE_FAULT', false)}
      : refused('SERVICE_FAULT')
  }
  switch (status) {
    case 401:
      return refused('UNAUTHENTICATED', {again: situation.refreshable ? 'refresh' : undefined})
    case 403:
      return refused('FORBIDDEN')
    case 404:
    case 410:
      // After a DELETE that was sent before, "not there" may be its own doing.
      if (situation.effect === 'destroy' && situation.reconnected)
        return untold(situation, 'NOT_FOUND', false)
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
    // The service names a time: it turned the request away on purpose, before any effect.
    const may = situation.effect === 'read' || situation.keyed
    return refused('SERVICE_FAULT', {again: may ? 'fault' : undefined})
  }
  return untold(situation, 'SERVICE_FAULT', !ENDED_FAULTS.has(status))
}

function judge(result: AttemptResult, situation: Situation): Verdict {
  if (result.kind === 'answered') {
    const {status, headers} = result.reply
    return judgeStatus(status, retryAfter(headers, 0) !== undefined, situation)
  }
  const fault = networkFault(result.error)
  if (result.left && !fault.unread) return untold(situation, fault.code, true)
  return refused(fault.code, {again: fault.passing ? 'connect' : undefined})
}

/**
 * A 2xx that proves nothing: a login page, a cut answer, an error in disguise. The request may have had its effect, or
 * may never have reached the service. Only a key makes it harmless to send it again; for a read that would help nobody.
 */
export function unprovenVerdict(situation: Situation): Verdict {
  const judged = untold(situation, 'ANSWER_INVALID', false)
  return situation.effect === 'read' || situation.irreversible ? {...judged, again: undefined} : judged
}

/**
 * design.md, "Effect, idempotency, retry", for one try without a 2xx: whether it is sent again, and what it means if not.
 * A pure function of the answer, the effect mark and what happened before.
 */
export function verdict(result: AttemptResult, situation: Situation): Verdict {
  const judged = judge(result, situation)
  // A value that can't be taken back goes out once; only a request that never left may still go.
  if (situation.irreversible && judged.again !== 'connect') {
    return {...judged, again: undefined}
  }
  return judged
}
