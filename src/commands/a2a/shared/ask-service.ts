import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {textAt} from '../../../output/fields.ts'
import {hadEffect} from './parts.ts'
import {recentBatches} from './recent-batches.ts'
import {allSendings, refuseReplaced} from './refuse-replaced.ts'
import {type EarlierOptions, type SentEarlier, sentEarlier} from './sent-earlier.ts'
import {type BatchToSend, type ElsewhereOptions, sentElsewhere} from './sent-elsewhere.ts'
import {alreadySent, sentTwice, type WaysOut, wordsOf} from './sent-words.ts'

export interface AskOptions extends ElsewhereOptions {
  /** Whether a person is asked before anything is sent. */
  readonly isAsked: boolean
  /** `--service-check`; the profile's setting by default. */
  readonly serviceCheck?: boolean | undefined
  readonly ways: WaysOut
}

/** What a person must know before they are asked. */
export interface Asked {
  readonly earlier: readonly SentEarlier[]
  readonly words: readonly string[]
}

const NOTHING: Asked = {earlier: [], words: []}

/** Whether the service is asked. The embedded sandbox and the journal belong to one data folder. */
export const asksService = ({target}: Client, serviceCheck: boolean | undefined): boolean =>
  !target.embedded && (serviceCheck ?? target.serviceCheck)

/** Compares what is still to be sent with what was sent since. @throws Failure ALREADY_SENT */
export interface LookAgain {
  /** Once a question is answered. */
  afterQuestion(): Promise<void>
  /** Before a further batch of a split. @param own ids of the batches that the command has sent */
  beforeNext(left: readonly BatchToSend[], own: ReadonlySet<string>): Promise<void>
  /**
   * Of what was sent: two machines may send at the same moment, and neither sees the other before. The one that is second
   * sees the first one now.
   *
   * @returns Failure SENT_TWICE, with the batches from elsewhere that have sent some of it since the command looked first
   */
  twice(sent: readonly BatchToSend[], own: ReadonlySet<string>): Promise<Failure | undefined>
  /** The recent batches of the service before anything was sent, if it is asked. */
  readonly listed: readonly unknown[] | undefined
}

type LookOptions = Pick<AskOptions, 'isAsked' | 'serviceCheck' | 'ways' | 'retried' | 'listed' | 'except'> & {
  readonly again: boolean
  /** How the journal was searched before. */
  readonly sought?: EarlierOptions | undefined
  /** Whether the command looks once more after it has sent. */
  readonly looksAfter?: boolean | undefined
}

/**
 * Notes what was sent before a person is asked, or the first of several batches is sent: both may take long, and others
 * send meanwhile. The journal knows what other terminals of this machine send, and a live service what other machines
 * do.
 */
export async function sentMeanwhile(
  context: Context,
  client: Client,
  batches: readonly BatchToSend[],
  options: LookOptions,
): Promise<LookAgain> {
  const nothing = async (): Promise<undefined> => undefined
  const {isAsked, again, listed, looksAfter = false} = options
  const isOnlyAfter = !isAsked && batches.length === 1
  if (again || (isOnlyAfter && !looksAfter))
    return {afterQuestion: nothing, beforeNext: nothing, twice: nothing, listed}
  const {
    look: lookThere,
    twice,
    listed: read = listed,
  } = await atService(context, client, options, isOnlyAfter)
  if (isOnlyAfter) return {afterQuestion: nothing, beforeNext: nothing, twice, listed: read}
  const lookForFixes = await inFixes(context, client, batches, options)
  const lookHere = await inJournal(context, client, options)
  const look = async (left: readonly BatchToSend[], own: ReadonlySet<string>): Promise<void> => {
    await lookForFixes(left, own)
    await lookHere(left, own)
    await lookThere(left, own)
  }
  const saying = (error: unknown, when: string, after: string): unknown =>
    error instanceof Failure && error.code === 'ALREADY_SENT'
      ? error.with({message: `${when}, others sent. ${error.message}${after}`})
      : error
  return {
    afterQuestion: async () => {
      if (!isAsked) return
      await look(batches, new Set()).catch((error: unknown) => {
        throw saying(error, 'While the question stood here', ' Nothing was sent now.')
      })
    },
    beforeNext: async (left, own) => {
      await look(left, own).catch((error: unknown) => {
        throw saying(error, 'After the batch before it', '')
      })
    },
    twice,
    listed: read,
  }
}

type Look = (left: readonly BatchToSend[], own: ReadonlySet<string>) => Promise<void>

/** Looks for batches that have replaced the same failed transfers since, as they say themselves. */
async function inFixes(
  context: Context,
  client: Client,
  batches: readonly BatchToSend[],
  {retried, listed}: LookOptions,
): Promise<Look> {
  const hasFixes = batches.some(({body}) => marksIn(textAt(body, 'description')).fixes.length > 0)
  if (retried === undefined && !hasFixes) return async () => undefined
  using before = await context.stores.journal()
  const {batches: all} = listed === undefined ? await allSendings(client, before) : {batches: listed}
  const known = all.map(batch => textAt(batch, 'id'))
  return async (left, own) => {
    const bodies = left.map(({body}) => body)
    await refuseReplaced(context, client, bodies, new Set([...known, ...own]), retried)
  }
}

/** Looks for what this machine has sent since, exactly or corrected. */
async function inJournal(context: Context, client: Client, {ways, sought}: LookOptions): Promise<Look> {
  using before = await context.stores.journal()
  const operation = 'a2a.create.v1'
  const known = new Set(
    before.requests
      .list({operation})
      .filter(hadEffect)
      .map(({id}) => id),
  )
  return async (left, own) => {
    using journal = await context.stores.journal()
    const since = journal.requests
      .list({operation})
      .filter(one => hadEffect(one) && !known.has(one.id) && !own.has(one.replyId ?? ''))
    if (since.length === 0) return
    const ids = new Set<string | undefined>(since.map(({id}) => id))
    const transfers = left.flatMap(one => one.transfers)
    const earlier = await sentEarlier(context, client, journal, transfers, {...sought, isExact: false})
    const found = earlier.filter(({request}) => ids.has(request.id))
    if (found.length > 0) throw alreadySent(context, transfers, found, ways)
  }
}

/** Looks for what a live service has got since, from wherever. */
async function atService(
  context: Context,
  client: Client,
  {listed: read, except, serviceCheck, ways, retried}: LookOptions,
  isOnlyAfter: boolean,
): Promise<{look: Look; twice: LookAgain['twice']; listed?: readonly unknown[]}> {
  const {now} = context.surroundings
  const isLooked = client.target.kind === 'live' && asksService(client, serviceCheck)
  const nothing = {look: async () => undefined, twice: async () => undefined}
  if (!isLooked) return nothing
  // What was read for the question is what it knows, so nothing that came after it is missed. Where nobody is asked, all
  // that the service then shows of these transfers stops the command, so what it shows later is new.
  const before = isOnlyAfter
    ? undefined
    : (read ??
      (await recentBatches(client, now()).catch((error: unknown) => {
        // The question says that they can't be read.
        if (error instanceof Failure && !isInterruption(error)) return undefined
        throw error
      })))
  if (before === undefined && !isOnlyAfter) return nothing
  const known = new Set(before?.map(batch => textAt(batch, 'id')) ?? except)
  const since = async (own: ReadonlySet<string>) => {
    const recent = await recentBatches(client, now())
    return {
      recent,
      listed: recent.filter(one => !known.has(textAt(one, 'id')) && !own.has(textAt(one, 'id'))),
    }
  }
  return {
    ...(before && {listed: before}),
    look: async (left, own) => {
      const {recent, listed} = await since(own)
      if (listed.length === 0) return
      const looked = {serviceCheck, ways, retried, listed, failedIn: recent, isAsked: false}
      await askService(context, client, left, looked)
    },
    twice: async (sent, own) => {
      // Without its id, an own batch can't be told from one of elsewhere.
      if (own.has('')) return undefined
      try {
        const {listed} = await since(own)
        if (listed.length === 0) return undefined
        const {found, unread} = await sentElsewhere(context, client, sent, {listed, failedIn: []})
        if (unread !== undefined) throw unread
        const transfers = sent.flatMap(one => one.transfers)
        return found.length === 0
          ? undefined
          : sentTwice(context, transfers, found, {own: [...own], whole: ways.whole})
      } catch (error: unknown) {
        if (!(error instanceof Failure)) throw error
        const {message} = error
        if (isInterruption(error)) throw error
        context.printer.warn(
          `It is not known whether the same transfers were sent from elsewhere at the same time: ${message}`,
          {code: 'SERVICE_NOT_CHECKED'},
        )
        return undefined
      }
    },
  }
}

/**
 * Asks the service whether its batches of the last 7 days have sent some of these transfers, from wherever. On a profile
 * that isn't live, all that is found is a note.
 *
 * @throws Failure ALREADY_SENT; if nobody is asked also why the batches can't be read.
 */
export async function askService(
  context: Context,
  client: Client,
  batches: readonly BatchToSend[],
  {isAsked, serviceCheck, ways, ...options}: AskOptions,
): Promise<Asked> {
  if (!asksService(client, serviceCheck)) return NOTHING
  const transfers = batches.flatMap(one => one.transfers)
  const {found, unread} = await sentElsewhere(context, client, batches, options)
  const unreadWords =
    unread === undefined
      ? []
      : [
          `The batches of the last 7 days can't be read, so it is not known whether these transfers were sent from elsewhere: ${unread.message}`,
        ]
  if (client.target.kind !== 'live') {
    if (found.length > 0)
      context.printer.warn(`${wordsOf(context, transfers, found, ways.whole)}.`, {code: 'SENT_ELSEWHERE'})
    for (const words of unreadWords) context.printer.warn(words, {code: 'SERVICE_NOT_CHECKED'})
    return NOTHING
  }
  const isWhole = found.length === transfers.length && found.every(one => one.elsewhere?.sameTexts === true)
  if (isWhole || (found.length > 0 && !isAsked)) throw alreadySent(context, transfers, found, ways)
  if (unread === undefined || isAsked) return {earlier: found, words: unreadWords}
  throw unread.with({
    message: unreadWords.join(' '),
    hint: 'Nothing was sent. Run the command again later, or send without this check: --no-service-check.',
    effect: 'none',
  })
}
