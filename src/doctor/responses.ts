import {duration} from '../errors/duration.ts'
import {doubtful, type Finding, fine} from './finding.ts'

/** One request and its response: times in milliseconds, header names in lower case. */
export interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly sentAt: number
  readonly answeredAt: number
}

/** With a larger difference, tokens and signatures fail, and times in journal and audit trail are wrong. */
const MOST_DRIFT_MS = 5000
/** Above this, commands feel slow, and a bulk job needs many requests at the same time. */
const SLOW_MS = 1000

/**
 * Compares the clocks of the service and this machine. The `date` header has whole seconds and was written between
 * request and response.
 */
export function clockFinding({headers, sentAt, answeredAt}: Seen): Finding {
  const there = Date.parse(headers.date ?? '')
  if (Number.isNaN(there)) return fine('the service does not send its time')
  const least = there - answeredAt
  const most = there + 999 - sentAt
  const drift = least > 0 ? least : most < 0 ? most : 0
  const seconds = Math.round(drift / 1000)
  const facts = {differenceSeconds: seconds}
  if (Math.abs(drift) <= MOST_DRIFT_MS) return fine('agrees with the service', {facts})
  const words = `this machine is ${spoken(Math.abs(seconds))} ${drift > 0 ? 'behind' : 'ahead of'} the service`
  return doubtful(words, 'Set the clock, for example with NTP: tokens and keys expire by it.', {facts})
}

function spoken(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}

/** @param durations of reads that got a response, in milliseconds. */
export function latencyFinding(durations: readonly number[]): Finding {
  const sorted = [...durations].sort((a, b) => a - b)
  const median = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
  const words = `${median} ms, median of ${sorted.length} reads (${Math.round(sorted[0] ?? 0)} to ${Math.round(sorted.at(-1) ?? 0)} ms)`
  const facts = {medianMs: median, readsMs: durations.map(Math.round)}
  return median < SLOW_MS
    ? fine(words, {facts})
    : doubtful(words, 'Raise --timeout, and ask the service why it is slow.', {facts})
}

const LIMIT = /^(?:x-)?rate-?limit(?:-(?:limit|remaining|reset|policy))?(?:-[a-z]+)?$/

/** The rate limits that the service states, else those of the profile. */
export function quotaFinding(
  {status, headers}: Seen,
  {perSecond, perMinute, share}: {perSecond: number; perMinute: number; share: number},
): Finding {
  const said = Object.fromEntries(
    Object.entries(headers).filter(([name]) => LIMIT.test(name) || name === 'retry-after'),
  )
  const ours = `profile: ${perSecond}/s, ${perMinute}/min, ${Math.round(share * 100)}% of it for bulk runs`
  const facts = {service: said, perSecond, perMinute, share}
  if (status === 429) {
    const seconds = /^\d+$/.exec(headers['retry-after'] ?? '')?.[0]
    const wait = seconds === undefined ? 'a minute' : duration(Number(seconds) * 1000)
    return doubtful(`used up (429); ${ours}`, `Wait ${wait}, or lower the rate of the profile.`, {facts})
  }
  const words = Object.entries(said).map(([name, value]) => `${name} ${value}`)
  if (words.length === 0) return fine(`${ours}; the service says nothing`, {facts})
  const isLow = Object.entries(said).some(
    ([name, value]) => name.includes('remaining') && Number.parseInt(value, 10) === 0,
  )
  const message = `${words.join(', ')}; ${ours}`
  return isLow ? doubtful(message, 'Wait until it is reset.', {facts}) : fine(message, {facts})
}
