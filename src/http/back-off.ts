import type {RetryReason} from './verdict.ts'

/** Attempts of one request in all. Waiting for an earlier attempt of our own (409) ends only with the deadline. */
export const MAX_ATTEMPTS = 5

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
