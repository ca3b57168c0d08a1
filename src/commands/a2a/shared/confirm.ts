import {isHeldBack} from '../../../cli/caller.ts'
import {ceilingDemands} from '../../../cli/ceiling.ts'
import {confirm, consequenceOf} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {Failure} from '../../../errors/failure.ts'
import {amount, compareAmounts, counted, formatAmount} from '../../../money/amount.ts'
import {readCurrency} from '../../../money/currency-name.ts'
import {type CurrencySum, sumByCurrency} from '../../../money/sum-by-currency.ts'
import type {Target} from '../../../profiles/target.ts'
import {blockedSenders} from '../../accounts/shared/blocked-account.ts'
import type {Asked, AskOptions} from './ask-service.ts'
import {repeatWords} from './only-new.ts'
import type {Part} from './parts.ts'
import type {Transfer} from './read-transfers.ts'
import {agreeOnSameRows, type SameRows, sameRowsWords, transferWords} from './same-rows.ts'
import type {SentEarlier} from './sent-earlier.ts'
import {alreadySent, type WaysOut, wordsOf} from './sent-words.ts'
import type {ExpectedTotals} from './transfer-flags.ts'

/**
 * Money moves at once and can't be called back, so this shows count, totals and split and asks before sending anything.
 * On a live profile `--yes` isn't enough: a user types the count, or the amount of a single transfer, and a script passes
 * the expected count and totals.
 *
 * Rows that are the same, and transfers that were sent before in another set, are named before the question. Where
 * nobody is asked, they are refused.
 *
 * @throws Failure ALREADY_SENT, USAGE, CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED
 */
export async function confirmTransfers(
  context: Context,
  target: Target,
  {
    transfers,
    parts,
    same,
    earlier,
    ask,
    ways,
    whole,
    isSigned = false,
  }: {
    readonly transfers: readonly Transfer[]
    /** All of the set that they are the rest of. Who agrees to the whole agrees to what is left of it. */
    readonly whole?: readonly Transfer[] | undefined
    readonly parts: readonly Part[]
    /** Which rows of the whole set are the same. */
    readonly same: readonly SameRows[]
    /** Which of the transfers were sent before, in other sets. */
    readonly earlier: readonly SentEarlier[]
    readonly ways: WaysOut
    /** A person has signed it, so an agent may send it. */
    readonly isSigned?: boolean | undefined
    /** Asks the service whether they were sent from elsewhere, and returns what a person must know. */
    readonly ask?: ((options: Pick<AskOptions, 'isAsked'>) => Promise<Asked>) | undefined
  },
  expected: ExpectedTotals,
): Promise<void> {
  // The policy decides about the transfers themselves, whatever a person would be asked, or the service.
  if (context.surroundings.explainPolicy !== undefined) return
  const totals = sumByCurrency(transfers)
  const count = counted(transfers.length, 'transfer')
  const sums = sumsOf(totals)
  const agreed = expected['confirm-count'] !== undefined && expected['confirm-total'] !== undefined
  const isAsked = isAskedAbout(context, expected)
  agreeOnSameRows(same, {given: expected['same-rows'], isAsked})
  if (earlier.length > 0 && !isAsked) throw alreadySent(context, transfers, earlier, ways)
  const elsewhere = isAsked ? await ask?.({isAsked}) : undefined
  const sent = [...earlier, ...(elsewhere?.earlier ?? [])]
  const senders = await blockedSenders(context, new Set(transfers.map(({fromAccountId}) => fromAccountId)))
  if (!isAsked)
    for (const {words, blocked} of senders.slice(0, MOST_ACCOUNTS)) {
      const {note: _, ...facts} = blocked
      context.printer.warn(words, {code: 'ACCOUNT_BLOCKED_HERE', ...facts})
    }
  const details = [
    ...accountsOf(transfers),
    ...(isAsked ? senders.map(({words}) => words) : []),
    ...sampleOf(transfers),
    ...splitOf(parts),
    ...sameRowsWords(same),
    ...(sent.length > 0
      ? [`${wordsOf(context, transfers, sent, ways.whole)}. ${repeatWords(transfers, sent)}`]
      : []),
    ...(elsewhere?.words ?? []),
  ]
  if (agreed || (context.flags.yes && target.kind !== 'live')) {
    context.printer.note(`${count}: ${sums}`, ...details)
  }
  const {'confirm-count': wantedCount, 'confirm-total': wantedTotals} = expected
  const isWhole = whole !== undefined && wantedCount === whole.length && wantedTotals !== undefined
  if (wantedCount !== undefined && wantedCount !== transfers.length && !isWhole) {
    refuse(
      `There ${transfers.length === 1 ? 'is' : 'are'} ${count}, not ${wantedCount} as --confirm-count says.`,
    )
  }
  if (wantedTotals !== undefined)
    await refuseOtherTotals(context, isWhole ? sumByCurrency(whole) : totals, wantedTotals)
  const operation = operations['a2a.create.v1']
  const isHeld = !isSigned && isHeldBack(context.caller, target)
  const above = ceilingDemands(target, operation, {path: {}, query: {}, body: {transfers}})
  const question = {
    place: target,
    action: `send ${count}: ${sums}`,
    consequence: consequenceOf(operation),
    details,
  }
  if (wantedCount === undefined || wantedTotals === undefined || isHeld) {
    // --yes doesn't show that the user knows what is sent.
    const live = {
      demands: [...above, {name: typedBack(transfers.length, totals), yes: false}],
      otherwise: `Add --confirm-count and, for each currency, --confirm-total as you expect them, for example --confirm-count 312 --confirm-total EUR:148220.50; --yes does not cover it.`,
    }
    await confirm(context, {
      ...question,
      ...(target.kind === 'live' ? live : {demands: [...above, {yes: true}]}),
    })
  } else if (above.length > 0) await confirm(context, {...question, demands: above})
  // After all that may refuse them without a request.
  if (!isAsked) await ask?.({isAsked})
}

/** Whether a person is asked before anything is sent. */
export const isAskedAbout = (context: Context, expected: ExpectedTotals): boolean =>
  context.interactive &&
  !context.flags.yes &&
  (expected['confirm-count'] === undefined || expected['confirm-total'] === undefined)

/** What a person types to agree: how many there are, or the amount of the only one, since a 1 is typed unread. */
const typedBack = (count: number, [sum]: readonly CurrencySum[]): string =>
  count === 1 && sum !== undefined ? formatAmount(sum.text, sum.currency) : String(count)

const sumsOf = (totals: readonly CurrencySum[]): string =>
  totals.map(({currency, text}) => amount(text, currency)).join(', ')

/** Of many accounts, the ones with the most transfers are named. */
const MOST_ACCOUNTS = 5

/** "From 2006: 3 transfers, EUR 1,000.00", "To 2007, 2008 and 40 more". */
function accountsOf(transfers: readonly Transfer[]): readonly string[] {
  const from = grouped(transfers, ({fromAccountId}) => fromAccountId)
  const to = grouped(transfers, ({toAccountId}) => toAccountId)
  const named = from
    .slice(0, MOST_ACCOUNTS)
    .map(
      ([account, some]) =>
        `From ${account}: ${counted(some.length, 'transfer')}, ${sumsOf(sumByCurrency(some))}`,
    )
  const others = from.slice(MOST_ACCOUNTS).flatMap(([, some]) => some)
  const rest =
    others.length === 0
      ? []
      : [`From ${counted(from.length - MOST_ACCOUNTS, 'other account')}: ${sumsOf(sumByCurrency(others))}`]
  const receivers = to.slice(0, MOST_ACCOUNTS).map(([account]) => account)
  const more = to.length - receivers.length
  return [
    ...named,
    ...rest,
    `To ${receivers.join(', ')}${more > 0 ? ` and ${counted(more, 'other account')}` : ''}`,
  ]
}

/** Rows from which the first, the last and the largest are shown: a single one is seen in the lines above. */
const WORTH_SHOWING = 2

/** "First: from 2006 to 2007, EUR 12.50, Rent", the last, and the largest if it is neither. */
function sampleOf(transfers: readonly Transfer[]): readonly string[] {
  const [first] = transfers
  const last = transfers.at(-1)
  if (first === undefined || last === undefined || transfers.length < WORTH_SHOWING) return []
  const largest = [...Map.groupBy(transfers, ({currency}) => currency).values()].map(some =>
    some.reduce((most, each) => (each.amount > most.amount ? each : most)),
  )
  const others = largest.filter(each => each !== first && each !== last)
  return [
    `First: ${transferWords(first)}`,
    `Last: ${transferWords(last)}`,
    ...others.slice(0, MOST_ACCOUNTS).map(each => `Largest: ${transferWords(each)}`),
  ]
}

/** Those with the most transfers first. */
function grouped(
  transfers: readonly Transfer[],
  accountOf: (transfer: Transfer) => string,
): readonly (readonly [account: string, transfers: readonly Transfer[]])[] {
  return [...Map.groupBy(transfers, accountOf)].sort(([, a], [, b]) => b.length - a.length)
}

/** More batches are counted, not listed. */
const MOST_BATCHES = 5

function splitOf(parts: readonly Part[]): readonly string[] {
  const [first] = parts
  if (first === undefined || first.of <= 1) return []
  if (parts.length === 1) return [`As batch ${first.number} of ${first.of}`]
  const each = parts.map(
    part => `${part.number} of ${part.of} with ${counted(part.transfers.length, 'transfer')}`,
  )
  if (parts.length <= MOST_BATCHES) return [`In ${parts.length} batches: ${each.join(', ')}`]
  const [shown, rest] = [each.slice(0, MOST_BATCHES), each.length - MOST_BATCHES]
  return [`In ${parts.length} batches: ${shown.join(', ')} and ${rest} more`]
}

async function refuseOtherTotals(
  {numbers}: Context,
  totals: readonly CurrencySum[],
  wanted: readonly string[],
): Promise<void> {
  const open = new Map(totals.map(sum => [sum.currency, sum]))
  for (const argument of wanted) {
    const [named = '', amount = ''] = argument.split(':')
    if (amount === '') {
      throw new Failure('USAGE', {
        message: '--confirm-total takes CURRENCY:AMOUNT, e.g. EUR:148220.50.',
        effect: 'none',
      })
    }
    const currency = readCurrency(named)
    const sum = open.get(currency)
    if (sum === undefined) refuse(`There is no total in ${currency} but --confirm-total names one.`)
    const read = await numbers.read(amount, `The amount of --confirm-total in ${currency}`)
    if (compareAmounts(read, sum.text, currency) !== 0) {
      refuse(`The total is ${currency} ${sum.text}, not ${read} as --confirm-total says.`)
    }
    open.delete(currency)
  }
  const [missing] = open.values()
  if (missing !== undefined) refuse(`--confirm-total leaves out ${missing.currency} ${missing.text}.`)
}

function refuse(message: string): never {
  throw new Failure('CONFIRMATION_DECLINED', {message, effect: 'none'})
}
