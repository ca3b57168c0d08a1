const UNITS = {ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000}

/** Parses "250ms", "30s", "1.5m", "24h", "7d" to milliseconds; undefined for other text. */
export function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  const ms = Math.round(Number(count) * UNITS[unit as keyof typeof UNITS])
  return Number.isSafeInteger(ms) ? ms : undefined
}
