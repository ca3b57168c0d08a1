import {hasEnded} from '../../../cli/batch-ends.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {honoursKey} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {KEY_LIFE_MS} from '../../../journal/key-rules.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {listAt, numberAt, textAt} from '../../../output/fields.ts'
import {correctedIn, type FailedRow, type LaterBatch, withoutLines} from './corrected.ts'
import {withTexts} from './later-batches.ts'
import {hasFailures, OpenRows} from './open-rows.ts'
import {OtherTexts, ownBatches} from './own-batches.ts'
import type {Transfer} from './read-transfers.ts'
import {recentBatches, timeOf} from './recent-batches.ts'
import {setOf} from './reference.ts'
import type {SentEarlier} from './sent-earlier.ts'
import {itemTransfer, lineOf, recordedTransfers} from './sent-texts.ts'
import {isUndone, movedTransfers} from './undone-items.ts'
import {wholeBatch} from './whole-batch.ts'

/** What is about to be sent as one batch. */
export interface BatchToSend {
  readonly transfers: readonly Transfer[]
  readonly reference?: string | undefined
  readonly body?: unknown
}

export interface ElsewhereOptions {
  /** What the journal of this machine has found already. */
  readonly known?: readonly SentEarlier[] | undefined
  /** The batch whose failed transfers are sent again: only what was sent after it counts, also with another amount. */
  readonly retried?: string | undefined
  /** The recent batches of the service, if they were read already: recent by its clock, since this machine's may be wrong. */
  readonly listed?: readonly unknown[] | undefined
  /** Batches in which the transfers may have failed; those of the list by default. */
  readonly failedIn?: readonly unknown[] | undefined
  /** Ids of batches whose transfers are none of these. */
  readonly except?: ReadonlySet<string> | undefined
}

/** What was found until the batches couldn't be read, or had been read. */
export interface Elsewhere {
  readonly found: readonly SentEarlier[]
  /** Why not all could be read. */
  readonly unread: Failure | undefined
}

/** The largest page of transfers. */
const PAGE = operations['a2a.get.v1'].pageSize?.largest ?? 50

/** Pages of transfers that are read. By default the service takes 3,000 requests in a minute. */
const MOST_READS = 1000

/**
 * The transfers that batches of the last 7 days have sent, from wherever, as the service shows them. What the journal of
 * this machine has sent, it judges itself. Each transfer at the service stands for one of this set: two equal ones, of
 * which one was sent, are one. Those that failed for certain are left out. Nothing that is found proves nothing: a batch
 * may be on its way.
 */
export async function sentElsewhere(
  context: Context,
  client: Client,
  batches: readonly BatchToSend[],
  {known = [], retried, listed, failedIn, except}: ElsewhereOptions = {},
): Promise<Elsewhere> {
  const found: SentEarlier[] = []
  try {
    const now = context.surroundings.now()
    const recent = listed ?? (await recentBatches(client, now))
    using journal = await context.stores.journal()
    const {until} = journal.store.span()
    const ownOf = ownBatches(journal, now)
    const rows = new OpenRows(batches, known)
    const reads = new Reads(client)
    const otherTexts = new OtherTexts(journal)
    for (const batch of inOrder(laterThan(retried, recent), rows)) {
      if (rows.areFound) break
      if (except?.has(textAt(batch, 'id')) || isReplayed(client, until, batch, batches)) continue
      const own = ownOf(batch)
      found.push(
        ...(own === undefined
          ? await rowsIn(batch, rows, reads)
          : await rowsOtherwise(batch, rows, reads, {own, known, mayBe: otherTexts.of(own)})),
      )
    }
    const failed = await failedRows(failedIn ?? recent, rows, reads, {
      retried,
      mayBe: batch => {
        const own = ownOf(batch)
        return own === undefined ? () => true : otherTexts.orSameIn(own)
      },
    })
    if (failed.length > 0) {
      const others = laterThan(retried, recent).filter(batch => !except?.has(textAt(batch, 'id')))
      const later = await laterAtService(journal, others, {ownOf, reads, rows, judged: [...known, ...found]})
      found.push(...correctedIn(failed, later))
    }
    return {found: found.sort((a, b) => a.row - b.row), unread: undefined}
  } catch (error) {
    if (!(error instanceof Failure) || isInterruption(error)) throw error
    return {found: found.sort((a, b) => a.row - b.row), unread: error}
  }
}

/** The rows that a batch has sent. */
async function rowsIn(batch: unknown, rows: OpenRows, reads: Reads): Promise<readonly SentEarlier[]> {
  const same = rows.withMark(marksIn(textAt(batch, 'description')).rows)
  if (same === undefined && !rows.mayShare(batch)) return []
  const moved = same === undefined || hasFailures(batch) ? await reads.moved(batch) : same
  const {request: sending, elsewhere} = sentBy(batch, same === undefined ? 'unknown' : true)
  return moved.flatMap(transfer => {
    const row = rows.take(transfer)
    return row === undefined ? [] : {row, request: sending, elsewhere}
  })
}

const sentBy = (batch: unknown, sameTexts: true | 'unknown') => ({
  request: {
    replyId: textAt(batch, 'id'),
    state: 'done' as const,
    begunAt: timeOf(textAt(batch, 'startTime')),
  },
  elsewhere: {status: textAt(batch, 'status'), sameTexts},
})

/**
 * Rows that nothing has sent, and that failed in a batch before.
 *
 * @param mayBe whether a row may be what failed in a batch: of what this machine sent, the text is known.
 */
async function failedRows(
  recent: readonly unknown[],
  rows: OpenRows,
  reads: Reads,
  {
    retried,
    mayBe,
  }: {
    readonly retried: string | undefined
    readonly mayBe: (batch: unknown) => (transfer: Transfer) => boolean
  },
): Promise<readonly FailedRow[]> {
  const originOf = (batch: unknown) => ({
    batch: textAt(batch, 'id') || retried,
    at: timeOf(textAt(batch, 'startTime')),
    set: setOf(marksIn(textAt(batch, 'description')).reference),
  })
  if (retried !== undefined) {
    const origin = originOf(recent.find(batch => textAt(batch, 'id') === retried))
    return rows.openRows().map(one => ({...one, ...origin, items: []}))
  }
  const found = new Map<number, FailedRow>()
  for (const batch of recent.filter(hasFailures)) {
    if (rows.areFound) break
    const origin = originOf(batch)
    const isOf = mayBe(batch)
    for (const item of await reads.failed(batch))
      for (const one of rows.openRows(itemTransfer(item))) {
        if (!isOf(one.transfer)) continue
        const before = found.get(one.row)
        const items = [...(before?.items ?? []), textAt(item, 'id')]
        // What came after the first time may be the correction.
        const first = before !== undefined && (before.at ?? 0) <= (origin.at ?? 0) ? before : origin
        found.set(one.row, {...one, batch: first.batch, at: first.at, set: first.set, items})
      }
  }
  return [...found.values()]
}

/** What batches of the service have sent, oldest first. */
async function laterAtService(
  journal: Journal,
  batches: readonly unknown[],
  {
    ownOf,
    reads,
    rows,
    judged,
  }: {
    readonly ownOf: (batch: unknown) => RequestRecord | undefined
    readonly reads: Reads
    readonly rows: OpenRows
    readonly judged: readonly SentEarlier[]
  },
): Promise<readonly LaterBatch[]> {
  const later: LaterBatch[] = []
  for (const batch of batches) {
    const {reference, fixes} = marksIn(textAt(batch, 'description'))
    const own = ownOf(batch)
    const sent = own === undefined ? sentBy(batch, 'unknown') : {request: own}
    const lines = judged
      .filter(({request}) => request.replyId === textAt(batch, 'id'))
      .map(({row}) => rows.lineAt(row))
    const moved = withoutLines(await reads.moved(batch), lines)
    const recorded = own === undefined ? [] : recordedTransfers(journal, own.id)
    later.push({
      ...{sent, at: timeOf(textAt(batch, 'startTime')), set: setOf(reference), fixes},
      moved: withTexts(moved, recorded),
      touches: () => false,
    })
  }
  return later.sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
}

/** The rows that a batch of this machine has sent with another text, of which the journal doesn't know that they are the same. */
async function rowsOtherwise(
  batch: unknown,
  rows: OpenRows,
  reads: Reads,
  {
    own,
    known,
    mayBe,
  }: {
    readonly own: RequestRecord
    readonly known: readonly SentEarlier[]
    readonly mayBe: (transfer: Transfer) => boolean
  },
): Promise<readonly SentEarlier[]> {
  if (!rows.mayShare(batch) || !rows.some(mayBe)) return []
  const judged = known.filter(({request}) => request.id === own.id).map(({row}) => rows.lineAt(row))
  const moved = await reads.moved(batch)
  return moved.flatMap(transfer => {
    const at = judged.indexOf(lineOf(transfer))
    if (at !== -1) judged.splice(at, 1)
    const row = at === -1 ? rows.takeIf(transfer, mayBe) : undefined
    return row === undefined ? [] : {row, request: own, isOther: true as const}
  })
}

/** Those of which all rows are known from the list come first: they need no request. */
function inOrder(batches: readonly unknown[], rows: OpenRows): readonly unknown[] {
  const isKnown = (batch: unknown): boolean =>
    rows.withMark(marksIn(textAt(batch, 'description')).rows) !== undefined
  return [...batches.filter(isKnown), ...batches.filter(batch => !isKnown(batch))]
}

/** Without what came before the batch whose failed transfers are sent again. */
function laterThan(retried: string | undefined, recent: readonly unknown[]): readonly unknown[] {
  if (retried === undefined) return recent
  const others = recent.filter(batch => textAt(batch, 'id') !== retried)
  const original = recent.find(batch => textAt(batch, 'id') === retried)
  const since = timeOf(textAt(original, 'startTime'))
  return others.filter(batch => {
    const at = timeOf(textAt(batch, 'startTime'))
    // If it can't be told, it may have begun later.
    return since === undefined || at === undefined || at >= since
  })
}

/** Margin in which the request must arrive before the service forgets the key. */
const MARGIN_MS = 5 * 60_000

/** Whether the service still knows the key of a batch, so that sending it again has no second effect. */
function isReplayed({target}: Client, now: number, batch: unknown, batches: readonly BatchToSend[]): boolean {
  const {reference} = marksIn(textAt(batch, 'description'))
  if (reference === undefined || batches.every(one => one.reference !== reference)) return false
  const startedAt = timeOf(textAt(batch, 'startTime'))
  return (
    honoursKey(operations['a2a.create.v1'], target) &&
    startedAt !== undefined &&
    Math.abs(now - startedAt) < KEY_LIFE_MS - MARGIN_MS
  )
}

/** Reads the transfers of batches, up to a limit. */
class Reads {
  readonly #client: Client
  readonly #known = new Map<string, Promise<readonly unknown[]>>()
  #left = MOST_READS

  constructor(client: Client) {
    this.#client = client
  }

  /**
   * The transfers of a batch that didn't fail for certain.
   *
   * @throws Failure ANSWER_INVALID if the service doesn't show what is in the batch: that is no proof of other transfers; LIST_INCOMPLETE past the limit.
   */
  async moved(batch: unknown): Promise<readonly Transfer[]> {
    return movedTransfers(await this.#items(batch))
  }

  /** Those that failed for certain, if it has ended. */
  async failed(batch: unknown): Promise<readonly unknown[]> {
    if (!hasEnded(batch)) return []
    return (await this.#items(batch)).filter(item => textAt(item, 'status') === 'FAILED' && isUndone(item))
  }

  async #items(batch: unknown): Promise<readonly unknown[]> {
    const id = textAt(batch, 'id')
    const read = this.#known.get(id) ?? this.#read(batch, id)
    this.#known.set(id, read)
    return read
  }

  async #read(batch: unknown, id: string): Promise<readonly unknown[]> {
    this.#left -= Math.max(1, Math.ceil((numberAt(batch, 'transferItemCount') ?? 0) / PAGE))
    if (this.#left < 0)
      throw new Failure('LIST_INCOMPLETE', {
        message: `The batches of the last 7 days have too many transfers to compare: more than ${MOST_READS} pages of ${PAGE}.`,
        effect: 'none',
      })
    const whole = await wholeBatch(this.#client, id, undefined, {paced: true})
    const items = listAt(whole, 'transfers.items')
    const due = numberAt(batch, 'transferItemCount') ?? items.length
    if (items.length === 0 || items.length !== due || !items.every(isReadable))
      throw new Failure('ANSWER_INVALID', {
        message: `The service does not show what is in batch ${id}: it has ${due} transfers, and ${items.filter(isReadable).length} of them can be read.`,
        effect: 'none',
      })
    return items
  }
}

const isReadable = (item: unknown): boolean =>
  textAt(item, 'fromId') !== '' &&
  textAt(item, 'toId') !== '' &&
  numberAt(item, 'amount') !== undefined &&
  /^[A-Z]{3}$/.test(textAt(item, 'currency'))
