import type {Context} from '../../../cli/context.ts'
import {freeSpace} from '../../../cli/free-space.ts'
import {type Advice, advice, type Hint, joinAdvice} from '../../../errors/advice.ts'
import type {Failure} from '../../../errors/failure.ts'
import {amount, counted} from '../../../money/amount.ts'
import {sumByCurrency} from '../../../money/sum-by-currency.ts'
import type {Part} from './parts.ts'
import type {Transfer} from './read-transfers.ts'

/** "Propose what is left": how the batches after one that failed are sent, which itself may have had its effect or not. */
export type WayOn = (failed: {
  readonly isFirst: boolean
  readonly hadNoEffect: boolean
  /** What is left to send, if that is known. */
  readonly left: readonly Transfer[] | undefined
}) => Hint

/** How many batches are named. */
const MOST_NAMED = 3

/** A batch that the service took. */
export interface AcceptedPart {
  readonly part: Part
  /** Its id at the service; may be empty. */
  readonly batch: string
}

/** What there was to send, and what the service took of it. */
interface Split {
  readonly left: readonly Part[]
  readonly accepted: readonly AcceptedPart[]
}

/** The failure of one of several batches: which were accepted, which were not sent, and how to go on. */
export function splitFailure(
  context: Pick<Context, 'commandLine' | 'effects' | 'folders'>,
  failure: Failure,
  part: Part,
  {left, accepted}: Split,
  wayOn: WayOn,
): Failure {
  const {details, code, message} = failure
  // What has no request was not sent.
  const effect = details.effect ?? (details.requestId === undefined ? 'none' : undefined)
  const hadNoEffect = effect === 'none'
  const later = left.slice(left.indexOf(part) + 1)
  const unsent = hadNoEffect ? [part, ...later] : later
  const words = [
    `Batch ${part.number} of ${part.of}: ${message.replace(/\.?$/, '.')}`,
    ...acceptedWords(accepted),
    ...(effect === 'unknown' ? [`The effect of batch ${part.number} is unknown: ${sumsOf([part])}.`] : []),
    ...(unsent.length === 0 ? [] : [`Not sent: ${sumsOf(unsent)}.`]),
    'Nothing was sent after it.',
  ]
  const first = code === 'DISK_FULL' ? freeSpace(context) : asSentence(failure.advice)
  const isKnown = effect === 'none' || effect === 'done'
  const rest = isKnown ? unsent.flatMap(one => one.transfers) : undefined
  const settled = wayOn({isFirst: part.number === 1, hadNoEffect, left: rest})
  return failure.with({
    message: words.join(' '),
    hint: joinAdvice([advice`${first}`, ...lookUp(context), advice`${settled}`], ' '),
    effect,
    saysEffect: true,
  })
}

const asSentence = (text: Advice): Advice => (text.toString().endsWith('.') ? text : advice`${text}.`)

/** Each with its id, or only the sum if they are many. The ids are in the result of the command. */
function acceptedWords(accepted: readonly AcceptedPart[]): readonly string[] {
  if (accepted.length > MOST_NAMED)
    return [`${accepted.length} batches before it were accepted: ${sumsOf(accepted.map(({part}) => part))}.`]
  return accepted.map(
    ({part, batch}) =>
      `Batch ${part.number} was accepted${batch === '' ? '' : ` as ${batch}`}: ${sumsOf([part])}.`,
  )
}

/** Where to look up what the command knows, but could not record. */
function lookUp({commandLine, effects}: Pick<Context, 'commandLine' | 'effects'>): readonly Advice[] {
  return effects.unrecorded.map(
    ({id}) =>
      advice`The outcome of request ${id} is not recorded, so look it up: ${commandLine('requests', 'resolve', {value: id})}.`,
  )
}

/** "4 transfers, EUR 18.00" */
function sumsOf(parts: readonly Part[]): string {
  const transfers = parts.flatMap(part => part.transfers)
  const sums = sumByCurrency(transfers).map(({text, currency}) => amount(text, currency))
  return [counted(transfers.length, 'transfer'), ...sums].join(', ')
}
