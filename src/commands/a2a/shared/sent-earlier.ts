import type {SentItems} from '../../../audit/index.ts'
import {trailItems} from '../../../cli/audit-entries.ts'
import {hasEnded} from '../../../cli/batch-ends.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {AGAIN_AFTER_MS} from '../../../cli/retention.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {listAt, textAt} from '../../../output/fields.ts'
import {changedRows, type SentOf, sentOf} from './changed-rows.ts'
import {correctedIn, type FailedRow} from './corrected.ts'
import {itemsLike, laterBatches} from './later-batches.ts'
import {digestsIn, hadEffect, itemDigests} from './parts.ts'
import type {Transfer} from './read-transfers.ts'
import {itemTransfer, lineOf} from './sent-texts.ts'
import {isUndone} from './undone-items.ts'
import {wholeBatch} from './whole-batch.ts'

/** A transfer that another request has sent, perhaps with other transfers. */
export interface SentEarlier {
  /** Its place in the set, from 1. */
  readonly row: number
  readonly request: EarlierSending
  /**
   * It was perhaps sent with another account, amount or text: after it failed, or before it was changed in the file.
   */
  readonly isOther?: true | undefined
  /** It didn't fail. */
  readonly isChanged?: true | undefined
  /** What was perhaps sent instead; `replaced` if the batch says so itself. */
  readonly instead?: Transfer | 'replaced' | undefined
  /** It is known from the service only. Its text is known by a digest of the whole batch. */
  readonly elsewhere?: {readonly status: string; readonly sameTexts: true | 'unknown'} | undefined
}

/** What of the transfers of a batch is sent once more. */
export interface EarlierOptions {
  /** Only what was sent after this request, also with another amount: the transfers failed in its batch. */
  readonly after?: EarlierRequest | undefined
  /** What may be a correction was left out already. */
  readonly isExact?: boolean | undefined
  /** The set that they are the rest of: what it sent itself are its other rows. */
  readonly exceptJob?: string | undefined
}

/** What sent a transfer: a request of this machine, or a batch of the service, which has no request here. */
export interface EarlierSending extends Pick<RequestRecord, 'replyId' | 'state'> {
  readonly id?: string | undefined
  readonly begunAt?: number | undefined
}

export type EarlierRequest = Pick<RequestRecord, 'id' | 'replyId' | 'state' | 'begunAt'>

/** A request with the digests of what it sent. */
interface EarlierItems {
  readonly request: EarlierRequest
  readonly items: readonly string[]
}

/**
 * The transfers that requests of the last 7 days have sent, whatever else they sent. Each earlier transfer stands for
 * one of this set: two equal ones, of which one was sent, are one. Those that failed for certain are left out.
 *
 * @param client reads how batches ended; without it nothing is read, and nothing failed for certain.
 */
export async function sentEarlier(
  context: Pick<Context, 'stores' | 'surroundings'>,
  client: Client | undefined,
  journal: Journal,
  transfers: readonly Transfer[],
  {after, isExact = false, exceptJob}: EarlierOptions = {},
): Promise<readonly SentEarlier[]> {
  const digests = itemDigests(journal, transfers)
  const requests = [
    ...journal.requests
      .protecting({operation: OPERATION}, AGAIN_AFTER_MS)
      .filter(request => hadEffect(request) && (exceptJob === undefined || request.job !== exceptJob))
      .map(request => ({request, items: digestsIn(journal.requests.itemsOf(request.id))})),
    ...(await fromTrail(context, journal, digests)),
  ].filter(({request}) => after === undefined || request.begunAt > after.begunAt)
  const open = Map.groupBy(
    digests.map((digest, at) => ({digest, at})),
    ({digest}) => digest,
  )
  const read = batchReader(client)
  const found: SentEarlier[] = []
  const failed = new Map<number, FailedRow>()
  const shared: {readonly request: EarlierRequest; readonly sent: SentOf}[] = []
  for (const {request, items} of requests) {
    const matched = items.flatMap(digest => open.get(digest)?.shift() ?? [])
    if (matched.length === 0) continue
    const batch = await read(request)
    const hasFailed = failedOf(batch)
    shared.push({request, sent: sentOf(journal, request, batch, {count: items.length, hasFailed})})
    for (const one of matched) {
      const row = one.at + 1
      const transfer = transfers[one.at]
      if (transfer !== undefined && hasFailed(transfer)) {
        open.get(one.digest)?.unshift(one)
        failed.set(row, {...originOf(journal, request), row, transfer, items: itemsLike(batch, transfer)})
      } else found.push({row, request})
    }
  }
  if (!isExact) {
    const isFound = new Set(found.map(({row}) => row))
    // Of what is sent again as it failed, each row did.
    const all =
      after === undefined
        ? [...failed.values()]
        : transfers.map((transfer, at) => ({...originOf(journal, after), row: at + 1, transfer, items: []}))
    const rows = all.filter(({row}) => !isFound.has(row))
    if (rows.length > 0) {
      const others = requests.map(({request}) => request)
      const later = await laterBatches(read, journal, {transfers, rows, found, requests: others})
      found.push(...correctedIn(rows, later))
    }
    // What failed was judged, and what is sent once more is no file of its own.
    const judged = new Set([...found.map(({row}) => row), ...failed.keys()])
    if (after === undefined)
      for (const {request, sent} of shared)
        for (const {row, instead} of changedRows(transfers, sent, row => !judged.has(row))) {
          judged.add(row)
          found.push({row, request, isOther: true, isChanged: true, instead})
        }
  }
  return found.sort((a, b) => a.row - b.row)
}

type Origin = Pick<FailedRow, 'batch' | 'at' | 'set'>

const originOf = (
  journal: Journal,
  {id, replyId: batch, begunAt: at}: Pick<EarlierRequest, 'id' | 'replyId' | 'begunAt'>,
): Origin => ({batch, at, set: journal.requests.get(id)?.job})

const OPERATION = 'a2a.create.v1'

/**
 * What the audit trail has of requests that the journal no longer knows, newest first. The newest line of a request says
 * what became of it.
 */
async function fromTrail(
  context: Pick<Context, 'stores' | 'surroundings'>,
  journal: Journal,
  digests: readonly string[],
): Promise<readonly EarlierItems[]> {
  using trail = await context.stores.audit('list')
  const since = journal.store.isBelieved() ? journal.store.span().from - AGAIN_AFTER_MS : undefined
  const own = digestsIn(trailItems(journal, Buffer.from(digests.join(''), 'hex')))
  const known = new Map(own.map((digest, at) => [digest, digests[at] ?? '']))
  const outcomes = new Map<string, SentItems['outcome']>()
  const found: EarlierItems[] = []
  for (const {request: id, at, outcome, items, resources} of trail.sentItems(OPERATION, since)) {
    const last = outcomes.get(id) ?? outcome
    outcomes.set(id, last)
    const matching = digestsIn(items).flatMap(digest => known.get(digest) ?? [])
    if (
      matching.length === 0 ||
      (last !== 'done' && last !== 'unknown') ||
      journal.requests.get(id) !== undefined
    )
      continue
    const replyId = resources.find(one => one.startsWith('batch:'))?.slice('batch:'.length)
    found.push({request: {id, replyId, state: last, begunAt: at}, items: matching})
  }
  return found
}

/** The batch of a request, read at most once; undefined if it can't be read. */
export type ReadBatch = (request: EarlierRequest) => Promise<unknown>

function batchReader(client: Client | undefined): ReadBatch {
  const known = new Map<string, Promise<unknown>>()
  return async ({replyId, state}) => {
    if (client === undefined || replyId === undefined || state !== 'done') return undefined
    const read = known.get(replyId) ?? wholeBatch(client, replyId).catch(ifRefused)
    known.set(replyId, read)
    return read
  }
}

function ifRefused(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error
}

/** Whether a transfer of a batch failed and may be sent again. Of one that can't be read, nothing failed for certain. */
function failedOf(batch: unknown): (transfer: Transfer) => boolean {
  if (!hasEnded(batch)) return () => false
  const lines = Map.groupBy(listAt(batch, 'transfers.items'), item => lineOf(itemTransfer(item)))
  return transfer =>
    lines.get(lineOf(transfer))?.every(item => textAt(item, 'status') === 'FAILED' && isUndone(item)) === true
}
