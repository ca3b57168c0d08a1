import type {Limit} from './limits.ts'
import type {Measured} from './suite.ts'

export interface Verdict {
  readonly suite: string
  readonly figure: string
  readonly limit: Limit
  /** Null if it could not be measured. */
  readonly value: number | null
  readonly outcome: 'reached' | 'wanted' | 'past the limit' | 'skipped' | 'not measured'
}

/** Compares the figures of a benchmark with its limits. */
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

/** Whether the run fails. A limit whose figure doesn't exist has a wrong name, so it also fails. */
export function isFailure({outcome}: Verdict): boolean {
  return outcome === 'past the limit' || outcome === 'not measured'
}

function outcomeOf(value: number | null | undefined, limit: Limit): Verdict['outcome'] {
  if (value === null) return 'skipped'
  if (value === undefined) return 'not measured'
  // Not "value > most": NaN must not pass.
  const isWithin = (bound: number) => ('most' in limit ? value <= bound : value >= bound)
  if (!isWithin('most' in limit ? limit.most : limit.least)) return 'past the limit'
  return isWithin(limit.wanted) ? 'reached' : 'wanted'
}
