import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import type {SentEarlier} from './sent-earlier.ts'
import {type BatchToSend, type ElsewhereOptions, sentElsewhere} from './sent-elsewhere.ts'
import {alreadySent, type WaysOut, wordsOf} from './sent-words.ts'

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
      context.printer.warn(`${wordsOf(context, transfers, found)}.`, {code: 'SENT_ELSEWHERE'})
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
