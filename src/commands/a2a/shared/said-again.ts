import {hasEnded} from '../../../cli/batch-ends.ts'
import {type BatchMarks, marksIn} from '../../../output/batch-marks.ts'
import {numberAt, textAt} from '../../../output/fields.ts'
import {ACCEPTED} from '../../../output/outcome.ts'
import {isSameId} from './replaced-rows.ts'
import type {SentAgain} from './sent-again.ts'

type SaidMarks = Pick<BatchMarks, 'reference' | 'restOf' | 'retries' | 'fixes'>

/** A batch, and what its description says of others, on whichever machine it was sent. */
export interface SaidBatch extends SaidMarks {
  readonly batch: string
  /** Its transfers that have not failed. */
  readonly transfers: number
  readonly ended: string
}

/** A batch as the service lists it. */
export const saidByBatch = (batch: unknown): SaidBatch => ({
  ...marksIn(textAt(batch, 'description')),
  batch: textAt(batch, 'id'),
  transfers: (numberAt(batch, 'transferItemCount') ?? 0) - (numberAt(batch, 'failedTransferItems') ?? 0),
  ended: hasEnded(batch) ? 'done' : ACCEPTED,
})

/** How many failed transfers of a batch these marks say that `transfers` of another one are, as they were or corrected. */
export function replacedOf(
  batch: string,
  {retries = '', fixes}: Pick<SaidMarks, 'retries' | 'fixes'>,
  transfers: number,
): number {
  if (isSameId(retries, batch)) return transfers
  const named = fixes
    .filter(fix => isSameId(fix.batch, batch))
    .reduce((all, {items}) => all + (items?.length ?? transfers), 0)
  return Math.min(named, transfers)
}

/** Where failed transfers of a batch were sent again, by what other batches say, besides what is known. */
export const saidAgain = (
  batch: string,
  said: readonly SaidBatch[],
  known: readonly SentAgain[],
): readonly SentAgain[] =>
  said.flatMap(one => {
    const transfers = replacedOf(batch, one, one.transfers)
    const isKnown = known.some(again => again.batch === one.batch)
    return transfers === 0 || isKnown ? [] : [{batch: one.batch, transfers, ended: one.ended}]
  })
