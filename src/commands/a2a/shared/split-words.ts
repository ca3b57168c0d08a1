import {amount, counted} from '../../../money/amount.ts'
import {sumByCurrency} from '../../../money/sum-by-currency.ts'
import type {Part} from './parts.ts'
import type {Transfer} from './read-transfers.ts'

/** What became of a batch of a split. */
export interface PartFate {
  readonly part: Part
  readonly fate: 'accepted' | 'unknown' | 'refused' | 'unsent'
  /** Its id at the service; may be empty. */
  readonly batch?: string | undefined
  /** The request that may have sent it, for who has to find that out. */
  readonly request?: string | undefined
}

/** How many accepted batches are named. */
const MOST_NAMED = 3

/** Of each batch of a split whether it was sent, with its transfers and their sums. The ids of many are in the journal. */
export function fateWords(fates: readonly PartFate[]): readonly string[] {
  const of = (wanted: PartFate['fate']): readonly PartFate[] => fates.filter(({fate}) => fate === wanted)
  const accepted = of('accepted')
  const unsent = of('unsent').map(({part}) => part)
  return [
    ...(accepted.length > MOST_NAMED
      ? [`${capitalised(numbersOf(accepted))} were accepted: ${sumsOf(accepted.map(({part}) => part))}.`]
      : accepted.map(
          ({part, batch = ''}) =>
            `Batch ${part.number} was accepted${batch === '' ? '' : ` as ${batch}`}: ${sumsOf([part])}.`,
        )),
    ...of('unknown').map(
      ({part, request}) =>
        `The effect of batch ${part.number} is unknown${request === undefined ? '' : ` (request ${request})`}: ${sumsOf([part])}.`,
    ),
    ...of('refused').map(({part}) => `Batch ${part.number} was refused: ${sumsOf([part])}.`),
    ...(unsent.length === 0 ? [] : [`Not sent: ${sumsOf(unsent)} (${numbersOf(of('unsent'))}).`]),
  ]
}

/** "batch 3", "batches 3 and 4", "batches 1 to 5", "batches 1, 3 and 7" */
function numbersOf(fates: readonly PartFate[]): string {
  const numbers = fates.map(({part}) => part.number)
  const [first = 0, ...others] = numbers
  const last = others.at(-1)
  if (last === undefined) return `batch ${first}`
  if (numbers.length > 2 && last - first === others.length) return `batches ${first} to ${last}`
  return `batches ${numbers.slice(0, -1).join(', ')} and ${last}`
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const sumsOf = (parts: readonly Part[]): string => sumsOfTransfers(parts.flatMap(part => part.transfers))

/** "4 transfers, EUR 18.00" */
export function sumsOfTransfers(transfers: readonly Transfer[]): string {
  const sums = sumByCurrency(transfers).map(({text, currency}) => amount(text, currency))
  return [counted(transfers.length, 'transfer'), ...sums].join(', ')
}
