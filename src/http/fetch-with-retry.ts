import {type AttemptResult, attempt, type Connection, type WireRequest} from './attempt.ts'
import {networkFault} from './network-fault.ts'
import type {RetryReason} from './retry-rules.ts'
import {backOff, retryAfter} from './retry-rules.ts'
import type {Surroundings} from './send-types.ts'

/** For all attempts together. Milliseconds. */
const DEADLINE_MS = 20_000
const MAX_ATTEMPTS = 3

function againAfter(result: AttemptResult): RetryReason | undefined {
  if (result.kind === 'failed') return networkFault(result.error).passing ? 'connect' : undefined
  if (result.response.status === 429) return 'limited'
  return result.response.status >= 500 ? 'fault' : undefined
}

/**
 * Fetches something other than an operation of the service (a token, a public key), where a repeat has no effect. Lost
 * connections, 429 and 5xx are retried. Returns how the last attempt ended.
 */
export async function fetchWithRetry(
  dispatcher: Connection,
  request: WireRequest,
  {now, random, sleep, debug}: Pick<Surroundings, 'now' | 'random' | 'sleep' | 'debug'>,
): Promise<AttemptResult> {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const endsAt = now() + DEADLINE_MS
  for (let tries = 1; ; tries++) {
    const result = await attempt(dispatcher, request, signal)
    const how = result.kind === 'answered' ? result.response.status : networkFault(result.error).reason
    debug?.(`  ${request.method} ${request.origin}${request.path}: ${how}`)
    const again = againAfter(result)
    if (again === undefined || tries >= MAX_ATTEMPTS) return result
    const retryAfterMs = result.kind === 'answered' ? retryAfter(result.response.headers, now()) : undefined
    const wait = backOff({again, tries, retryAfterMs, settleMs: 0, random: random()})
    if (now() + wait >= endsAt) return result
    try {
      await sleep(wait, signal)
    } catch {
      return result
    }
  }
}
