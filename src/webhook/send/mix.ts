export interface Share {
  readonly name: string
  /** A whole number above zero. */
  readonly weight: number
}

/**
 * Names in turn, each as often as its weight and as evenly as can be: the same order in every run, so that two runs
 * compare.
 */
export function* inTurn(mix: readonly Share[]): Generator<string, never> {
  const total = mix.reduce((sum, {weight}) => sum + weight, 0)
  const credits = mix.map(share => ({share, credit: 0}))
  for (;;) {
    for (const each of credits) each.credit += each.share.weight
    const richest = credits.reduce((best, each) => (each.credit > best.credit ? each : best))
    richest.credit -= total
    yield richest.share.name
  }
}
