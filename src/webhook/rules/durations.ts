const UNITS: Readonly<Record<string, number>> = {ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000}

/** Milliseconds of `300ms`, `1.5s`, `10m`, `24h`, `7d`, whose form the schema has seen to. */
export function durationOf(text: string): number {
  const [, count = '0', unit = 'ms'] = /^([\d.]+)(ms|s|m|h|d)$/.exec(text) ?? []
  return Math.round(Number(count) * (UNITS[unit] ?? 1))
}
