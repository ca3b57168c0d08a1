import {hasEnded} from '../../../cli/batch-ends.ts'
import type {Context} from '../../../cli/context.ts'
import {nameNext} from '../../../cli/next-step.ts'
import {isPathId} from '../../../contract/resource.ts'
import {numberAt, textAt} from '../../../output/fields.ts'

/** What comes next for several batches that were just made: the first that has not ended. */
export function nameNextOfBatches(context: Context, batches: readonly unknown[]): void {
  const open = batches.filter(batch => !hasEnded(batch))
  const first = open.find(batch => isPathId(textAt(batch, 'id')))
  if (first === undefined) nameNext(context, 'shows how each ended', 'a2a', 'list')
  else nameNext(context, 'follows the first one to its end', 'a2a', 'watch', {value: textAt(first, 'id')})
}

/** What comes next for a batch that was shown: wait for it, or see what failed. */
export function nameNextOfBatch(context: Context, batch: unknown): void {
  const [id, status] = [textAt(batch, 'id'), textAt(batch, 'status')]
  if (!isPathId(id) || status === '') return
  if (!hasEnded(batch)) nameNext(context, 'follows it to its end', 'a2a', 'watch', {value: id})
  else if (status !== 'COMPLETED' || (numberAt(batch, 'failedTransferItems') ?? 0) > 0)
    nameNext(context, 'writes the failed transfers to a file', 'a2a', 'get', {value: id}, '--failed-to', {
      value: `failed-${id}.csv`,
    })
}
