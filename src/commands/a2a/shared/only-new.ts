import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {confirmClock} from '../../../cli/doubtful-clock.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {amount, counted} from '../../../money/amount.ts'
import {sumByCurrency} from '../../../money/sum-by-currency.ts'
import {asksService} from './ask-service.ts'
import type {FailedTransfers} from './parts.ts'
import type {Transfer} from './read-transfers.ts'
import {type SentEarlier, sentEarlier} from './sent-earlier.ts'
import {sentElsewhere} from './sent-elsewhere.ts'
import {alreadySent, wordsOf} from './sent-words.ts'

/** What is new of a set. */
export interface NewOnes {
  readonly left: readonly Transfer[]
  readonly all: readonly Transfer[]
  /** How many of all this machine has sent. */
  readonly known: number
}

/**
 * The transfers that no request of this machine and no batch of the service has sent in the last 7 days, or that failed
 * for certain. For `--only-new`.
 *
 * @param retry the batch in which they failed: then only what was sent later counts.
 * @throws Failure ALREADY_SENT if none is left; EFFECT_UNKNOWN if it is uncertain which are left; why the service can't be asked.
 */
export async function newOnes(
  context: Context,
  client: Client,
  transfers: readonly Transfer[],
  {
    retry,
    serviceCheck,
    isChosen = false,
  }: {
    readonly retry?: FailedTransfers | undefined
    readonly serviceCheck?: boolean | undefined
    /** A person was asked already, and leaves out what may have been corrected. */
    readonly isChosen?: boolean
  },
): Promise<NewOnes> {
  using journal = await context.stores.journal()
  await confirmClock(context, client)
  const known = await sentEarlier(context, client, journal, transfers, {after: retry?.request})
  const found = [...known, ...(await atService(context, client, transfers, {known, retry, serviceCheck}))]
  const earlier = isChosen ? found : await withoutOthers(context, transfers, found)
  const open = earlier.find(isOpen)?.request.id
  if (open !== undefined) {
    throw new Failure('EFFECT_UNKNOWN', {
      message: `${wordsOf(context, transfers, earlier)}. So it is not known which of them are new.`,
      hint: advice`Find out first: ${context.commandLine('requests', 'resolve', {value: open})}`,
      effect: 'none',
      requestId: open,
    })
  }
  const left = without(transfers, earlier)
  if (left.length === 0) {
    throw new Failure('ALREADY_SENT', {
      message: `${wordsOf(context, transfers, earlier)}. None is left to send.`,
      hint: 'Nothing was sent.',
      effect: 'none',
    })
  }
  if (earlier.length > 0) context.printer.note(`${wordsOf(context, transfers, earlier)}. They are left out.`)
  return {left, all: transfers, known: known.filter(({isOther}) => !isOther).length}
}

/**
 * Whether a row that failed was corrected and sent, only a person knows.
 *
 * @returns what was sent before, without the rows that are to be sent all the same.
 * @throws Failure ALREADY_SENT where nobody is asked; CONFIRMATION_DECLINED
 */
async function withoutOthers(
  context: Context,
  transfers: readonly Transfer[],
  earlier: readonly SentEarlier[],
): Promise<readonly SentEarlier[]> {
  const doubtful = earlier.filter(
    one => one.instead !== undefined && one.instead !== 'replaced' && !isOpen(one),
  )
  if (doubtful.length === 0) return earlier
  if (!context.interactive || context.flags.yes)
    throw alreadySent(context, transfers, doubtful, {isDoubt: true})
  const isOne = doubtful.length === 1
  const rows = isOne ? `row ${doubtful[0]?.row}` : `these ${doubtful.length} rows`
  const sums = sumsOf(doubtful.flatMap(({row}) => transfers[row - 1] ?? []))
  context.printer.question(`${wordsOf(context, transfers, doubtful)}.`)
  const chosen = await context.prompter.choose(`Was ${rows} corrected and sent there?`, [
    {value: 'out', name: `Yes: leave ${isOne ? 'it' : 'them'} out`},
    {value: 'send', name: `No: send ${isOne ? 'it' : 'them'} too, ${sums}`},
    {value: 'nothing', name: 'Send nothing'},
  ])
  if (chosen === 'out') return earlier
  if (chosen === 'send') return earlier.filter(one => !doubtful.includes(one))
  throw new Failure('CONFIRMATION_DECLINED', {message: 'Not confirmed.', effect: 'none'})
}

/** @throws Failure why the service can't be asked: then nobody knows what is new. */
async function atService(
  context: Context,
  client: Client,
  transfers: readonly Transfer[],
  {
    known,
    retry,
    serviceCheck,
  }: {
    readonly known: readonly SentEarlier[]
    readonly retry: FailedTransfers | undefined
    readonly serviceCheck: boolean | undefined
  },
): Promise<readonly SentEarlier[]> {
  if (!asksService(client, serviceCheck)) {
    if (!client.target.embedded)
      context.printer.note('What another machine has sent is not looked up: --no-service-check.')
    return []
  }
  const {found, unread} = await sentElsewhere(context, client, [{transfers}], {known, retried: retry?.batch})
  if (unread === undefined) return found
  throw unread.with({
    message: `The batches of the last 7 days can't be read, so it is not known which of these transfers are new: ${unread.message}`,
    hint: 'Nothing was sent. Run the command again later, or leave out only what this machine has sent: --no-service-check.',
    effect: 'none',
  })
}

/**
 * Asks a person what is to be sent of a set of which some were sent before.
 *
 * @returns what they chose, before it is confirmed as anything that is sent.
 * @throws Failure CONFIRMATION_DECLINED
 */
export async function chooseAgain(
  context: Context,
  transfers: readonly Transfer[],
  earlier: readonly SentEarlier[],
): Promise<'new' | 'all'> {
  const left = without(transfers, earlier)
  // Of what may have been sent nobody can say whether it is new.
  const mayLeaveOut = left.length > 0 && !earlier.some(isOpen)
  context.printer.question(`${wordsOf(context, transfers, earlier)}.`)
  const chosen = await context.prompter.choose('What do you want to send?', [
    ...(mayLeaveOut
      ? [
          {
            value: 'new' as const,
            name: `Only the ${left.length === 1 ? 'other one' : `${left.length} others`}: ${sumsOf(left)}`,
          },
        ]
      : []),
    {value: 'nothing', name: 'Nothing'},
    {
      value: 'all',
      name: `All ${counted(transfers.length, 'transfer')}: ${repeatWords(transfers, earlier)}`,
    },
  ])
  if (chosen !== 'nothing') return chosen
  throw new Failure('CONFIRMATION_DECLINED', {message: 'Not confirmed.', effect: 'none'})
}

/** "EUR 1 370.45 is sent a second time" */
export const repeatWords = (transfers: readonly Transfer[], earlier: readonly SentEarlier[]): string =>
  `${sumsOf(earlier.flatMap(({row}) => transfers[row - 1] ?? []))} ${earlier.some(mayBeOther) ? 'may be' : 'is'} sent a second time`

export const without = (
  transfers: readonly Transfer[],
  earlier: readonly SentEarlier[],
): readonly Transfer[] => {
  const sent = new Set(earlier.map(({row}) => row))
  return transfers.filter((_, at) => !sent.has(at + 1))
}

const mayBeOther = (one: SentEarlier): boolean =>
  isOpen(one) || one.isOther === true || one.elsewhere?.sameTexts === 'unknown'

const isOpen = ({request}: SentEarlier): boolean => request.state !== 'done'

const sumsOf = (transfers: readonly Transfer[]): string =>
  sumByCurrency(transfers)
    .map(({currency, text}) => amount(text, currency))
    .join(', ')
