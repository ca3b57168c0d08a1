/** The rate is that of the last ten seconds, the series that of the last minute. */
const RATE_OVER_MS = 10_000
const SAMPLE_MS = 100
const SERIES_SECONDS = 60

export interface RateMeter {
  add(at: number, done: number): void
  /** Undefined in the first second, when it would jump. */
  perSecond(): number | undefined
  /** What was done in each whole second of the last minute, the oldest first. */
  series(): readonly number[]
}

/** Measures how fast a count grows. @param started ms since 1970 */
export function rateMeter(started: number): RateMeter {
  let samples: {at: number; done: number}[] = []
  /** The count at the end of each second. The last one is that of the second that has begun. */
  let totals: number[] = []
  let second = 0

  function addToSeries(at: number, done: number): void {
    const now = Math.max(second, Math.floor((at - started) / 1000))
    const before = totals.at(-1) ?? done
    if (totals.length === 0) totals.push(done)
    else if (now - second > SERIES_SECONDS) totals = [before]
    for (let passed = Math.max(second, now - SERIES_SECONDS); passed < now; passed++) totals.push(before)
    totals[totals.length - 1] = done
    if (totals.length > SERIES_SECONDS + 2) totals = totals.slice(-SERIES_SECONDS - 2)
    second = now
  }

  return {
    add(at, done) {
      addToSeries(at, done)
      const latest = samples.at(-1)
      // A sample every tenth of a second is enough, and keeps the list short at any speed.
      if (latest !== undefined && at - latest.at < SAMPLE_MS) latest.done = done
      else samples = [...samples.filter(sample => at - sample.at <= RATE_OVER_MS), {at, done}]
    },
    perSecond() {
      const [first] = samples
      const latest = samples.at(-1)
      if (first === undefined || latest === undefined || latest.at - started < 1000) return undefined
      return latest.at === first.at ? undefined : ((latest.done - first.done) * 1000) / (latest.at - first.at)
    },
    series: () => totals.slice(1, -1).map((total, at) => Math.max(0, total - (totals[at] ?? total))),
  }
}
