import type {Context} from '../../../cli/context.ts'
import {sumByCurrency} from '../../../money/sum-by-currency.ts'
import type {Transfer} from './read-transfers.ts'

const AGREES = /^--confirm-(?:count|total)(=|$)/

/**
 * The words of a command line that agree to these transfers, in place of the count and the totals that they have. Without
 * a terminal, a line for a live service needs them.
 */
export function agreedLine(
  {interactive, service}: Pick<Context, 'interactive' | 'service'>,
  words: readonly string[],
  agreed: readonly Transfer[],
): readonly string[] {
  const isNeeded = !interactive && service.known?.profile.kind === 'live'
  const given = words.findIndex(word => AGREES.test(word))
  if (given === -1 && !isNeeded) return words
  const first = given === -1 ? words.length : given
  const isValue = (at: number): boolean => AGREES.exec(words[at - 1] ?? '')?.[1] === ''
  const others = words.filter((word, at) => !AGREES.test(word) && !isValue(at))
  const totals = sumByCurrency(agreed).flatMap(({currency, text}) => [
    '--confirm-total',
    `${currency}:${text}`,
  ])
  return others.toSpliced(first, 0, '--confirm-count', String(agreed.length), ...totals)
}
