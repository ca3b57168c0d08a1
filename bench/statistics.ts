/** The median; for an even number of values, the mean of the middle two. @throws for no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  if (low === undefined || high === undefined) throw new Error('There is no median of no values.')
  return (low + high) / 2
}

/**
 * The median of the ratios of two measurements from the same round. Other work on the machine affects both of a pair,
 * so this is steadier than the ratio of two medians.
 *
 * @throws if the rounds differ in number
 */
export function pairedRatio(values: readonly number[], bases: readonly number[]): number {
  if (values.length !== bases.length) {
    throw new Error(`${values.length} rounds can't be compared with ${bases.length}.`)
  }
  return median(values.map((value, round) => value / (bases[round] ?? Number.NaN)))
}

/** The value at this share of the sorted values: 0.99 is the 99th percentile. @param part from 0 to 1 */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
}
