/** At most `count` requests in any span of `windowMs`. */
export interface RateWindow {
  readonly count: number
  readonly windowMs: number
}

const WINDOWS: Readonly<Record<string, number>> = {s: 1000, min: 60_000, m: 60_000, h: 3_600_000}

/** "50/s", "12.5/min"; undefined for other text. */
export function readRateWindow(text: string): RateWindow | undefined {
  const [, count, unit = ''] = /^(\d{1,7}(?:\.\d{1,7})?)\/(s|min|m|h)$/.exec(text.trim()) ?? []
  const windowMs = WINDOWS[unit]
  return windowMs === undefined ? undefined : {count: Number(count), windowMs}
}
