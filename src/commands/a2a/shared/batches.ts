import {hasEnded} from '../../../cli/batch-ends.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {stoppable} from '../../../cli/waiting.ts'
import type {ResponseTo} from '../../../contract/types.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {listAt, textAt} from '../../../output/fields.ts'
import {type BoardContent, dim} from '../../../output/index.ts'
import {failedViewWith} from './batch-views.ts'
import {failedAdvice} from './failed-advice.ts'
import {writeFailedTransfers} from './failed-transfers.ts'
import {batchesWords, followCommand} from './next-step.ts'
import {textsOfBatch} from './sent-texts.ts'
import {wholeBatch} from './whole-batch.ts'

/** How long to follow a batch by default, in milliseconds. */
export const FOLLOW_WITHIN = 600_000

/** A batch that has ended: with its transfers, and the failure to report, if some of them failed. */
export interface EndedBatch {
  readonly batch: ResponseTo<'a2a.status.v1' | 'a2a.get.v1'>
  readonly failure?: Failure
}

interface FollowOneOptions {
  readonly within?: number | undefined
  readonly failedTo?: string | undefined
  /** It and those that are to be followed after it. */
  readonly left?: readonly string[]
  /** Those that a command has to follow if this one breaks off: also those that were left before. */
  readonly named?: readonly string[]
  readonly seen?: ((batch: ResponseTo<'a2a.status.v1'>) => void) | undefined
}

/**
 * Follows a batch to its end, with progress and a table of the failed items on stderr.
 *
 * @throws Failure ITEMS_IN_PROGRESS if the time is over first.
 */
export async function followBatch(
  context: Context,
  client: Client,
  id: string,
  {within = FOLLOW_WITHIN, failedTo, left = [id], named = left, seen}: FollowOneOptions = {},
): Promise<EndedBatch> {
  const next = followCommand(context, named)
  const it = named.length === 1 ? 'it' : 'them'
  const stopped = {
    message: `Stopped waiting for ${batchesWords(left)}; the service continues with ${left.length === 1 ? 'it' : 'them'}.`,
    hint: advice`Follow ${it} with: ${next}`,
    next,
  }
  const batch = await stoppable(context.surroundings, stopped, () =>
    untilEnded(context, client, id, {within, seen}),
  )
  const [state, count] = [textAt(batch, 'status'), textAt(batch, 'transferItemCount')]
  context.printer.note(`Batch ${id} ${state}: ${bookedOf(batch, count)}`)
  if (state === 'COMPLETED' && countAt(batch, 'failedTransferItems') === 0) return {batch}
  const whole = await stoppable(context.surroundings, stopped, () => wholeBatch(client, id))
  const items = listAt(whole, 'transfers.items')
  const failed = items.filter(item => textAt(item, 'status') === 'FAILED')
  if (failed.length > 0)
    await context.printer.noteView(failed, failedViewWith(await textsOfBatch(context, whole)))
  if (failedTo !== undefined) {
    await writeFailedTransfers(context, client, failedTo, whole)
  }
  const failure = new Failure('PARTLY_DONE', {
    message: `${failed.length} of the ${count || items.length} transfers of batch ${id} failed.`,
    hint: await failedAdvice(context, whole, failed),
    effect: 'done',
    saysEffect: true,
    data: {batch, failed},
  })
  return {batch: whole, failure}
}

/** Some services don't count what they have booked: their state says it. */
function bookedOf(batch: unknown, count: string): string {
  const all = count || 'an unknown number'
  const booked = textAt(batch, 'successfulTransferItems')
  if (booked !== '') return `${countAt(batch, 'successfulTransferItems')} of ${all} booked`
  return `${all} ${count === '1' ? 'transfer' : 'transfers'}; the service does not count how many it has booked`
}

/** Services write counts as numbers or as text; anything else counts as 0. */
const countAt = (batch: unknown, name: string): number => Number(textAt(batch, name)) || 0

function batchBoard(
  id: string,
  state: string,
  {done, total, failed}: {done: number; total: number | undefined; failed: number},
): BoardContent {
  return {
    title: [`Batch ${id}  `, dim(state)],
    counts: [
      {name: 'Booked', count: done - failed, style: 'ok'},
      {name: 'Failed', count: failed, style: 'bad'},
      ...(total === undefined
        ? []
        : [{name: 'Left', count: Math.max(0, total - done), style: 'dim'} as const]),
    ],
  }
}

async function untilEnded(
  context: Context,
  client: Client,
  id: string,
  {within, seen}: {readonly within: number; readonly seen: FollowOneOptions['seen']},
): Promise<ResponseTo<'a2a.status.v1'>> {
  const {now, sleep, signal} = context.surroundings
  const deadline = now() + within
  const progress = await context.printer.progress('transfers')
  let waited: {readonly state: string; end(): void} | undefined
  try {
    for (let pause = 200; ; pause = Math.min(pause * 1.5, 5000)) {
      const batch = await client.call({operation: 'a2a.status.v1', path: {id}})
      seen?.(batch)
      const state = textAt(batch, 'status')
      const failed = countAt(batch, 'failedTransferItems')
      const done = countAt(batch, 'successfulTransferItems') + failed
      const total = countAt(batch, 'transferItemCount') || undefined
      progress.update({done, total, failed, board: () => batchBoard(id, state, {done, total, failed})})
      if (hasEnded(batch)) return batch
      if (now() + pause > deadline) {
        throw new Failure('ITEMS_IN_PROGRESS', {
          message: `Batch ${id} is still ${state || 'in an unknown state'}; the time to wait for it is over.`,
          hint: advice`Follow it with: ${context.commandLine('a2a', 'watch', {value: id})}`,
        })
      }
      if (waited?.state !== state) {
        waited?.end()
        const why = `batch ${id} is ${state || 'in an unknown state'} at the service`
        waited = {
          state,
          end: context.printer.waiting({for: 'batch', why, until: deadline, facts: {batch: id}}),
        }
      }
      await sleep(pause, signal)
    }
  } finally {
    waited?.end()
    progress.stop()
  }
}
