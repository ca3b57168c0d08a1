import {hasEnded} from '../../../cli/batch-ends.ts'
import type {Context} from '../../../cli/context.ts'
import {nameNext} from '../../../cli/next-step.ts'
import {isPathId} from '../../../contract/resource.ts'
import type {SuggestedCommand, Word} from '../../../errors/suggested-command.ts'
import {numberAt, textAt} from '../../../output/fields.ts'

/** What comes next for several batches that were just made: all that have not ended. */
export function nameNextOfBatches(context: Context, batches: readonly unknown[]): void {
  const open = batches.filter(batch => !hasEnded(batch)).map(batch => textAt(batch, 'id'))
  const why = isFollowed(open) ? 'follows them to their ends' : 'shows how each ended'
  nameNext(context, why, ...followWords(open))
}

/** What follows batches to their ends, or, where no one line can, shows how each ended. */
export const followCommand = (
  {commandLine}: Pick<Context, 'commandLine'>,
  ids: readonly string[],
): SuggestedCommand => commandLine(...followWords(ids))

const followWords = (ids: readonly string[]): readonly Word[] =>
  isFollowed(ids) ? ['a2a', 'watch', ...ids.map(value => ({value}))] : ['a2a', 'list', '--all']

/** A command that follows only some of them would end well without the others. */
const isFollowed = (ids: readonly string[]): boolean =>
  ids.length === 1 || (ids.length > 0 && ids.length <= MOST_IN_LINE && ids.every(isPathId))

/** The batches that one line names. */
const MOST_IN_LINE = 100

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

/** "Batches 88001, 88002 and 88003" */
export function batchesWords(ids: readonly string[]): string {
  const named = ids.slice(0, MOST_NAMED)
  const more = ids.length - named.length
  const last = more > 0 ? `${more} more` : named.pop()
  return named.length === 0 ? `batch ${last}` : `batches ${named.join(', ')} and ${last}`
}

const MOST_NAMED = 5
