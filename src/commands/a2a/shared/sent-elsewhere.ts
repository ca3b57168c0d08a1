import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {AGAIN_AFTER_MS} from '../../../cli/retention.ts'
import {honoursKey} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {Journal} from '../../../journal/index.ts'
import {KEY_LIFE_MS} from '../../../journal/key-rules.ts'
import {counted} from '../../../money/amount.ts'
import {CurrencySums} from '../../../money/sum-by-currency.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {fieldAt, listAt, numberAt, textAt} from '../../../output/fields.ts'
import {movedTransfers} from './failed-transfers.ts'
import {hadEffect} from './parts.ts'
import type {Transfer} from './read-transfers.ts'
import {isSince, recentBatches, timeOf} from './recent-batches.ts'
import {rowsMark} from './reference.ts'
import {plainDecimal} from './same-rows.ts'
import {lineOf} from './sent-texts.ts'
import {wholeBatch} from './whole-batch.ts'

/** What is about to be sent as one batch. */
export interface BatchToSend {
  readonly transfers: readonly Transfer[]
  readonly reference?: string | undefined
  readonly body: unknown
}

export interface AskOptions {
  /** Whether a person is asked before anything is sent. */
  readonly isAsked: boolean
  /** `--service-check`; the profile's setting by default. */
  readonly serviceCheck?: boolean | undefined
  /** The flag that sends the transfers a second time. */
  readonly anyway: '--again' | '--no-service-check'
  /** A batch that is no earlier sending of these transfers: the one whose failed transfers are sent again. */
  readonly except?: string | undefined
  /** All batches of the service, if they were read already. */
  readonly listed?: readonly unknown[] | undefined
}

/** A batch at the service that this journal didn't make, and that sent the same transfers. */
interface SentElsewhere {
  readonly batch: unknown
  /** How many of the transfers it sent: those that didn't fail for certain. */
  readonly rows: number
  readonly of: number
  /** Its rows have the same texts, too. Without that, texts are not known. */
  readonly isCertain: boolean
  readonly hasSameDescription: boolean
  /** It may have sent others too: what failed in one batch goes out again in any other one. */
  readonly isRetry?: true | undefined
}

/**
 * Asks the service whether its batches of the last 7 days have sent these transfers, from wherever. What the journal of
 * this machine has sent, it judges itself. Nothing that is found proves nothing: a batch may be on its way.
 *
 * On a profile that isn't live, all that is found is a note.
 *
 * @returns what a person must know before they are asked.
 * @throws Failure ALREADY_SENT; if nobody is asked also why the batches can't be read.
 */
export async function askService(
  context: Context,
  client: Client,
  batches: readonly BatchToSend[],
  {isAsked, serviceCheck, anyway, ...known}: AskOptions,
): Promise<readonly string[]> {
  const {target} = client
  // The embedded sandbox and the journal belong to one data folder.
  if (target.embedded || !(serviceCheck ?? target.serviceCheck)) return []
  const isLive = target.kind === 'live'
  const note = (words: string, code: string): readonly string[] => {
    if (isLive && isAsked) return [words]
    context.printer.warn(words, {code})
    return []
  }
  let found: readonly SentElsewhere[]
  try {
    found = await sentElsewhere(context, client, batches, known)
  } catch (error) {
    const failure = error instanceof Failure ? error : undefined
    if (failure === undefined || isInterruption(error)) throw error
    const unread = `The batches of the last 7 days can't be read, so it is not known whether these transfers were sent from elsewhere: ${failure.message}`
    if (!isLive || isAsked) return note(unread, 'SERVICE_NOT_CHECKED')
    throw failure.with({
      message: unread,
      hint: 'Nothing was sent. Run the command again later, or send without this check: --no-service-check.',
      effect: 'none',
    })
  }
  const certain = found.filter(({isCertain}) => isCertain)
  const similar = found.filter(({isCertain}) => !isCertain)
  const refused = [
    ...certain,
    ...(isAsked ? [] : similar.filter(({hasSameDescription}) => hasSameDescription)),
  ]
  if (refused.length > 0 && isLive) throw alreadySent(context, refused, anyway)
  return [
    ...(certain.length > 0 ? note(`${wordsOf(context, certain)}.`, 'SENT_ELSEWHERE') : []),
    ...(similar.length > 0 ? note(`${wordsOf(context, similar)}.`, 'SENT_ELSEWHERE') : []),
  ]
}

async function sentElsewhere(
  context: Context,
  client: Client,
  batches: readonly BatchToSend[],
  {except, listed}: Pick<AskOptions, 'except' | 'listed'>,
): Promise<readonly SentElsewhere[]> {
  const now = context.surroundings.now()
  const recent =
    listed?.filter(batch => isSince(batch, now - AGAIN_AFTER_MS)) ?? (await recentBatches(client, now))
  if (recent.length === 0) return []
  using journal = await context.stores.journal()
  const isOwn = ownBatches(journal, now)
  const others = recent.filter(batch => !isOwn(batch) && textAt(batch, 'id') !== except)
  const isReplayed = replays(client, now)
  const wanted = batches.map(batch => ({
    batch,
    rows: rowsMark(batch.transfers),
    sums: sumsOf(batch.transfers),
    plain: oneLine(marksIn(descriptionOf(batch.body)).plain),
    lines: linesOf(batch.transfers),
  }))
  if (except !== undefined) {
    const original = recent.find(batch => textAt(batch, 'id') === except)
    return retriedElsewhere(client, batches, others.filter(isAfter(original)))
  }
  const found: SentElsewhere[] = []
  for (const batch of others) {
    const marks = marksIn(descriptionOf(batch))
    for (const {batch: one, rows, sums, plain, lines} of wanted) {
      if (marks.reference !== undefined && marks.reference === one.reference && isReplayed(batch)) continue
      const of = one.transfers.length
      const isCertain = marks.rows === rows
      if (!isCertain && !mayBeSame(batch, {of, sums, isMarked: marks.rows !== undefined})) continue
      const sent = isCertain && !hasFailures(batch) ? of : await rowsSent(client, batch, lines)
      if (sent > 0)
        found.push({batch, rows: sent, of, isCertain, hasSameDescription: oneLine(marks.plain) === plain})
      break
    }
  }
  return found
}

/** The batches that sent some of these transfers, whatever else they sent, and with whatever text. */
async function retriedElsewhere(
  client: Client,
  batches: readonly BatchToSend[],
  others: readonly unknown[],
): Promise<readonly SentElsewhere[]> {
  const transfers = batches.flatMap(one => one.transfers)
  const of = transfers.length
  const found: SentElsewhere[] = []
  for (const batch of others) {
    const left = [...transfers.map(lineOf)]
    for (const line of (await movedIn(client, batch)).map(lineOf)) {
      const at = left.indexOf(line)
      if (at !== -1) left.splice(at, 1)
    }
    const rows = of - left.length
    if (rows > 0) found.push({batch, rows, of, isCertain: true, hasSameDescription: false, isRetry: true})
  }
  return found
}

/** Whether a batch began after another one; if that can't be told, it may have. */
function isAfter(original: unknown): (batch: unknown) => boolean {
  const since = timeOf(textAt(original, 'startTime'))
  return batch => {
    const at = timeOf(textAt(batch, 'startTime'))
    return since === undefined || at === undefined || at >= since
  }
}

/**
 * Those that the journal counts as sent and still stops by itself. What it takes for unsent, or by a clock that drifted
 * for older than it is, the service knows better.
 */
function ownBatches(journal: Journal, now: number): (batch: unknown) => boolean {
  // Without a job, the journal does not know what was in the batch.
  const sent = journal.requests
    .list({operation: 'a2a.create.v1'})
    .filter(
      request => hadEffect(request) && request.job !== undefined && now - request.begunAt < AGAIN_AFTER_MS,
    )
  const ids = new Set(sent.map(({replyId}) => replyId))
  const references = new Set(sent.map(({reference}) => reference))
  return batch => {
    const {reference} = marksIn(descriptionOf(batch))
    return ids.has(textAt(batch, 'id')) || (reference !== undefined && references.has(reference))
  }
}

/** Margin in which the request must arrive before the service forgets the key. */
const MARGIN_MS = 5 * 60_000

/** Whether the service still knows the key of a batch, so that sending it again has no second effect. */
function replays({target}: Client, now: number): (batch: unknown) => boolean {
  if (!honoursKey(operations['a2a.create.v1'], target)) return () => false
  return batch => {
    const startedAt = timeOf(textAt(batch, 'startTime'))
    return startedAt !== undefined && Math.abs(now - startedAt) < KEY_LIFE_MS - MARGIN_MS
  }
}

/**
 * Whether the transfers of a batch are worth reading. A digest of other rows shows that they differ, unless some failed:
 * then the others may be the same.
 */
function mayBeSame(
  batch: unknown,
  {of, sums, isMarked}: {of: number; sums: ReadonlyMap<string, string>; isMarked: boolean},
): boolean {
  const count = numberAt(batch, 'transferItemCount')
  const failed = numberAt(batch, 'failedTransferItems') ?? 0
  if (count !== undefined && failed > 0 && count - failed === of) return true
  if (isMarked) return false
  const totals = fieldAt(batch, 'totalAmount')
  if (count === undefined && !isObject(totals)) return false
  if (count !== undefined && count !== of) return false
  if (!isObject(totals)) return true
  const entries = Object.entries(totals)
  return entries.length === sums.size && entries.every(([name, sum]) => sums.get(name) === plainDecimal(sum))
}

const hasFailures = (batch: unknown): boolean =>
  !['COMPLETED', 'IN_PROGRESS'].includes(textAt(batch, 'status')) ||
  (numberAt(batch, 'failedTransferItems') ?? 0) > 0

/**
 * How many of the transfers a batch has sent; 0 if it has sent others, or all have failed.
 *
 * @throws Failure ANSWER_INVALID if the service doesn't show what is in the batch: that is no proof of other transfers.
 */
async function rowsSent(client: Client, batch: unknown, lines: ReadonlyMap<string, number>): Promise<number> {
  const sent = await movedIn(client, batch)
  const found = linesOf(sent)
  return [...found].every(([line, times]) => times <= (lines.get(line) ?? 0)) ? sent.length : 0
}

/**
 * The transfers of a batch that didn't fail for certain.
 *
 * @throws Failure ANSWER_INVALID if the service doesn't show what is in the batch
 */
async function movedIn(client: Client, batch: unknown): Promise<readonly Transfer[]> {
  const id = textAt(batch, 'id')
  const whole = await wholeBatch(client, id)
  const items = listAt(whole, 'transfers.items')
  const due = numberAt(batch, 'transferItemCount') ?? items.length
  if (items.length === 0 || items.length !== due || !items.every(isReadable))
    throw new Failure('ANSWER_INVALID', {
      message: `The service does not show what is in batch ${id}: it has ${due} transfers, and ${items.filter(isReadable).length} of them can be read.`,
      effect: 'none',
    })
  return movedTransfers(items)
}

const isReadable = (item: unknown): boolean =>
  textAt(item, 'fromId') !== '' &&
  textAt(item, 'toId') !== '' &&
  numberAt(item, 'amount') !== undefined &&
  /^[A-Z]{3}$/.test(textAt(item, 'currency'))

/** Each transfer without its text, and how often it is there. */
function linesOf(transfers: readonly Transfer[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const line of transfers.map(lineOf)) {
    times.set(line, (times.get(line) ?? 0) + 1)
  }
  return times
}

/** As a service adds them, with their signs. */
function sumsOf(transfers: readonly Transfer[]): ReadonlyMap<string, string> {
  const sums = new CurrencySums()
  for (const {amount, currency} of transfers) sums.add(amount, currency)
  return new Map(sums.totals().map(({currency, text}) => [currency, plainDecimal(text)]))
}

/** Services may keep spaces otherwise. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

const descriptionOf = (body: unknown): string => textAt(body, 'description')

/** Batches that are named. */
const MOST_BATCHES = 5

/** "These transfers were sent from elsewhere: batch 88001 at 2026-11-21 14:02 UTC, 5 transfers". */
function wordsOf({when}: Context, found: readonly SentElsewhere[]): string {
  const named = found.slice(0, MOST_BATCHES).map(({batch, rows, of, isRetry}) => {
    const startedAt = timeOf(textAt(batch, 'startTime'))
    const at = startedAt === undefined ? '' : ` at ${when(startedAt)}`
    if (isRetry) return `batch ${textAt(batch, 'id')}${at}, ${rows} of these ${counted(of, 'transfer')}`
    const some = rows < of ? `, ${rows} of them without failing` : ''
    return `batch ${textAt(batch, 'id')}${at}, ${counted(of, 'transfer')}${some}`
  })
  const more = found.length - named.length
  const all = [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ')
  return found.some(({isCertain}) => isCertain)
    ? `These transfers were sent from elsewhere: ${all}`
    : `Transfers with the same accounts, amounts and currencies were sent from elsewhere: ${all}. Their texts are not known`
}

function alreadySent(context: Context, found: readonly SentElsewhere[], anyway: string): Failure {
  const [first] = found
  const id = textAt(first?.batch, 'id')
  const isPart = found.some(({rows, of, isRetry}) => rows < of && !isRetry)
  const retry = context.commandLine('a2a', 'create', '--retry-failed', {value: id})
  return new Failure('ALREADY_SENT', {
    message: `${wordsOf(context, found)}.`,
    hint: advice`See: ${context.commandLine('a2a', 'get', {value: id})}. ${isPart ? advice`Its failed transfers are sent again with: ${retry}. ` : ''}To send all of them a second time, add ${anyway}.`,
    effect: 'none',
    data: {
      earlier: found.map(({batch, rows, isCertain, isRetry}) => ({
        batch: textAt(batch, 'id'),
        status: textAt(batch, 'status'),
        elsewhere: true,
        transfers: rows,
        sameTexts: isCertain && !isRetry ? true : 'unknown',
      })),
    },
  })
}
