import {convert} from '../../money/example-rates.ts'
import {available} from '../accounts/account.ts'
import {minorOf} from '../amounts.ts'
import {sandboxNow} from '../clock.ts'
import type {OuterCall} from '../handlers.ts'
import {conflict, existing} from '../problems.ts'
import type {Transaction} from '../store/store.ts'
import {authCall} from './ask-client.ts'
import type {Authorisation} from './authorisation.ts'
import {partiesOf} from './check.ts'
import {heldIn, setHold} from './holds.ts'
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
    return lower(tx, await authorisationOf(tx, id), replacementAmount ?? 0, now)
  })
  const clientAnswer = await notifyClient(call, reversed, replacementAmount)
  return store.transaction(tx => noteAnswer(tx, reversed, clientAnswer))
}

async function noteAnswer(
  tx: Transaction,
  reversed: Authorisation,
  clientAnswer: string | null,
): Promise<Authorisation> {
  const {id, mark, reversals} = reversed
  const current = await tx.authorisations.get(id)
  // The sandbox was reset in the meantime.
  if (current === undefined || current.mark !== mark) return reversed
  const next = {
    ...current,
    reversals: current.reversals.map((one, at) =>
      at === reversals.length - 1 ? {...one, clientAnswer} : one,
    ),
  }
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

/** What the endpoint answered, in words; null without an endpoint. */
async function notifyClient(
  {service, store, now, random}: OuterCall,
  reversed: Authorisation,
  replacementAmount: number | undefined,
): Promise<string | null> {
  const {webhook} = service
  if (webhook === undefined) return null
  const minor = BigInt(reversed.reversals.at(-1)?.asked.minor ?? 0)
  const reversal = reversalOf(reversed, minor, replacementAmount)
  const call = await store.read(async tx => {
    const parties = await partiesOf(tx, reversal, await tx.holds.get(reversed.transactionId))
    const left = await available(tx, parties.account, parties.currency)
    return authCall(reversal, {
      parties,
      transactionId: reversed.transactionId,
      available: left,
      now,
      random,
    })
  })
  const answer = await webhook.authorise(call, now)
  return answer.kind === 'none' ? answer.why : `the endpoint answered with status ${answer.status}`
}

/** The reversal of a purchase, with its data. */
function reversalOf(
  {cardId, transactionId, purchase, amount: {currency}}: Authorisation,
  minor: bigint,
  replacementAmount: number | undefined,
): Purchase {
  const {data, merchant, token, fee} = purchase
  return {
    cardId,
    scenario: null,
    messageCategory: 'INITIAL_AUTHORIZATION',
    minor,
    currency,
    data: {
      ...data,
      transactionType: 'REVERSAL',
      originalTransactionId: transactionId,
      ...(replacementAmount !== undefined && {replacementAmount: {amount: replacementAmount, currency}}),
    },
    percent: fee === undefined ? undefined : {fee},
    merchant,
    token,
    wrongPin: false,
    transactionId: undefined,
  }
}
