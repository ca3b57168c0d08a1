import {hasEnded} from '../../../cli/batch-ends.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {AGAIN_AFTER_MS} from '../../../cli/retention.ts'
import {honoursKey} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import {isObject} from '../../../errors/is-object.ts'
import {KEY_LIFE_MS} from '../../../journal/key-rules.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {fieldAt, listAt, numberAt, textAt} from '../../../output/fields.ts'
import {movedTransfers} from './failed-transfers.ts'
import {hadEffect} from './parts.ts'
import type {Transfer} from './read-transfers.ts'
import {isSince, recentBatches, timeOf} from './recent-batches.ts'
import {rowsMark} from './reference.ts'
import {plainDecimal} from './same-rows.ts'
import {pairOf, type SentEarlier} from './sent-earlier.ts'
import {lineOf} from './sent-texts.ts'
import {wholeBatch} from './whole-batch.ts'

/** What is about to be sent as one batch. */
export interface BatchToSend {
  readonly transfers: readonly Transfer[]
  readonly reference?: string | undefined
}

export interface ElsewhereOptions {
  /** What the journal of this machine has found already. */
  readonly known?: readonly SentEarlier[] | undefined
  /** The batch whose failed transfers are sent again: only what was sent after it counts, also with another amount. */
  readonly retried?: string | undefined
  /** All batches of the service, if they were read already. */
  readonly listed?: readonly unknown[] | undefined
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
  {known = [], retried, listed, except}: ElsewhereOptions = {},
): Promise<Elsewhere> {
  const found: SentEarlier[] = []
  try {
    const now = context.surroundings.now()
    const recent =
      listed?.filter(batch => isSince(batch, now - AGAIN_AFTER_MS)) ?? (await recentBatches(client, now))
    const rows = new OpenRows(batches, known, retried !== undefined)
    const reads = new Reads(client)
    for (const batch of inOrder(othersOf(recent, await ownBatches(context, now), retried), rows)) {
      if (rows.areFound) break
      if (except?.has(textAt(batch, 'id'))) continue
      if (!isReplayed(client, now, batch, batches)) found.push(...(await rowsIn(batch, rows, reads)))
    }
    if (retried !== undefined) found.push(...rows.otherwise())
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
  const sending = {
    replyId: textAt(batch, 'id'),
    state: 'done',
    begunAt: timeOf(textAt(batch, 'startTime')),
  } as const
  const sameTexts = same === undefined ? 'unknown' : true
  const elsewhere = {status: textAt(batch, 'status'), sameTexts} as const
  return moved.flatMap(transfer => {
    const row = rows.take(transfer, {request: sending, elsewhere})
    return row === undefined ? [] : {row, request: sending, elsewhere}
  })
}

/** Those of which all rows are known from the list come first: they need no request. */
function inOrder(batches: readonly unknown[], rows: OpenRows): readonly unknown[] {
  const isKnown = (batch: unknown): boolean =>
    rows.withMark(marksIn(textAt(batch, 'description')).rows) !== undefined
  return [...batches.filter(isKnown), ...batches.filter(batch => !isKnown(batch))]
}

/** Without those of this machine, and what came before the batch whose failed transfers are sent again. */
function othersOf(
  recent: readonly unknown[],
  isOwn: (batch: unknown) => boolean,
  retried: string | undefined,
): readonly unknown[] {
  const others = recent.filter(batch => !isOwn(batch) && textAt(batch, 'id') !== retried)
  if (retried === undefined) return others
  const original = recent.find(batch => textAt(batch, 'id') === retried)
  const since = timeOf(textAt(original, 'startTime'))
  return others.filter(batch => {
    const at = timeOf(textAt(batch, 'startTime'))
    // If it can't be told, it may have begun later.
    return since === undefined || at === undefined || at >= since
  })
}

/**
 * Those that the journal counts as sent and still stops by itself. What it takes for unsent, or by a clock that drifted
 * for older than it is, the service knows better.
 */
export async function ownBatches(context: Context, now: number): Promise<(batch: unknown) => boolean> {
  using journal = await context.stores.journal()
  // Without a job, the journal does not know what was in the batch.
  const sent = journal.requests
    .list({operation: 'a2a.create.v1'})
    .filter(
      request => hadEffect(request) && request.job !== undefined && now - request.begunAt < AGAIN_AFTER_MS,
    )
  const ids = new Set(sent.map(({replyId}) => replyId))
  const references = new Set(sent.map(({reference}) => reference))
  return batch => {
    const {reference} = marksIn(textAt(batch, 'description'))
    return ids.has(textAt(batch, 'id')) || (reference !== undefined && references.has(reference))
  }
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

const hasFailures = (batch: unknown): boolean =>
  !['COMPLETED', 'IN_PROGRESS'].includes(textAt(batch, 'status')) ||
  (numberAt(batch, 'failedTransferItems') ?? 0) > 0

/** The rows that nothing has sent yet, as far as is known. */
class OpenRows {
  readonly #isRetry: boolean
  readonly #transfers: readonly Transfer[]
  /** The places of each transfer without its text. */
  readonly #open: Map<string, number[]>
  readonly #marks: ReadonlyMap<string, readonly Transfer[]>
  /** For each currency the amounts, as a service may add them. */
  readonly #amounts = new Map<string, Set<string>>()
  /** What was sent between two accounts, and is none of the rows. */
  readonly #spare = new Map<string, Omit<SentEarlier, 'row'>[]>()

  /** @param isRetry whether other amounts between the same accounts count too */
  constructor(batches: readonly BatchToSend[], known: readonly SentEarlier[], isRetry: boolean) {
    this.#isRetry = isRetry
    this.#transfers = batches.flatMap(({transfers}) => transfers)
    this.#marks = new Map(batches.map(({transfers}) => [rowsMark(transfers), transfers]))
    const sent = new Set(known.map(({row}) => row))
    const open = [...this.#transfers.entries()].filter(([at]) => !sent.has(at + 1))
    this.#open = new Map(
      [...Map.groupBy(open, ([, transfer]) => lineOf(transfer))].map(([line, some]) => [
        line,
        some.map(([at]) => at),
      ]),
    )
    for (const [, {amount, currency}] of open) {
      const amounts = this.#amounts.get(currency) ?? new Set()
      this.#amounts.set(currency, amounts.add(plainDecimal(amount)))
    }
  }

  get areFound(): boolean {
    return this.#open.size === 0
  }

  /** The transfers of the batch with this digest. */
  withMark(mark: string | undefined): readonly Transfer[] | undefined {
    return mark === undefined ? undefined : this.#marks.get(mark)
  }

  /** Whether the transfers of a batch are worth reading: by its sums, it may have one of the rows. */
  mayShare(batch: unknown): boolean {
    const totals = fieldAt(batch, 'totalAmount')
    // Nobody knows what a service adds up of transfers that failed, or are not booked yet.
    if (!isObject(totals) || !hasEnded(batch) || hasFailures(batch)) return true
    const isOne = !this.#isRetry && numberAt(batch, 'transferItemCount') === 1
    return Object.entries(totals).some(([currency, sum]) => {
      const amounts = this.#amounts.get(currency)
      return amounts !== undefined && (!isOne || amounts.has(plainDecimal(sum)))
    })
  }

  /** @returns the number of the row that a transfer at the service stands for, which is no longer open then. */
  take(transfer: Transfer, sent: Omit<SentEarlier, 'row'>): number | undefined {
    const line = lineOf(transfer)
    const places = this.#open.get(line)
    const at = places?.shift()
    if (places?.length === 0) this.#open.delete(line)
    if (at !== undefined) return at + 1
    const pair = pairOf(transfer)
    this.#spare.set(pair, [...(this.#spare.get(pair) ?? []), sent])
    return undefined
  }

  /** The rows that are left and may have been sent with another amount. */
  otherwise(): readonly SentEarlier[] {
    return [...this.#open.values()].flat().flatMap(at => {
      const transfer = this.#transfers[at]
      const sent = transfer && this.#spare.get(pairOf(transfer))?.shift()
      return sent === undefined ? [] : {...sent, row: at + 1, isOther: true as const}
    })
  }
}

/** Reads the transfers of batches, up to a limit. */
class Reads {
  readonly #client: Client
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
    const id = textAt(batch, 'id')
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
    return movedTransfers(items)
  }
}

const isReadable = (item: unknown): boolean =>
  textAt(item, 'fromId') !== '' &&
  textAt(item, 'toId') !== '' &&
  numberAt(item, 'amount') !== undefined &&
  /^[A-Z]{3}$/.test(textAt(item, 'currency'))
