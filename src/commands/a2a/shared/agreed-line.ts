import {sumByCurrency} from '../../../money/sum-by-currency.ts'
import type {Transfer} from './read-transfers.ts'

const AGREES = /^--confirm-(?:count|total)(=|$)/

/**
 * The words of a command line that agree to what is left, in place of the count and the totals that they have. A line of
 * which nobody knows yet what is left agrees to nothing.
 */
export function agreedLine(
  words: readonly string[],
  left: readonly Transfer[] | undefined,
): readonly string[] {
  const first = words.findIndex(word => AGREES.test(word))
  if (first === -1) return words
  const isValue = (at: number): boolean => AGREES.exec(words[at - 1] ?? '')?.[1] === ''
  const others = words.filter((word, at) => !AGREES.test(word) && !isValue(at))
  if (left === undefined) return others
  const totals = sumByCurrency(left).flatMap(({currency, text}) => ['--confirm-total', `${currency}:${text}`])
  return others.toSpliced(first, 0, '--confirm-count', String(left.length), ...totals)
}
