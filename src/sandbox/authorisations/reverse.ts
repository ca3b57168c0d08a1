import {convert} from '../../money/example-rates.ts'
import {available} from '../accounts/account.ts'
import {minorOf} from '../amounts.ts'
import {sandboxNow} from '../clock.ts'
import type {OuterCall} from '../handlers.ts'
import {conflict, existing} from '../problems.ts'
import type {Service} from '../service.ts'
import type {Transaction} from '../store/store.ts'
import {authCall} from './ask-client.ts'
import {asking, noticeId} from './asking.ts'
import {type Authorisation, purchaseOf} from './authorisation.ts'
import {partiesOf} from './check.ts'
import {heldIn, reserve, setHold} from './holds.ts'
import {directionOf, type Purchase} from './purchase.ts'

/**
 * Lowers or releases the hold of a transaction, and notifies the endpoint, whose answer changes nothing.
 *
 * @param replacementAmount the new hold, in the currency of the purchase; zero if absent.
 * @throws Problem 404; 409 without a hold, or if the hold would not be lower.
 */
export async function reverse(
  call: OuterCall,
  id: string,
  replacementAmount: number | undefined,
): Promise<Authorisation> {
  const {service, store} = call
  const reversed = await store.transaction(async tx => {
    const now = await sandboxNow(service, tx)
    const lowered = await lower(tx, await authorisationOf(tx, id), replacementAmount ?? 0, now)
    return service.webhook ? withCall(tx, call, lowered, replacementAmount) : lowered
  })
  return tellClient(service, reversed, {reversal: reversed.reversals.length - 1, now: call.now})
}

/** Tells the endpoint about a reversal, if it is to be told, and notes its answer. */
export async function tellClient(
  {webhook, store}: Service,
  reversed: Authorisation,
  {reversal, now}: {readonly reversal: number; readonly now: number},
): Promise<Authorisation> {
  const call = reversed.reversals[reversal]?.asking?.call
  if (webhook === undefined || call === undefined) return reversed
  const answer = await webhook.authorise(call, now)
  const clientAnswer =
    answer.kind === 'none' ? answer.why : `the endpoint answered with status ${answer.status}`
  return store.transaction(tx => noteAnswer(tx, reversed, reversal, clientAnswer))
}

async function noteAnswer(
  tx: Transaction,
  reversed: Authorisation,
  place: number,
  clientAnswer: string,
): Promise<Authorisation> {
  const {id, mark} = reversed
  const current = await tx.authorisations.get(id)
  // The sandbox was reset in the meantime.
  if (current === undefined || current.mark !== mark) return reversed
  const next = {
    ...current,
    reversals: current.reversals.map(({asking, ...one}, at) =>
      at === place ? {...one, clientAnswer} : {...one, ...(asking && {asking})},
    ),
  }
  await tx.holds.delete(noticeId(id, place))
  await tx.authorisations.put(next)
  return next
}

/** @throws Problem 404 */
export async function authorisationOf(tx: Transaction, id: string): Promise<Authorisation> {
  return existing(await tx.authorisations.get(id), 'authorisation')
}

/** @throws Problem 409 if it was declined, or while the endpoint is asked. */
export function refuseUnapproved({status}: Authorisation): void {
  if (status === 'DECLINED') throw conflict('declined', 'The authorisation was declined.')
  if (status === 'PENDING')
    throw conflict('pending', 'The endpoint has not answered yet about this authorisation.')
}

async function lower(
  tx: Transaction,
  authorisation: Authorisation,
  replacement: number,
  now: number,
): Promise<Authorisation> {
  const {transactionId, amount} = authorisation
  refuseUnapproved(authorisation)
  const hold = directionOf(authorisation) === 'out' ? await tx.holds.get(transactionId) : undefined
  if (hold?.status !== 'HELD') throw conflict('nothing-held', 'The transaction holds nothing.')
  const wanted = minorOf(replacement, amount.currency, '/replacementAmount')
  const target = convert(wanted, amount.currency, hold.currency) ?? 0n
  const given = BigInt(hold.minor) - target
  if (given <= 0n) throw conflict('not-less', '/replacementAmount: must be less than the hold.')
  const before = heldIn(hold, amount.currency) ?? 0n
  const end = {until: hold.until ?? now, statusAtZero: 'REVERSED'} as const
  await setHold(tx, {...hold, asked: {minor: String(wanted), currency: amount.currency}}, target, end)
  const all = target === 0n && !(await isCleared(tx, transactionId))
  await countLess(tx, transactionId, all ? 'all' : {minor: given, currency: hold.currency})
  const current = await authorisationOf(tx, authorisation.id)
  const reversal = {
    at: now,
    given: {minor: String(given), currency: hold.currency},
    asked: {minor: String(before - wanted), currency: amount.currency},
  }
  const next = {...current, reversals: [...current.reversals, reversal]}
  await tx.authorisations.put(next)
  return next
}

async function isCleared(tx: Transaction, transactionId: string): Promise<boolean> {
  for (const {id} of await tx.authorisations.list({where: {transactionId}})) {
    if ((await tx.clearings.count({authorisationId: id})) > 0) return true
  }
  return false
}

/**
 * Subtracts a reversal from the amounts that count against the limits, starting with the last increment. A full
 * reversal sets them to zero: each part was rounded when it was converted, so subtraction could leave a hundredth.
 */
async function countLess(
  tx: Transaction,
  transactionId: string,
  given: {readonly minor: bigint; readonly currency: string} | 'all',
): Promise<void> {
  let less: bigint | undefined
  for (const one of await tx.authorisations.list({where: {transactionId}, order: 'newest'})) {
    if (one.status === 'PENDING') continue
    const {minor, currency} = one.billed
    const billed = BigInt(minor)
    less ??= given === 'all' ? undefined : (convert(given.minor, given.currency, currency) ?? 0n)
    const left = less === undefined || less > billed ? 0n : billed - less
    if (less !== undefined) less -= billed - left
    await tx.authorisations.put({...one, billed: {minor: String(left), currency}})
  }
}

/** Keeps the call about the last reversal with it, so that another process can send it if this one ends. */
async function withCall(
  tx: Transaction,
  {service, now, random}: OuterCall,
  reversed: Authorisation,
  replacementAmount: number | undefined,
): Promise<Authorisation> {
  const {id, transactionId, reversals} = reversed
  const last = reversals.length - 1
  const minor = BigInt(reversals[last]?.asked.minor ?? 0)
  const reversal = reversalOf(reversed, minor, replacementAmount)
  const parties = await partiesOf(tx, reversal, await tx.holds.get(transactionId))
  const left = await available(tx, parties.account, parties.currency)
  const taken = asking(service, authCall(reversal, {parties, transactionId, available: left, now, random}))
  const next = {
    ...reversed,
    reversals: reversals.map((one, at) => (at === last ? {...one, asking: taken} : one)),
  }
  const {card, account, currency} = parties
  const notice = {id: noticeId(id, last), cardId: card.id, accountId: account.id, currency}
  await reserve(tx, notice, 0n, now)
  await tx.authorisations.put(next)
  return next
}

/** The reversal of a purchase, with its data. */
function reversalOf(
  authorisation: Authorisation,
  minor: bigint,
  replacementAmount: number | undefined,
): Purchase {
  const {transactionId, amount} = authorisation
  const {currency} = amount
  const purchase = purchaseOf(authorisation)
  return {
    ...purchase,
    scenario: null,
    messageCategory: 'INITIAL_AUTHORIZATION',
    minor,
    data: {
      ...purchase.data,
      transactionType: 'REVERSAL',
      originalTransactionId: transactionId,
      ...(replacementAmount !== undefined && {replacementAmount: {amount: replacementAmount, currency}}),
    },
    transactionId: undefined,
  }
}
