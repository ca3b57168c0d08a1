import type {Client} from '../../../cli/client/client.ts'
import type {Outcome, RequestOptions} from '../../../cli/client/options.ts'
import type {Context} from '../../../cli/context.ts'
import {confirmClock} from '../../../cli/doubtful-clock.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {advice, joinAdvice} from '../../../errors/advice.ts'
import {whenOf} from '../../../errors/blame.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Journal} from '../../../journal/index.ts'
import {listAt, textAt} from '../../../output/fields.ts'
import {type Asked, type AskOptions, askService, type LookAgain} from './ask-service.ts'
import {correctFailed, nextOfRetry} from './failed-advice.ts'
import type {NewOnes} from './only-new.ts'
import {
  type FailedTransfers,
  hadEffect,
  jobOf,
  type Part,
  type PartToSend,
  recordedPart,
  refuseOthers,
  refuseSentSince,
  requestsOf,
  retryJobOf,
} from './parts.ts'
import {partsElsewhere} from './parts-elsewhere.ts'
import {type LineFor, partsToSend} from './parts-to-send.ts'
import type {Transfer} from './read-transfers.ts'
import {asRestOf} from './reference.ts'
import {refuseReplaced} from './refuse-replaced.ts'
import {type EarlierOptions, type SentEarlier, sentEarlier} from './sent-earlier.ts'
import type {BatchToSend} from './sent-elsewhere.ts'
import {alreadySent, wordsOf} from './sent-words.ts'
import {type AcceptedPart, splitFailure, type WayOn} from './split-failure.ts'

/** The requests in the journal when the transfers were confirmed, plus those that this command added. */
interface SentBefore {
  readonly job: string
  readonly known: Set<string>
  /** The batches that this command is to send. */
  readonly left: readonly PartToSend[]
  /** The job of the set of which they are what was new, if that is another one. */
  readonly whole?: string | undefined
  /** Those of them that the service took. */
  readonly accepted: AcceptedPart[]
  /** Looks before each further batch whether others have sent some of what is left. */
  readonly lookAgain?: LookAgain | undefined
}

/** Sends the body of one batch. */
export type SendBatch = (body: unknown, options: RequestOptions) => Promise<Outcome>

interface LeftOptions {
  readonly again: boolean
  readonly rest: boolean
  readonly onlyNew?: NewOnes | undefined
  readonly 'service-check'?: boolean | undefined
  readonly lineFor?: LineFor | undefined
}

interface LeftOfThem {
  /** Which of the transfers were sent in other sets. */
  readonly earlier: readonly SentEarlier[]
  /** What was read of the service to find that out. */
  readonly service: Pick<AskOptions, 'listed' | 'except'>
  /** How the journal was searched for that. */
  readonly sought: EarlierOptions
}

/** The parts that are still to be sent, according to the journal, and which of their transfers were sent in other sets. */
export async function partsLeft(
  context: Context,
  client: Client,
  transfers: readonly Transfer[],
  parts: readonly Part[],
  {again, rest, onlyNew, 'service-check': serviceCheck, lineFor}: LeftOptions,
  retry?: FailedTransfers,
): Promise<SentBefore & LeftOfThem> {
  using journal = await context.stores.journal()
  // What was sent long ago is no reason to stop, if the clock is right.
  if (journal.requests.list({operation: 'a2a.create.v1', limit: 1}).length > 0)
    await confirmClock(context, client)
  const job = retry === undefined ? jobOf(journal, transfers) : retryJobOf(journal, retry.batch)
  const since = journal.requests.list({job}).filter(hadEffect).at(-1)?.begunAt
  const elsewhere = rest
    ? await partsElsewhere(context, client, journal, parts, {since, serviceCheck})
    : undefined
  for (const [number, batch] of elsewhere?.batches ?? [])
    context.printer.note(`Batch ${number} of ${parts.length} was sent from elsewhere: batch ${batch}`)
  const before = {
    rest,
    elsewhere,
    isRetry: retry !== undefined,
    when: context.when,
    commandLine: context.commandLine,
    lineFor,
  }
  // Of --only-new each transfer is new by itself, also if an earlier set had the same and all failed.
  const set = elsewhere?.set
  const open = await withFailedRows(context, client, journal, transfers, retry, () =>
    // A batch is retried once, whatever is sent again.
    partsToSend(journal, job, parts, {
      ...before,
      again: retry === undefined && (again || onlyNew !== undefined),
    }),
  )
  const left = set === undefined ? open : open.map(part => ({...part, body: asRestOf(part.body, set)}))
  if (retry !== undefined) refuseSentSince(journal, retry, context)
  const known = requestsOf(journal, job)
  // What the set itself has sent are other rows of it.
  const sought = {after: retry?.request, exceptJob: rest ? job : undefined}
  if (onlyNew !== undefined) await refuseSentNow(context, client, journal, onlyNew, retry)
  const isSought = !again && onlyNew === undefined
  const earlier = isSought
    ? await sentEarlier(
        context,
        client,
        journal,
        left.flatMap(part => part.transfers),
        sought,
      )
    : []
  // What the set itself has sent are other rows of it.
  const own = rest ? journal.requests.list({job}).flatMap(({replyId}) => replyId ?? []) : []
  const except = new Set([...own, ...(elsewhere?.batches.values() ?? [])])
  const bodies = left.map(({body}) => body)
  if (!again) await refuseReplaced(context, client, bodies, except)
  const service = {listed: elsewhere?.listed, except}
  const whole = onlyNew && jobOf(journal, onlyNew.all)
  return {job, whole: whole === job ? undefined : whole, left, earlier, known, accepted: [], service, sought}
}

/** Of a set of which only what is new is sent, another command may have sent more since that was looked up. */
async function refuseSentNow(
  context: Context,
  client: Client,
  journal: Journal,
  {all, known}: NewOnes,
  retry: FailedTransfers | undefined,
): Promise<void> {
  const options = {after: retry?.request, isExact: true}
  const earlier = await sentEarlier(context, client, journal, all, options)
  if (earlier.length > known) throw alreadySent(context, all, earlier, {onlyNew: true})
}

/** The refusal of a set that was sent before says which of its transfers failed, and how to send only those. */
async function withFailedRows(
  context: Context,
  client: Client,
  journal: Journal,
  transfers: readonly Transfer[],
  retry: FailedTransfers | undefined,
  toSend: () => readonly PartToSend[],
): Promise<readonly PartToSend[]> {
  try {
    return toSend()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'ALREADY_SENT') throw error
    if (retry !== undefined) throw await withNextOfRetry(context, client, error)
    const sent = await sentEarlier(context, client, journal, transfers)
    const left = transfers.length - sent.length
    const batches = failedBatches(journal, error)
    if (left === 0 || batches.length === 0) throw error
    const failed = failedIn(journal, error) ?? left
    const unsent = left - failed
    const correct = batches.slice(0, MOST_NAMED).map(batch => correctFailed(context, batch))
    const more = batches.length - correct.length
    throw error.with({
      message: `${error.message} ${sent.length} of them ${sent.length === 1 ? 'was' : 'were'} sent, ${failed} failed${unsent > 0 ? `, ${unsent} ${unsent === 1 ? 'was' : 'were'} never sent` : ''}.`,
      hint: advice`${joinAdvice(correct, ' ')}${more > 0 ? ` The same for ${more} more batches.` : ''} To send only what ${unsent > 0 ? 'failed or was never sent,' : 'failed'} as it is, add --only-new.`,
    })
  }
}

/** The refusal of a retry that was sent already says what is to be done about the batch that it made. */
async function withNextOfRetry(context: Context, client: Client, error: Failure): Promise<Failure> {
  const [only, ...others] = listAt(error.details.data, 'earlier').map(one => textAt(one, 'batch'))
  if (only === undefined || only === '' || others.length > 0) return error
  return error.with({hint: await nextOfRetry(context, client, only)})
}

/** How many batches are named, of those that a set was split into. */
const MOST_NAMED = 3

/** How many transfers of the earlier set failed; undefined if the end of one of its batches is not known. */
function failedIn(journal: Journal, {details}: Failure): number | undefined {
  const ends = listAt(details.data, 'earlier').map(
    one => journal.requests.get(textAt(one, 'request'))?.batchEnd?.failed,
  )
  return ends.reduce(
    (all, failed) => (all === undefined || failed === undefined ? undefined : all + failed),
    0,
  )
}

/** The batches of an earlier set with failed transfers, as far as their ends are known. */
const failedBatches = (journal: Journal, {details}: Failure): readonly string[] =>
  listAt(details.data, 'earlier')
    .filter(one => journal.requests.get(textAt(one, 'request'))?.batchEnd?.failed !== 0)
    .map(one => textAt(one, 'batch'))
    .filter(id => id !== '')

/** Says for a preview, which sends nothing, what the journal has of the transfers. */
export async function noteSentEarlier(
  context: Context,
  transfers: readonly Transfer[],
  options: EarlierOptions = {},
): Promise<void> {
  if (!(await context.stores.hasJournal())) return
  using journal = await context.stores.journal()
  const earlier = await sentEarlier(context, undefined, journal, transfers, options)
  if (earlier.length === 0) return
  const words = wordsOf(context, transfers, earlier)
  context.printer.warn(`${words}. If they did not fail, sending them needs a yes or --again.`)
}

/** @throws Failure JOB_RUNNING if another process is sending the same transfers; what it says of one that has. */
export async function sendPart(
  context: Pick<Context, 'commandLine' | 'service' | 'effects' | 'folders'>,
  part: PartToSend,
  sentBefore: SentBefore,
  send: SendBatch,
  wayOn: WayOn = () => 'Send what is left.',
): Promise<Outcome> {
  const {commandLine, service} = context
  const {job, whole, known, accepted} = sentBefore
  const guard = (journal: Journal): void => refuseOthers(journal, job, known, commandLine)
  const trace = {reference: part.reference, part: recordedPart(part, whole), items: part.items, job, guard}
  const [unrecorded] = context.effects.unrecorded
  try {
    // What can't be recorded isn't sent.
    if (unrecorded !== undefined) throw unrecorded.why
    if (accepted.length > 0) await lookForOthers(part, sentBefore)
    const sent = await send(part.body, {idempotencyKey: part.key, confirmed: true, trace})
    if (sent.requestId !== undefined) known.add(sent.requestId)
    accepted.push({part, batch: textAt(sent.response.body, 'id')})
    return sent
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const {effect, requestId} = error.details
    const {dialect} = await service.target()
    // `requests resolve` looks for the batch by its reference. Without a reference or a list of batches it may send it again.
    const isLookedFor =
      part.reference !== undefined && dialect?.refusal(operations['a2a.list.v1']) === undefined
    const hint =
      effect === 'unknown' && requestId !== undefined && isLookedFor
        ? advice`For 7 days a2a create refuses the same transfers. Find out what happened, which sends none: ${commandLine('requests', 'resolve', {value: requestId})}`
        : error.advice
    if (part.of === 1) throw withoutTransfers(error.with({hint}))
    throw splitFailure(context, error.with({hint}), part, sentBefore, wayOn)
  }
}

/** Says of a batch that may be sent later that it had no effect: who reads a log at night wants to know. */
function withoutTransfers(failure: Failure): Failure {
  const {code, message, details} = failure
  const isSent = details.requestId !== undefined && details.effect === 'none'
  if (!isSent || whenOf(code, details.blame) === undefined) return failure
  return failure.with({message: `${message.replace(/\.?$/, '.')} No transfer was made.`})
}

/** @throws Failure PARTLY_DONE if others have sent some of what is left, since the batches before it had their effect */
async function lookForOthers(part: PartToSend, sent: SentBefore): Promise<void> {
  const {left, accepted, lookAgain} = sent
  try {
    const own = new Set(accepted.map(({batch}) => batch))
    await lookAgain?.beforeNext(left.slice(left.indexOf(part)), own)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'ALREADY_SENT') throw error
    const {details, message, advice: hint} = error
    const twice = await twiceSent(sent)
    throw new Failure('PARTLY_DONE', {
      ...details,
      message: twice === undefined ? message : `${message} ${twice.message}`,
      hint: twice === undefined ? hint : joinAdvice([twice.advice, hint], ' '),
      data: {...details.data, failed: error.code, ...(twice && {twice: twice.details.data})},
    })
  }
}

/** Whether what this command sent was sent from elsewhere at the same time. */
export async function twiceSent({accepted, lookAgain}: SentBefore): Promise<Failure | undefined> {
  if (accepted.length === 0) return undefined
  const own = new Set(accepted.map(({batch}) => batch))
  return lookAgain?.twice(
    accepted.map(({part}) => part),
    own,
  )
}

/** `ask` of `confirmTransfers`, for these batches. */
export function askOf(
  context: Context,
  client: Client,
  batches: readonly BatchToSend[],
  options: Omit<AskOptions, 'isAsked'>,
): (asked: Pick<AskOptions, 'isAsked'>) => Promise<Asked> {
  return async asked => {
    return askService(context, client, batches, {...options, ...asked})
  }
}
