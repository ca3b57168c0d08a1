import type {Context} from '../../../cli/context.ts'
import {freeSpace} from '../../../cli/free-space.ts'
import {type Advice, advice, type Hint, joinAdvice} from '../../../errors/advice.ts'
import type {Failure} from '../../../errors/failure.ts'
import {errorRegistry} from '../../../errors/registry.ts'
import type {Part} from './parts.ts'
import type {Transfer} from './read-transfers.ts'
import {fateWords, type PartFate} from './split-words.ts'

/** "Propose what is left": how the batches after one that failed are sent, which itself may have had its effect or not. */
export type WayOn = (failed: {
  readonly part: Part
  readonly failure: Failure
  /** Nothing was sent by this command. */
  readonly isUnsent: boolean
  /** Its rows may have to be corrected, as the service says. */
  readonly isRefused: boolean
  /** What is left to send, if that is known. */
  readonly left: readonly Transfer[] | undefined
}) => Hint

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
  const isRefused = hadNoEffect && code === 'REFUSED'
  const later = left.slice(left.indexOf(part) + 1)
  const own: readonly PartFate[] =
    effect === 'unknown'
      ? [{part, fate: 'unknown'}]
      : hadNoEffect
        ? [{part, fate: isRefused ? 'refused' : 'unsent'}]
        : []
  const fates: readonly PartFate[] = [
    ...accepted.map(one => ({...one, fate: 'accepted' as const})),
    ...own,
    ...later.map(one => ({part: one, fate: 'unsent' as const})),
  ]
  const words = [
    `Batch ${part.number} of ${part.of}: ${message.replace(/\.?$/, '.')}`,
    ...fateWords(fates),
    'Nothing was sent after it.',
  ]
  const isKnown = effect === 'none' || effect === 'done'
  const rest = isKnown ? (hadNoEffect ? [part, ...later] : later).flatMap(one => one.transfers) : undefined
  const settled = wayOn({
    part,
    failure,
    isUnsent: hadNoEffect && accepted.length === 0,
    isRefused,
    left: rest,
  })
  const parts = [...firstOf(context, failure, isRefused), ...lookUp(context), advice`${settled}`]
  return failure.with({
    message: words.join(' '),
    hint: joinAdvice(
      parts.filter(one => one.toString() !== ''),
      ' ',
    ),
    effect,
    saysEffect: true,
  })
}

/** What to do before the rest is sent. How rows are corrected is part of the way on: their batch is not sent by itself. */
function firstOf(context: Pick<Context, 'folders'>, failure: Failure, isRefused: boolean): readonly Advice[] {
  if (failure.code === 'DISK_FULL') return [advice`${freeSpace(context)}`]
  if (isRefused && failure.hint === errorRegistry.REFUSED.hint) return []
  const text = failure.advice
  return [text.toString().endsWith('.') ? text : advice`${text}.`]
}

/** Where to look up what the command knows, but could not record. */
function lookUp({commandLine, effects}: Pick<Context, 'commandLine' | 'effects'>): readonly Advice[] {
  return effects.unrecorded.map(
    ({id}) =>
      advice`The outcome of request ${id} is not recorded, so look it up: ${commandLine('requests', 'resolve', {value: id})}.`,
  )
}
