import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {counted} from '../../../money/amount.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {joined, listAt, numberAt, textAt} from '../../../output/fields.ts'
import {requestState} from '../../../output/outcome.ts'
import {digestsIn, hadEffect, retryJobOf} from './parts.ts'
import {descriptionOf} from './refuse-replaced.ts'
import {replacedOf} from './said-again.ts'

/** Where failed transfers of a batch were sent once more. */
export interface SentAgain {
  /** Undefined if its outcome is not known. */
  readonly batch: string | undefined
  /** How many of them. */
  readonly transfers: number
  /** How that ended, in words: done, accepted, 1 of 2 failed. */
  readonly ended: string
}

/** A batch of which transfers failed. */
export interface FailedBatch {
  readonly batch: string
  /** How many failed. */
  readonly failed: number
  /** Digests of these, or of all of its transfers. */
  readonly digests: readonly string[]
  /** The request that made it, if the journal has it. */
  readonly request: RequestRecord | undefined
}

/**
 * Where this machine has sent the failed transfers of a batch again, by `--retry-failed`, from a file of them, corrected
 * or not, or in another set, oldest first.
 */
export function sentAgain(
  journal: Journal,
  {batch, failed, digests, request}: FailedBatch,
): readonly SentAgain[] {
  let left = failed
  const open = Map.groupBy(digests, digest => digest)
  const retryJob = retryJobOf(journal, batch)
  const found: SentAgain[] = []
  for (const one of journal.requests.list({operation: 'a2a.create.v1'}).reverse()) {
    if (one.id === request?.id || one.begunAt < (request?.begunAt ?? 0) || !hadEffect(one)) continue
    if (left === 0 || one.replyId === batch) continue
    const items = digestsIn(journal.requests.itemsOf(one.id))
    const same = one.job === retryJob ? items : items.filter(digest => open.get(digest)?.pop())
    const named =
      same.length === items.length ? 0 : replacedOf(batch, marksIn(descriptionOf(journal, one)), items.length)
    const transfers = Math.min(left, Math.max(named, same.length))
    if (transfers > 0) found.push({batch: one.replyId, transfers, ended: requestState(one).text})
    left -= transfers
  }
  return found
}

/** The same for a request of the journal, whose end was read before. */
export function sentAgainOf(journal: Journal, request: RequestRecord): readonly SentAgain[] {
  const {replyId: batch, batchEnd: {failed = 0} = {}} = request
  if (batch === undefined || failed === 0) return []
  const digests = digestsIn(journal.requests.itemsOf(request.id))
  return sentAgain(journal, {batch, failed, digests, request})
}

/** "2 transfers in batch 88002, done" */
export const againWords = (again: unknown): string =>
  joined(
    listAt(again, 'sentAgain').map(one => {
      const batch = textAt(one, 'batch')
      const where = batch === '' ? '' : ` in batch ${batch}`
      return `${counted(numberAt(one, 'transfers') ?? 0, 'transfer')}${where}, ${textAt(one, 'ended')}`
    }),
    '; ',
  )
