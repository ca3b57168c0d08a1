/** What a person would still wait for is decided by the deadline; this only keeps the arithmetic sane. */
const LONGEST_MS = 24 * 60 * 60 * 1000

/**
 * How long an answer asks to wait, in milliseconds, or undefined if it doesn't say (RFC 9110, 10.2.3: seconds or an
 * HTTP date). A date is measured against the answer's own `date`, so that a wrong clock here does no harm.
 */
export function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const value = headers['retry-after']?.trim()
  if (value === undefined || value === '') return undefined
  const asked = /^\d+(?:\.\d+)?$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - (parsed(headers.date) ?? now)
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(asked, 0), LONGEST_MS)
}

function parsed(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) ? undefined : time
}
