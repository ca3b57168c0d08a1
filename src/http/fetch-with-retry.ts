import {type AttemptResult, attempt, type Connection, type WireRequest} from './attempt.ts'
import {DeadlinePassed, networkFault} from './network-fault.ts'
import {backOff, DEFAULT_RETRIES, retryAfter, verdict} from './retry-rules.ts'
import type {SendOptions, Surroundings} from './send-types.ts'

/** How often and how long, as for the request that needs what is fetched. */
export type FetchLimits = Pick<SendOptions, 'retries' | 'timeoutMs'>

/** For all attempts together. Milliseconds. */
const DEFAULT_TIMEOUT_MS = 20_000

/** Nothing changes by it, so it is sent again as a read is. */
const SITUATION = {
  effect: 'read',
  keyed: false,
  irreversible: false,
  open: false,
  reconnected: false,
  refreshable: false,
} as const

/**
 * Fetches something other than an operation of the service (a token, a public key), where a repeat has no effect, by the
 * rules of reads. Returns how the last attempt ended.
 */
export async function fetchWithRetry(
  dispatcher: Connection,
  request: WireRequest,
  {retries = DEFAULT_RETRIES, timeoutMs = DEFAULT_TIMEOUT_MS}: FetchLimits,
  {now, random, sleep, debug}: Pick<Surroundings, 'now' | 'random' | 'sleep' | 'debug'>,
): Promise<AttemptResult> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new DeadlinePassed('No response in time')), timeoutMs)
  const {signal} = deadline
  const endsAt = now() + timeoutMs
  try {
    for (let tries = 1; ; tries++) {
      const result = await attempt(dispatcher, request, signal)
      const isAnswered = result.kind === 'answered'
      const how = isAnswered ? result.response.status : networkFault(result.error).reason
      debug?.(`  ${request.method} ${request.origin}${request.path}: ${how}`)
      if (isAnswered && result.response.status < 300) return result
      // Whoever has written the body: a read is sent again alike.
      const {again} = verdict(result, 'empty', SITUATION)
      if (again === undefined || tries > retries) return result
      const retryAfterMs = isAnswered ? retryAfter(result.response.headers, now()) : undefined
      const wait = backOff({again, tries, retryAfterMs, settleMs: 0, random: random()})
      if (now() + wait >= endsAt) return result
      debug?.(`  again in ${Math.round(wait)} ms`)
      await sleep(wait, signal).catch(() => undefined)
      if (signal.aborted) return result
    }
  } finally {
    clearTimeout(timer)
  }
}
