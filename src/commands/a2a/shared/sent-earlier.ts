import type {SentItems} from '../../../audit/index.ts'
import {trailItems} from '../../../cli/audit-entries.ts'
import {hasEnded} from '../../../cli/batch-ends.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {AGAIN_AFTER_MS} from '../../../cli/retention.ts'
import {plainId, resource} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {listAt, textAt} from '../../../output/fields.ts'
import {isUndone, movedTransfers} from './failed-transfers.ts'
import {digestsIn, hadEffect, itemDigests} from './parts.ts'
import type {Transfer} from './read-transfers.ts'
import {itemTransfer, lineOf} from './sent-texts.ts'
import {wholeBatch} from './whole-batch.ts'

/** A transfer that another request has sent, perhaps with other transfers. */
export interface SentEarlier {
  /** Its place in the set, from 1. */
  readonly row: number
  readonly request: EarlierSending
  /** It is between the same accounts, and has another amount or text: perhaps it was corrected. */
  readonly isOther?: true | undefined
  /** It is known from the service only. Its text is known by a digest of the whole batch. */
  readonly elsewhere?: {readonly status: string; readonly sameTexts: true | 'unknown'} | undefined
}

/** What of the transfers of a batch is sent once more. */
export interface EarlierOptions {
  /** Only what was sent after this request, also with another amount: the transfers failed in its batch. */
  readonly after?: Pick<RequestRecord, 'begunAt'> | undefined
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

type EarlierRequest = Pick<RequestRecord, 'id' | 'replyId' | 'state' | 'begunAt'>

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
  for (const {request, items} of requests) {
    const matched = items.flatMap(digest => open.get(digest)?.shift() ?? [])
    if (matched.length === 0) continue
    const hasFailed = failedOf(await read(request))
    for (const one of matched) {
      const transfer = transfers[one.at]
      if (transfer !== undefined && hasFailed(transfer)) open.get(one.digest)?.unshift(one)
      else found.push({row: one.at + 1, request})
    }
  }
  if (after !== undefined && !isExact) {
    const others = requests.map(({request}) => request)
    found.push(...(await sentOtherwise(read, journal, transfers, found, others)))
  }
  return found.sort((a, b) => a.row - b.row)
}

/** Transfers between the same accounts as those that are not found yet, unless they failed for certain. */
async function sentOtherwise(
  read: ReadBatch,
  journal: Journal,
  transfers: readonly Transfer[],
  found: readonly SentEarlier[],
  requests: readonly EarlierRequest[],
): Promise<readonly SentEarlier[]> {
  const others: SentEarlier[] = []
  const rows = new Set(found.map(({row}) => row))
  for (const request of requests) {
    const touched = new Set(journal.requests.get(request.id)?.resources)
    const touches = (id: string): boolean => touched.has(resource('account', id))
    const alike = [...transfers.entries()].filter(
      ([at, {fromAccountId, toAccountId}]) =>
        !rows.has(at + 1) && touches(fromAccountId) && touches(toAccountId),
    )
    if (alike.length === 0) continue
    const batch = await read(request)
    const moved = batch === undefined ? undefined : movedTransfers(listAt(batch, 'transfers.items'))
    const known = found.filter(one => one.request === request).flatMap(({row}) => transfers[row - 1] ?? [])
    for (const [at, transfer] of alike) {
      const isBetween = (one: Transfer): boolean => pairOf(one) === pairOf(transfer)
      // What is found exactly is no correction of another.
      if (moved !== undefined && moved.filter(isBetween).length <= known.filter(isBetween).length) continue
      rows.add(at + 1)
      others.push({row: at + 1, request, isOther: true})
    }
  }
  return others
}

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
  const since = journal.store.isBelieved() ? context.surroundings.now() - AGAIN_AFTER_MS : undefined
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
type ReadBatch = (request: EarlierRequest) => Promise<unknown>

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

/** The accounts of a transfer: what was corrected may have them still. */
export const pairOf = ({fromAccountId, toAccountId}: Transfer): string =>
  `${plainId(fromAccountId)} ${plainId(toAccountId)}`
