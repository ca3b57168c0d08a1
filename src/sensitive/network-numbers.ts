/** A range of first four digits, and the lengths of the card numbers that begin with them. */
type Range = readonly [from: number, to: number, lengths: readonly number[]]

const SIXTEEN_UP = [16, 17, 18, 19]

/**
 * The ranges of issuer identification numbers (ISO/IEC 7812-1) in which card networks issue. Numbers outside of them,
 * such as references of payments, timestamps and counters, belong to no card.
 */
const RANGES: readonly Range[] = [
  [2200, 2204, SIXTEEN_UP],
  [2221, 2720, [16]],
  [3000, 3059, [14, 16]],
  [3095, 3095, [14, 16]],
  [3400, 3499, [15]],
  [3528, 3589, SIXTEEN_UP],
  [3600, 3699, [14, 16]],
  [3700, 3799, [15]],
  [3800, 3999, [14, 16]],
  [4000, 4999, [13, 16, 19]],
  [5000, 5099, SIXTEEN_UP],
  [5100, 5599, [16]],
  [5600, 5899, SIXTEEN_UP],
  [6000, 6099, SIXTEEN_UP],
  [6200, 6399, SIXTEEN_UP],
  [6440, 6599, SIXTEEN_UP],
  [6700, 6799, SIXTEEN_UP],
  [8100, 8299, SIXTEEN_UP],
  [8600, 8600, [16]],
  [9792, 9792, [16]],
  [9860, 9860, [16]],
]

const NONE: readonly number[] = []
const byBeginning = new Map<number, readonly number[]>()
for (const [from, to, lengths] of RANGES) {
  for (let beginning = from; beginning <= to; beginning++) byBeginning.set(beginning, lengths)
}

/** The lengths of card numbers with these first four digits; empty if no network issues any. */
export function networkLengths(digits: Uint8Array, at: number): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0] = [digits[at], digits[at + 1], digits[at + 2], digits[at + 3]]
  return byBeginning.get(a * 1000 + b * 100 + c * 10 + d) ?? NONE
}
