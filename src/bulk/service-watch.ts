/** Failures that say more about the service or the line than about the row. */
const DOWN = new Set([
  'CONNECTION_FAILED',
  'EFFECT_UNKNOWN',
  'RATE_LIMITED',
  'SERVICE_FAULT',
  'TIMED_OUT',
  'TLS_FAILED',
])
const WINDOW = 20
const DOWN_AT = 16

/** Tells whether the service is plainly down: 16 of the last 20 rows failed for no fault of theirs. */
export function serviceWatch(): {isDown(code: string | undefined): boolean} {
  const last: boolean[] = []
  return {
    isDown(code) {
      last.push(code !== undefined && DOWN.has(code))
      if (last.length > WINDOW) last.shift()
      return last.filter(Boolean).length >= DOWN_AT
    },
  }
}
