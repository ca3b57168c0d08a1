import type {Limit} from './limits.ts'
import type {Measured} from './suite.ts'

export interface Verdict {
  readonly suite: string
  readonly figure: string
  readonly limit: Limit
  /** Null if it couldn't be measured. */
  readonly value: number | null
  readonly outcome: 'reached' | 'wanted' | 'past the limit' | 'skipped' | 'not measured'
}

/** Compares what was measured with the limits of that benchmark. */
export function judge(
  suite: string,
  limits: Readonly<Record<string, Limit>>,
  figures: Measured['figures'],
): Verdict[] {
  return Object.entries(limits).map(([figure, limit]) => {
    const value = figures[figure]
    return {suite, figure, limit, value: value ?? null, outcome: outcomeOf(value, limit)}
  })
}

/** What makes the run fail. A figure that no benchmark gives is a mistake in the names, so it fails too. */
export function isFailure({outcome}: Verdict): boolean {
  return outcome === 'past the limit' || outcome === 'not measured'
}

function outcomeOf(value: number | null | undefined, limit: Limit): Verdict['outcome'] {
  if (value === null) return 'skipped'
  if (value === undefined) return 'not measured'
  // Not "value > most": a value that is no number must not pass.
  const isWithin = (bound: number) => ('most' in limit ? value <= bound : value >= bound)
  if (!isWithin('most' in limit ? limit.most : limit.least)) return 'past the limit'
  return isWithin(limit.wanted) ? 'reached' : 'wanted'
}
