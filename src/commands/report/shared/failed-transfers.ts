import {count, counted} from '../../../money/amount.ts'
import {againWords} from '../../a2a/shared/sent-again.ts'
import {batchEnd, type FailedTransfer, type ShiftReport, withFailedTransfers} from './shift-types.ts'

/** A failed transfer of a shift, with the batch that it is in. */
export interface FailedLine extends FailedTransfer {
  readonly batch: string
  /** Where those of its batch were sent again. */
  readonly again: string
}

export const FAILED_TRANSFERS = 'Failed transfers'

/** More would be a list of their own. */
const MOST_FAILED = 5

/** The failed transfers that are named, those of batches of which none was sent again first. */
export function failedLines({entries}: Pick<ShiftReport, 'entries'>): readonly FailedLine[] {
  const lines = withFailedTransfers(entries).flatMap(entry =>
    (entry.failedTransfers ?? []).map(one => ({
      ...one,
      batch: entry.replyId ?? '',
      again: againWords(entry),
    })),
  )
  const isLeft = ({again}: FailedLine): boolean => again === ''
  return [...lines.filter(isLeft), ...lines.filter(one => !isLeft(one))].slice(0, MOST_FAILED)
}

/** "And 2 more transfers of 7." Undefined if all are named. */
export function moreFailed({entries}: Pick<ShiftReport, 'entries'>): string | undefined {
  const batches = withFailedTransfers(entries)
  const all = batches.reduce((sum, entry) => sum + (batchEnd(entry)?.failed ?? 0), 0)
  const shown = failedLines({entries}).length
  if (shown === 0) return undefined
  return all > shown
    ? `And ${counted(all - shown, 'more transfer')} of ${count(all)}. What was done has the sums of each batch; report batch ID names all its transfers.`
    : undefined
}

/** What is read of each batch is enough for the lines above. */
export const keptOfBatch = <T>(failed: readonly T[]): readonly T[] => failed.slice(0, MOST_FAILED)
