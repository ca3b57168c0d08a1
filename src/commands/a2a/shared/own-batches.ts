import {AGAIN_AFTER_MS} from '../../../cli/retention.ts'
import {resource} from '../../../contract/resource.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {textAt} from '../../../output/fields.ts'
import {digestsIn, hadEffect, itemDigests} from './parts.ts'
import type {Transfer} from './read-transfers.ts'
import {lineOf, recordedTransfers} from './sent-texts.ts'

/**
 * The request of a batch that the journal counts as sent and still stops by itself. What it takes for unsent, or by a
 * clock that drifted for older than it is, the service knows better.
 */
export function ownBatches(journal: Journal, now: number): (batch: unknown) => RequestRecord | undefined {
  // Without a job, the journal does not know what was in the batch.
  const sent = journal.requests
    .list({operation: 'a2a.create.v1'})
    .filter(
      request => hadEffect(request) && request.job !== undefined && now - request.begunAt < AGAIN_AFTER_MS,
    )
  const byId = new Map(sent.map(request => [request.replyId, request]))
  const byReference = new Map(sent.map(request => [request.reference, request]))
  return batch => {
    const {reference} = marksIn(textAt(batch, 'description'))
    return byId.get(textAt(batch, 'id')) ?? (reference === undefined ? undefined : byReference.get(reference))
  }
}

/**
 * Which transfers a request may have sent with another text, where one of the two has none: a file of the failed
 * transfers of another machine has no texts. Two texts make two transfers.
 */
export class OtherTexts {
  readonly #journal: Journal
  /** The digests of transfers without their texts. */
  readonly #plain = new Map<Transfer, string>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  of({id, resources}: RequestRecord): (transfer: Transfer) => boolean {
    const digests = digestsIn(this.#journal.requests.itemsOf(id))
    const items = new Set(digests)
    const recorded = recordedTransfers(this.#journal, id)
    const isWhole = recorded.length === digests.length
    const lines = new Set(recorded.filter(one => !hasNoText(one)).map(lineOf))
    const touched = new Set(resources)
    return transfer => {
      if (!hasNoText(transfer)) return items.has(this.#plainDigest(transfer))
      if (isWhole) return lines.has(lineOf(transfer))
      const {fromAccountId, toAccountId} = transfer
      return [fromAccountId, toAccountId].every(account => touched.has(resource('account', account)))
    }
  }

  /** The same, or with the text that the request sent. */
  orSameIn(request: RequestRecord): (transfer: Transfer) => boolean {
    const items = new Set(digestsIn(this.#journal.requests.itemsOf(request.id)))
    const isOther = this.of(request)
    return transfer => isOther(transfer) || itemDigests(this.#journal, [transfer]).some(one => items.has(one))
  }

  #plainDigest(transfer: Transfer): string {
    const {text: _, ...plain} = transfer
    const digest = this.#plain.get(transfer) ?? itemDigests(this.#journal, [plain])[0] ?? ''
    this.#plain.set(transfer, digest)
    return digest
  }
}

const hasNoText = ({text}: Transfer): boolean => String(text ?? '').trim() === ''
