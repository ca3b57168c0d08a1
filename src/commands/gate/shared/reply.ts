import {REPLAYED_HEADER} from '../../../contract/operation.ts'
import {Failure, type FailureDetails, isStoreAway} from '../../../errors/failure.ts'
import type {ServiceResponse} from '../../../http/index.ts'
import {escapeUnits} from '../../../output/styled.ts'
import {maskSaid} from '../../../sensitive/mask-encoded.ts'
import {redact} from '../../../sensitive/redact.ts'
import {NotRead} from './strict-request.ts'

/** What a caller gets. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Why it was not a success, for the log. */
  readonly why?: string
  /** Nothing was sent to the service. */
  readonly isRefusal?: true
}

/** A response of the service, with its secrets masked as everywhere. */
export function successReply({status, body, replayed}: ServiceResponse): Reply {
  const headers = replayed ? {[REPLAYED_HEADER]: 'true'} : {}
  return body === undefined
    ? {status, headers, text: ''}
    : {
        status,
        headers: {...headers, 'content-type': 'application/json'},
        text: escapeUnits(JSON.stringify(body)),
      }
}

/**
 * A refusal, or what came of the request. The status says about the effect what cardctl on the other side concludes from
 * it: see http/retry-rules.ts.
 *
 * @param settles a refusal by the service also holds for earlier attempts with the same key.
 */
export function failureReply(error: unknown, settles: boolean): Reply {
  if (error instanceof NotRead)
    return refusal(error.status, {title: 'Not a request of the contract', detail: error.message})
  if (!(error instanceof Failure))
    return problem(500, {title: 'Internal error', detail: 'The server failed.'})
  const {code, message, details} = error
  // Other hints are for who runs cardctl here.
  const hint = code === 'POLICY_REFUSED' || code === 'GATE_REFUSED' ? ` ${error.hint}` : ''
  const said = {title: TITLES[code] ?? FAILED, detail: maskSaid(message + hint), code}
  if (details.effect === 'unknown') return problem(502, {...said, title: 'The effect is unknown'})
  if (details.effect === 'done')
    return problem(500, {...said, title: 'Sent, but its result could not be read'})
  if (isStoreAway(error) || PASSING.has(code)) {
    const seconds = String(Math.max(1, details.retryAfter ?? 1))
    return problem(code === 'RATE_LIMITED' ? 429 : 503, said, {'retry-after': seconds})
  }
  const {status} = details
  const isOfService =
    status !== undefined && status >= 400 && status < 500 && status !== 401 && !details.isPage
  // What the service answered unusably, nobody here refused.
  if (code === 'ANSWER_INVALID') return problem(502, said)
  if (!isOfService) {
    const reply = status === undefined ? refusal : problem
    return reply(code === 'ALREADY_SENT' || code === 'KEY_REUSED' ? 409 : 403, said)
  }
  const own = ownWords(details.problem, code)
  // That nothing came of an earlier attempt, only the service can say, and only of a key that it honours.
  return problem(SETTLING.has(status) && !settles ? 403 : status, {...said, ...own})
}

/** What the service said. A code of its own doesn't pass for one of this server. */
function ownWords(given: FailureDetails['problem'], code: string): object {
  if (given === undefined) return {}
  const own = redact(given, {sensitive: []}) as Record<string, unknown>
  return {...own, code, ...(own.code === undefined ? {} : {serviceCode: own.code})}
}

const FAILED = 'The request failed'
const TITLES: Readonly<Record<string, string>> = {
  POLICY_REFUSED: 'Refused',
  GATE_REFUSED: 'Refused',
  UNAUTHENTICATED: 'The service does not accept the credential of the server',
}

/** Nothing reached the service, and the next attempt may. */
const PASSING: ReadonlySet<string> = new Set([
  'CONNECTION_FAILED',
  'TIMED_OUT',
  'RATE_LIMITED',
  'SERVICE_FAULT',
])
const SETTLING: ReadonlySet<number> = new Set([400, 412, 422])

const refusal = (...parameters: Parameters<typeof problem>): Reply => ({
  ...problem(...parameters),
  isRefusal: true,
})

export function problem(
  status: number,
  {title, ...more}: Readonly<Record<string, unknown>> & {readonly title: string; readonly detail: string},
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: {...headers, 'content-type': 'application/problem+json'},
    text: escapeUnits(JSON.stringify({type: 'about:blank', ...more, title, status})),
    why: title === FAILED && typeof more.code === 'string' ? more.code : title,
  }
}
